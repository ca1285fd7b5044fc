"""What a turn did, in a line: its first deeds as the agent reports them, or the files it changed.

A report opens with what came of the turn and lists its parts by weight, so deeds keep the order
they were told in. What no line tells as done is left out: an answer or a cause is no deed.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, zip_longest

from recollect.journal import evidence, offers, report
from recollect.journal.report import Point, Role
from recollect.text import sentences
from recollect.text.sentences import clause
from recollect.transcripts.turns import Turn

LONGEST_DEED = 300
LONGEST_PART = 180
LONGEST_ITEM = 90
MOST_PARTS = 3
MOST_FILES = 3
# Of what was said on the way, the last remarks tell what came of it.
MOST_REMARKS = 8
MOST_INTENDED = 2
# What is longer is no sentence; patterns stay quick on the rest.
LONGEST_TOLD = 800
# So many words of a heading outside of code tell what was done.
TITLE_WORDS = 3
# So much a commit counts beside edits: somebody found the work worth keeping.
COMMIT = 2
# A sentence of so many characters says something whatever it leads into.
LONG = 70
# … and one of so many that opens with "Now the" or "All".
LONG_ENOUGH = 40
# So many characters at its end tell a sentence from others.
LAST = 20
# An answer that ends a turn well says so in its first characters.
OPENING = 120
# A sentence of fewer telling words does not stand for what a turn did.
FEWEST_WORDS = 4
# Of more deeds each is told by its head, in so many characters or so.
MOST_WHOLE = 3
LONGEST_HEAD = 110
SHORTEST_HEAD = 8
MOST_ITEMS = 6
# What stands before a list of tasks.
TASKS = "Tasks done: "

_VERB = (
    r"(?:add|fix|chang|remov|rebas|squash|consolidat|adjust|tighten|replac|mov|renam|extract|updat"
    r"|creat|implement|introduc|refactor|merg|convert|simplif|dropp|switch|wir|rais|lower|increas"
    r"|decreas|revert|restor|delet|bump|pinn|enabl|disabl|commit|push|document|generat|clean"
    r"|address|migrat|deploy|releas|publish|install|configur|reduc|resolv|clos|open|shipp|inlin"
    r"|chain|expand|modif|integrat|exclud|includ|correct|reorder|hid|limit|truncat|normaliz|cach"
    r"|throttl|debounc|validat|escap|sort|guard|wrapp|retri|regist|patch|port|upgrad|unif"
    r"|flatten|streamlin|harden|align|relax|parallel|parameteri|stabili|rearrang|shorten|collaps)\w*ed"
)
_IRREGULAR = r"(?:made|wrote|written|built|rewrote|rewritten|cut|sped|split|put|hid|set up|undid)"
_DID = rf"(?:{_VERB}|{_IRREGULAR})"
_I = r"(?:(?:I|we)(?:'ve| have)? )?(?:(?:successfully|also|all|now|just) )*"
# Something was done: by the verb that opens a line, by "now", or by what became of it.
# "Push when ready" tells what to do, so the verb is in the past.
_DONE = re.compile(
    rf"^[^\w=]*(?:done\W+|fix\w*: )?{_I}{_DID}\b(?!-)"
    rf"|\b(?:was|were|has been|have been)(?: (?:also|all|both|now|\w+ly))? {_DID}\b"
    rf"|\b(?:is|are) (?:now|also|all|\w+ly) {_DID}\b"
    rf"|\b(?:is|are) {_DID}(?:\W*$|,| and\b)|\b(?:is|are) implemented\b"
    r"|^(?:the )?(?:branch|pr) is (?:now )?(?:rebased|merged|updated|based)\b"
    r"|^\W*(?:all|both)\b.{3,50}\b(?:addressed|resolved|replied to)\b"
    r"|\w\W+(?<!for )(?<!right )(?<!have )(?<!until )(?:now|no longer)\b(?!-)"
    r"|^\W*``\W+(?:now|no longer)\b"
    r"|^\W*now (?!(?:I|let|let's|let’s|here|here's|we|you|your|that|for|it|to)\b)"
    r"|\b(?:is|are) (?:gone|in(?: place)?|back)(?:\W*$|, )|`` → `|^\W*now: \w"
    r"|^\W*(?:(?:I|we)(?:'ve)? )?used\b.{3,80}\binstead of\b"
    r"|^\W*(?:PR|plan|issue|tag|release)\b.{0,40} (?:created|opened|merged|published|saved)\b"
    r"|^(?:the )?(?:fix|solution)(?:: \w| \w+s\b)",
    re.IGNORECASE,
)
# "Updated in the hook, when the session stops": how something is, not what was done.
# "Cut the docs in half" may be advice.
_HOW_IT_IS = re.compile(
    rf"^\W*(?!rebas|merg){_DID}"
    r"(?:[,;.]| (?:in|by|when(?:ever)?|on|at|if|via|from|during|only|once|per|until|as|to be)\b)"
    r"|^\W*(?:cut|put|split|set up|hid)\b",
    re.IGNORECASE,
)
_INTENDS = re.compile(
    r"\b(?:let me|i'?ll|i will|i(?:'m| am) going to|i need to|we need to|the fix is to)"
    r" (?:(?:also|now|just|then|simply) )*"
    r"(?P<deed>(?:add|change|convert|create|delete|drop|extract|fix|make|move|pass|refactor"
    r"|remove|rename|replace|restore|rewrite|set|simplify|skip|split|switch|update|wrap)\b.+)",
    re.IGNORECASE,
)
# What every change brings with it.
_OF_ROUTINE = re.compile(
    r"\bimports?\b|\btests?\b(?! for)|\blint|\b(?:caller|call sites?)\b"
    r"|\b(?:add|set|fix) (?:it|them|this|one)\b",
    re.IGNORECASE,
)
_DOCUMENTS = (".md", ".mdx", ".rst", ".txt")
_OPENS_DONE = re.compile(
    rf"^\W*(?:done\W+)?{_I}{_DID}\b|\b(?:is|are) now {_DID}\b"
    r"|^\W*(?:[A-Z]+-\d+|#\d+|(?:the )?(?:PR|issue|ticket))(?: #?\d+)?"
    r" (?:is|was) (?:marked|closed|merged|assigned|linked)\b",
    re.IGNORECASE,
)
# A list below such a line tells what was done, whatever the form of its items.
_ANNOUNCES = re.compile(
    rf"\b(?:changes?|changed|fix(?:es)?|{_DID}|new|what (?:I|we) did|done"
    r"|now (?:accepts|checks|creates|does|handles|includes|reads|returns|supports|uses|writes))\b",
    re.IGNORECASE,
)
_NO_LIST = re.compile(
    r"\b(?:remain|problem|issue|cause|option|question|would|should|could|before|why|how|flow"
    r"|behaviou?r|tested|testing|test plan|tests? (?:pass|cover)|verif|coverage|review|next|propos"
    r"|plan|backward|appl(?:y|ies) to|affects?\b)",
    re.IGNORECASE,
)
# The announcement of a list is told where its verb says more than that something was done.
_SAYS_WHAT = re.compile(
    r"\b(?:remov|delet|renam|creat|add|mov|extract|revert|dropp|fix)(?:ed|es|s)\b", re.IGNORECASE
)
_OPENS_NEW = re.compile(r"(?:new|added|removed|created|deleted|moved|renamed)\b", re.IGNORECASE)
_OPENS_REMOVED = re.compile(r"(?:removed|deleted)\b", re.IGNORECASE)
# "I added:" says what became of the items below it.
_ONLY_DID = re.compile(rf"\W*{_I}(?P<did>{_DID})(?: the following)?\W*$", re.IGNORECASE)
_COLUMNS = re.compile(r"\s*\([^()]*\|[^()]*\)$")
_PREAMBLE = re.compile(
    r"^(?:(?:all )?done\W+)?(?:here(?:'s| is| are) )?(?:a |the )?(?:quick |brief )?"
    r"(?:summary of )?(?:the )?(?:what was |changes (?:that were )?)?",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:might|maybe|perhaps|probably|not sure|i (?:think|see|suspect|guess)|seems?"
    r"|diagnostics|no \w+(?: \w+)? (?:was|were)|no (?:open|outstanding|remaining)|you're right"
    r"|should|you (?:can|may) now|if you)\b|\?$|^/",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:root cause|caused by|turn(?:s|ed) out"
    r"|the (?:problem|issue|bug|cause|reason|culprit) (?:is|was))\b",
    re.IGNORECASE,
)
# True of every turn that ends well, how it was before, or an invitation: none stands for a deed.
_ASIDE = re.compile(
    r"^next (?:time|run)\b"
    r"|^\W{0,10}(?:all (?:the )?(?:\d+ )?(?:\w+ )?(?:tests?|checks|green|lint\w*)\b"
    r"|(?:the )?(?:tests?|lint\w*|build|ci|everything)\b.{0,20}\b(?:pass|clean|green|works)"
    r"|(?:(?:all )?(?:committed|pushed)|no changes|no diff|commits? created"
    r"|implementation (?:is )?complete|working tree"
    r"|so there|the tests? now|you'll want|you (?:can|may|should|need)|make sure|run|try|ready to"
    r"|before|previously|without|currently|current|existing|old|bug|problem|issue"
    r"|(?:the )?(?:branch|pr) is(?! (?:now )?(?:rebased|merged|updated|based)))\b|fixed:)"
    r"|^(?:the )?fix (?:is|handles|should)\b|^added (?:the )?(?:\S+ )?imports?\b|^[A-D]\)"
    rf"|^(?:all )?(?:done|{_DID})(?:,? and {_DID})*\W*$"
    r"|^all (?:the )?(?:changes|tasks|fixes|steps)\b"
    r"|\bas (?:you )?(?:requested|expected)\W*$"
    r"|^\W*`[^`]+`\s*[-—–:]+\W*(?:success|all\b.{0,30}\bpass|pass(?:es|ed)\b|clean\b|0 issues)"
    r"|\b(?:is clean now|tests? pass(?:es|ing)?|working tree|nothing (?:was|has)|already)\b"
    r"|\bpre-existing\b|\blooks? (?:good|fine|right|correct)\b"
    r"|\bnow (?:works?|consistent|complete|correct|passing)\W*$",
    re.IGNORECASE,
)
# That something was fixed in a commit does not say how.
_ONLY_WHERE = re.compile(
    r"(?:^|: )(?:fixed|done|addressed) in `?[0-9a-f]{7,40}`?\W*$|^moved to \S+$", re.I
)
# It led into something that is not told with it.
_LEADS_INTO = re.compile(
    r"\b(?:shows?|sees?|displays?|returns?|handles?|explains?|includes?|covers?|produces?|supports?|uses?"
    r"|reads?|says?|now \w+s|is|are|with|like|as|if|when|that|the|to|for|of)\W*$",
    re.IGNORECASE,
)
_NO_SENTENCE = re.compile(
    r"\W*(?:short )?answer\b|\W*\||.*[:?]\W*$|[`{}();=,\s\w.]*`?[{}();,]$"
    r"|\W*(?:do|would|should|shall) (?:you|I|we)\b",
    re.IGNORECASE,
)
# "Updated it to …" is understood only behind the sentence that says what.
_LEANS = re.compile(
    rf"\b{_DID} (?:it|them|this|that|these|those)\b|\b(?:that|this|those|these) (?!is\b|are\b)\w+$",
    re.IGNORECASE,
)
# An item that says where: "`db.py` - one query"; and one with any head of its own.
_NAMES_PLACE = re.compile(r"`[^`]+`[^`]{0,30}?(?:\s[-—–]|:)\s\S|\S+\.\w{1,5}(?::\S+)?\s?[-—–:]\s\S")
_HEADED = re.compile(rf"{_NAMES_PLACE.pattern}|[A-Z][^:.—–]{{2,60}}?(?::|\s[-—–])\s\S")
_IN_BRACKETS = re.compile(r"(?<=\S) \([^()]*\)")
_FILE = re.compile(r"`?[^`\s]+\.\w{1,5}`?")
_OF_FILE = re.compile(r"(?:\d+\. )?`[^`\s]+\.\w{1,5}(?::[\d-]+)?`(?: \([^()]*\))?\s?[-—–:]+\s\S")
_LEADS_ON = re.compile(
    r": |\b(?:(?:that|which|to) \w+|as|at|both|by|for|from|in|into|of|on|the|to|with|following"
    r"|include)$",
    re.IGNORECASE,
)
_WITH = re.compile(
    r",? (?:with|including|by|which|that)(?: (?:the|these) \w+(?: \w+)?)?$", re.IGNORECASE
)
# What a sentence shows in a block of code below it.
_SHOWN = re.compile(r":(?: `[^`]*[\s{][^`]*`;?)+$|: \w+\s+[\w.*\[\]]+\s+`\w+:\"[^`]*`.*$")
# A list of values says nothing without what they belong to.
_VALUES = re.compile(r"`?\[[\"']")
# What stands below such a line is how something runs.
_DESCRIBES = re.compile(
    r"(?:,? with (?:the |this )?(?:\w+ ){0,3})?\b(?:flow|scenarios?|sequence)\W*$", re.IGNORECASE
)
_WAS = re.compile(r":? (?:Before|Previously|Old|Was): .*")
_CODE = re.compile(r"`[^`]*`")
_NUMBERED = re.compile(r"^\s*\d{1,2}[.)]\s+")
_CHEER = re.compile(
    r"^to summari[sz]e(?: [\w ]{1,30})?[:,] (?=\S)"
    r"|^(?:all )?(?:summary|after|result|done|fixed|perfect|great|good)\s*[-—–!.:,]\s*(?=\S)",
    re.IGNORECASE,
)
_TICK = re.compile(r"(?<=\w)\s[✅✓✔]\s(?=\w)")
_FIX_IS_IN = re.compile(r"^(?:the )?fix is in (?:`[^`]+`|\S+)\s*[-—–:,]\s*(?=\S)", re.IGNORECASE)
_REVIEW = re.compile(
    r"\W*(?:(?:can|could) (?:you|we) (?:please )?|let'?s |please |we(?:'re| are) )?"
    r"(?:do a |run a )?(?:\w+-)*(?:code )?review(?:ing)?\b",
    re.IGNORECASE,
)
_REVIEWS = re.compile(r"\breview(?:ing|s)?\b", re.IGNORECASE)
_PATH = re.compile(r"\S*[/.]\S+")
# What follows a deed and is true of every turn that ends well.
_PROVEN = re.compile(
    r"[;,] (?:and )?(?:all )?(?:the )?(?:\d+ )?(?:\w+ )?tests? (?:now )?pass\w*\W*$"
)
# What opens an answer that ends a turn well: what was asked is done.
_ENDED_WELL = re.compile(
    r"\W*(?:(?:done|fixed|updated|implemented|addressed|committed|pushed|complete[d]?)(?=\W)"
    r"|(?:all|everything|both|full|unit|yes)\b[^.\n]{0,60}\b(?:pass(?:es|ed|ing)?|clean|green|done"
    r"|complete[d]?|addressed|resolved|fixed|applied)\b"
    r"|(?:the )?(?:tests?|lint\w*|build|ci|change|code|diff|doc\w*)\b[^.\n]{0,20}\b(?:pass(?:es)?"
    r"|clean|green|good|complete)\b)",
    re.IGNORECASE,
)
_WHAT_CHANGED = re.compile(r"\bhere(?:'s| is) what (?:changed|was (?:changed|done|fixed))\b", re.I)
_LAST_WORD = re.compile(r"[.!] (?:fixed|done|updated)(?: and \w+)?[.!]\s*$", re.IGNORECASE)
_ONLY_KEPT = re.compile(r"\W*(?:done\W+)?(?:committed|pushed)\b", re.IGNORECASE)
_TITLE = re.compile(r"^#{1,3}[ \t]+(?P<title>\S.*)$", re.MULTILINE)
# What stands below such a line may be so.
_MAY_BE = re.compile(
    r"\b(?:could (?:be|mean)|may (?:be|mean)|might|means?|possible|possibly|either|one of"
    r"|indicates?|if you)\b|\bif\W*$",
    re.IGNORECASE,
)
# Everything in the list below such a line was done.
_ALL_DONE = re.compile(
    r"\b(?:addressed|resolved|applied|fixed|implemented|completed|done|added|changed|updated)\b",
    re.IGNORECASE,
)
_NOT_ALL = re.compile(
    r"\b(?:remain\w*|not|no|would|should|could|can|may|already|still|before|skip\w*|next|why|how"
    r"|need\w*|to be|will|tested|checked|if|when)\b|n't\b|\?",
    re.IGNORECASE,
)
# An item that says how a check went.
_ENDS_WELL = re.compile(
    r"^\W*(?:[\w:/-]+|`[^`]+`)(?: \w+)?: (?:clean|0 |all |no |pass)|\ball pass", re.IGNORECASE
)
_ITEM_NUMBER = re.compile(r"^#\d+[.:)]?\s+")
_HEAD_ENDS = re.compile(r" [—–-] |: |\. |; ")
# A commit in a list or table: its hash has a digit, words have none.
_COMMIT_ITEM = re.compile(
    r"\W*(?=[a-f]*\d)[0-9a-f]{7,40}\b\W*(?:[-—–:|]|\s)\s*(?P<said>(?![^|]*\()[A-Za-z].*)"
)
# … and one whose message opens the answer.
_COMMITTED = re.compile(
    r"\W*(?:done\W+)?committed\b[^\n.]{0,60}?(?:: *\n+(?:```\w*\n)?|(?<=[0-9a-f]`) ?[:—–-]+ )"
    r"[*`\"]*(?P<said>[A-Za-z][^\n*`\"]{9,100})",
    re.IGNORECASE,
)
# How it was before, or why something is better, says nothing of what was done.
_NO_OUTCOME = re.compile(
    r"\byou just\b|\bis (?:cleaner|clearer|better|simpler|safer|fine)\b"
    r"|^(?:to|\w+ing|when|if|because|since|based on|for (?:an?|example))\b"
    r"|\b(?:had|likely|culprits?)\b"
    r"|\b(?:was|were) (?:still|not|never|only|missing|wrong)\b",
    re.IGNORECASE,
)
_STATUS_CELL = re.compile(
    r"\W*(?:fixed|done|added|resolved|addressed|implemented|complete[d]?|[✓✔✅]+)\W*", re.I
)
# What a new test looks at is listed below its name.
_NEW_TEST = re.compile(
    r"(?:the |both |all )?(?:new|\w+ new) (?:\w+ )?`|(?:the |both |all )?(?:\w+ )?new tests?\b",
    re.I,
)
_HASH_BEFORE = re.compile(r"^\W*(?=[a-f]*\d)[0-9a-f]{7,40}\b\W+")
_FOLDER = re.compile(r"(?<![\w/.])(?:[\w.-]+/){2,}(?=[\w.-]+\.\w{1,5}\b)")
_SAME_FILE = re.compile(r"`([^`]+)` \(\1\)")
_OF_TESTS = re.compile(r"\btests?\b|_test\b|\btest_|\bTest[A-Z]")
_PLACES = re.compile(r"\s*\((?:at )?(?:lines?|L)\s?\d[^()]*\)")
# "Both conflicts were resolved" says what "both" are.
_BOTH = re.compile(r"both (?!of|are|were|is|now)[a-z]\w+ ", re.IGNORECASE)
_STILL_OPEN = re.compile(
    r"\b(?:still|not|yet|needs?|must|should|later|remain\w*|to-?do|out of scope)\b|n't\b", re.I
)
_FIXED = re.compile(r"^fixed: +(?=\S)", re.IGNORECASE)
_PRONOUN = re.compile(r"\W*(?:this|that|these|those|it|they|but|if so)\b", re.IGNORECASE)
_SUBORDINATE = re.compile(r"\W*(?:when|if|because|since|although|while|as|so)\b", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|if)\b", re.IGNORECASE)
_OPENS_NOW = re.compile(r"\W*(?:now the|all|both)\b", re.IGNORECASE)
_NOW = re.compile(r"\b(?:now|no longer)\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")
_PART = re.compile(r"; |: | [-—–] |, (?=and |but )")


def size(turn: Turn) -> int:
    """Return how much *turn* changed: its edits in the project, and that it was committed."""
    steps = evidence.steps(turn)
    edits = [edit for edit in evidence.surviving_edits(steps) if _is_inside(edit.files)]
    return len(edits) + COMMIT * bool(evidence.commits(steps))


def reported(turn: Turn) -> list[str]:
    """Return what *turn* did in the words of its report, or of its list of tasks; each once.

    Of many deeds each is told by its head.
    """
    points, parts = _read(turn.answer)
    committed = _commits_listed(points, turn)
    deeds = list(parts)
    if not (deeds or committed) and ended_well(turn) and not _ONLY_KEPT.match(turn.answer):
        deeds = list(_said_first(points))
    edited = {
        name for edit in evidence.surviving_edits(evidence.steps(turn)) for name in edit.files
    }
    documents = sorted(name for name in edited if name.endswith(_DOCUMENTS))
    if documents and len(documents) == len(edited) and _REVIEWS.search(turn.prompt):
        deeds = []  # The document tells what was found in the work of others.
    elif len(documents) == len(edited):  # Most of it tells what holds, or what a plan will do.
        deeds = [deed for deed in deeds if _is_own(deed, documents)]
    elif _REVIEW.match(turn.prompt) and not edited:  # Most of it tells what others did.
        deeds = [deed for deed in deeds if _is_own(deed)]
    if deeds or committed:
        is_of_document = documents and len(documents) == len(edited)
        placed = _in_document(deeds, documents) if deeds and is_of_document else deeds
        told = _different([*committed, *placed])
        return told if len(told) <= MOST_WHOLE else _different(map(_by_head, told))
    tasks = _joined(
        (clause(task, LONGEST_ITEM) for task in evidence.tasks(turn)), between=", ", most=MOST_ITEMS
    )
    if tasks:
        new = (_bare(one.heading) for one in points if _OPENS_NEW.match(one.heading))
        return [*dict.fromkeys(filter(report.title_words, new)), f"{TASKS}{tasks}"]
    return _different(_on_the_way(turn, edited) or _intended(turn, edited))


# A session is summed up after each of its turns, mostly from the same answers.
@lru_cache(maxsize=128)
def _read(answer: str) -> tuple[Sequence[Point], Sequence[str]]:
    """Return the points of *answer*, and the deeds among them."""
    points = _whole(answer)
    deeds = _parts(points, is_report=_ends_well(answer))
    return points, tuple(dict.fromkeys((*_titles(answer, points), *deeds)))


def _titles(answer: str, points: Sequence[Point]) -> Iterator[str]:
    """Yield the headings that tell what was done and have only other headings below them."""
    known = {one.heading for one in points}
    for found in _TITLE.finditer(answer[: report.LONGEST_REPORT]):
        title = _FIXED.sub("Fixed ", _bare(found["title"]), count=1)
        opens = _OPENS_DONE.match(title) and not _HOW_IT_IS.match(title)
        if opens and found["title"].strip() not in known and tells(title):
            yield clause(title, LONGEST_PART)


def ended_well(turn: Turn) -> bool:
    """Tell whether the answer of *turn* opens by saying that it is done, and proposes nothing."""
    return _ends_well(turn.answer)


def _ends_well(answer: str) -> bool:
    opening = answer[:OPENING]
    opens_well = _ENDED_WELL.match(opening) or _WHAT_CHANGED.search(opening)
    says_so = opens_well or _LAST_WORD.search(answer[-OPENING:])
    return says_so is not None and not offers.is_proposal(answer)


def is_of_tests(deed: str) -> bool:
    """Tell whether *deed* is about tests: what every change brings with it."""
    return _OF_TESTS.search(deed) is not None


def _by_head(deed: str) -> str:
    """Return *deed* without what it goes on to explain, and its files without their folders."""
    short = _SAME_FILE.sub("`\\1`", _FOLDER.sub("", deed), count=1)
    head = _head_of(short)
    if "`" in head and _OPENS_DONE.match(head) and _is_sound(head):
        return head
    told, more = clause(short, LONGEST_HEAD), clause(short, LONGEST_PART)
    return more if told.endswith("…") or len(told) < len(more) / 2 else told


def _commits_listed(points: Sequence[Point], turn: Turn) -> list[str]:
    """Return the commits that the answer lists by their hashes, if *turn* made some."""
    listed = (_COMMIT_ITEM.match(one.text) for one in points if one.is_item)
    found = (_COMMITTED.match(turn.answer), *listed)
    said = [one["said"].split(" | ")[0].strip(" |`") for one in found if one]
    if not said or not any(run.kind == "commit" for run in evidence.commands(evidence.steps(turn))):
        return []
    return [clause(line, LONGEST_PART) for line in said if not sentences.is_thin(line)]


def _said_first(points: Sequence[Point]) -> Iterator[str]:
    """Yield what stands first below "Done": a list as a whole, or a sentence that tells enough."""
    for (_, lead), group in groupby(points, key=lambda one: (one.heading, one.lead)):
        those = [one for one in group if one.role not in (Role.REMARK, Role.OPEN)]
        is_weak = sentences.leans(_bare(lead)) or _NO_OUTCOME.search(_bare(lead))
        is_report = lead and not (is_weak or _NOT_ALL.search(lead) or _NO_LIST.search(lead))
        told = [_item_head(one) for one in those if is_report and _is_sound(_bare(one.text))]
        if len(told) > 1:
            yield _with_heads(lead, told)
            return
        for one in those:
            line = _bare(sentences.split(_SHOWN.sub("", one.text))[0])
            says_enough = len(sentences.telling_words(line)) >= FEWEST_WORDS
            is_weak = one.is_item or sentences.leans(line) or _NO_OUTCOME.search(line)
            if says_enough and not is_weak and _is_sound(line):
                yield clause(line, LONGEST_PART)
                return


def _with_heads(lead: str, heads: Iterable[str]) -> str:
    """Return *heads* behind what announces them, if that says more than that a list follows."""
    said = _PREAMBLE.sub("", _bare(_COLUMNS.sub("", lead)), count=1)
    news = [head for head in heads if not _ENDS_WELL.search(head)]
    if any(map(_VALUES.match, news)):
        return f"{said[:1].upper()}{said[1:]}"
    listed = _joined(news, between=", ", most=MOST_ITEMS)
    is_telling = len(said.split()) > 1 and report.is_telling_heading(said)
    lead_alone = f"{said[:1].upper()}{said[1:]}"
    if not is_telling or not listed:
        return listed or lead_alone
    return f"{lead_alone}: {listed}"


def _item_head(one: Point) -> str:
    """Return what names an item or a row: what stands before it is explained."""
    if one.text.startswith("|"):
        cells = [_bare(cell) for cell in one.text.strip(" |").split("|")]
        named = [cell for cell in cells if not _STATUS_CELL.fullmatch(cell)]
        return clause(max(named or cells, key=lambda cell: len(cell.split())), LONGEST_ITEM)
    text = _ITEM_NUMBER.sub("", _bare(one.text), count=1)
    head = _head_of(text)
    return head if len(sentences.telling_words(head)) > 1 else clause(text, LONGEST_ITEM)


def _head_of(line: str) -> str:
    """Return what of *line* stands before it is explained; empty where nothing short does."""
    ends = (found.start() for found in _HEAD_ENDS.finditer(line[: LONGEST_ITEM + 2]))
    heads = (line[:end] for end in ends if end >= SHORTEST_HEAD)
    return next(filter(sentences.is_closed, heads), "")


def _is_own(deed: str, documents: Iterable[str] = ()) -> bool:
    """Tell whether *deed* opens with what was done, or names one of the *documents*."""
    parts = _PART.split(deed)
    opens = any(_OPENS_DONE.search(part) and not _HOW_IT_IS.match(part) for part in parts)
    return opens or any(_file_name(name) in deed for name in documents)


def _in_document(deeds: Sequence[str], documents: Sequence[str]) -> list[str]:
    """Return *deeds* with the document they were done in, unless one of them names a document.

    What a plan no longer has may still be in the code.
    """
    if any(ending in deed for deed in deeds for ending in _DOCUMENTS):
        return list(deeds)
    return [f"`{_file_name(documents[0])}`: {deeds[0]}", *deeds[1:]]


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _on_the_way(turn: Turn, edited: Collection[str]) -> list[str]:
    """Return what the agent said was done between its calls, where its answer does not say it."""
    if not edited:
        return []
    said = (line for remark in turn.remarks[-MOST_REMARKS:] for line in sentences.split(remark))
    bare = [_bare(line) for line in said]
    done = [line for line in bare if _OPENS_DONE.match(line) and tells(line)]
    return [clause(line, LONGEST_PART) for line in done if not _LEANS.search(line)][-MOST_PARTS:]


def _intended(turn: Turn, edited: Collection[str]) -> list[str]:
    """Return the edits that the agent announced between its calls, if the turn ended and made some.

    An announcement is kept if it names code: "Now let me add `Hidden: true` to the command". Where
    the agent asks back in the end, it may have stopped before.
    """
    asks_back = "?" in turn.answer[-LONGEST_DEED:]
    if turn.interrupted or asks_back or not any(_is_inside([name]) for name in edited):
        return []
    said = (line for remark in turn.remarks for line in sentences.split(remark))
    found = (_INTENDS.search(line) for line in said)
    meant = (one["deed"].rstrip(" .:") for one in found if one and len(one[0]) <= LONGEST_PART)
    telling = [
        f"{deed[0].upper()}{deed[1:]}"
        for deed in meant
        if "`" in deed
        and len(sentences.telling_words(deed)) >= TITLE_WORDS
        and not (_LEANS.search(deed) or _HEDGED.search(deed) or _OF_ROUTINE.search(deed))
    ]
    return telling[:MOST_INTENDED]


def _whole(answer: str) -> list[Point]:
    """Return the points of *answer*, without sentences that only lead into what stands below."""
    plain = answer.replace("**", "")
    return [
        one
        for one in _led(report.points(answer))
        if one.is_item
        or f"{one.text.rstrip(' :')[-LAST:]}:" not in plain
        or _stands_alone(_bare(one.text))
    ]


def _led(points: Iterable[Point]) -> Iterator[Point]:
    """Yield *points*, each item of a list with the line that announces it.

    Where blank lines stand between its items, each is a list of its own.
    """
    before = None
    for one in points:
        led = one
        if before and before.lead and one.is_item and not one.lead:
            is_next = one.heading == before.heading and one.block - before.block <= 1
            led = replace(one, lead=before.lead) if is_next else one
        yield led
        before = led if led.is_item else None


def _stands_alone(lead: str) -> bool:
    """Tell whether *lead*, which announces something, tells a deed without that."""
    least = LONG if not _OPENS_NOW.match(lead) else LONG_ENOUGH
    says_much = len(lead) >= least or ("`" in lead and not _WHEN.search(lead))
    return says_much or _OPENS_DONE.search(lead) is not None


def changed(turn: Turn) -> str:
    """Return which files of the project *turn* changed, those it changed most first."""
    written = (
        name for edit in evidence.surviving_edits(evidence.steps(turn)) for name in edit.files
    )
    edited = Counter(name for name in written if _is_inside([name]))
    names = [name for name, _ in edited.most_common()]
    return f"changed {listed(names)}" if names else ""


def listed(names: Sequence[str]) -> str:
    """Return the first of *names*, and how many there are beside them."""
    shown = ", ".join(f"`{name}`" for name in names[:MOST_FILES])
    return shown + (f" and {len(names) - MOST_FILES} more" if len(names) > MOST_FILES else "")


def tells(line: str) -> bool:
    """Tell whether *line* says that something was done.

    >>> tells("Raised the timeout to 45m."), tells("The name stays the same.")
    (True, False)
    """
    if (sentences.leans(line) and not _BOTH.match(line)) or not _is_sound(line):
        return False
    return any(map(_tells, _PART.split(_CODE.sub("``", line))))


def _is_account(one: Point) -> bool:
    """Tell whether *one* may say what was done: also a line on what is "pending" may do so."""
    if one.role is not Role.OPEN:
        return one.role is not Role.REMARK
    return _NOW.search(one.text) is not None and not _STILL_OPEN.search(one.text)


def _tells(part: str) -> bool:
    if _PRONOUN.match(part) or (_SUBORDINATE.match(part) and not _NOW.search(part)):
        return False
    return _DONE.search(part) is not None


def _is_inside(files: Iterable[str]) -> bool:
    return any(not name.startswith("/") for name in files)


def _parts(points: Sequence[Point], *, is_report: bool) -> Iterator[str]:
    """Yield the deeds of an answer, in its order.

    In a report of what was done, what stands behind the name of a file was done there.
    """
    headings: set[str] = set()
    for (heading, lead), group in groupby(points, key=lambda one: (one.heading, one.lead)):
        those = [one for one in group if _is_account(one)]
        title = _FIXED.sub("Fixed ", _bare(heading), count=1)
        names_file = is_report and _of_file(title)
        names = "`" in title and _OPENS_DONE.match(title) is not None
        least = TITLE_WORDS - 1 - names
        is_title = len(sentences.telling_words(_PATH.sub(" ", title))) >= least
        if is_title and (tells(title) or names_file):
            yield from [_with_first(title, those)] if title not in headings else []
            headings.add(title)
        elif _DESCRIBES.search(lead):
            said = _DESCRIBES.sub("", _bare(lead), count=1)
            yield from [clause(said, LONGEST_PART)] if tells(said) else []
        elif those and (announced := _without_end(lead)) and tells(announced):
            below = list(_deeds(those, title, listed=_NAMES_PLACE))
            is_bare = not below and len(those) > 1 and all(one.is_item for one in those)
            yield (
                _with_heads(lead, map(_item_head, those))
                if is_bare
                else clause(announced, LONGEST_PART)
            )
            yield from below
        elif those and (did := _ONLY_DID.match(_bare(lead))) and not tells(_bare(those[0].text)):
            yield _announced(did["did"], those)
        elif those and (_is_all_done(lead, those) or _NEW_TEST.match(lead)):
            yield _with_heads(lead, map(_item_head, those))
        elif len(fixed := [one for one in those if _is_row_done(one)]) > 1:
            status = _status(fixed)
            heads = (_item_head(one) if status != "Added" else _named_head(one) for one in fixed)
            yield f"{status}: {_joined(heads, between=', ', most=MOST_ITEMS)}"
        elif those and _tells_with_list(lead, those):
            yield _with_heads(lead, map(_item_head, those))
        elif those and _SAYS_WHAT.search(lead) and _is_announced(lead) and tells(_bare(lead)):
            yield _announced(lead, those)
        elif not (lead and _MAY_BE.search(lead)):
            is_brief = lead and report.title_words(lead) < TITLE_WORDS
            headed = _HEADED if is_brief else _NAMES_PLACE
            told = headed if _is_announced(lead or heading) else None
            if is_report and not lead and not told:
                told = _HEADED if _FILE.fullmatch(title) else _OF_FILE
            yield from _deeds(those, title, listed=told)


def _with_first(title: str, those: Sequence[Point]) -> str:
    """Return *title* with the first deed below it, if it says little itself: "Updated hooks"."""
    says_much = "`" in title or len(sentences.telling_words(title)) > TITLE_WORDS
    below = "" if says_much else next(_deeds(those, "", listed=_NAMES_PLACE), "")
    return clause(f"{title}: {below}" if below else title, LONGEST_PART)


def _of_file(line: str) -> bool:
    return _OF_FILE.match(line) is not None and _is_sound(line)


def _is_announced(line: str) -> bool:
    return _ANNOUNCES.search(line) is not None and _NO_LIST.search(line) is None


def _is_all_done(lead: str, those: Sequence[Point]) -> bool:
    """Tell whether *lead* says that all of *those* was done, which do not say so themselves."""
    if not _ALL_DONE.search(lead) or _NOT_ALL.search(lead) or _NO_OUTCOME.search(lead):
        return False
    if not all(one.is_item for one in those):
        return False
    telling = sum(tells(_bare(one.text)) for one in those)
    return telling <= len(those) / 2


def _tells_with_list(lead: str, those: Sequence[Point]) -> bool:
    """Tell whether *lead* says what is so now, if it did not break off before its list."""
    bare = _bare(lead)
    if not all(one.is_item for one in those) or not _LEADS_INTO.search(bare):
        return False
    return len(those) > 1 and _NOW.search(bare) is not None and tells(f"{bare} so")


def _is_row_done(row: Point) -> bool:
    return any(map(_STATUS_CELL.fullmatch, _cells(row)))


def _cells(row: Point) -> list[str]:
    return row.text.strip(" |").split("|") if row.text.startswith("|") else []


def _named_head(row: Point) -> str:
    """Return what names a *row*: the code in its first cell, where it has some."""
    first = _bare(_cells(row)[0])
    return first if first and report.is_code(first) else _item_head(row)


def _status(rows: Iterable[Point]) -> str:
    """Return what all *rows* of a table say became of them: "Added"."""
    cells = (cell for row in rows for cell in _cells(row) if _STATUS_CELL.fullmatch(cell))
    words = {found[0].capitalize() for cell in cells if (found := _WORD.search(cell))}
    return words.pop() if len(words) == 1 else "Done"


def _without_end(lead: str) -> str:
    """Return the announcement of a list so that it is understood without it; empty if it is not."""
    bare = _WITH.sub("", _bare(_COLUMNS.sub("", lead)).rstrip(":"))
    is_told = _NOW.search(bare) or (_COLUMNS.search(lead) and _OPENS_DONE.match(bare))
    names = "`" in bare and bool(is_told)
    says_much = names or report.title_words(bare) >= TITLE_WORDS
    is_whole = says_much and not _LEADS_ON.search(bare)
    return bare if is_whole and _stands_alone(bare) else ""


def _announced(lead: str, those: Sequence[Point]) -> str:
    items = [clause(_bare(one.text).split("; ")[0], LONGEST_ITEM) for one in those]
    said = _PREAMBLE.sub("", _bare(lead), count=1)
    return f"{said[:1].upper()}{said[1:]}: {_joined(items, between=', ')}"


def _cell(row: str) -> str:
    """Return the cell of a table's *row* that tells most."""
    return max(map(_bare, row.strip(" |").split("|")), key=lambda cell: len(cell.split()))


def _head(item: str) -> str:
    """Return *item* without what is nested in it, except where it says nothing by itself."""
    head, *nested = item.split("; ")
    head = _WAS.sub("", head)
    if nested and report.title_words(head.replace(".", " ")) < TITLE_WORDS:
        said = next((one for one in nested if not _ASIDE.search(one)), nested[0])
        if report.is_code(said) and tells(head):
            return head.rstrip(" :")
        return f"{head.rstrip(' :')}: {said}"
    return head


def _with_place(line: str, title: str) -> str:
    """Return *line* behind its *title*, if that names what it does not, or tells what was done."""
    names = "`" in title and "`" not in line
    return f"{title}: {line}" if names or (_OPENS_NEW.match(title) and not tells(line)) else line


def _deeds(those: Sequence[Point], title: str, *, listed: re.Pattern[str] | None) -> Iterator[str]:
    """Yield the lines of one block that tell of a deed; items do that are as those *listed*."""
    before = ""
    opens = _OPENS_REMOVED.match(title)
    for one, follower in zip_longest(those, those[1:]):
        is_row = one.text.startswith("|")
        text = one.text if one.is_item else _SHOWN.sub("", one.text)
        line = _cell(text) if is_row else _head(_bare(sentences.split(text)[0]))
        can_be = listed if one.is_item or listed is _OF_FILE else None
        is_change = can_be and ("`" in line if is_row else can_be.match(line))
        is_deed = (tells(line) and not is_row) or (is_change and _is_sound(line))
        if is_deed and follower and report.limits(one, follower):
            whole = f"{line.rstrip(' .')}. {follower.text}"  # What it lacks is told there.
            yield from [whole] if len(whole) <= LONGEST_DEED else []
        elif is_deed and not _LEANS.search(line):
            yield clause(_with_place(line, title), LONGEST_PART)
            # What stands next below "Removed" was removed as well.
            title = "Removed" if opens and one.is_item else ""
        elif is_deed and before and len(before) + len(line) < LONGEST_DEED:
            yield f"{before} {line}"  # The sentence before says what it is about.
        before = line if not one.is_item and not is_deed else ""


def _is_sound(line: str) -> bool:
    if len(line) > LONGEST_TOLD or _NO_SENTENCE.match(line) or " | " in line:
        return False
    if _LEADS_INTO.search(_CODE.sub("x", line)) or report.is_code(line):
        return False
    if not sentences.telling_words(line) or (len(line.split()) < 3 and "`" not in line):
        return False
    if _ONLY_WHERE.search(line) or _VALUES.match(line):
        return False
    is_cause = _CAUSE.search(line) and not _OPENS_DONE.match(line)
    said = _IN_BRACKETS.sub("", line)
    return not (is_cause or _HEDGED.search(said) or _ASIDE.search(said))


def _bare(text: str) -> str:
    bare = _PLACES.sub("", _NUMBERED.sub("", text.replace("**", ""), count=1)).strip()
    bare = _FIX_IS_IN.sub("", _TICK.split(bare.strip(" ✅✓✔"))[0], count=1)
    return _CHEER.sub("", _PROVEN.sub("", bare, count=1), count=1).rstrip(":")


def _different(parts: Iterable[str]) -> list[str]:
    """Return *parts* without those that another one begins with."""
    plain = (_HASH_BEFORE.sub("", part, count=1) for part in parts)
    bare = list(dict.fromkeys(part.rstrip(" .:;,!") for part in plain))
    return [part for part in bare if part and not any(_begins(part, one) for one in bare)]


def _begins(part: str, whole: str) -> bool:
    return len(whole) > len(part) and whole.startswith(part.rstrip("…"))


def _joined(parts: Iterable[str], *, between: str, most: int = MOST_PARTS) -> str:
    """Return the first of *parts*, as many as fit."""
    kept: list[str] = []
    for part in _different(parts):
        room = LONGEST_DEED - sum(len(one) + len(between) for one in kept)
        if len(kept) < most and (len(part) <= room or not kept):
            kept.append(part)
    return between.join(kept)
