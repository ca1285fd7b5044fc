"""The words of a text that are worth looking up. Pure, and light: the hot path reads it too.

Chinese, Japanese and Thai have no spaces between words, and Korean glues particles to them;
what is looked up there is every pair of neighbouring characters. Most Chinese words have two.
"""

LONGEST_QUESTION = 8000

COMMON_WORDS = frozenset(
    """
    a about after again all also am an and any are as at back be because been before being both
    but by can cannot could did do does doing don done down each else even every few first for
    from further get gets give go going got had has have having he her here him his how i if in
    into is it its itself just keep know last let like ll look looks make makes me might more most
    much must my need needs new next no nor not now of off ok okay on once one only or other our
    out over own please put re right s same say see seem she should show so some something still
    such sure t take tell than thank thanks that the their them then there these they thing things
    think this those through to together too try two under until up us use used using ve very want
    was way we well were what when where which while who whom whose why will with without work
    would yes yet you your
    """.split()
)

# What a prompt bids an agent do rather than what it is about: "run the tests", "commit this".
BIDDING_WORDS = frozenset(
    """
    add bug build change check code commit continue create delete deploy edit error explain file
    files fix format good great improve lint merge move nice pull push read refactor release remove
    rename restart review run start stop summarise summarize test tests time undo update write
    """.split()
)

# Where scripts without spaces (and Hangul) lie: Thai to Burmese, Hangul letters, Khmer, kana,
# bopomofo, ideographs, Hangul syllables, and what is beyond the basic plane.
_UNSPACED = (
    (0x0E00, 0x109F),
    (0x1100, 0x11FF),
    (0x1780, 0x17FF),
    (0x3040, 0x31FF),
    (0x3400, 0x9FFF),
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFF),
)


def terms(question: str) -> list[str]:
    """Return the different words of *question* that are worth looking up, in order.

    >>> terms("Why is the orders page slow again? The get_orders query, maybe.")
    ['orders', 'page', 'slow', 'query', 'maybe']
    >>> terms("修复缓存bug")
    ['修复', '复缓', '缓存', 'bug']
    """
    spaced = "".join(c if c.isalnum() else " " for c in question[:LONGEST_QUESTION].lower())
    different = dict.fromkeys(_in_pairs(spaced).split() if not spaced.isascii() else spaced.split())
    return [word for word in different if word not in COMMON_WORDS and is_long_enough(word)]


def is_long_enough(word: str) -> bool:
    """Tell whether *word* says something: a letter alone does not, an ideograph does.

    >>> is_long_enough("x"), is_long_enough("库"), is_long_enough("go")
    (False, True, True)
    """
    return len(word) > 1 or is_unspaced(word)


def is_unspaced(character: str) -> bool:
    """Tell whether *character* belongs to a script that is looked up in pairs."""
    code = ord(character)
    return code >= 0x0E00 and any(first <= code <= last for first, last in _UNSPACED)


def pairs(text: str) -> str:
    """Return what of *text* a search by words cannot find, in a form in which it can.

    That is every pair of characters of a script without spaces, and words that touch one.
    Empty for a text that has none.

    >>> pairs("修复缓存bug, then deploy")
    '修复 复缓 缓存 bug'
    >>> pairs("plain English")
    ''
    """
    if not any(map(is_unspaced, set(text))):
        return ""
    found = []
    for word in "".join(c if c.isalnum() else " " for c in text).split():
        apart = _in_pairs(word)
        if apart != word or is_unspaced(word[0]):
            found.append(apart.strip())
    return " ".join(found)


def _in_pairs(text: str) -> str:
    """Return *text* with each run of a script without spaces written as its pairs."""
    pieces = []
    run = ""
    for character in text:
        if is_unspaced(character):
            run += character
        else:
            if run:
                pieces.append(_pairs_of(run))
                run = ""
            pieces.append(character)
    pieces.append(_pairs_of(run))
    return "".join(pieces)


def _pairs_of(run: str) -> str:
    if len(run) < 2:
        return f" {run} " if run else ""
    return " " + " ".join(run[at : at + 2] for at in range(len(run) - 1)) + " "
