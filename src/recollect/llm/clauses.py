"""Which way round a sentence says something: asked or told, so or not so, over or still on. Pure.

The same words can mean the opposite, and a "not" counts only for the clause it stands in. Nothing
here understands text; where it is not plain that two sentences agree, they do not.
"""

import re
from dataclasses import dataclass

from recollect.llm.claims import plain, stem
from recollect.text.terms import terms

LONGEST_SENTENCE = 2_000
# Nobody can tell which way round a longer one says it.
MOST_CLAUSES = 40

_WORD = re.compile(r"[^\W_]+")

# A reason, a contrast and what is not chosen are clauses of their own. A colon is no end: "not
# allowed: force pushes". Nor is "and": "never push and merge".
_CLAUSE = re.compile(
    r"[,;()，；、]|\s[-–—]+\s"
    r"|\b(?:because|since|otherwise|so that|but|although|though|while|weil|denn|sonst|aber|damit"
    r"|parce que|sinon|mais|porque|pero)\b|因为|因為|否则|否則|但是|けど|ので"
    r"|\b(?:and|und|et|y)\s+(?=(?:not|never|no|don't|do not|nicht|nie|kein\w*|jamais|nunca)\b)"
    r"|(?=\b(?:instead of|rather than|statt|anstatt|anstelle|au lieu|en vez|en lugar)\b|而不是)"
)
_ENUMERATED = re.compile(r"\b(?:or|nor|oder|noch|ou|ni)\b|或|または|또는")
# "No, use pnpm" speaks of something before.
_REFUSING = re.compile(r"\s*(?:no|nope|nah|nein|non)\s*[,.!:]\s*")

_NOT = re.compile(
    r"\b(?:not|never|no|none|nothing|nobody|neither|nor|without|cannot|\w+n't|dont|doesnt|cant|wont"
    r"|nicht|kein\w*|nie|niemals|ohne|ne|pas|jamais|sans|nunca|jamás|sin|ni)\b|\bn'"
    r"|不(?![仅但过错同論论])|[没沒無勿]|无(?!论)|(?<![特分区區级級类類个個性告])[别別]"
    r"|ない|ません|なし|않|안 |못|말[고자]"
)
_STOP = re.compile(
    r"\b(?:stop\w*|avoid\w*|drop(?:s|ped|ping)?|remov\w+|instead of|rather than|forbid\w*"
    r"|prohibit\w*|ban(?:s|ned)?|refrain\w*|quit|abandon\w*|get rid"
    r"|vermeid\w*|verbiet\w*|verboten|statt|anstatt|anstelle|évit\w*|interdi\w*|au lieu"
    r"|evit\w*|prohíb\w*|prohib\w*|en vez|en lugar|dej\w+ de)\b"
    r"|停止|避免|禁止|やめ|금지|대신"
)
_OFF = re.compile(
    r"\b(?:disabl\w*|deactivat\w*|skip\w*|bypass\w*|ignor\w*|omit\w*|suppress\w*|delet\w*|wip(?:e\w*"
    r"|ing)|revok\w*|den(?:y|ies|ied)|reject\w*|off|exclud\w*|except|weaken\w*"
    r"|deaktivier\w*|abschalt\w*|ausschalt\w*|überspring\w*|lösch\w*|désactiv\w*|supprim\w*"
    r"|desactiv\w*|elimin\w*)\b"
    r"|关闭|關閉|禁用|停用|跳过|跳過|绕过|繞過|忽略|删除|刪除|無効|スキップ|無視|削除"
    r"|비활성|건너뛰|무시|삭제"
)
_CONDITION = re.compile(r"\s*(?:if|wenn|falls|sofern|si|sollte)\b|\s*(?:如果|若|假如|もし|만약)")

# Somewhere or sometimes only: without that, it says more than was said.
_LIMIT = re.compile(
    r"\b(?:only|unless|except|temporarily|for now|for today|this time|just this|this once"
    r"|nur|außer|vorerst|diesmal|vorübergehend|seulement|sauf|pour l'instant|cette fois"
    r"|sólo|solo|solamente|excepto|salvo|por ahora|esta vez)\b|只|仅|暂时|这次|だけ|のみ|今回"
)

_QUESTION = re.compile(
    r"[?？]\W*$|^\W*(?:(?:and|but|so|or|ok|okay|hey|hi|hm+|also|well|und|aber)\b[\s,]*)*(?:"
    r"(?:should|shall|can|could|would|will|may|might)(?:n't)? "
    r"(?:we|i|you|u|it|they|this|that|the)\b"
    r"|(?:do|does|did|have|has|are|is|was|were)(?:n't)? (?:we|i|you|it|they|this|that|there)\b"
    r"|what (?:if|about|happens|would)|how (?:about|do|can|should|would|to)|why\b|who\b"
    r"|soll\w* (?:wir|ich|man)|k[öa]nn\w* (?:wir|ich|du|man|sie|ihr)|d[üa]rf\w* (?:wir|ich|man)"
    r"|wie (?:wäre|kann|können)|warum\b|est-ce\b|devr\w+[- ](?:nous|on)|peu\w+[- ](?:nous|on|tu)"
    r"|pouv\w+[- ](?:nous|vous)|pourquoi\b|deber[ií]amos|podemos|puedes|por qué)"
    r"|¿|吗|嗎|要不要|是否|能不能|可不可以|呢\W*$|(?:です|ます|でしょう|ません)か|까요|나요"
)
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|i wonder|wondering|not sure|unsure|whether|what if|thinking (?:about|of)"
    r"|vielleicht|peut-être|quizás|tal vez)\b|也许|或许|かも"
    # What others said, and what is not to the speaker's liking.
    r"|(?<!\bi )(?<!\bwe )\b(?:says|said|claim(?:s|ed)|suggest(?:s|ed)|propos(?:es|ed)"
    r"|recommend(?:s|ed))\b|\b(?:according to|laut|selon|según|bad idea|disagree|schlechte idee)\b"
)
# Who says the one has not said the other.
_OPPOSITES = tuple(
    frozenset(map(stem, pair.split()))
    for pair in (
        "before after, above below, more less, minimum maximum, public private, increase decrease,"
        " upgrade downgrade, open closed, first last, vor nach, avant après, antes después,"
        " 之前 之后, 以前 以后"
    ).split(",")
)

_NO_LONGER = re.compile(
    r"\b(?:no longer|any ?more|nicht mehr|nicht länger|ne \w+ plus|n'\w+ plus|ya no)\b"
    r"|不再|더 이상|もう.{0,20}(?:ない|ません)"
)
_OVER = re.compile(
    r"\b(?:fixed|solved|resolved|removed|deleted|dropped|replaced|migrated|moved|switched|obsolete"
    r"|outdated|superseded|expired|cancell?ed|revoked|lifted|retired|abandoned"
    r"|(?:is|are|was|were|been|'s|got|now|all) (?:\w+ )?(?:done|gone|over|closed|finished)"
    r"|(?:drop|forget|scrap|retire|remove|delete|cancel|revoke)"
    r"|behoben|erledigt|gelöst|entfernt|veraltet|hinfällig|überholt|vergiss|vergesst|umgestellt"
    r"|corrigée?|résolue?|supprimée?|obsolète|oublie[zr]?|terminée?|remplacée?"
    r"|arreglad[oa]|resuelt[oa]|eliminad[oa]|obsolet[oa]|olvida|terminad[oa]|reemplazad[oa])\b"
    r"|修好了|修复了|已修复|解决了|已解决|作废|过时|取消|删掉|移除|换成|改用"
    r"|修正済|直った|直りました|解決|廃止|고쳤|해결|폐지"
)
# What is still to come, or only may be.
_TO_COME = re.compile(
    r"\b(?:must|should|shall|will|would|could|can|may|might|needs?|has to|have to|to be|until|once"
    r"|when|if|muss|müssen|soll\w*|wird|werden|falls|wenn|bis|doit|faut|quand|debe\w*|hay que"
    r"|cuando|hasta)\b|必须|应该|需要|如果|べき|必要|해야"
)


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    words: frozenset[str]
    content: frozenset[str]
    """Those of its words that say what it is about."""
    negated: bool
    turn: tuple[bool, ...]
    """Which way round it says what it says: negated, switched off, as a condition, limited."""

    def is_opposite(self, other: "_Clause") -> bool:
        """Tell whether one says "before" where the other says "after"."""
        return any(
            len(self.words & pair) == len(other.words & pair) == 1
            and self.words & pair != other.words & pair
            for pair in _OPPOSITES
        )


def asserts(sentence: str) -> bool:
    """Tell whether *sentence* states or wants something, and neither asks nor wonders.

    >>> asserts("Use pnpm."), asserts("Should we use pnpm"), asserts("Maybe use pnpm.")
    (True, False, False)
    """
    heard = _heard(sentence)
    return not (_QUESTION.search(heard) or _DOUBT.search(heard))


def agree(statement: str, sentence: str) -> bool:
    """Tell whether *sentence* says what *statement* says, not its opposite.

    Each clause of the statement is held against the one that it shares most words with, and each
    of its words must stand in a clause that says it the same way round.

    >>> agree("use pnpm, not npm", "Use pnpm instead of npm, or the lockfile is not right")
    True
    >>> agree("using Redis for sessions", "Stop using Redis for sessions")
    False
    """
    theirs, ours = _clauses(sentence), _clauses(statement)
    if max(len(theirs), len(ours)) > MOST_CLAUSES:
        return False
    for clause in ours:
        shared = [
            (len(clause.content & one.content), len(clause.words & one.words)) for one in theirs
        ]
        most = max(shared, default=(0, 0))
        alike = [one for one, count in zip(theirs, shared, strict=True) if count == most]
        if most[0] and any(one.turn != clause.turn for one in alike):
            return False
        same = [one.content for one in theirs if one.turn == clause.turn]
        other = [one.content for one in theirs if one.turn != clause.turn]
        if clause.content & frozenset().union(*other) - frozenset().union(*same):
            return False
        if any(clause.is_opposite(one) for one in alike):
            return False
    return True


def is_over(sentence: str) -> bool:
    """Tell whether *sentence* says of something that it is no more.

    >>> is_over("The race is fixed"), is_over("The race is not fixed"), is_over("Fix the race")
    (True, False, False)
    """
    for clause in _clauses(sentence):
        if _NO_LONGER.search(clause.text):
            return True
        still_on = _NOT.search(clause.text) or _TO_COME.search(clause.text)
        if _OVER.search(clause.text) and not still_on:
            return True
    return False


def turns(word: str) -> bool:
    """Tell whether *word* only says which way round something is."""
    return bool(_NOT.fullmatch(word))


def _clauses(sentence: str) -> list[_Clause]:
    """The clauses of *sentence*; one that only says "never" belongs to its neighbour."""
    heard = _REFUSING.sub("", _heard(sentence), count=1)
    parts = [part for part in _CLAUSE.split(heard) if part and part.strip()][: MOST_CLAUSES + 1]
    found: list[_Clause] = []
    waiting = False
    for number, part in enumerate(parts):
        # "Never push, merge or rebase": the "never" is for all of them.
        goes_on = bool(found) and found[-1].negated and _goes_on(parts[number:])
        clause = _clause(part, negated=waiting or goes_on)
        waiting = False
        if clause.negated and not clause.content and found:
            found[-1] = _clause(found[-1].text, negated=True)
        elif clause.negated and not clause.content:
            waiting = True
        else:
            found.append(clause)
    return found


def _clause(text: str, *, negated: bool) -> _Clause:
    words = frozenset(map(stem, (*_WORD.findall(text), *terms(text))))
    content = frozenset(stem(word) for word in terms(text) if not _NOT.fullmatch(word))
    negated = negated or bool(_NOT.search(text) or _STOP.search(text))
    others = (_OFF.search(text), _CONDITION.match(text), _LIMIT.search(text))
    return _Clause(text, words, content, negated, (negated, *map(bool, others)))


def _goes_on(parts: list[str]) -> bool:
    return any(_ENUMERATED.search(part) for part in parts) and not _NOT.search(parts[0])


def _heard(sentence: str) -> str:
    return plain(sentence[:LONGEST_SENTENCE]).replace("’", "'")
