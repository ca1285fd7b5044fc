"""Which way round a sentence says something: asked or told, so or not so, over or still on. Pure.

The same words can mean the opposite, and a "not" counts only for the clause it stands in. Nothing
here understands text; where it is not plain that two sentences agree, they do not.
"""

import re
from collections.abc import Mapping
from typing import Literal, get_args

from recollect.llm.claims import plain, stem
from recollect.text.terms import terms

LONGEST_SENTENCE = 2_000
# Nobody can tell which way round a longer one says it.
MOST_CLAUSES = 40

Way = Literal["not", "off", "if", "only"]
"""How a clause says what it says: negated, switched off, as a condition, or within limits."""

# A reason, a contrast and what is not chosen are clauses of their own. A colon is no end: "not
# allowed: force pushes". Nor is "and": "never push and merge".
_CLAUSE = re.compile(
    r"[,;()|，；、]|\s[-–—]+\s"
    r"|\b(?:because|since|otherwise|so that|but|although|though|while|weil|denn|sonst|aber|damit"
    r"|parce que|sinon|mais|porque|pero)\b|因为|因為|否则|否則|但是|けど|ので"
    r"|\b(?:and|und|et|y)\s+(?=(?:not|never|no|don't|do not|nicht|nie|kein\w*|jamais|nunca)\b)"
    r"|(?=\b(?:instead of|rather than|statt|anstatt|anstelle|au lieu|en vez|en lugar)\b|而不是)"
)
_OR = re.compile(r"\b(?:or|nor|oder|noch|ou|ni)\b|或|または|또는")
# "No, use pnpm" speaks of something before.
_REFUSING = re.compile(r"\s*(?:no|nope|nah|nein|non)\s*[,.!:]\s*")

_NOT = re.compile(
    r"\b(?:not|never|no|none|nothing|nobody|neither|nor|without|cannot|\w+n't|dont|doesnt|cant|wont"
    r"|nicht|kein\w*|nie|niemals|ohne|ne|pas|jamais|sans|nunca|jamás|sin|ni)\b|\bn'"
    r"|不(?![仅但过错同論论])|[没沒無勿]|无(?!论)|(?<![特分区區级級类類个個性告])[别別]"
    r"|ない|ません|なし|않|안 |못|말[고자]"
)
_WAYS: Mapping[Way, re.Pattern[str]] = {
    "not": re.compile(
        rf"{_NOT.pattern}"
        r"|\b(?:stop\w*|avoid\w*|drop(?:s|ped|ping)?|remov\w+|instead of|rather than|forbid\w*"
        r"|prohibit\w*|ban(?:s|ned)?|refrain\w*|quit|abandon\w*|get rid|vermeid\w*|verbiet\w*"
        r"|verboten|statt|anstatt|anstelle|évit\w*|interdi\w*|au lieu|evit\w*|prohíb\w*|prohib\w*"
        r"|en vez|en lugar|dej\w+ de)\b|停止|避免|禁止|やめ|금지|대신"
    ),
    "off": re.compile(
        r"\b(?:disabl\w*|deactivat\w*|skip\w*|bypass\w*|ignor\w*|omit\w*|suppress\w*|delet\w*"
        r"|wip(?:e\w*|ing)|revok\w*|den(?:y|ies|ied)|reject\w*|off|exclud\w*|except|weaken\w*"
        r"|deaktivier\w*|abschalt\w*|ausschalt\w*|überspring\w*|lösch\w*|désactiv\w*|supprim\w*"
        r"|desactiv\w*|elimin\w*)\b|关闭|關閉|禁用|停用|跳过|跳過|绕过|繞過|忽略|删除|刪除|無効"
        r"|スキップ|無視|削除|비활성|건너뛰|무시|삭제"
    ),
    "if": re.compile(r"^\s*(?:(?:if|wenn|falls|sofern|si|sollte)\b|如果|若|假如|もし|만약)"),
    # Without that, it says more than was said.
    "only": re.compile(
        r"\b(?:only|unless|except|temporarily|for now|for today|this time|just this|this once"
        r"|nur|außer|vorerst|diesmal|vorübergehend|seulement|sauf|pour l'instant|cette fois"
        r"|sólo|solo|solamente|excepto|salvo|por ahora|esta vez)\b|只|仅|暂时|这次|だけ|のみ|今回"
    ),
}
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
# Who says the one has not said the other, though nearly all words are the same.
_OPPOSITES = re.compile(
    r"\b(?:before|after|above|below|more|less|minimum|maximum|public|private|increase|decrease"
    r"|upgrade|downgrade|open|closed?|first|last|vor|nach|avant|après|antes|después)\b|之?[前后後]"
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


def asserts(sentence: str) -> bool:
    """Tell whether *sentence* states or wants something, and neither asks nor wonders.

    >>> asserts("Use pnpm."), asserts("Should we use pnpm"), asserts("Maybe use pnpm.")
    (True, False, False)
    """
    heard = _heard(sentence)
    return not (_QUESTION.search(heard) or _DOUBT.search(heard))


def agree(statement: str, sentence: str) -> bool:
    """Tell whether *sentence* says what *statement* says, not its opposite.

    What the statement says one way round (negated, switched off, as a condition, within limits),
    the sentence must say the same way round.

    >>> agree("use pnpm, not npm", "Use pnpm instead of npm, or the lockfile is not right")
    True
    >>> agree("using Redis for sessions", "Stop using Redis for sessions")
    False
    """
    ours, theirs = _by_ways(statement), _by_ways(sentence)
    if len(ours) > MOST_CLAUSES or len(theirs) > MOST_CLAUSES:
        return False
    said = frozenset[str]().union(*(content for _, content in theirs))
    for ways, content in ours:
        alike = frozenset[str]().union(*(other for own, other in theirs if own == ways))
        if content & said - alike or not (content & said):
            return False
    marks = {*_OPPOSITES.findall(_heard(statement))}
    return marks <= {*_OPPOSITES.findall(_heard(sentence))}


def is_over(sentence: str) -> bool:
    """Tell whether *sentence* says of something that it is no more.

    >>> is_over("The race is fixed"), is_over("The race is not fixed"), is_over("Fix the race")
    (True, False, False)
    """
    heard = _heard(sentence)
    if _NO_LONGER.search(heard):
        return True
    clauses = [part for part in _CLAUSE.split(heard) if part]
    over = [part for part in clauses if _OVER.search(part)]
    return any(not (_NOT.search(part) or _TO_COME.search(part)) for part in over)


def turns(word: str) -> bool:
    """Tell whether *word* only says which way round something is."""
    return bool(_NOT.fullmatch(word))


def _by_ways(sentence: str) -> list[tuple[frozenset[Way], frozenset[str]]]:
    """Return the clauses of *sentence*: which way round each says something, and about what."""
    heard = _REFUSING.sub("", _heard(sentence), count=1)
    parts = [part for part in _CLAUSE.split(heard) if part and part.strip()]
    found: list[tuple[frozenset[Way], frozenset[str]]] = []
    for number, part in enumerate(parts[: MOST_CLAUSES + 1]):
        ways = {way for way in get_args(Way) if _WAYS[way].search(part)}
        content = frozenset(stem(word) for word in terms(part) if not turns(word))
        # "Never push, merge or rebase": the "never" is for all of them.
        if found and "not" in found[-1][0] and _OR.search(" ".join(parts[number:])):
            ways.add("not")
        # One that only says "never" belongs to its neighbour.
        if "not" in ways and not content and found:
            found[-1] = (found[-1][0] | {"not"}, found[-1][1])
        elif content or ways:
            found.append((frozenset(ways), content))
    return found


def _heard(sentence: str) -> str:
    return plain(sentence[:LONGEST_SENTENCE]).replace("’", "'")
