"""How developers say that something is worth a note, in seven languages.

Patterns only; `triage` decides what they amount to. They are read against a *heard* sentence:
lower case, straight quotes, code and quotations blanked. Gaps between words are bounded, so no
sentence costs more than its length.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What speaks for a decision, a preference or a constraint."""

    strong: re.Pattern[str]
    """One is enough, whoever says it."""
    fair: re.Pattern[str] = _NOTHING
    """Enough when the user says it; the agent needs a booster."""
    weak: re.Pattern[str] = _NOTHING
    """Needs boosters beside it."""
    boosters: tuple[re.Pattern[str], ...] = ()
    never: re.Pattern[str] = _NOTHING
    """What only looks like it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Debt:
    """What speaks for technical debt: a flaw, and that it stays for a while."""

    named: re.Pattern[str]
    flaw: re.Pattern[str]
    later: re.Pattern[str]
    never: re.Pattern[str] = _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """What speaks for a runbook: what went wrong, why, what helped, and how one knows."""

    again: re.Pattern[str]
    """What to do should it happen again."""
    remedy: re.Pattern[str]
    cause: re.Pattern[str]
    symptom: re.Pattern[str]
    action: re.Pattern[str]
    check: re.Pattern[str]
    never: re.Pattern[str] = _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The cues of one language, and how it asks, doubts, reports and limits."""

    decision: Cues
    preference: Cues
    constraint: Cues
    tech_debt: Debt
    runbook: Recovery
    question: re.Pattern[str]
    unsure: re.Pattern[str]
    reported: re.Pattern[str]
    one_off: re.Pattern[str]
    clause: re.Pattern[str]
    """What ends one clause and begins another."""
    because: re.Pattern[str]
    """What a reason begins with."""
    instead: re.Pattern[str]
    """What stands between the thing that was chosen and the one that was not."""


def _words(*alternatives: str) -> re.Pattern[str]:
    """Any of *alternatives*, beginning at a word."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(alternatives)})")


def _signs(*alternatives: str) -> re.Pattern[str]:
    """Any of *alternatives*, anywhere: for languages that are written without spaces."""
    return re.compile("|".join(alternatives))


# A number with what it counts, as limits are told: "100 req/min", "512 mb", "3 seconds".
_AMOUNT = (
    r"[\d$€£~≈][\d.,_]*\s?(?:k|m|million|thousand)?\s?(?:%|percent|[kmgt]i?b(?:it|ps)?\b|bytes?|bits?"
    r"|req\w*|calls?|queries|rpm\b|rps\b|qps\b|tps\b|hz\b|mhz\b|khz\b|ms\b|milliseconds?|µs|us\b"
    r"|s\b|secs?|seconds?|min\w*|h\b|hours?|days?|weeks?|months?|years?|chars?|characters?|rows?"
    r"|columns?|items?|records?|entries|users?|seats?|threads?|workers?|connections?|conns?"
    r"|clients?|devices?|files?|lines?|tokens?|messages?|msgs?|events?|pages?|jobs?|nodes?|cores?"
    r"|v?cpus?|instances?|replicas?|pods?|partitions?|shards?|tables?|fields?|levels?|times"
    r"|px\b|pixels?|fps\b|triangles|draw calls|ma\b|mah\b|mw\b|watts?|volts?|v\b|usd|eur|dollars?"
    r"|euros?|/|per\b)"
)
_VERSIONED = (
    r"(?:python|py|node(?:js|\.js)?|java|jdk|php|ruby|go|rust|gcc|glibc|c\+\+|c|\.net|dotnet|ios"
    r"|macos|android|api level|sdk|windows|ubuntu|debian|rhel|centos|safari|chrome|firefox|edge|ie"
    r"|internet explorer|postgres(?:ql)?|mysql|redis|mongodb|kernel|kubernetes|k8s|es|ecmascript"
    r"|typescript|swift|kotlin|react|angular|vue|django|rails|spring(?: boot)?|unity|unreal"
    r"|opengl(?: es)?|cuda|tls|http|postgis|elasticsearch|kafka|terraform|ansible)"
    r"[ /-]?v?\d[\d.]*"
)

_EN_WE = r"(?:we|i|the team|our team|everyone|you and i|all of us|we both|we all|[a-z]+ and i)"
_EN_DID = (
    r"(?:'ve|'d| have| had)?"
    r"(?: just| finally| now| already| ultimately| eventually| also| both| all| then| recently"
    r"| basically| collectively| (?:yesterday|today|this morning)|,? after [^,.]{1,40},?){0,3} "
)
_EN_POLICY = (
    r"deploy\w*|releas\w+|prod(?:uction)?\b|customers?|users?' data|pii\b|personal data|secrets?\b"
    r"|credentials?|api keys?|passwords?|databases?|schema|migrations?|main\b|master\b|trunk"
    r"|force[- ]push\w*|license|licence|gpl\b|agpl\b|gdpr|hipaa|pci\b|compliance|legal|audit\w*"
    r"|security|policy|policies|regulat\w+|contract\w*|sla\b|vendor|upstream|third[- ]part\w+"
    r"|external|internet|network|offline|air-?gapped|firewall|vpc|region|eu\b|on-?prem\w*|memory"
    r"|ram\b|flash|heap|stack|battery|latency|bandwidth|quota|budget|cost|browsers?|ie ?11"
    r"|backwards?[- ]compat\w*|public api|fridays?|weekends?|business hours|holidays?|freeze"
    r"|payments?|billing|invoices?|legacy|kernel|firmware|isr\b|interrupts?|bootloader|gpu\b"
    r"|app store|play store|review(?:ed|ers?)?|approv\w+|sign(?:ed)?[- ]off"
)
_EN_HOUSE = (
    r"answers?\b|repl(?:y|ies)|responses?|respond|explain|explanations?|comments?\b|commits?\b"
    r"|commit messages?|conventional commits|tests? first|tdd\b|type hints?|typings?|types\b|naming"
    r"|names?\b|snake_?case|camel ?case|kebab|tabs?\b|spaces|indent\w*|semicolons?|quotes"
    r"|format\w*|lint\w*|prettier|black\b|ruff\b|eslint|emojis?|summar(?:y|ies|ise|ize)|docstrings?"
    r"|class(?:es)?\b|functions?\b|functional|hooks?\b|imports?|exports?|async|await|const\b|let\b"
    r"|p?npm\b|yarn\b|bun\b|uv\b|pip\b|poetry|pytest|unittest|vitest|jest|make\b|just\b|vim|shell"
    r"|zsh|fish\b|bash\b|pr descriptions?|pull requests?|diffs?\b|small\b|short\b|concise|brief"
    r"|terse|verbose|bullets?|branch(?:es)?|squash\w*|rebase|merge commits?|ask (?:me|first|before)"
    r"|asking|tell me|show me|confirm\w*|abbreviat\w*|early returns?|composition|inheritance"
    r"|dataclass\w*|enums?|interfaces?|mocks?\b|fixtures?|english|german|french|spanish|style"
    r"|log(?:ger|ging)|print\b|f-strings?|sql\b|orm\b|tailwind|css|metric|timestamps?|utc|iso"
)
_EN_GENERAL = (
    r"always|never|ever\b|every\b|all\b|whenever|everywhere|in general|generally|by default"
    r"|in (?:this|our|the|my|any) (?:\w+ )?(?:repo\w*|project|codebase|code base|workspace|org)"
    r"|across|any\b|each\b|project-?wide|for (?:new|everything)|from now on|as a rule|again\b"
)
_EN_REASON = (
    r"because|since\b|so that|so we|so i|so it|due to|reasons?\b|given that|given our|otherwise"
    r"|thanks to|that way|which means|as (?:it|we|they|that)\b|cuz\b|bc\b|b/c|cause (?:it|we|i)\b"
    r"|the point is|this (?:way|avoids|keeps|lets|gives)|to avoid|to keep|in order to|for its"
    r"|simpler|cheaper|faster|easier|safer|lighter|less (?:code|work|overhead|maintenance|ops)"
)
_EN_CONTRAST = (
    r"instead of|rather than|over\b|vs\.?\b|versus|,? ?not\b|alternatives?|compared|comparing"
    r"|considered|trade-?offs?|pros\b|cons\b|in favou?r of|as opposed to|no more\b"
)

_ENGLISH = Language(
    decision=Cues(
        strong=_words(
            _EN_WE
            + _EN_DID
            + r"(?:decided|chose\b|chosen|opted|agreed (?:on|to|that|with|we|not)|settled (?:on|for)"
            r"|picked (?!up|apart|a fight)|went (?:with|for)\b|gone with|landed on|voted"
            r"|selected [^.]{1,60} (?:over|for|as|instead)|standardi[sz]ed on|ruled out|rejected"
            r"|committed to (?!main|master|git|the repo|trunk))",
            r"(?:it was|it's been|has been|was|were|been|is) (?:decided|agreed)\b",
            r"(?:(?:the|our|my|final|architecture|design|key|adr) )?decisions?(?: made| taken| here)?"
            r"(?: is| was|:| -)(?! (?:still|pending|open|up to|yours|not))",
            r"decided:",
            r"(?:final|my) (?:call|answer|verdict|choice)(?: is|:)",
            r"verdict:",
            r"(?:let's|we're|we are|i'm|i am|we'll|we will|i'll|gonna|let us|please|ok(?:ay)?,?|yes,?"
            r"|alright,?|then|so|just|and)(?: all| now| definitely| just| then| gonna| going to){0,2}"
            r" (?:go(?:ing)?|stick(?:ing)?|stay(?:ing)?|roll(?:ing)?) (?:with|on\b(?! and)|for\b)",
            r"(?:chose|chosen|picked|went with|going with|go with|opt(?:ed|ing)? for|selected)"
            r"\b[^.]{1,80}\b(?:over|instead of|rather than)\b",
            r"(?:dropp\w+|ditch\w+|abandon\w+|reject\w+|replac\w+|retir\w+) [^.]{1,60} in favou?r of",
            r"(?:that|it|this)(?:'s| is) settled",
            r"settled(?: then|:)",
            r"(?:decided|opted) against",
            r"(?:go|going|went|run|proceed|sticking|stick) (?:with|for) (?:option|approach|variant|plan"
            r"|the (?:first|second|third|latter|former|simpler|\w+ (?:option|approach|one)))",
            r"(?:we're|we are|let's|we'll|we will|we)(?: going to| gonna| now)? "
            r"standardi[sz](?:e|ing) on",
        ),
        fair=_words(
            r"(?:let's|we're|we are|we'll|we will)(?: going to| gonna| now| just)? "
            r"(?:dropp?(?:ing)?|ditch(?:ing)?|abandon(?:ing)?|adopt(?:ing)?|keep(?:ing)?"
            r"|switch(?:ing)? (?:to|from|over)|mov(?:e|ing) (?:to|from|off|over|everything)"
            r"|migrat(?:e|ing) (?:to|from|off)|replac(?:e|ing)) ",
            r"(?:i|we) (?:used|kept|put|made|implemented|built|modell?ed|stored|designed|placed"
            r"|structured|split|left|wrote|added|implement|keep|use) [^.]{1,100}"
            r"(?:instead of|rather than)\b",
            r"(?:option|approach|variant|plan) (?:[a-d]|\d|one|two|three)\b",
            r"(?:agreed|deal|sold|makes sense|sounds good|good point|fair enough|ok(?:ay)?|right)[,.!:] ?"
            r"(?:so )?(?:let's|we'll|we|i'll) (?:use|do|take|keep|go|make|build|store|put)",
            r"in favou?r of",
        ),
        weak=_words(
            r"(?:let's|let us|we'll|we will|we're going to|we) (?:just |then )?"
            r"(?:use|using|adopt|keep|drop|ditch|build|base|store|put|split|model|make|take|write|run)\b",
            r"(?:use|keep|take) [^.]{1,60}(?:instead of|rather than)",
            r"(?:we're|we are) (?:using|keeping|building)",
            r"(?:do|take|pick|choose) (?:the )?(?:first|second|third|latter|former|simpler)",
        ),
        boosters=(
            _words(_EN_REASON),
            _words(_EN_CONTRAST),
            _words(
                r"architect\w*|databases?|framework|library|protocol|schema|apis?\b|queues?|storage"
                r"|language|auth\w*|cloud|design|approach|strategy|pattern|monorepo|microservices?"
                r"|for (?:the )?(?:mvp|v\d|launch|rewrite|backend|frontend)|adr\b|long[- ]term"
            ),
        ),
        never=_words(
            r"(?:not|never|nobody|no one|yet to|neither)(?: \w+){0,3} (?:decid|chose|choose|settl|pick"
            r"|agree|commit|made (?:a|the|any|our|my))",
            r"(?:\w+n't)(?: \w+){0,3} (?:decid|chose|choose|settl|pick|agreed|committed"
            r"|made (?:a|the|any|our|my))",
            r"no (?:final |real |clear )?decisions?\b",
            r"undecided",
            r"decided yet",
            r"nothing(?:'s| is| has)"
            r"(?: been)? (?:decided|settled|agreed)",
            r"decision (?:pending|trees?|tables?|boundar\w+|is (?:still|not|pending|open|up|yours))",
            r"(?:to|must|should|need to|have to|let's|can|will|could|help me|help us|before (?:we|i|you)"
            r"|once (?:we|i|you)|when (?:we|i|you)|until (?:we|i|you)|after (?:we|i)|we'll|i'll|please"
            r"|you|they|he|she) (?:decide|choose|pick|settle)\b",
            r"still (?:deciding|choosing|debating|open|thinking|evaluating|discussing|unclear)",
            r"(?:why|who|when|how|what|where) (?:\w+ )?(?:we|i|you|they|he|she|was|did|had|has|have|it)"
            r"(?:'ve)? (?:\w+ )?(?:decid|chose|picked|went|opt)",
            r"go(?:ing)? (?:on|for) (?:a|lunch|vacation|holiday|forever|the next|it\b)",
            r"not going with|stay(?:ing)? on (?:top|track|it)",
            r"in favou?r of (?:it|that|this)\?",
        ),
    ),
    preference=Cues(
        strong=_words(
            r"from (?:now|here|this point|today|here on) ?(?:on|out|forward)\w*",
            r"(?:going|moving) forward",
            r"henceforth",
            r"from now onwards?",
            r"in (?:the )?future,? (?:please|always|never|use|don't|do not|when|just|i'd|i want|only|run"
            r"|keep|write|ask|make|put|skip|let|you)",
            r"i(?:'d| would)?(?: (?:really|much|strongly|generally|usually|always|personally|also|still"
            r"|definitely|tend to|do|typically|normally|kinda|just|highly|slightly)){0,2}"
            r" (?:prefer|favou?r)\b(?! (?:option|the (?:first|second|third|latter|former)|approach))",
            r"i(?:'d| would) (?:much |really )?rather (?:you|we|have|use|not|see|keep|get|read)",
            r"i (?:really |absolutely |just |personally )?(?:hate|dislike|can't stand|detest|despise|loathe)\b",
            r"(?:i'm |i am )?(?:not|no) (?:a )?(?:big |huge )?fan of",
            r"i (?:really |do )?(?:don't|do not) like (?!the (?:output|result|look of this)|this)",
            r"i (?:really |do )?(?:like|love) (?:my|it when|to have|to see|to keep|small|short|when|having"
            r"|keeping|using|seeing|explicit|plain|simple)",
            r"drives me (?:crazy|nuts|mad|insane)",
            r"pet peeve",
            r"annoy(?:s|ing) (?:me )?when",
            r"my (?:\w+ )?(?:preference|personal style|coding style|convention|taste|go-to|rule of thumb"
            r"|usual (?:style|setup|way|workflow)|preferred [\w ]{1,30})\b",
            r"i (?:always|never|usually|generally|normally|typically|only) (?:use|want|write|work|run"
            r"|commit|keep|put|name|do|like|read|squash|rebase|format|indent|need)\b",
            r"(?:never|don't|do not) ever\b",
            r"never ever\b",
            r"(?:remember|note|fyi|for the record|just so you know|btw|heads up)[:, ]+(?:that )?i"
            r"(?: always| only)? (?:use|prefer|like|want|work|am|hate)\b",
        ),
        fair=_words(
            r"(?:^|please |pls |plz |you should |you must |should |must |and |also |just |but |so |then |to )"
            r"(?:always|never) (?!mind|again had|really|had|been|got|gets|works?|worked|fails?|happens?"
            r"|happened|returns?|was|is|were|are|has|seen?|saw|runs? (?:out|into)|know|liked|understood"
            r"|heard|tried|called|used to|finish|the|a |ends?|shows?|gives?|crash)[a-z]+",
            r"(?:please |pls |and |also )?stop (?:adding|using|doing|writing|putting|creating|asking"
            r"|apologi[sz]ing|explaining|making|giving|generating|suggesting|changing|saying|wrapping"
            r"|starting|summari[sz]ing|repeating|inventing|committing|reformatting|touching)",
            r"(?:whenever|every time|each time|any ?time) (?:you|we|i ask)\b",
            r"(?:^|please |and |, |: )prefer (?!ence)[^.]{1,60}(?:over|to|instead|rather)\b",
            r"(?:^|please |always |and |, )(?:answer|reply|respond|talk|speak|explain|communicate)"
            r"(?: to me| me| things| everything| only| always){0,2} in\b",
            r"keep (?:your |the |all |my )?(?:answers|replies|responses|explanations|messages|summaries"
            r"|commits|prs|pull requests|functions|diffs|changes|comments|commit messages) ",
            r"(?:^|please |as a |general |my |our |house |team )rule(?: of thumb)?(?: is)?[:,]",
            r"(?:as a|as a general) rule\b",
            r"(?:our|the|my|by|team|house) (?:\w+ )?convention(?:s)?(?: is| are|:|,)",
            r"the way (?:i|we) (?:like|do|want|write|work)",
            r"make it a habit",
            r"by default,? (?:use|please|i|we|you|write|prefer|run|always|never|do|go)\b",
            r"we (?:always|never|prefer|don't do|do not do|usually|generally|typically) ",
        ),
        weak=_words(
            r"(?:^|please |pls |just |and |, |: )use [^.]{1,60}(?:,? not\b|instead of|rather than|over)\b",
            r"(?:^|please |pls |and |, |but |so |: )(?:don't|do not|dont|no need to|avoid|no|skip) (?:\w+ ){0,2}"
            r"(?:add|use|put|write|create|start|commit|mock|wrap|summari[sz]e|explain|apologi[sz]e|emojis?"
            r"|comments?|semicolons?|default exports?|abbreviat\w+|classes|any|magic|docstrings?|over)",
            r"i want (?:you|all|every|my|commits|tests|the code|code|to)\b",
            r"i(?:'d| would) like (?:you|all|every)",
            r"(?:^|, |and )when (?:you|we|writing|committing|naming|adding|creating|answering)",
            r"(?:please )?(?:remember|keep in mind)\b",
            r"i use\b",
            r"we use\b",
            r"i'm (?:used to|on)\b",
            r"(?:^|please |and |, )(?:use|write|put|name|keep|run|format|indent|ask|show|tell|prefix|sign"
            r"|squash|rebase|document|type|group|sort|commit)\b",
            r"should (?:always|never)\b",
        ),
        boosters=(
            _words(_EN_GENERAL),
            _words(_EN_HOUSE),
            _words(r"instead of|rather than|,? not\b|over\b|please (?:always|never)"),
        ),
        never=_words(
            r"standard (?:output|error|input)",
            r"user preferences?",
            r"preferences? (?:page|screen|dialog|panel|table|api|endpoint|menu|tab|store|file|modal|pane"
            r"|service|model|object|view|section|toggle|window)",
            r"no (?:strong |real |particular )?preference",
            r"don't (?:have a|really) (?:preference|care|mind)",
            r"either (?:way|is fine|works)",
            r"up to you",
            r"(?:whatever|if|as|do|would|which do|what do) you(?:'d)? "
            r"(?:prefer|like|want)",
            r"your preference",
            r"prefers?-\w+",
            r"never mind|nevermind",
            r"from now on,? (?:the|it|this|each|every|a) [\w` -]{1,40} (?:is|are|will|returns?|has|gets?|uses?)\b",
        ),
    ),
    constraint=Cues(
        strong=_words(
            r"(?:is|are|we're|gets?|it's|they're|i'm|be) (?:\w+ly |still |all )?(?:limited|capped|restricted|throttled"
            r"|rate[- ]limited|confined|locked|pinned|stuck|tied|constrained) (?:to|at|on|by|with|in)\b",
            r"(?:only|just) (?:works?|runs?|supports?|allows?|accepts?|available|compatible|supported|permitted"
            r"|allowed|has|have|gives?) ",
            r"(?:works?|runs?|supports?|available|allowed|permitted|supported) only (?:on|in|with|from|for|up to"
            r"|when|if|via|through|one|\d)",
            r"(?:policy|policies|compliance|legal|security|gdpr|hipaa|pci(?:-dss)?|soc ?2|iso ?\d+|regulat\w+"
            r"|auditors?|(?:the|our|their) (?:contract|sla|law|licen[cs]e|dpa|nda)|legislation|infosec|procurement"
            r"|finance|apple|google play|app store)(?: team| dept| department| people| folks| guidelines)?"
            r"(?: \w+){0,2} (?:requires?|forbids?|demands?|mandates?|prohibits?|insists?|states?"
            r"|dictates?|says?|rejects?|won't allow|(?:doesn't|does not|don't|do not) allow)",
            r"(?:company|security|our|team|org|the|privacy|retention|it|data) polic(?:y|ies)(?: \w+)?(?: is|:| says| that)",
            r"(?:all|every|any|each|no)(?: \w+){1,6} (?:must|has to|have to|needs? to|shall|may(?! be)|is allowed|are allowed)\b",
            r"(?:code|feature|deploy(?:ment)?|release|change|schema|production) freeze",
            r"no deploy(?:s|ments|ing)?\b",
            r"(?:one|another|important|known|hard|main|big|only|real|key|a|the|this) "
            r"(?:constraint|limitation|restriction)(?: is|:| here| to| that| of| we)",
            r"(?:constraint|limitation|restriction|hard rule|hard limit|hard requirement)s?:",
            r"hard (?:limit|cap|requirement|constraint|deadline)",
            r"non-?negotiable",
            r"under no circumstances",
            r"no exceptions",
            r"(?:must not|must never|mustn't|may not|may never|must always|can never|should never ever) ",
            r"(?:do not|don't|never) (?:edit|modify|touch|change) (?:\w+ ){0,5}(?:by hand|manually|directly)",
            r"(?:we|must|have to|need to|still|to|has to|and) (?:still )?(?:support|run on|work on|work with|target|stay on|build on"
            r"|compile (?:on|with)|be compatible with|keep supporting) [^.]{0,30}" + _VERSIONED,
            r"(?:stuck|locked|still) (?:on|at|to) [^.]{0,20}" + _VERSIONED,
            r"(?:minimum|lowest|oldest|min)(?: supported)? (?:version|target|sdk|ios|android|python|node|browser|os)",
            r"(?:rate )?(?:limit|quota|cap|maximum|max|ceiling|budget|allowance|sla|deadline)s?(?: \w+){0,5}"
            r" (?:is|are|of|at|=) (?:\w+ ){0,3}" + _AMOUNT,
            r"(?:cannot|can't|must not|may not|doesn't|never|not|shouldn't|won't) (?:\w+ )?exceed",
            r"(?:rejects?|drops?|refuses?|kills?|blocks?|throttles?|cuts? off|truncates?) (?:\w+ ){0,5}"
            r"(?:over|above|larger than|bigger than|longer than|more than|after|beyond|without)\b",
        ),
        fair=_words(
            r"(?:only|at most|no more than|max(?:imum)?(?: of)?|not more than|fewer than|less than|at least|no less than"
            r"|up to|under|below|within)(?: \w+){0,2} " + _AMOUNT,
            r"(?:allows?|permits?|accepts?|supports?|handles?|gives? (?:us|you)|we have|has|holds?|fits?|provides?)"
            r"(?: us| you)?(?: only| just| at most| a maximum of| max| up to| no more than)? "
            + _AMOUNT,
            r"(?:we|you|nobody|no one|clients?|customers?|it|they|services?|the \w+|code|this) (?:can't|cannot|can not|can only|may only"
            r"|are not allowed|aren't allowed|is not allowed|isn't allowed)(?: to)? "
            r"(?:use|upgrade|change|deploy|add|access|have|rely|store|send|install|touch|modify|break|move|rename|drop|run|call|ship"
            r"|log|introduce|depend|reach|connect|share|expose|merge|push|write|alter|update|edit|be|talk|make|hold|allocate|load)\b",
            r"(?:not|isn't|aren't|never) (?:allowed|permitted|supported|acceptable|an option)",
            r"forbidden|prohibited|banned|off[- ]limits|disallowed|outlawed",
            r"(?:doesn't|does not|don't|do not|won't|will not) (?:support|allow|accept|permit)",
            r"(?:requires?|needs?) (?:at least |a minimum of |exactly )?" + _VERSIONED,
            r"(?:has to|have to|must) (?:run|work|stay|remain|fit|support|build|compile|start|boot|be) [^.]{0,40}(?:"
            + _VERSIONED
            + "|"
            + _AMOUNT
            + ")",
            r"(?:do not|don't|never) (?:deploy|release|ship|merge|push|touch|edit|modify|change|restart|run|drop) [^.]{1,40}"
            r"(?:without|on|after|before|during|directly|by hand|manually|to (?:main|master|prod\w*))\b",
            r"is (?:generated|auto-?generated|read-?only|immutable|append-?only|frozen|deprecated upstream)",
        ),
        weak=_words(
            r"(?:must|has to|have to|needs? to|is required to|are required to|shall)(?: also| still| always)?(?: not| never)? "
            r"(?:be|run|work|stay|remain|support|fit|go|use|pass|keep|comply|happen|build|compile|target|have|start|finish|complete"
            r"|survive|come|live|land|get|arrive)\b",
            r"(?:^|please |we |you |, |and |so |: )never (?:ever )?(?:deploy|release|ship|merge|push|log|store|commit|expose|touch|modify"
            r"|edit|delete|drop|run|write|call|send|restart|change|alter|allocate|block|return|put|share|use)\b",
            r"(?:^|, |and |: )no [\w -]{2,30} (?:in|on|at|from|after|before|during|without|outside|allowed)\b",
            r"(?:requires?|mandatory|compulsory|required)\b",
            r"limit(?:s|ed|ation)?\b",
            r"only\b",
        ),
        boosters=(
            _words(_EN_POLICY),
            _words(_AMOUNT, _VERSIONED),
            _words(
                r"because|otherwise|or else|since\b|so (?:we|that|no|it)|due to|per (?:the|our)|by (?:law|contract|policy)"
            ),
            _words(
                r"always|never|ever\b|at all times|hard\b|strict\w*|rules?\b|every\b|all\b|any\b|nothing|nobody"
            ),
        ),
        never=_words(
            r"(?:unique|foreign[- ]key|primary[- ]key|not[- ]null|check|db|database|integrity|type|generic|auto ?layout|layout|sql|fk)"
            r"[ -]constraints?",
            r"constraint (?:violation|failed|error|name|fails)",
            r"violat\w+",
            r"(?:rate )?limit exceeded",
            r"hit (?:the|a|our) (?:rate )?limit",
        ),
    ),
    tech_debt=Debt(
        named=_words(r"tech(?:nical)?[- ]debt", r"known (?:debt|shortcut)"),
        flaw=_words(
            r"hack(?:y|ish|ed|s)?\b",
            r"hard-?\s?cod\w+",
            r"work-?\s?arounds?\b",
            r"stop-?gaps?\b",
            r"band-?aids?\b",
            r"kludg\w+|bodge\w*",
            r"quick[- ](?:and|n|&)[- ]dirty",
            r"quick (?:fix|hack|patch)",
            r"shortcuts?\b",
            r"duct tape",
            r"cut(?:ting)? (?:a |some |the )?corners?",
            r"copy-?\s?past\w+",
            r"duplicat\w+",
            r"ugly|gross\b|nasty|messy|dirty|crude|janky|sloppy",
            r"brittle|fragile|flaky",
            r"(?:not|isn't|aren't|far from) (?:ideal|great|pretty|clean|proper\w*|the right way|elegant|thread-?safe|idempotent|atomic|tested"
            r"|covered|handled|validated|optimal|nice|perfect|scalable)",
            r"sub-?optimal|inefficient|naive",
            r"stub(?:bed|s)?\b|placeholder|dummy|faked?\b",
            r"mocked out",
            r"(?:no|without|zero|lacks?|lacking|missing|skipp?(?:ed|ing)?|left out|omitted) (?:any |the |proper |real |unit |integration )?"
            r"(?:tests?|coverage|validation|error handling|retries|retry|pagination|auth\w*|rate limit\w*|locking|index(?:es)?|cleanup"
            r"|caching|accessibility|a11y|i18n|migration|types|typing|docs|encryption|logging|monitoring)",
            r"untested|unvalidated|untyped|unbounded",
            r"commented out",
            r"(?:doesn't|does not|won't|don't|can't) (?:handle|scale|cover|validate|clean|check|retry|support)",
            r"n\+1\b",
            r"in-?memory",
            r"global (?:state|variable|singleton|lock)",
            r"polls?\b|polling|busy[- ]wait\w*",
            r"monkey-?\s?patch\w*",
            r"swallow\w*",
            r"(?:@?ts-ignore|type: ignore|eslint-disable|noqa|as any|any-typed|cast to any)",
            r"sleep\b",
            r"leak(?:s|y|ing)?\b",
            r"race condition",
            r"god (?:class|object)",
            r"spaghetti",
            r"legacy",
            r"known (?:issue|bug|flaw|limitation|gap|problem)",
            r"disabled? (?:the )?[\w -]{2,30}(?:test|check|rule|lint\w*|validation|verification)",
            r"vendored|forked?\b",
            r"deprecated",
            r"still (?:uses?|using|calls?|on|loads?|relies|does|do|runs?|reads?|blocks?|has|have|stored?|sits?)\b",
            r"blocking call|synchronous\w*",
            r"o\(n",
            r"should (?:really |properly |eventually |actually |ideally )?(?:be|use|live|move|go|have)\b",
            r"wrong (?:place|layer|way)",
            r"plain ?text",
            r"manual\w*",
            r"by hand",
            r"single[- ](?:threaded|node|instance)",
            r"temporary|interim|provisional|makeshift",
        ),
        later=_words(
            r"later\b",
            r"for now\b",
            r"for the (?:time being|moment)",
            r"temporar(?:y|ily)",
            r"until (?:we|the|after|then|next|i|it|v?\d|someone)",
            r"after (?:the |we |this |v?\d)?(?:\w+ )?(?:release|launch|ship|demo|deadline|freeze|migration|mvp|holidays|ga\b|beta|milestone"
            r"|summer|cutover|rollout|deploy|sprint|conference|\d)",
            r"next (?:sprint|quarter|week|month|release|iteration|cycle|year|milestone|version|time)",
            r"in (?:a|another|the) (?:follow-?\s?up|separate|later|future|next|dedicated)\b",
            r"follow-?\s?up\b",
            r"some ?day|eventually|at some point|one day",
            r"when (?:we|i|there's|things|someone) (?:have|has|get|gets|find|finds|is|calm|slow|are|finally)\b",
            r"once (?:we|the|it|i|they|things)\b",
            r"revisit\w*",
            r"(?:come|came|circle|get|go) back to",
            r"not (?:now|today|in this (?:pr|release|sprint|change)|touching|worth|yet)\b",
            r"out of scope",
            r"won't (?:fix|touch|do|have time|get to)\b",
            r"defer\w*|postpon\w*|punt\w*|parked?\b|backlog\w*",
            r"(?:leave|leaving|left|keep|keeping|kept) (?:it|this|that|them|the [\w -]{1,40}?|things)?\s?(?:as[- ]is|in place|there|alone|like (?:this|that)|for)\b",
            r"live with (?:it|that|this)",
            r"(?:no|don't have|didn't have|not enough|without|out of|ran out of) time",
            r"deadline",
            r"good enough\b",
            r"ship (?:it )?(?:first|anyway|as[- ]is|now)|to ship\b|unblock\w*",
            r"another (?:day|time|pr)",
            r"to-?\s?dos?\b|fixme",
            r"proper(?:ly)? (?:fix|solution|version|one)?",
            r"needs? (?:a )?(?:proper|real|to be (?:refactor|replac|rewrit|clean|fix|mov|remov|split|done)|refactor\w*|rewrit\w*|cleanup|cleaning|replac\w*)",
            r"(?:has|have) to (?:be )?(?:refactor|replac|rewrit|clean|fix|mov|remov|split|go\b)",
            r"(?:owe|debt)\b",
            r"we'll (?:regret|pay|need to|have to|clean|fix|replace|do)",
            r"(?:clean|fix|refactor|rewrite|replace|remove|rip|move|do|sort) (?:it|this|that|them)(?: (?:up|out|properly))? (?:when|once|after|later|next|in|soon|another)",
            r"ticket|jira|issue #?\d+",
            r"known\b",
            r"accept(?:ed|able|ing) (?:it |this |that )?for",
            r"ideally",
        ),
        never=_words(
            r"(?:pay(?:ing)? (?:down|off)|reduce|tackle|list|find|clean up|address|no|zero|without|any|what|avoid|repay|how much) (?:\w+ ){0,3}tech(?:nical)?[- ]debt",
            r"debt (?:is )?(?:gone|paid|resolved|cleared|collection|ratio)",
            r"(?:removed|replaced|fixed|cleaned up|got rid of|deleted|refactored away) (?:the |that |this |all )?(?:\w+ ){0,3}"
            r"(?:hack\w*|work-?arounds?|hard-?coded|todo\w*|stopgap|placeholder|stub\w*|duplicat\w*)",
            r"no longer (?:hard|needs?|uses?|duplicat)",
            r"not a (?:hack|workaround|shortcut)",
            r"(?:remove|fix|delete|get rid of|replace|clean up) (?:the|that|this|all) (?:\w+ ){0,3}"
            r"(?:hack\w*|work-?arounds?|hard-?coded|todo\w*|stopgap|placeholder|stub\w*|duplicat\w*)(?!.{0,60}(?:later|next|follow|after|eventually))",
        ),
    ),
    runbook=Recovery(
        again=_words(
            r"(?:if|when|whenever|should|in case|once|next time) (?:this|it|that|you|the|we|someone|anyone|anybody)(?: \w+){0,6}? "
            r"(?:happens?|comes? back|occurs?|recurs?|reappears?|shows? up|returns?|strikes?|breaks?|hangs?|gets? stuck|fails?) ?(?:again)?",
            r"(?:if|when|whenever) (?:you|we|anyone|someone) (?:ever |again )?(?:see|sees|get|gets|hit|hits|run into|encounter)s? (?:this|that|it|the same)",
            r"next time",
            r"for (?:future reference|next time|whoever|the next (?:person|one|time)|the runbook)",
            r"runbook|playbook",
            r"(?:so|this) (?:we|i|you|it) (?:don't|do not|doesn't) (?:have to|waste|lose|spend) (?:\w+ ){0,4}again",
            r"(?:steps|procedure|recipe|how) to (?:fix|recover|resolve|restore|unstick|unblock|repair|get (?:it|out|back))",
            r"(?:recovery|the|fix|recover\w*|repair|restore) (?:steps|procedure|recipe)(?: is| are| was|:)",
        ),
        remedy=_words(
            r"(?:fix(?:ed|es)?|solv(?:ed|es)|resolv(?:ed|es)|cur(?:ed|es)|unblock(?:ed|s)|sorted|repair(?:ed)?|clear(?:ed|s)|recover(?:ed)?|got (?:it|this|that) (?:working|running|going))"
            r"(?: \w+){0,5} (?:by|with|via|after|using|through)\b",
            r"the (?:\w+ )?(?:fix|solution|remedy|cure|trick|workaround|way out|recovery|answer|procedure)(?: that worked| here| for (?:it|this|that))?(?: is| was|:)",
            r"(?:that|this|which|it|and that|what|restarting|deleting|clearing|removing|running|reinstalling|rebuilding|bumping|downgrading|upgrading|pinning"
            r"|setting|unsetting|resetting|adding|increasing|killing|pruning|changing)(?: \w+){0,6} (?:fixed|fixes|solved|solves|resolved|resolves|did the trick|does the trick|did it|cleared|clears|cured|cures|helped|helps|unblocked|unsticks|brought it back|made it work|worked|sorted)\b",
            r"(?:did|does) the trick",
            r"fix:|solution:|resolution:|remedy:|steps:|how to fix",
            r"what (?:fixed|worked|helped|solved|finally|you need to do)",
            r"to (?:fix|recover|resolve|solve|unstick|repair|unblock|get (?:it|out|past|around|rid))(?: \w+){0,4}[:,]",
            r"you (?:have|need) to (?:first )?(?:run|restart|delete|remove|clear|rebuild|reset|kill|unset|reinstall|flush|stop)",
            r"after (?:running|restarting|deleting|clearing|removing|rebuilding|bumping|setting|reinstalling|killing|pruning|flushing|regenerating|that)\b[^.]{1,100}"
            r"(?:works?|passes|passed|is (?:gone|fine|green|back|up)|came (?:back|up)|starts?|started|boots?|connects?|recovered|went (?:away|green|through))",
            r"(?:first|1[.)]|step 1)[^.]{1,80}(?:then|2[.)]|second|after that|finally)\b",
        ),
        cause=_words(
            r"root cause",
            r"(?:was|is|were|are|got) caused by",
            r"the (?:\w+ )?(?:cause|culprit|problem|issue|reason|bug|catch|underlying \w+) (?:is|was|turned|here|there|:)",
            r"cause:|problem:|symptom:",
            r"turn(?:s|ed) out",
            r"because|due to|thanks to",
            r"happens? (?:when|if|because|after|whenever)",
            r"(?:stems?|comes?|came) from",
            r"(?:stale|corrupt\w*|orphan\w*|leftover|expired|wrong|missing|outdated|mismatch\w*|exhausted|full|locked|stuck|dangling|conflicting|old)\b",
        ),
        symptom=_words(
            r"errors?\b|exceptions?|fail(?:s|ed|ing|ures?)?\b|crash\w*|hangs?\b|hung\b|hanging|stuck|freez\w+|froze\w*|time(?:s|d)?[- ]?outs?|timing out|refused|denied|broken?\b|broke\b",
            r"won't (?:start|boot|build|compile|connect|load|come|run|deploy|mount|flash|open)|(?:doesn't|does not|didn't|can't|cannot|couldn't|not) (?:start\w*|work\w*|build\w*|boot\w*|connect\w*|load\w*|resolve\w*|find|found|reach\w*|compile|mount\w*|see|open)",
            r"[45]\d\d\b|e(?:connrefused|connreset|addrinuse|nospc|acces|timedout|noent|mfile|perm)\b|oom\w*|segfault\w*|panic\w*|out of (?:memory|disk|space)|no space|flaky|corrupt\w*|deadlock\w*|leak\w*|down\b|outage|\w+error\b|\w+exception\b|exit(?:ed)? (?:code|with)|sigkill|permission|unreachable|unhealthy|crashloop\w*",
        ),
        action=_words(
            r"(?:re)?(?:run|start|install|build|create|set|load|boot|generate|deploy|index|sync|link|flash)(?:s|ed|ing|ning|ting)?\b|re-?\w+ed\b|delet\w+|remov\w+|clear\w*|prun\w+|wip\w+|purg\w+|flush\w*|kill\w*|stop\w*|unset\w*|export\w*|bump\w*|pin(?:ned|ning)?\b|downgrad\w*|upgrad\w*|rotat\w+|renew\w*|chmod|chown|mount\w*|drop\w*|truncat\w*|invalidat\w*|drain\w*|restor\w*|roll(?:ed|ing)? back|revert\w*|increas\w+|rais\w+|lower\w*|disabl\w+|enabl\w+|switch\w*|chang\w+|add(?:ed|ing)?\b|`",
        ),
        check=_words(
            r"verif\w+|confirm\w*|to check|check (?:with|that|by|it|via)|should (?:now )?(?:show|print|return|say|be|see|list|report|come|give)|now (?:works?|passes|green|connects?|boots?|returns?|shows?|builds?|starts?|healthy|fine|up|runs?)",
            r"(?:works?|passes|passed|green|healthy|starts?|boots?|connects?|builds?|back|recovered|fine|stable|ok|clean|gone|up)\b(?: \w+){0,2} (?:again|now|afterwards|since|fine)",
            r"afterwards|after that|since then",
            r"back (?:to|up|online)",
            r"\d+ passed|tests? pass|all green|exit(?:s|ed)? 0|200 ok|no (?:more )?(?:errors?|failures?)|went (?:away|green|through)|is gone|are gone|disappear\w*",
        ),
        never=_words(
            r"(?:i'll|i will|let me|going to|let's|try|trying|we should|should|might|may|could|would|maybe|perhaps|can you|could you|please|want me to|shall i|need to|i can|didn't|did not|doesn't|not|hasn't|still|haven't) (?:\w+ ){0,3}(?:fix|solve|resolve|help|work|try)(?!ed by|ed it by)\b",
        ),
    ),
    question=_words(
        r"(?:^|ok(?:ay)?,? |so,? |and |hmm+,? |btw,? |but |, |: )(?:should|shall|do|does|did|is|are|was|were|can|could|would|will|have|has|may|what|which|why|how|when|where|who|whether|any) "
        r"(?:we|i|it|you|there|the|this|that|these|those|they|our|my|a|an|one|idea|about|if|is|are|do|does|would|should|database|way|option)\b",
        r"(?:wondering|curious|not sure|unsure|unclear|asking|question is|depends on|know|decide|see|discuss|figure out|check|tell me|thoughts on)(?: \w+){0,2} (?:whether|if|which|what|how|why)\b",
    ),
    unsure=_words(
        r"maybe|perhaps|might\b|may want|possibly|what if|suppose|imagine|in theory|hypothetical\w*|theoretically",
        r"could\b|would(?! rather| like you| prefer)\b",
        r"i'd (?!rather|like you|prefer)|we'd\b|it'd\b",
        r"thinking (?:about|of)|thinking we|consider(?:ing)?\b|wonder\w*|lean(?:ing)? (?:towards?|to)|not sure|unsure|don't know|no idea|undecided|tbd\b|open question|debating|evaluating|weighing|exploring|torn\b|on the fence",
        r"propos\w+|suggest\w*|recommend\w*|let's (?:discuss|talk|see|think|evaluate|compare|explore)|plan(?:ning)? (?:to|on)|planned|tempted|one (?:option|idea|way)|an idea|if (?:we|i|you|it|they) (?:\w+ )?(?:went|go|use|used|move|moved|switch|switched|choose|chose|decide|decided|pick|picked|were|had|ever)",
        r"assuming|unless|either\b|some people|people say|i guess|should we|or should",
    ),
    reported=_words(
        r"(?:they|he|she|their|his|her)(?:'ve|'re|'d| have| had)?(?: \w+){0,2} (?:decid\w+|chose|chosen|went|picked|opted|prefer\w*|use[sd]?|using|switch\w*|mov\w+|want\w*|said|says?|like\w*|hate\w*|always|never|hard-?coded|agreed|settled)",
        r"the [\w-]+(?: [\w-]+)? (?:team|guys|folks|company|squad|people|department|group)(?:'ve| have| has)?(?: \w+)? (?:decid\w+|chose|went|picked|opted|prefers?|uses?|switch\w*|moved|want\w*|said|says|likes?|agreed|settled|over)",
        r"(?:netflix|google|facebook|meta|uber|amazon|airbnb|shopify|stripe|github|microsoft|spotify|discord|figma)(?: \w+){0,2} (?:decid\w+|chose|went|picked|opted|prefers?|uses?|used|switch\w*|moved)",
        r"according to|i (?:read|heard|saw|watched)|(?:my|our|the) (?:old|previous|last|former) (?:company|job|team|employer|place|project|boss|client|gig)|(?:another|other|different) (?:team|company|project|department|squad)",
        r"the (?:\w+ )?(?:article|blog|post|book|talk|paper|thread|author|tutorial|video|podcast|comment|reviewer|email|ticket|issue|slide\w*|maintainers?) (?:says?|said|claims?|recommends?|suggests?|mentions?|argues?|describes?|decided|wants?|prefers?)",
        r"(?:said|says|told (?:me|us)|claims?|wrote|mentioned) (?:that |they |he |she |to )",
    ),
    one_off=_words(
        r"for this (?:\w+ )?(?:run|time|one|task|pr|test|case|once|session|request|demo|commit|file|script|branch|ticket|change|deploy|build|step|experiment|example|migration|page|spike|prototype|exercise)\b",
        r"just (?:this )?once|this once|this time|for now|only (?:now|today|here)|right now|today\b|tonight|temporarily|for the (?:moment|time being|demo|test)|until (?:the|i|we|it|then|tomorrow)",
        r"in this (?:file|function|test|pr|branch|commit|case|component|script|step|one|instance|particular)|on this (?:branch|one|pr|machine)|quick test|while (?:i|we)(?:'m|'re)? (?:debug|test)|(?:only )?(?:this|that) (?:one|file|test|function)\b|here\b$",
    ),
    clause=re.compile(
        r";|\s[–—-]{1,2}\s|—|,?\s(?=but\s|however\b|though\b|although\b|whereas\s)|,\s(?=so\s|and\s|then\s|can you|could you|would you|please\s|now\s|which\s|i'll|let's)|:\s|\.\s|\)\s|\s\("
    ),
    because=_words(
        r"because(?: of)?|since(?! (?:yesterday|then|last))|due to|so that|given (?:that|our)|as (?=it|we|they|the)|the reason(?: is| was|:)|reason:|otherwise|thanks to|cuz|bc|b/c"
    ),
    instead=_words(r"instead of|rather than|over|as opposed to|and not|not|vs\.?|versus"),
)

_GERMAN = Language(
    decision=Cues(
        strong=_words(
            r"(?:haben|habe|hat|hatten)(?: \w+){0,10} (?:entschieden|entschlossen|geeinigt|festgelegt|beschlossen|verworfen|ausgewählt|gewählt)",
            r"(?:entschieden|entschlossen|geeinigt|beschlossen),? (?:haben|dass|auf|für|gegen|zu|wir)",
            r"(?:wurde|ist|sind|war) (?:\w+ ){0,4}(?:entschieden|beschlossen|verworfen)",
            r"(?:die |unsere |meine )?entscheidung(?::| ist| war| fiel| steht| lautet| für| gegen)",
            r"fiel die (?:wahl|entscheidung)",
            r"die wahl fiel",
            r"(?:wir|ich) (?:nehmen|nehme|bleiben|bleibe|setzen|setze|steigen|wechseln|wechsle|gehen|entscheiden|entscheide) (?:\w+ ){0,6}?(?:bei|mit|auf|um|zu|für|uns|mich|nicht|doch|statt|das|den|die)\b",
            r"(?:also |dann |gut,? |ok,? )?nehmen wir\b",
            r"(?:dann|also) (?:bleibt es|bleiben wir|machen wir|nehmen wir)",
            r"abgemacht|beschlossene sache",
        ),
        fair=_words(
            r"lass(?:t)? uns (?:\w+ ){1,8}(?:nehmen|verwenden|nutzen|bleiben|einsetzen|umsteigen|wechseln)",
            r"(?:ich|wir) (?:habe|haben) (?:\w+ ){1,12}(?:statt|anstelle|anstatt) ",
            r"wir (?:verwenden|nutzen|behalten|verzichten|trennen|machen) ",
            r"variante [a-d\d]|option [a-d\d]",
        ),
        boosters=(
            _words(
                r"weil|da (?:wir|es|die|das|der)|denn\b|wegen|damit|grund|deshalb|daher|sonst|um (?:\w+ ){1,8}zu"
            ),
            _words(
                r"statt|anstatt|anstelle|gegenüber|lieber|nicht\b|verglichen|abgewogen|alternativen?"
            ),
        ),
        never=_words(
            r"noch nicht|nicht entschieden|noch keine|keine entscheidung|unentschieden|noch unklar|noch offen|ob wir|müssen (?:\w+ ){0,6}entscheiden|muss (?:\w+ ){0,6}entscheiden|entscheiden (?:müssen|sollen|wir (?:noch|später|morgen))|überlegen|wer hat|warum (?:haben|habt|hast)",
        ),
    ),
    preference=Cues(
        strong=_words(
            r"ab (?:jetzt|sofort|heute|nun)\b",
            r"künftig|zukünftig|in zukunft|von nun an|fortan",
            r"ich (?:bevorzuge|hasse|mag (?!sein)|ziehe (?:\w+ ){1,8}vor)",
            r"mir ist (?:\w+ ){1,6}lieber|mir sind (?:\w+ ){1,6}lieber|am liebsten",
            r"ich (?:hätte|habe|will|möchte|arbeite|schreibe|nutze|verwende|benutze|lese)(?: \w+){0,5} (?:lieber|gern(?:e)?|immer|grundsätzlich|nie|generell|meistens|am liebsten)\b",
            r"merk dir|merke dir",
        ),
        fair=_words(
            r"(?:bitte |und |also |^|, )(?:immer|nie|niemals|grundsätzlich|stets|generell)\b",
            r"(?:antworte?|schreib\w*|erklär\w*|sprich|kommentier\w*)(?: \w+){0,5} (?:auf deutsch|auf englisch|immer|nie|kurz|knapp)",
            r"(?:bitte )?(?:keine|kein) (?:\w+ ){1,4}(?:mehr|bitte)",
            r"hör(?:t)? (?:bitte )?auf",
            r"lass (?:bitte )?(?:die|das|den) [\w ]{1,30} weg",
            r"standardmäßig",
            r"jedes ?mal,? wenn|jedesmal",
        ),
        weak=_words(
            r"(?:^|bitte |und |, )(?:verwende|nutze?|benutze?|nimm|schreib\w*|halte?|mach\w*|formatier\w*|benenn\w*)\b",
            r"lieber\b",
            r"bei uns\b",
        ),
        boosters=(
            _words(
                r"immer|nie\b|niemals|jede\w*|alle\w*|überall|generell|grundsätzlich|im ganzen projekt|in diesem (?:repo|projekt)"
            ),
            _words(r"statt|anstatt|nicht\b|kein\w*"),
            _words(
                r"commits?\w*|kommentar\w*|antwort\w*|tests?\b|namen?|benennung|deutsch|englisch|kurz|knapp|format\w*|stil|typen|einrück\w*|p?npm|yarn|branch\w*|docstrings?|emojis?"
            ),
        ),
        never=_words(
            r"standardausgabe|keine präferenz|ist mir egal|wie du (?:willst|magst|möchtest)"
        ),
    ),
    constraint=Cues(
        strong=_words(
            r"(?:darf|dürfen) (?:\w+ ){0,8}?(?:nicht|nie|niemals|kein\w*|nur|maximal|höchstens|keinesfalls)\b",
            r"(?:ist|sind|wird|wurde) (?:\w+ ){0,4}(?:verboten|untersagt|nicht erlaubt|nicht zulässig|vorgeschrieben|verpflichtend|begrenzt|beschränkt|limitiert|gedeckelt)",
            r"(?:unterstützt|läuft|funktioniert|akzeptiert|erlaubt|liefert|geht) (?:\w+ ){0,3}?(?:nur|maximal|höchstens|kein\w*|keinerlei|ausschließlich)\b",
            r"(?:maximal|höchstens|mindestens|nicht mehr als|bis zu) " + r"[\d€$]",
            r"(?:limit|grenze|obergrenze|kontingent|maximum|budget)(?: \w+){0,4} (?:liegt|ist|von|beträgt|bei)\b",
            r"dsgvo|datenschutz(?:gesetz|vorgabe\w*|beauftragte\w*)?|gesetzlich|richtlinie|vorschrift|vorgabe|betriebsrat|compliance|policy",
            r"(?:muss|müssen) (?:\w+ ){0,8}?(?:python|node|java|php|ios|android|windows|ie)\b",
            r"zwingend|ausnahmslos|auf keinen fall|unter keinen umständen",
            r"(?:deploy|release|code)?-?freeze|änderungsstopp",
        ),
        fair=_words(
            r"(?:muss|müssen) (?:\w+ ){0,12}?(?:bleiben|laufen|sein|funktionieren|unterstützen|werden|passen|liegen|erfolgen|kompatibel)",
            r"(?:kann|können) (?:\w+ ){0,5}(?:nicht|nur|keine?)\b",
            r"(?:pflicht|vorgeschrieben)",
            r"niemals|nie (?:direkt|ohne|am|auf|in)\b",
        ),
        boosters=(
            _words(_AMOUNT, _VERSIONED),
            _words(
                r"produktion\w*|prod\b|kunden\w*|daten\w*|personenbezogen\w*|server|main\b|master\b|freitag\w*|deploy\w*|release\w*|vertrag\w*|sla\b|lizenz\w*|sicherheit\w*|speicher|ram\b|schnittstelle|api\b|behörde\w*|prüf\w*|firewall|netz\w*|eu\b"
            ),
            _words(r"weil|sonst|da (?:wir|die|das|der)|wegen|immer|nie\b|alle\w*|jede\w*"),
        ),
        never=_words(
            r"(?:unique|foreign|check)[- ]constraint|verletz\w+|muss (?:ich|man|du) (?:noch|mal|kurz)|ich muss|du musst|wir müssen (?:noch|mal|erst|jetzt|das)"
        ),
    ),
    tech_debt=Debt(
        named=_words(r"technische[nr]? schuld\w*|altlast\w*|tech debt"),
        flaw=_words(
            r"provisor\w+|übergangslösung|notlösung|work-?around|hack\w*|hart ?(?:kodiert|codiert|verdrahtet)\w*|hardcod\w+|hardgecod\w+|fest (?:verdrahtet|eingetragen|eingebaut)|unsauber|unschön|nicht (?:schön|sauber|ideal|optimal|getestet|abgedeckt)|hässlich|dreckig|kopiert|copy|dupliziert|doppelt\w*|ohne tests?|keine (?:tests|validierung|fehlerbehandlung|paginierung)|fehl(?:t|en)|abkürzung|gefrickel|zusammengeschustert|gebastelt|platzhalter|ausgeschaltet|auskommentiert|abgeschaltet|deaktiviert|temporär\w*|skaliert nicht|langsam|veraltet\w*|ungetestet|drumherum|flicken|synchron"
        ),
        later=_words(
            r"erst ?mal|vorerst|fürs erste|vorläufig|einstweilen|später|nachher|nach dem (?:release|launch|go-?live|urlaub|demo\w*)|nach der (?:demo|abnahme|messe|migration)|nächste\w* (?:sprint|woche|quartal|release|monat|version)|aufräumen|aufgeräumt|keine zeit|irgendwann|nachholen|nachziehen|verschoben|vertagt|aufgeschoben|bis (?:wir|das|der|die|zum|zur)|sobald|sollten wir (?:noch|mal)|ticket|todo|muss (?:\w+ ){0,4}(?:ersetzt|refactored|umgebaut|überarbeitet|raus)|übergangsweise|derzeit|momentan|im moment"
        ),
    ),
    runbook=Recovery(
        again=_words(
            r"(?:wenn|falls|sollte) (?:das|es|der|die|dieser|so etwas|sowas)(?: \w+){0,6} (?:wieder|nochmal|noch mal|erneut)",
            r"beim nächsten mal|nächstes mal|fürs nächste mal|für die zukunft",
            r"(?:wieder|erneut) (?:auftritt|passiert|auftaucht|hängt|kommt)",
            r"schritte zur|so behebt man|anleitung|runbook",
        ),
        remedy=_words(
            r"(?:behoben|gelöst|geholfen|repariert|beseitigt|in ordnung gebracht|hingekriegt)",
            r"lösung(?: war| ist|:)|abhilfe|fix(?::| war| ist)|hilft\b|hat geholfen",
            r"danach (?:läuft|lief|ging|geht|startet\w*|war|ist|klappt\w*|baut\w*|funktioniert\w*)",
            r"(?:erst|zuerst|1\.)[^.]{1,100}(?:dann|danach|2\.)\b",
        ),
        cause=_words(
            r"ursache|lag (?:daran|an)|liegt (?:daran|an)|grund (?:war|ist)|schuld (?:war|ist|waren)|weil|wegen|verursacht|problem (?:war|ist)|stellt\w* sich heraus|veraltet\w*|abgelaufen\w*|voll\b|falsch\w*|kaputt\w*"
        ),
        symptom=_words(
            r"fehler\w*|schlägt|schlug|fehlgeschlagen|abst(?:urz|ürz)\w*|hängt|hing\b|timeout|startet nicht|geht nicht|kaputt|bricht|abgebrochen|läuft nicht|error|exception|crash\w*|verweigert|\d{3}er|voll\b|weg\b|oom"
        ),
        action=_words(
            r"neu ?(?:start\w*|gestart\w*|installier\w*|gebaut|bauen|erzeug\w*|anleg\w*)|lösch\w*|gelöscht|entfern\w*|leer\w*|geleert|setz\w*|gesetzt|ausführ\w*|ausgeführt|start\w*|erhöh\w*|zurücksetz\w*|`|update\w*|aktualisier\w*|erneuer\w*|stopp\w*|beend\w*|downgrad\w*"
        ),
        check=_words(
            r"prüf\w*|überprüf\w*|kontroll\w*|testen|verifizier\w*|danach|läuft (?:es )?wieder|wieder (?:grün|da|erreichbar|normal|sauber)|bestätigt|muss (?:\w+ ){0,4}(?:zeigen|anzeigen|liefern)|weg\b|grün"
        ),
        never=_words(
            r"(?:werde|würde|könnte|vielleicht|versuche|sollte|kannst du|noch nicht|nicht) (?:\w+ ){0,6}(?:beheb|lös|behoben|gelöst|geholfen|helfen)"
        ),
    ),
    question=_words(
        r"(?:^|, |und |oder )(?:sollen|sollten|soll|können|könnten|kann|kannst|könntest|wollen|ist|sind|hat|haben|gibt|was|welche\w*|warum|wieso|wie|wann|wer|wo) (?:wir|ich|es|man|das|die|der|du|ihr|sie|eigentlich|denn)\b",
        r"(?:ob|fragt? sich|frage mich|unsicher)\b",
    ),
    unsure=_words(
        r"vielleicht|eventuell|evtl|möglicherweise|könnte\w*|würde\w*|hätte(?:n)? (?!ich gern)|wäre\w*|überleg\w*|falls wir|wenn wir|angenommen|vermutlich|wahrscheinlich|unsicher|nicht sicher|tendier\w*|vorschlag\w*|schlage vor|empfehl\w*|eher\b|planen|geplant|diskutier\w*|evaluier\w*|mal sehen"
    ),
    reported=_words(
        r"(?:er|sie|die anderen|das [\w-]+team|die kollegen|ein anderes team|der kunde|mein (?:chef|alter)|laut|angeblich|ich habe gelesen|im artikel|im blog)(?: \w+){0,4} (?:entschieden|sagt|sagte|meint|nutzt|nutzen|verwenden|will|gewechselt|haben|hat|bevorzug\w*|steht)"
    ),
    one_off=_words(
        r"diesmal|dieses mal|nur (?:jetzt|heute|hier|kurz)|ausnahmsweise|heute|für (?:diesen|diese|dieses) \w+|gerade|erstmal|vorerst|in diesem (?:test|fall|pr|branch|commit)|in dieser (?:datei|funktion)"
    ),
    clause=re.compile(
        r";|\s[–—-]{1,2}\s|,?\s(?=aber\s|doch\s|jedoch\s|allerdings\b)|,\s(?=also\s|und\s|dann\s|kannst du|bitte\s)|:\s|\.\s"
    ),
    because=_words(r"weil|da (?=wir|es|die|das|der)|denn|wegen|damit|sonst|grund(?: ist| war|:)"),
    instead=_words(r"statt|anstatt|anstelle von|und nicht|nicht"),
)

_FRENCH = Language(
    decision=Cues(
        strong=_words(
            r"(?:on|nous|j'|je|l'équipe)(?: ?a| ?ai| ?avons| s'est| nous sommes| me suis)?(?: \w+){0,3} (?:décidé|choisi|opté|retenu|tranché|convenu|tombés? d'accord|mis d'accord|adopté|écarté|rejeté|acté)",
            r"(?:la |notre |ma )?décision(?: est|:| prise| finale| a été| :)",
            r"c'est (?:décidé|tranché|acté|validé)",
            r"(?:on|nous|je) (?:part(?:ons|s)?|reste(?:ons|ons)?|passe(?:ons|ons)?|garde(?:ons|ons)?|bascule|prend(?:s)?|prenons|abandonne(?:ons)?|laisse tomber) (?:\w+ ){0,3}?(?:sur|avec|à|au|aux|en|le|la|les|l'|sous|du|de|un|une|chez)?",
            r"(?:partons|restons|allons|passons|prenons|gardons) (?:sur|avec|à|au|pour|le|la|les|l')",
            r"va pour\b",
            r"ce sera\b",
            r"a été (?:décidé|retenu|choisi|acté)",
        ),
        fair=_words(
            r"(?:on|nous) (?:utilise(?:ra|rons)?|utilisons|fait|fera) [^.]{1,60}(?:plutôt que|au lieu d)",
            r"(?:j'ai|on a|nous avons) (?:utilisé|gardé|mis|fait|préféré|stocké) [^.]{1,80}(?:plutôt que|au lieu d)",
            r"option [a-d\d]",
        ),
        boosters=(
            _words(
                r"parce qu|car\b|puisqu|pour (?:éviter|que|ne pas|la|le|des|simplifier)|afin|comme (?:ça|on|il)|à cause|grâce|vu qu|étant donné|sinon|raison"
            ),
            _words(
                r"plutôt qu|au lieu d|et (?:pas|non)|contre\b|par rapport|alternatives?|comparé"
            ),
        ),
        never=_words(
            r"(?:n'a|n'ai|n'avons|pas|jamais)(?: \w+){0,4} (?:décidé|choisi|tranché|opté)|pas encore|aucune décision|indécis|à décider|(?:faut|doit|devons|dois|reste à|avant de|peut)(?: \w+){0,4} (?:décider|choisir|trancher)|on décidera|pourquoi (?:on|avoir|vous)|qui a"
        ),
    ),
    preference=Cues(
        strong=_words(
            r"(?:à partir de maintenant|désormais|dorénavant|à l'avenir|dès maintenant|à partir d'aujourd'hui|par la suite)",
            r"je (?:\w+ )?préfère|je préférerais|j'aime (?:bien|mieux|que|les|pas)|je n'aime pas|je déteste|j'ai horreur|je veux (?:toujours|que tu|jamais)|ma préférence|j'ai l'habitude|mon style|ça m'énerve",
            r"(?:retiens|souviens-toi|note)(?: bien)? que (?:je|j')",
            r"je (?:\w+ ){0,2}toujours|j'utilise toujours",
        ),
        fair=_words(
            r"(?:^|merci de |s'il te plaît,? |stp,? |et |, )(?:\w+ ){0,4}(?:toujours|jamais|systématiquement)\b",
            r"arrête d",
            r"(?:réponds|répondez|explique|écris|rédige|commente)(?:-moi| moi)?(?: \w+){0,4} (?:en français|en anglais|toujours|court|brièvement)",
            r"par défaut,? (?:utilise|on|je|tu)",
            r"chaque fois qu|à chaque",
            r"ne (?:\w+ ){1,3}(?:jamais|plus)\b",
            r"en règle générale",
        ),
        weak=_words(
            r"(?:^|et |, |merci d')(?:utilise[rsz]?|mets|mettez|écris|garde[rz]?|évite[rz]?|fais|nomme[rz]?|privilégie[rz]?|pas d)"
        ),
        boosters=(
            _words(
                r"toujours|jamais|tou(?:s|t|tes)\b|chaque|partout|dans (?:ce|le|tout le) (?:projet|dépôt|repo)|en général|systématiquement"
            ),
            _words(r"plutôt qu|au lieu d|et (?:pas|non)|pas d|sans\b"),
            _words(
                r"commits?|commentaires?|réponses?|tests?|noms?|nommage|français|anglais|court\w*|concis\w*|format\w*|style|types?|p?npm|yarn|branches?|docstrings?|emojis?|messages?|fonctions?"
            ),
        ),
        never=_words(
            r"sortie standard|pas de préférence|peu importe|comme tu (?:veux|préfères)|préfères-tu|tu préfères"
        ),
    ),
    constraint=Cues(
        strong=_words(
            r"(?:ne (?:doit|doivent|peut|peuvent|faut|dois|devons|pouvons|doit-on)|interdit|interdite?s?|interdiction|défense de)\b",
            r"(?:limité|plafonné|restreint|bloqué|figé)e?s? (?:à|par|en|sur)",
            r"(?:limite|plafond|quota|maximum|budget)(?: \w+){0,5} (?:est|de|à|:)(?: \w+){0,2} \d",
            r"(?:n'accepte|n'autorise|ne supporte|ne prend|ne gère|n'est (?:pas )?(?:supporté|disponible|compatible|autorisé)|ne fonctionne|ne marche|ne tourne)(?:nt)? ?(?:pas|que|qu')?",
            r"(?:maximum|au plus|au maximum|pas plus de|au moins|jusqu'à) \d",
            r"\d[\d .]*(?: \w+){0,3} (?:maximum|max|au plus|au maximum|par (?:minute|seconde|heure|jour|mois))",
            r"(?:obligatoire|impératif|impérativement|exigé|imposé|requis)e?s?\b",
            r"rgpd|la (?:politique|loi|réglementation|conformité|sécurité|dsi|norme)(?: \w+){0,4} (?:impose|exige|interdit|demande|oblige|veut)",
            r"en aucun cas|sous aucun prétexte|sans exception",
            r"gel (?:des|du)|freeze",
            r"(?:doit|doivent|devons|faut)(?: \w+){0,8} (?:python|node|java|php|ios|android|ie) ?\d",
        ),
        fair=_words(
            r"(?:doit|doivent|devons)(?: \w+){0,3} (?:rester|tourner|être|fonctionner|supporter|tenir|passer|respecter|marcher|se faire|avoir)",
            r"on ne (?:peut|déploie|touche|modifie|pousse|merge)\b[^.]{0,20}(?:pas|jamais|que)\b",
            r"il faut (?:absolument|toujours|obligatoirement)",
            r"jamais (?:de|le|en|sur|sans|directement)\b",
        ),
        boosters=(
            _words(_AMOUNT, _VERSIONED),
            _words(
                r"production|prod\b|clients?|données|personnelles?|serveurs?|main\b|master\b|vendredi|déploi\w*|mise en prod\w*|contrat|sla\b|licence|sécurité|mémoire|ram\b|api\b|navigateurs?|juridique|audit\w*|réseau|ue\b|europ\w*"
            ),
            _words(r"parce qu|car\b|sinon|puisqu|à cause|toujours|jamais|tou(?:s|t|tes)\b|chaque"),
        ),
        never=_words(
            r"contrainte (?:d'unicité|unique|de clé|d'intégrité)|violation|(?:tu|je) (?:dois|peux)|doit-on|peut-on|il faut (?:que tu|que je|corriger|ajouter|faire)"
        ),
    ),
    tech_debt=Debt(
        named=_words(r"dette technique|dette\b"),
        flaw=_words(
            r"bidouill\w*|bricol\w*|rustine|contournement|hack\w*|en dur\b|codé\w* en dur|hardcod\w*|provisoire\w*|temporaire\w*|pas (?:propre|idéal|terrible|beau|optimal|testé|géré|top)|moche|sale\b|crade|quick and dirty|copi(?:é|er)[- ]coll\w*|dupliqu\w*|sans (?:tests?|validation|pagination|gestion)|aucun test|pas de (?:tests?|validation|gestion|pagination)|fragile|raccourci|placeholder|désactivé\w*|commenté\w*|workaround|manque|naïf|naïve|ne (?:gère|passe|tient) pas|à la main|synchrone"
        ),
        later=_words(
            r"pour l'instant|pour le moment|plus tard|en attendant|d'ici là|après (?:la|le|les) (?:release|démo|mise|livraison|lancement|sortie|vacances|migration|v\d)|au prochain sprint|(?:la|le) (?:semaine|trimestre|mois|version|sprint) prochaine?|prochaine? (?:sprint|version|release|itération)|quand on aura|on verra|un jour|faudra|on (?:reviendra|nettoiera|refera|corrigera|y reviendra)|à (?:refaire|nettoyer|revoir|reprendre|remplacer|corriger)|pas le temps|faute de temps|reporté\w*|repoussé\w*|dans un second temps|ticket|todo|laiss(?:e|é|ons|er) (?:comme|tel|en l'état)|provisoirement|temporairement|dès qu|jusqu'à"
        ),
    ),
    runbook=Recovery(
        again=_words(
            r"(?:si|quand|lorsque) (?:ça|cela|le problème|l'erreur|tu|on|vous)(?: \w+){0,6} (?:à nouveau|de nouveau|encore|se reproduit|revient|réapparaît|recommence|retombe\w*|revois|revoit)",
            r"la prochaine fois|pour la prochaine fois|pour mémoire",
            r"si (?:ça|cela) se reproduit|si (?:ça|cela) (?:revient|recommence|arrive)",
            r"procédure|marche à suivre|étapes pour",
        ),
        remedy=_words(
            r"(?:corrigé|résolu|réglé|réparé|débloqué|solutionné)e?s?\b",
            r"(?:la |le )?(?:solution|correctif|remède|correction|fix)(?: était| est| :|:| a été| consiste)",
            r"(?:il faut|il suffit d|il a fallu|il fallait|j'ai dû)",
            r"(?:a|ont) (?:tout )?(?:résolu|réglé|débloqué|suffi)|et (?:c'est|c'était|ça) (?:reparti|bon|remarche|marche)|après (?:ça|quoi|avoir) [^.]{1,80}(?:marche|fonctionne|passe|démarre|repart\w*)",
            r"(?:d'abord|1[.)])[^.]{1,100}(?:puis|ensuite|2[.)])",
        ),
        cause=_words(
            r"cause|venait d|vient d|provenait|dû à|due à|à cause|parce qu|car\b|le (?:problème|souci|coupable) (?:est|était|venait|vient)|en fait|périmé\w*|expiré\w*|plein\w*|corrompu\w*|obsolète\w*|mauvais\w*"
        ),
        symptom=_words(
            r"erreur\w*|échou\w*|échec|plant\w*|bloqu\w*|ne (?:démarre|marche|fonctionne|répond|compile|se lance|passe|build) (?:pas|plus)|timeout|exception|crash\w*|cassé\w*|refus\w*|\d{3}\b|plein\b|oom"
        ),
        action=_words(
            r"relanc\w*|redémarr\w*|supprim\w*|vid(?:er|é|ez|e)\b|réinstall\w*|régénér\w*|reconstrui\w*|lanc\w*|exécut\w*|mettre|mis à|remettre|augment\w*|nettoy\w*|recré\w*|tuer|kill\w*|purg\w*|`|arrêt\w*|renouvel\w*|chang\w*"
        ),
        check=_words(
            r"vérifi\w*|contrôl\w*|ensuite|après (?:ça|quoi)|remarche|refonctionne|passe(?:nt)? (?:à nouveau|de nouveau|au vert)|doit (?:afficher|renvoyer|montrer|répondre|retourner)|c'est reparti|est revenu\w*|a disparu|vert\b|confirm\w*|à nouveau"
        ),
        never=_words(
            r"(?:je vais|on pourrait|peut-être|essaie|essayer|essayons|faudrait|pourrais-tu|peux-tu|pas encore|n'a pas|toujours pas)(?: \w+){0,6} (?:corrig|résou|résol|régl)"
        ),
    ),
    question=_words(
        r"(?:^|, |et |ou )(?:est-ce qu|faut-il|doit-on|devrait-on|devrions-nous|peut-on|peux-tu|pourrais-tu|pourquoi|comment|quand|quel\w*|qui|où|qu'est-ce|on devrait|on pourrait|c'est quoi)\b",
        r"(?:je me demande|savoir si|pas sûr\w*)\b",
    ),
    unsure=_words(
        r"peut-être|probablement|éventuellement|pourrai\w*|devrai(?:t|ent|s)\b|serai(?:t|ent)\b|aurai(?:t|ent)\b|faudrait|si (?:on|nous|jamais)\b|imaginons|supposons|j'hésite|hésit\w*|on réfléchit|envisag\w*|propos\w*|suggèr\w*|recommand\w*|conseill\w*|à discuter|pas sûr\w*|je pense qu|on verra|prévoi\w*|prévu"
    ),
    reported=_words(
        r"(?:ils|elles|il|elle|l'équipe \w+|leur équipe|le client|mon (?:ancien|chef|collègue)|l'autre équipe|une autre équipe|selon|d'après|j'ai lu|l'article|le blog|chez)(?: \w+){0,4} (?:décidé|choisi|dit|disent|utilisent|utilise|préfèrent|préfère|veut|passés?|opté|adopté|recommande)",
        r"(?:selon|d'après) (?:l'article|le blog|eux|lui)",
    ),
    one_off=_words(
        r"cette fois|juste (?:cette fois|ici|pour)|aujourd'hui|pour (?:ce|cet|cette) \w+|pour l'instant|pour le moment|dans (?:ce|cette) (?:fichier|fonction|test|pr|branche|commit|cas)|exceptionnellement"
    ),
    clause=re.compile(
        r";|\s[–—-]{1,2}\s|,?\s(?=mais\s|cependant\b|par contre\b|toutefois\b)|,\s(?=donc\s|et\s|puis\s|peux-tu|pourrais-tu)|\s:\s|:\s|\.\s"
    ),
    because=_words(
        r"parce qu(?:e |')|car\b|puisqu(?:e |')|pour éviter|afin d|à cause d|grâce à|vu qu|étant donné|sinon"
    ),
    instead=_words(r"plutôt qu(?:e |')|au lieu d(?:e |')|et pas|et non|pas"),
)

_SPANISH = Language(
    decision=Cues(
        strong=_words(
            r"(?:hemos|he|habíamos|ha|han sido|se ha|el equipo ha)(?: \w+){0,3} (?:decidido|elegido|optado|acordado|escogido|descartado|quedado|adoptado)",
            r"(?:decidimos|decidí|elegimos|elegí|optamos|opté|acordamos|escogimos|descartamos|nos quedamos|me quedo|nos decantamos|me decanté|quedamos en|apostamos)\b",
            r"(?:la |nuestra |mi )?decisión(?: es|:| final| fue| tomada| está)",
            r"(?:está|queda) decidido",
            r"se (?:decidió|acordó|eligió|descartó|optó)",
            r"(?:vamos|nos vamos|seguimos|seguiremos|tiramos|nos mantenemos|voy|sigo|tiro) (?:con|a usar|a quedarnos|por)\b",
            r"(?:usemos|usamos|quedémonos|vayamos|pasamos|migramos|cambiamos) (?:a |con )?",
        ),
        fair=_words(
            r"(?:he|hemos) (?:usado|puesto|dejado|hecho|guardado|implementado|mantenido) [^.]{1,80}(?:en vez de|en lugar de)",
            r"opción [a-d\d]",
            r"(?:usaremos|utilizaremos|vamos a (?:usar|utilizar|adoptar))",
        ),
        boosters=(
            _words(
                r"porque|ya que|puesto que|debido|así|para (?:que|no|evitar|poder|simplificar)|por (?:rendimiento|simplicidad|coste|el|la)|dado que|motivo|razón|pues\b|si no"
            ),
            _words(r"en vez de|en lugar de|y no\b|frente a|antes que|comparad\w*|alternativas?"),
        ),
        never=_words(
            r"(?:no|aún|todavía|nunca)(?: \w+){0,4} (?:decidido|elegido|decidimos|acordado|optado)|sin decidir|ninguna decisión|por decidir|indecis\w*|(?:hay que|tenemos que|debemos|falta|antes de|habrá que|puedes|ayúdame a)(?: \w+){0,3} (?:decidir|elegir)|decidiremos|por qué (?:\w+ )?(?:decid|eleg|opt)|quién"
        ),
    ),
    preference=Cues(
        strong=_words(
            r"(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante|en el futuro|de aquí en adelante|a partir de hoy)",
            r"(?:yo )?prefiero|preferiría|me gusta\w*|no me gusta\w*|odio|detesto|no soporto|mi preferencia|mi estilo|suelo (?:usar|escribir|trabajar)|siempre (?:uso|escribo|quiero|trabajo)|nunca (?:uso|quiero)|estoy acostumbrad\w*|me molesta",
            r"(?:recuerda|ten en cuenta|apunta) que (?:yo |siempre |me |prefiero|uso)",
        ),
        fair=_words(
            r"(?:^|por favor,? |y |, )(?:siempre|nunca|jamás)\b",
            r"deja de\b",
            r"(?:responde|contesta|respóndeme|contéstame|explica|escribe|háblame|comenta)(?:me)?(?: \w+){0,4} (?:en español|en inglés|siempre|corto|breve)",
            r"por defecto,? (?:usa|utiliza|quiero)",
            r"cada vez que|siempre que",
            r"no (?:\w+ ){1,5}(?:nunca|jamás|más)\b",
            r"por norma|como norma|por regla general",
        ),
        weak=_words(
            r"(?:^|y |, |por favor,? )(?:usa|utiliza|pon|escribe|mantén|evita|haz|nombra|no uses|no pongas|no añadas|nada de)\b"
        ),
        boosters=(
            _words(
                r"siempre|nunca|todos?\b|todas?\b|cada|en todas partes|en (?:este|el|todo el) (?:proyecto|repo\w*)|en general"
            ),
            _words(r"en vez de|en lugar de|y no\b|no\b|sin\b|nada de"),
            _words(
                r"commits?|comentarios?|respuestas?|tests?|pruebas|nombres?|español|inglés|cort[oa]s?|breves?|concis\w*|format\w*|estilo|tipos?|p?npm|yarn|ramas?|docstrings?|emojis?|mensajes?|funciones?"
            ),
        ),
        never=_words(
            r"salida estándar|no tengo preferencia|me da igual|como (?:quieras|prefieras)|prefieres|lo que prefieras"
        ),
    ),
    constraint=Cues(
        strong=_words(
            r"(?:no (?:se )?(?:puede|pueden|debe|deben|podemos|permite|permiten|admite|admiten|soporta|soportan|acepta)|prohibid[oa]s?|no está(?:n)? permitid\w*|está(?:n)? prohibid\w*)\b",
            r"(?:limitad|restringid|topad|bloquead|atad|congelad)[oa]s? (?:a|por|en)\b",
            r"(?:límite|tope|cuota|máximo|presupuesto)(?: \w+){0,5} (?:es|de|son|:)(?: \w+){0,2} \d",
            r"(?:solo|sólo|únicamente) (?:\w+ ){0,2}?(?:permite|admite|soporta|acepta|funciona|se puede|podemos|corre|está|disponible|hasta|deja)",
            r"(?:permite|admite|soporta|acepta|funciona|disponible) (?:solo|sólo|únicamente|como máximo|hasta|un máximo)",
            r"(?:máximo|como máximo|como mucho|al menos|mínimo|hasta|no más de) (?:\w+ )?\d",
            r"\d[\d .]*(?: \w+){0,3} (?:como máximo|máximo|por (?:minuto|segundo|hora|día|mes))",
            r"obligatori[oa]s?|imprescindible|exigid[oa]|requerid[oa]",
            r"rgpd|lopd|la (?:política|ley|normativa|seguridad|auditoría)(?: \w+){0,4} (?:exige|obliga|prohíbe|pide|dice|impone)|por (?:ley|contrato|normativa|política)",
            r"bajo ningún concepto|en ningún caso|sin excepci\w+",
            r"(?:tiene|tienen|debe|deben|hay)(?: que)?(?: \w+){0,8} (?:python|node|java|php|ios|android|ie) ?\d",
        ),
        fair=_words(
            r"(?:debe|deben|tiene que|tienen que)(?: \w+){0,3} (?:ser|estar|correr|funcionar|soportar|caber|pasar|cumplir|quedarse|permanecer|ir|tener|mantener\w*)",
            r"nunca (?:se )?(?:despliega|desplegar|sube|toca|modifica|hacer|en|los|sin)\b",
            r"no (?:se )?(?:despliega|toca|modifica|sube|despleg\w*)\b",
        ),
        boosters=(
            _words(_AMOUNT, _VERSIONED),
            _words(
                r"producción|prod\b|clientes?|datos|personales|servidor\w*|main\b|master\b|viernes|despl(?:ieg|eg)\w*|contrato|sla\b|licencia|seguridad|memoria|ram\b|api\b|navegador\w*|legal|auditor\w*|red\b|ue\b|europ\w*"
            ),
            _words(r"porque|si no|ya que|debido|por eso|siempre|nunca|todos?\b|todas?\b|cada"),
        ),
        never=_words(
            r"restricción (?:única|de clave|de unicidad|unique)|violación|viola\b|(?:tienes|tengo) que|debes|hay que (?:arreglar|añadir|hacer|revisar)|no puedo"
        ),
    ),
    tech_debt=Debt(
        named=_words(r"deuda técnica|deuda\b"),
        flaw=_words(
            r"chapuza\w*|ñapa\w*|parche\w*|apaño|hack\w*|hardcode\w*|a fuego|a mano\b|a pelo|provisional\w*|temporal\w*|no (?:es )?(?:ideal|lo ideal|limpio|bonito|óptimo|está (?:testeado|probado|cubierto))|fe[oa]\b|suci[oa]|duplicad\w*|copi(?:é|ado|ar) y peg\w*|copia y pega|copiad\w*|sin (?:tests?|pruebas|validar|validación|paginación|manejo)|no hay tests|frágil|atajo|placeholder|desactivad\w*|comentad\w*|workaround|falta\w*|no (?:maneja|escala|valida)|síncron\w*|quick and dirty"
        ),
        later=_words(
            r"por ahora|de momento|por el momento|más adelante|después|luego\b|más tarde|tras (?:la|el) (?:release|demo|lanzamiento|entrega)|próxim[oa] (?:sprint|semana|trimestre|versión|release|iteración|mes)|(?:el|la) (?:sprint|semana|trimestre|versión|mes) (?:que viene|próxim[oa])|cuando (?:tengamos|haya|podamos|salga|tenga)|algún día|ya lo (?:arreglar|limpiar|cambiar)\w*|habrá que|habría que|hay que (?:refactorizar|limpiar|cambiar|rehacer|quitar|reemplaz)\w*|no (?:hay|da|tenemos|nos da|hubo) tiempo|pospon\w*|pospuest\w*|aplaz\w*|ticket|todo\b:|lo dejamos|dejamos|dejado|hasta (?:que|el|la)|provisionalmente|temporalmente|mientras|en cuanto"
        ),
    ),
    runbook=Recovery(
        again=_words(
            r"(?:si|cuando)(?: \w+){0,6} (?:vuelve a|vuelva a|otra vez|de nuevo|se repite|reaparece)",
            r"la próxima vez|para la próxima",
            r"si (?:vuelve|se repite|pasa otra vez)",
            r"procedimiento|pasos para",
        ),
        remedy=_words(
            r"(?:arreglado|solucionado|resuelto|corregido|reparado|desbloqueado)\b",
            r"(?:se )?(?:arregl(?:ó|a)|solucion(?:ó|a)|resolvi(?:ó|mos)|resuelve|corrigió)\b",
            r"(?:la |el )?(?:solución|arreglo|remedio|fix)(?: fue| es|:| era| consiste)",
            r"(?:basta con|bastó con|hay que|hubo que|tuve que)",
            r"y (?:ya|listo|todo) (?:funciona|volvió|arranca|está)|tras (?:\w+ ){1,10}(?:funciona|arranca|vuelve|pasa)",
            r"(?:primero|1[.)])[^.]{1,100}(?:luego|después|2[.)])",
        ),
        cause=_words(
            r"causa|se debía|debido|era (?:por|que)|porque|el (?:problema|culpable|motivo|error) (?:era|es|fue|estaba|venía)|resulta que|resultó|venía de|caducad\w*|llen[oa]\b|corrupt\w*|obsolet\w*|viej[oa]\b"
        ),
        symptom=_words(
            r"error\w*|fall(?:a|aba|ó|o|an|aban|os|ando)\b|romp\w*|roto|colgad\w*|cuelga|bloquead\w*|no (?:arranca|funciona|compila|conecta|levanta|responde)\w*|timeout|excepci\w+|crash\w*|rechaz\w*|\d{3}\b|llen[oa]\b|oom|caíd[oa]"
        ),
        action=_words(
            r"reinici\w*|borr\w*|elimin\w*|limpi\w*|vaci\w*|reinstal\w*|regener\w*|reconstru\w*|ejecut\w*|lanz\w*|pon(?:er|iendo)|puse|sub(?:ir|í|iendo)|aument\w*|mat(?:ar|é)|kill\w*|purg\w*|`|par(?:ar|é)\b|renov\w*|cambi\w*|actualiz\w*|quit\w*"
        ),
        check=_words(
            r"verific\w*|comprob\w*|comprueb\w*|después|luego|vuelve a (?:funcionar|arrancar|pasar)|volvió|ya (?:funciona|arranca|pasa|conecta|no)|debe (?:mostrar|devolver|salir|decir|responder)|verde|desapareció|confirm\w*"
        ),
        never=_words(
            r"(?:voy a|podría|quizás|tal vez|intenta|intentaré|habría que|puedes|todavía no|aún no|no se ha|sigue sin)(?: \w+){0,6} (?:arregl|solucion|resol|correg)"
        ),
    ),
    question=_words(
        r"¿",
        r"(?:^|, |y |o )(?:deberíamos|debería|podemos|puedes|podrías|por qué|cómo|cuándo|qué|cuál\w*|quién|dónde|crees que|no sé si)\b",
        r"(?:me pregunto|saber si|no estoy segur\w*)\b",
    ),
    unsure=_words(
        r"quizás?|tal vez|a lo mejor|probablemente|posiblemente|podría\w*|debería\w*|sería\w*|habría\w*|si (?:usáramos|migráramos|fuéramos|nos|pasamos|movemos|usamos|cambiamos|al final)\b|supongamos|dudo|dudamos|pensando|valorando|evaluando|considerando|propongo|propuesta|sugier\w*|recomiend\w*|por discutir|no estoy segur\w*|planeamos|tenemos pensado|creo que|ya veremos"
    ),
    reported=_words(
        r"(?:ellos|él|ella|el equipo de \w+|su equipo|el cliente|mi (?:antiguo|jefe|anterior)|otro equipo|el otro equipo|según|leí|he leído|el artículo|el blog)(?: \w+){0,4} (?:decidido|decidió|decidieron|eligió|eligieron|dice|dicen|usan|usa|prefieren|prefiere|quiere|pasaron|migraron|recomienda|ha|han)",
        r"según (?:el artículo|el blog|ellos|él)",
    ),
    one_off=_words(
        r"esta vez|solo (?:esta vez|aquí|hoy|por)|hoy|para (?:este|esta|esto)\b|por ahora|de momento|en (?:este|esta) (?:archivo|fichero|función|test|pr|rama|commit|caso)|ahora mismo"
    ),
    clause=re.compile(
        r";|\s[–—-]{1,2}\s|,?\s(?=pero\s|sin embargo\b|aunque\s)|,\s(?=así que\s|y\s|luego\s|puedes\s|por favor)|:\s|\.\s"
    ),
    because=_words(
        r"porque|ya que|puesto que|debido a|dado que|para (?:que|no|evitar)|si no\b|por (?:rendimiento|simplicidad|coste)"
    ),
    instead=_words(r"en vez de|en lugar de|y no|no"),
)

_CJK_AMOUNT = r"\d[\d.,]*\s?(?:次|个|個|条|秒|分钟|分|小时|時間|时间|天|日|月|年|mb|gb|kb|ms|m\b|g\b|k\b|件|回|行|字|文字|バイト|メガ|ギガ|人|台|%|개|건|번|회|초|분|시간|일|개월|명|대|자|줄|원|元|円|rps|qps|req|px|fps|사람|token|トークン|토큰|以内|以上|以下|/)"

_CHINESE = Language(
    decision=Cues(
        strong=_signs(
            r"(?:决定|決定)(?:了|采用|採用|使用|用|选|選|不|改|先|还是|還是|把|将|將|放弃|放棄|换|保留|统一|在|走|以|就|是|：|:|为|由|让|上|继续)",
            r"(?:我们|我們|咱们|大家|团队|團隊|最终|最終|最后|最後|已经|已經|讨论后|商量后|讨论下来)[^。？?]{0,12}(?:决定|決定|选定|選定|敲定|拍板|确定|確定|选择了|選擇了|商定|定了|定下来|选了|選了)",
            r"(?:就|那就|还是|還是)(?:用|选|選|采用|採用|走|按)[^。？?]{1,30}(?:吧|了|方案|，|,|。|$)",
            r"(?:就这么|就這麼|这么|就)定了?",
            r"(?:选|選|选择|選擇|选用|采用|採用|用)(?:了)?[^。？?，]{1,40}(?:而不是|而非|，不用|，不选|代替)",
            r"(?:方案|结论|結論)(?:定|是|：|:)",
            r"(?:放弃|放棄|弃用|否决|否決|排除)(?:了)?[^。？?]{1,20}(?:改用|换成|方案|，|,|，)",
            r"拍板|敲定|一致同意|达成一致",
        ),
        fair=_signs(
            r"(?:改用|换成|換成|改成用|切到|切换到|迁移到|统一用|换到)",
            r"(?:选|選)(?:方案|择了|擇了|了)?\s?[a-c一二三\d]",
            r"没有?用[^。]{1,20}(?:而是|，用)",
        ),
        boosters=(
            _signs(
                r"因为|因為|由于|由於|原因|理由|这样|這樣|所以|考虑到|考慮到|主要是|为了|為了|毕竟|省得|避免|更(?:简单|好|快|稳|便宜|轻|合适|容易|适合)"
            ),
            _signs(r"而不是|而非|不用|代替|相比|比起|对比|對比|没有?选"),
        ),
        never=_signs(
            r"(?:还没|還沒|尚未|没有|沒有|未|还未|还不|没|沒|不能|无法|先不|别|暂不|迟迟)[^。，]{0,6}(?:决定|決定|定下|定论|确定|確定|敲定|拍板|选)",
            r"未定|待定|再(?:决定|定|说)|(?:需要|要|得|怎么|如何|什么时候|帮我|难以|等)[^。，]{0,6}(?:决定|決定)|决定(?:一下|权|因素|性)|取决|由[^。]{1,12}决定|犹豫|纠结|谁(?:决定|定)",
        ),
    ),
    preference=Cues(
        strong=_signs(
            r"(?:以后|以後|今后|今後|从现在(?:开始|起)|從現在(?:開始|起)|从今(?:天|以后)|往后|往後|之后都|接下来都)[^。]{0,30}(?:都|请|請|用|别|不要|要|先|写|寫|一律|统一|必须|只|给|叫|用中文|加|回|跑|记得|尽量|默认)",
            r"我(?:个人|個人|更|比较|比較|一般|通常|一直|还是|平时|平時|都|也|很|最|特别|真的|就|们)*(?:喜欢|喜歡|偏好|倾向于|习惯|習慣|偏爱|讨厌|討厭|受不了|反感)",
            r"我(?:不|不太|不怎么)(?:喜欢|喜歡|习惯)",
            r"不要再|别再|別再|别老|不要老|以后别",
        ),
        fair=_signs(
            r"(?:请|請|都|要|就)?(?:一律|统一|統一|总是|總是|始终|永远|永遠|务必|務必|每次都|全部都|凡是)",
            r"每次[^。]{0,15}(?:都|要|先|前|后)",
            r"(?:记住|記住|记得)[，,：:]?",
            r"默认(?:用|使用|都|就)|(?:尽量|儘量)(?:用|不|少|别)",
            r"(?:用|请用|請用)(?:中文|英文|繁体|简体|日语)(?:回|写|寫|答|注释|跟|和)",
            r"(?:回答|回复|答案|注释|提交信息|commit)[^。]{0,10}(?:简短|简洁|用中文|用英文|精简|短一点)",
        ),
        weak=_signs(
            r"(?:不要|别|別|请|請)(?:用|写|寫|加|给|在|直接|先)?",
            r"用[^。，]{1,20}(?:，|,)?(?:不要用|别用|不用)",
        ),
        boosters=(
            _signs(r"都|每|所有|一律|任何|总是|始终|全部|整个项目|项目里|这个项目|默认"),
            _signs(r"而不是|不要|别|不用|代替"),
            _signs(
                r"注释|註解|回答|回复|提交|commit|命名|变量名|变量|风格|格式|测试|中文|英文|缩进|类型|pnpm|npm|yarn|函数|简洁|简短|表情|emoji|分支|文档"
            ),
        ),
        never=_signs(r"标准输出|标准错误|随便|都行|都可以|无所谓|你(?:更)?喜欢|你觉得|看你"),
    ),
    constraint=Cues(
        strong=_signs(
            r"必须|必須|不得|禁止|严禁|嚴禁|不允许|不允許|不准|不许|不可以|务必不要|红线|一律不",
            r"(?:不能|不可|不要|不得)(?:超过|超出|高于|大于|超過|低于)",
            r"(?:最多|最大|上限|至多|最少|至少|最低|不超过|限制|限额|配额|额度)[^。]{0,12}\d",
            r"(?:限制|上限)(?:为|是|在|：)",
            r"(?:只|仅|僅)(?:支持|能|允许|可以|允許|能用|兼容|接受|准|开放)",
            r"不支持|不兼容",
            r"每(?:分钟|分鐘|秒|天|小时|小時|个|月|ip|用户)[^。]{0,10}\d",
            r"\d[^。]{0,8}(?:次/|/分|/秒|每秒|每分|rps|qps)",
            r"(?:规定|規定|合规|合規|法务|法務|政策|安全部|审计|审计要求|监管|等保|gdpr|公司要求)",
            r"不能(?:用|上|改|动|存|放|出|部署|升级|引入|访问|直接|依赖|连|写|发|碰|有|包含|记录|带|打|合|推)",
        ),
        fair=_signs(
            r"(?:要求|需要|得)(?:兼容|支持|支援|运行|跑在|保持|保证)", r"只能", r"(?:要|得)兼容"
        ),
        boosters=(
            _signs(_CJK_AMOUNT, _VERSIONED),
            _signs(
                r"生产|線上|线上|客户|用户数据|数据|数据库|主分支|main|部署|上线|发布|周五|合同|接口|api|内存|版本|浏览器|内网|外网|证书|密钥|隐私"
            ),
            _signs(r"因为|否则|不然|所以|由于|规定|任何|所有|一律"),
        ),
        never=_signs(
            r"唯一约束|外键约束|约束(?:冲突|报错|错误|失败)|违反|我必须|你必须|不能(?:复现|理解|确定|用了|工作|正常)|为什么不能|不支持吗"
        ),
    ),
    tech_debt=Debt(
        named=_signs(r"技术债|技術債|历史包袱"),
        flaw=_signs(
            r"写死|寫死|硬编码|硬編碼|临时|臨時|权宜|凑合|湊合|将就|hack|绕过|绕开|workaround|不优雅|不太好|不好看|很丑|丑陋|脏|粗糙|重复|複製|复制粘贴|拷贝|没(?:有)?(?:写|加|做|处理)?(?:测试|校验|分页|单测|异常|限流|索引|错误处理)|没测|偷懒|取巧|不完善|不规范|占位|假数据|mock|关掉|注释掉|屏蔽|跳过|简单粗暴|遗留|遺留|没(?:处理|考虑|做|加)|缺|不够|性能(?:差|一般|不好)|hardcode|轮询|同步"
        ),
        later=_signs(
            r"以后再|以後再|之后再|之後再|回头|回頭|后面再|後面再|后续|後續|后期|晚点再|改天|暂时|暫時|暂且|先(?:这样|这么|凑合|用着|写死|硬编码|顶着|放着|上|留着|不|跳过|临时)|下个?(?:迭代|版本|sprint|季度|月|周|阶段|release)|下一?版|有空再|有时间再|等[^。]{0,25}(?:再|之后|后|以后)|没时间|来不及|赶(?:着|时间|进度|上线)|目前|留(?:到|给|着)|推迟|延后|排期|待办|todo|需要重构|要重构|再(?:重构|改|优化|处理|补|换|清理|说|做|拆)|得(?:重构|改|换)"
        ),
    ),
    runbook=Recovery(
        again=_signs(
            r"(?:下次|以后|以後|再次|如果再|要是再|万一再|再)(?:再)?(?:遇到|出现|出現|碰到|发生|發生|报|犯|卡)",
            r"(?:步骤|步驟|流程|操作手册|处理方法|排查手册)(?:如下|是|：|:|为)",
            r"备忘",
        ),
        remedy=_signs(
            r"(?:解决|解決|修复|修復|修好|搞定|恢复|恢復|处理)(?:办法|辦法|方法|方案|步骤|了|好了|掉|：|:)",
            r"(?:就|才|又|便)(?:好了|行了|正常|恢复|可以了|能用|通过|通了|起来了|解决)",
            r"(?:先|首先|1[.、])[^。]{1,60}(?:再|然后|然後|接着|2[.、])",
        ),
        cause=_signs(
            r"原因(?:是|：|:|在于)?|根因|根本原因|是因为|因为|因為|由于|导致|導致|问题出在|结果是|其实是|罪魁|过期|损坏|残留|不一致|没(?:释放|清|关)|占满|满了|冲突"
        ),
        symptom=_signs(
            r"报错|報錯|错误|錯誤|失败|失敗|崩溃|崩潰|卡住|卡死|超时|超時|起不来|启动不了|连不上|连接(?:失败|被拒)|挂了|挂掉|打不开|异常|拒绝|不工作|error|exception|timeout|\d{3}\b|oom|满了|白屏|死锁|找不到"
        ),
        action=_signs(
            r"重启|重啟|重新|删除|删掉|刪|清(?:理|空|掉|一下|除)|执行|执行|运行|跑|设置|设成|改成|升级|降级|回滚|重装|杀掉|kill|停掉|刷新|扩容|调大|`|加上|更新|换"
        ),
        check=_signs(
            r"验证|驗證|确认|確認|检查|再(?:跑|试|看)|恢复正常|正常了|通过|就好了|看到|应该(?:能|会|显示)|没有再|不再|绿"
        ),
        never=_signs(
            r"(?:没|沒|还没|尚未|无法|能不能|怎么|如何|帮我|试试|可能|应该能|打算|准备)[^。，]{0,8}(?:解决|修复|处理)"
        ),
    ),
    question=_signs(
        r"吗[？?。]?$|呢[？?]?$|[？?]$|要不要|是不是应该|是否|该不该|好不好|能不能|可不可以|怎么(?:样|办|选)|哪个(?:好|更)|还是[^。]{1,20}[？?]"
    ),
    unsure=_signs(
        r"如果(?:我们|用|换|将来)|假如|假设|要是(?:我们|用|换)|可能|也许|或许|或許|考虑(?!到)|打算|想想|不确定|大概|建议|在想|倾向|犹豫|评估|讨论一下|计划"
    ),
    reported=_signs(
        r"他们|她们|他說|他说|她说|别的(?:团队|组|公司)|其他(?:团队|组)|(?:平台|前端|后端|数据|运维|隔壁|对方|上家|前)(?:团队|组|公司|那边)[^。，]{0,6}(?:决定|说|用|选|换)|据说|听说|文章(?:里|中|说)|博客|有人说|网上说"
    ),
    one_off=_signs(
        r"这次|這次|这一次|本次|今天|仅此|就这(?:一)?次|这个(?:文件|分支|pr|测试|函数)|临时|暂时|目前先|这里"
    ),
    clause=re.compile(r"[；;，,：:。]|\s[–—-]{1,2}\s|——"),
    because=_signs(r"因为|因為|由于|由於|毕竟|原因是|为了|為了|主要是|否则|不然"),
    instead=_signs(r"而不是|而非|，?不要用|，?别用|，?不用|代替|替代"),
)

_JAPANESE = Language(
    decision=Cues(
        strong=_signs(
            r"決め(?:た|ました|ています)|決まり(?:ました)?|決定(?:しました|した|です|済み|：|:|。|で)|決断|(?:こと|方針|方向|形|案)(?:に|で)(?:した|しました|します|決|いき|行き|する。)",
            r"採用(?:しました|した|します|する(?:こと)?|で|し、|することに)",
            r"(?:で|に)(?:いく|行く|いきます|行きます|いきましょう|行きましょう|いこう|行こう|統一(?:する|します|しました|しよう)|落ち着)",
            r"(?:を|に)(?:選び(?:ました)?|選んだ|選択しました|選定)",
            r"見送(?:る|り|った|ります)|却下|不採用|やめて[^。]{1,20}に(?:する|します|しました|した)",
            r"(?:ではなく|じゃなく(?:て)?|よりも?)[^。]{1,30}(?:に(?:した|しました|します)|を(?:使う|使います|採用|選))",
            r"に(?:しました|します|しよう|しましょう)(?:[。、！!]|$)",
        ),
        fair=_signs(
            r"に(?:切り替え|移行し|変更し)(?:ました|ます|た)",
            r"案[a-c1-3]|[a-c]案",
            r"使うこと(?:に|と)",
        ),
        boosters=(
            _signs(
                r"ので|ため|から(?:です|。|、)|理由|なぜなら|おかげ|せい|メリット|シンプル|簡単|速い|安い|運用"
            ),
            _signs(r"ではなく|じゃなく|より|代わり|比較|比べ|案|候補"),
        ),
        never=_signs(
            r"決め(?:て(?:い)?(?:ない|ません)|られ|かね|たい|よう|る(?:前|必要|べき|まで|とき|の|ため))|決まって(?:い)?(?:ない|ません)|まだ[^。]{0,12}(?:決|未定)|未定|未決|検討中|迷って|保留|どう(?:する|します|しよう)|かどうか|しますか|にする(?:か|べき)|気にし|にしますか"
        ),
    ),
    preference=Cues(
        strong=_signs(
            r"(?:今後|これから|以後|次(?:回)?から|これ以降)は?、?[^。]{0,40}(?:ください|下さい|して|使って|使う|で(?:お願い|頼|統一)|お願い|ように|ほしい|欲しい|やめて|しない|いらない|不要|書いて|ね)",
            r"(?:方|ほう)が(?:好き|好み|いい(?:です)?|良い|助かり|ありがたい|嬉しい|読みやすい)",
            r"好み(?:は|です|な)|派(?:です|なので|だから)|(?:が|は)(?:嫌い|苦手|好きじゃ|好きではない|好きです|好き。)",
            r"(?:いつも|普段は?|基本的に|常に|毎回|必ず)[^。]{0,30}(?:して(?:ください|下さい|ほしい|欲しい|くれ|います)|使って(?:ください|います)|お願い|書いて|ように|ています)",
        ),
        fair=_signs(
            r"ように(?:して|お願い|してください|してほしい|してくれ)",
            r"は(?:やめて|使わないで|入れないで|つけないで|書かないで|しないで)",
            r"(?:日本語|英語|敬語)で(?:答|回答|書|お願い|返)",
            r"(?:で|に)統一して",
            r"覚えて(?:おいて|ください)",
            r"(?:毎回|いつも|常に|必ず)[^。]{0,20}(?:て|で)(?:ね|。|！)",
        ),
        weak=_signs(
            r"(?:使って|書いて|して|入れて|付けて|つけて|にして)(?:ください|下さい|ほしい|欲しい|ね)"
        ),
        boosters=(
            _signs(
                r"いつも|毎回|常に|必ず|すべて|全て|全部|どの|原則|基本|今後|このプロジェクト(?:で|は)"
            ),
            _signs(r"ではなく|じゃなく|より|代わり|ないで"),
            _signs(
                r"コメント|コミット|回答|返事|説明|命名|変数名|テスト|型|書式|フォーマット|日本語|英語|短く|簡潔|pnpm|npm|yarn|ブランチ|関数|絵文字|スタイル|インデント"
            ),
        ),
        never=_signs(r"標準出力|標準エラー|どちらでも|どっちでも|お任せ|好きな方で|お好み"),
    ),
    constraint=Cues(
        strong=_signs(
            r"なければ(?:ならない|なりません|いけない|いけません|ならず)|なくてはな|ないといけ|必要があ(?:る|り)|禁止|厳禁|(?:利用|使用|変更|デプロイ|アクセス|接続|導入|更新)(?:は)?不可|てはいけ|てはなら|ちゃ(?:だめ|ダメ)|てはだめ|ては(?:ダメ|駄目)",
            r"(?:上限|制限|最大|最小|最低|限度|クォータ|容量)[^。]{0,20}\d",
            r"\d[^。]{0,12}(?:まで(?:です|しか|。|、|に|と|だ)|以内|が上限|が限界|以下に|制限)",
            r"しか(?:使え|対応|サポート|でき|許可|動|送|入ら|持て|扱え|受け付け|アクセス|ない|なく|あり)",
            r"のみ(?:対応|サポート|可|許可|利用|使用|動作|です)",
            r"必須(?:です|。|で|と|だ|、|なので)",
            r"(?:対応|サポート)(?:して(?:い)?(?:ない|ません)|されて(?:い)?(?:ない|ません))|非対応",
            r"(?:規約|ポリシー|規定|法律|個人情報保護法|gdpr|監査|コンプラ\w*|セキュリティ部門|社内ルール|契約)(?:上|で|に|により|として|では|の関係)",
            r"(?:こと|の)は(?:できません|できない|許可されて(?:い)?ない|認められ)",
            r"(?:使え|触れ|変えられ|上げられ|入れられ|変更でき|アップグレードでき|アクセスでき|デプロイでき|入れられ)(?:ない|ません)",
        ),
        fair=_signs(
            r"(?:維持|保証|担保|サポート|対応)(?:しないと|する必要)",
            r"ルール(?:です|が|で|に)",
            r"絶対(?:に)?[^。]{0,20}(?:ない|こと|で)",
        ),
        boosters=(
            _signs(_CJK_AMOUNT, _VERSIONED),
            _signs(
                r"本番|顧客|個人情報|データ|main|デプロイ|リリース|金曜|契約|api|メモリ|ram|バージョン|ブラウザ|社内|ネットワーク|証明書|鍵|外部"
            ),
            _signs(r"ため|ので|から|理由|必ず|絶対|すべて|全て|一切"),
        ),
        never=_signs(
            r"一意制約|外部キー制約|制約(?:違反|エラー)|違反|しなければ(?:と思|なぁ)|直さなければ|修正する必要があ(?:る|り)(?:そう|ます)か"
        ),
    ),
    tech_debt=Debt(
        named=_signs(r"技術的?負債|負債"),
        flaw=_signs(
            r"ハードコード|ベタ書き|べた書き|直書き|決め打ち|暫定|仮(?:実装|対応|で|の|置き|組み)|応急|場当たり|その場しのぎ|ハック|hack|ワークアラウンド|回避策|汚い|きれいじゃ|綺麗では|綺麗じゃ|微妙|雑|重複|コピペ|テスト(?:は|が)?(?:な(?:い|し)|書いて(?:い)?ない|まだ|書けて)|未(?:テスト|対応|実装|検証)|手抜き|妥協|ダミー|モック|スキップ|無効(?:化|に)|コメントアウト|握りつぶ|対応(?:して(?:い)?(?:ない|ません)|できて(?:い)?ない)|無視し|考慮して(?:い)?ない|遅い|非効率|ポーリング|同期|古い|本来は|本当は|手動|やっつけ|甘い|抜け"
        ),
        later=_signs(
            r"とりあえず|一旦|いったん|今は|今のところ|当面|ひとまず|現状|現時点|後(?:で|ほど|日|回し|から)|あとで|そのうち|いつか|次(?:の|回)?(?:スプリント|リリース|バージョン|イテレーション|フェーズ|四半期)|来(?:週|月|期)|リリース後|落ち着いたら|時間(?:が(?:な|でき|取れ)|ができ)|間に合わ|余裕|先送り|見送|直す予定|予定です|べき(?:です|だ)|たい(?:です|ところ)|必要があ|残って|残し|放置|対応予定|別(?:チケット|pr|タスク)|チケット|todo|までの|ままに|までは"
        ),
    ),
    runbook=Recovery(
        again=_signs(
            r"(?:次(?:に|回)|また|再度|再び|今後|もし(?:また)?|同じ(?:エラー|現象|症状|問題)が)[^。]{0,20}(?:起き|出た|出る|出たら|発生|遭遇|なった|なったら|再発)",
            r"再発(?:したら|時|した場合)",
            r"(?:手順|対処法|対処方法|復旧手順|対応手順)(?:は|：|:|です|を)",
            r"備忘",
        ),
        remedy=_signs(
            r"(?:解決(?:しました|した|策|方法|できました|します)|直(?:りました|った|せました|ります|せます)|復旧(?:しました|した|します|できました)|治りました|治った|解消(?:しました|した|します|されました))",
            r"(?:たら|ると|れば|して|ことで)[^。]{0,10}(?:直|解決|解消|復旧|動(?:きました|いた|くように)|通(?:りました|った|るように)|起動(?:しました|した|するように)|繋が|治)",
            r"対処(?:法|方法)?(?:は|として|：)|修正方法|(?:まず|最初に|1[.、])[^。]{1,60}(?:次に|その後|それから|2[.、]|続いて)",
        ),
        cause=_signs(
            r"原因(?:は|が|：|で)?|理由は|せい(?:で|だ|でした)|ために?|ので|ことが(?:原因|問題)|(?:古い|壊れた|期限切れ|残っ|不一致|満杯|枯渇|競合|キャッシュ)"
        ),
        symptom=_signs(
            r"エラー|失敗|落ち(?:る|た|て|ま)|クラッシュ|固ま|止ま|動(?:かない|きません|かなく)|起動(?:しない|しません|できない|しなく)|タイムアウト|接続(?:できない|拒否|できません)|繋がら|例外|不具合|障害|ハング|error|exception|timeout|\d{3}\b|oom|フリーズ|壊れ"
        ),
        action=_signs(
            r"再起動|再(?:インストール|生成|ビルド|作成|実行|構築|デプロイ|接続)|削除|消(?:し|す)|クリア|実行|設定|変更|上げ|下げ|更新|追加|停止|kill|リセット|`|入れ直|作り直|起動し直|やり直|ロールバック|戻"
        ),
        check=_signs(
            r"確認|検証|チェック|正常(?:に|です)|通(?:る|り|った)|ことを(?:見|確かめ)|表示され|になれば|なら(?:ok|成功)|戻りました|消えました|緑"
        ),
        never=_signs(
            r"(?:まだ|未だ)[^。]{0,10}(?:解決|直)|(?:解決|直)(?:して(?:い)?(?:ない|ません)|できません|りません|らない|せますか|したい|してください|して(?:ほしい|$))|かもしれ|試して(?:み)?"
        ),
    ),
    question=_signs(
        r"[？?]$|(?:です|ます|でしょう|ません|ました)か[。、]?$|べきか|かな[。]?$|どう(?:思|しよう|でしょう|すれば)|どちら|どっち|何が|なぜ|どうして"
    ),
    unsure=_signs(
        r"かも(?:しれ|$|。|な|ね)|もし(?!また|再)|としたら|だったら|とすれば|検討|考えて(?:い)?(?:る|ます)|迷|たぶん|多分|おそらく|気がする|かどうか|提案|おすすめ|案として|悩|つもり|予定"
    ),
    reported=_signs(
        r"彼ら|他(?:の)?(?:チーム|部署|社)|別(?:の)?(?:チーム|部署|プロジェクト)|(?:基盤|インフラ|フロント|隣の|あちらの)チーム(?:は|が|で)|らしい|そうです(?!ね)|によると|記事(?:で|に|では)|ブログ|前職|前の会社|と言って(?:い)?(?:た|ます|ました)|だって"
    ),
    one_off=_signs(
        r"今回(?:だけ|は|のみ)|今だけ|一度だけ|今日(?:は|だけ)|この(?:ファイル|テスト|pr|ブランチ|関数|タスク|実行)|とりあえず|一旦|ここ(?:は|だけ)"
    ),
    clause=re.compile(r"[；;。：:]|(?:ですが|ますが|けど|けれど|たが|だが)、|\s[–—-]{1,2}\s"),
    because=_signs(r"なぜなら|理由は|ので|ため|から"),
    instead=_signs(r"ではなく(?:て)?|じゃなく(?:て)?|の代わりに|より(?:も)?"),
)

_KOREAN = Language(
    decision=Cues(
        strong=_signs(
            r"결정(?:했|하였|됐|되었|함|합니다|이 났|났|은 |:|한 )|정했(?:어|습|다|고|음)|(?:하|쓰|가|두|바꾸|옮기|사용하|유지하|쓰지 않|안 쓰|빼|넣|나누|맞추|도입하|채택하|[가-힣]+하|[가-힣]+)기로 (?:했|결정|함|정|합의|하겠|하자|해|하고)",
            r"(?:로|으로) (?:가자|갑시다|가죠|가겠|갈게|확정|결정|정했|통일하|가기로|간다|갑니다|가는 걸로|하자|합시다|하죠)",
            r"채택(?:했|하기로|하겠|함)|선택했|골랐|확정(?:했|됐|입니다|함|짓)|합의(?:했|봤|됐)",
            r"(?:대신|말고|보다)[^.?]{1,40}(?:쓰기로|쓰자|쓰겠|선택|사용했|썼습니다|썼어|썼다|채택|씁시다)",
        ),
        fair=_signs(
            r"(?:바꿨|변경했|전환했|전환하|갈아탔|옮겼)[^.]{0,10}", r"[a-c]안", r"쓰자|씁시다|쓰죠"
        ),
        boosters=(
            _signs(
                r"때문|니까|어서|아서|해서|이유|위해|므로|라서|덕분|간단|빠르|저렴|편하|편해|쉬워|가벼"
            ),
            _signs(r"대신|말고|보다|비교|대안|아니라"),
        ),
        never=_signs(
            r"결정(?:하지|된 (?:게|건|바) 없|을? ?못|이? ?안|해야|할|하기 전|되지|하려|하고 싶|권)|아직[^.]{0,15}(?:결정|정하|못|안|미정)|미정|고민|정하지|정해야|정할|누가|왜|모르겠|확정되지"
        ),
    ),
    preference=Cues(
        strong=_signs(
            r"(?:앞으로(?:는)?|이제부터(?:는)?|지금부터(?:는)?|다음부터(?:는)?|이후로(?:는)?)[^.]{0,50}(?:주세요|줘|해요|하세요|써|쓰|마세요|말아|지 마|합시다|하자|부탁|해라|해)",
            r"(?:저는|나는|난|전|개인적으로)[^.]{0,40}(?:선호|좋아|싫|편해|편합|편이|습관|좋습니다|좋아요)",
            r"선호(?:해|합|하)|취향|(?:게|걸|것을|것이|이|가) (?:더 )?(?:좋아(?:요|해|합)|싫(?:어|습)|편해|편합)",
            r"(?:항상|언제나|매번|늘|절대|무조건|반드시)[^.]{0,40}(?:주세요|해줘|해 줘|써줘|써 줘|하세요|마세요|말아|지 마|줘)",
        ),
        fair=_signs(
            r"(?:하지|쓰지|넣지|달지|붙이지|만들지|쓰진|추가하지|커밋하지|[가-힣]지) (?:마세요|말아|마|말고|말 것)",
            r"(?:한국어|영어|존댓말|반말)로[^.]{0,10}(?:답|써|작성|말|대답|설명|해)",
            r"했으면 (?:좋|해|합)",
            r"(?:꼭|항상|매번|기본적으로)[^.]{0,30}(?:요|줘|다|써|해)[.!]?$",
            r"원칙(?:은|이|으로)",
            r"기억해",
        ),
        weak=_signs(r"(?:써|해|넣어|붙여|달아|작성해|사용해) ?(?:주세요|줘|주면)"),
        boosters=(
            _signs(r"항상|매번|언제나|늘|모든|모두|전부|절대|무조건|기본|프로젝트(?:에서|는)|전체"),
            _signs(r"대신|말고|보다|지 말|아니라"),
            _signs(
                r"주석|커밋|답변|대답|설명|변수|이름|네이밍|테스트|타입|포맷|한국어|영어|짧게|간결|pnpm|npm|yarn|브랜치|함수|이모지|스타일|들여쓰기|메시지"
            ),
        ),
        never=_signs(r"표준 ?출력|표준 ?에러|상관없|아무거나|편하신|원하시는"),
    ),
    constraint=Cues(
        strong=_signs(
            r"(?:해|돼|되|맞춰|유지해|지원해|돌아가|동작해|써|거쳐|받아|있어|[가-힣]아|[가-힣]어|[가-힣]해|[가-힣]여)야 (?:해요|합니다|한다|함|돼요|됩니다|된다|만 |하고|하며|하거든|하니|하는)",
            r"금지|불가(?:능|합|해|입|\.)|안 (?:됩니다|돼요|된다|되고|됨|돼)",
            r"(?:최대|최소|한도|제한|상한|쿼터|용량|예산)[^.]{0,20}\d",
            r"\d[^.]{0,15}(?:까지(?:만|야|입|예요|밖에|가|다|로)|이하|이내|제한|초과|로 제한|밖에)",
            r"만 (?:지원|가능|허용|쓸 수|사용|됩니다|돼|접근|동작|받)",
            r"지원(?:하지|을 안|안 (?:해|함|합)|되지)|호환(?:되지|이 안)",
            r"(?:할|쓸|올릴|바꿀|저장할|사용할|접근할|배포할|넣을|건드릴|수정할|[가-힣]을|[가-힣]할) 수 없",
            r"(?:정책|규정|법|개인정보보호법|보안팀|감사|컴플라이언스|계약|법무팀|gdpr|사내)[^.]{0,10}(?:상|에 따라|때문|에서|으로|이라|입니다)",
            r"필수(?:입니다|예요|다|이|로|라)",
            r"초과(?:하면|할 수|해선)|넘으면|넘길 수 없|넘지",
        ),
        fair=_signs(r"반드시|절대(?:로)?", r"못 (?:쓰|써|올|하|바꾸|건드)", r"규칙(?:입|이|은)"),
        boosters=(
            _signs(_CJK_AMOUNT, _VERSIONED),
            _signs(
                r"운영|프로덕션|고객|개인정보|데이터|main|배포|릴리스|금요일|계약|api|메모리|버전|브라우저|사내|네트워크|인증서|외부|키"
            ),
            _signs(r"때문|아니면|안 그러면|니까|이유|항상|절대|모든|반드시"),
        ),
        never=_signs(
            r"유니크 제약|외래 ?키|제약 ?조건 (?:위반|오류|에러)|위반|고쳐야 (?:해|합)|봐야|수정해야 할"
        ),
    ),
    tech_debt=Debt(
        named=_signs(r"기술 ?부채"),
        flaw=_signs(
            r"하드 ?코딩|임시|땜빵|땜질|꼼수|야매|핵\b|hack|우회|지저분|깔끔하(?:지|진)|더럽|엉망|중복|복붙|복사(?:해)?|테스트(?:가|는|도|를)? ?(?:없|안|못|생략|아직)|검증(?:이|은|도)? ?(?:없|안|생략)|처리(?:가|는|를)? ?(?:없|안|못|빠)|예외 처리|더미|가짜|목업|mock|스킵|건너뛰|비활성|주석 처리|꺼(?:둠|뒀|놨)|막아|누락|빠져|느리|비효율|폴링|동기|수동|레거시|허술|대충|이상적이(?:지|진)|좋은 (?:방법|구조|코드)(?:은|는)? 아니|미봉책"
        ),
        later=_signs(
            r"일단|우선(?:은)?|나중에|추후|차후|이후에|다음 (?:스프린트|릴리스|릴리즈|분기|버전|주|달|이터레이션|배포)|(?:출시|배포|릴리스|데모|오픈|런칭|마감) ?(?:후|이후|끝나|뒤)|리팩토링|리팩터링|미뤄|미루|미룸|미뤘|놔두|놔둠|남겨|남아|시간이 (?:없|부족|안|나면|되면|생기)|급해서|급하게|당분간|지금은|현재는|언젠가|티켓|백로그|todo|정리(?:해야|할|하자|하기로|가 필요)|고쳐야|바꿔야|개선(?:해야|할|이 필요)|교체(?:해야|할)|때까지|여유"
        ),
    ),
    runbook=Recovery(
        again=_signs(
            r"(?:다시|또|다음에|나중에(?: 또)?|재차|혹시(?: 또)?)[^.]{0,20}(?:발생|생기|나오|나면|뜨면|이러면|겪|재현|터지|걸리|멈추|죽)",
            r"재발(?:하면|시|할)",
            r"(?:절차|순서|방법|해결법|복구 ?절차|조치)(?:는|은|:) ",
            r"다음(?:번)?에는?[^.]{0,20}(?:하면|됩니다|돼)",
        ),
        remedy=_signs(
            r"해결(?:했|됐|됨|되었|법|방법|책|됩니다|돼|하려면|한 방법|은)|고쳤|고쳐졌|복구(?:했|됐|됨|되었|하려면|됩니다)",
            r"(?:하니|했더니|하니까|하면|으니|니까|더니|고 나서|고 나니)[^.]{0,20}(?:됐|해결|됩니다|돼|정상|돌아|동작|통과|살아|올라|풀|사라|붙)",
            r"(?:먼저|우선|1[.)])[^.]{1,60}(?:다음|그다음|그 다음|2[.)]|이후|그리고)",
        ),
        cause=_signs(
            r"원인(?:은|이|:)?|때문|이유(?:는|가)|탓|문제(?:는|였|가)|만료|꼬여|꼬인|남아 ?있|충돌|손상|캐시|가득|부족|불일치"
        ),
        symptom=_signs(
            r"에러|오류|실패|죽(?:어|었|는|음)|크래시|멈(?:춰|추|춤|췄)|안 (?:됨|돼|됐|뜸|떠|켜|열|붙|돌)|못 (?:찾|붙)|타임아웃|거부|예외|장애|error|exception|timeout|\d{3}\b|oom|먹통|깨(?:져|짐|졌)|뻗"
        ),
        action=_signs(
            r"재시작|재부팅|재설치|다시 (?:시작|설치|빌드|생성|실행|띄)|삭제|지우|지웠|지운|비우|비웠|초기화|실행|설정|변경|올리|올렸|내리|업데이트|갱신|추가|중지|kill|죽이|롤백|`|돌리|돌렸|바꾸|바꿨|클리어|캐시"
        ),
        check=_signs(
            r"확인|검증|체크|정상(?:적|으로|입|화)?|통과|나오면|뜨면|보이면|사라|돌아왔|이상 없"
        ),
        never=_signs(
            r"(?:아직|못|안|해결되지|고쳐지지)[^.]{0,8}(?:해결|고쳐|고쳤|않)|해결(?:해 ?(?:줘|주세요)|하고 싶|할 수 있|될까|이 안)|수도 있|해볼|볼게|보자|같아요"
        ),
    ),
    question=_signs(
        r"[？?]$|까(?:요)?[.]?$|나요[.]?$|는지|할지|을지|어때|어떨까|어느|왜|어떻게|뭐가"
    ),
    unsure=_signs(
        r"아마|만약|혹시(?! 또)|(?:하|쓰|가|옮기|바꾸)면 어떨|할까|수도 (?:있|)|고려|고민|생각 ?중|검토|것 같|제안|추천|예정|계획|려고|라면"
    ),
    reported=_signs(
        r"그들|그 팀|다른 (?:팀|회사|부서|프로젝트)|옆 팀|(?:플랫폼|인프라|프론트|백엔드|데이터|디자인)팀(?:은|이|에서)|전 직장|(?:다고|라고) (?:하|해|들|했|합)|대요|래요|기사|블로그|에 따르면"
    ),
    one_off=_signs(
        r"이번(?:만|에는|엔|에만|만큼은)|지금만|한 번만|오늘(?:만|은)|이 (?:파일|테스트|pr|브랜치|함수|작업)(?:에서|만|은|는)|일단|잠깐|여기(?:서|만|는)"
    ),
    clause=re.compile(
        r"[;:]\s|,?\s(?=하지만|그런데|근데|그러나)|(?:지만|는데|은데),?\s|\s[–—-]{1,2}\s|\.\s"
    ),
    because=_signs(r"때문|니까|어서|아서|해서|라서|므로|이유는"),
    instead=_signs(r"대신|말고|보다|이 아니라|가 아니라"),
)

LANGUAGES: Mapping[str, Language] = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "zh": _CHINESE,
    "ja": _JAPANESE,
    "ko": _KOREAN,
}

_KANA = re.compile("[\u3041-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_HAN = re.compile("[\u4e00-\u9fff]")
_FUNCTION_WORDS: Mapping[str, re.Pattern[str]] = {
    "de": _words(
        r"(?:der|die|das|und|ist|nicht|wir|ich|ein|eine|einen|mit|für|auf|von|bitte|haben|wird|dem|den|zu|im|es|aber|noch|immer|jetzt|ab|keine?|uns|wenn|weil|muss|nur|sind|als|auch)\b"
    ),
    "fr": _words(
        r"(?:le|la|les|des|une|est|nous|pas|pour|dans|avec|sur|que|qui|je|on|du|au|ce|et|ne|toujours|jamais|plus|tu|il|mais|ça)\b",
        r"(?:j'|l'|d'|c'|n'|qu')",
    ),
    "es": _words(
        r"(?:el|la|los|las|una|es|que|de|en|con|para|por|no|se|del|al|lo|un|hemos|siempre|nunca|pero|ya|más|está|muy|como|hay|y|a|su)\b"
    ),
}


def languages(heard: str) -> list[Language]:
    """The languages that *heard* may be in; English always is one, people mix it in.

    >>> languages("wir haben uns für Postgres entschieden")[0] is LANGUAGES["de"]
    True
    """
    if _HANGUL.search(heard):
        return [LANGUAGES["ko"], LANGUAGES["en"]]
    if _KANA.search(heard):
        return [LANGUAGES["ja"], LANGUAGES["en"]]
    if _HAN.search(heard):
        return [LANGUAGES["zh"], LANGUAGES["en"]]
    counts = {name: len(set(words.findall(heard))) for name, words in _FUNCTION_WORDS.items()}
    likely = max(counts, key=counts.__getitem__)
    return [LANGUAGES[likely], LANGUAGES["en"]] if counts[likely] >= 3 else [LANGUAGES["en"]]
