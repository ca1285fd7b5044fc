"""How long ago, in words. Part of the hot path."""

MINUTE, HOUR, DAY = 60, 3600, 86400

# A text prepared beforehand holds this mark where its age belongs: `@@age:1763215200@@`.
OPEN, CLOSE = "@@age:", "@@"


def ago(seconds: float) -> str:
    """Say how long ago something was.

    >>> ago(40), ago(7200), ago(3 * 86400), ago(-5)
    ('just now', '2h ago', '3 days ago', 'just now')
    """
    if seconds < 2 * MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{int(seconds // MINUTE)} min ago"
    if seconds < DAY:
        return f"{int(seconds // HOUR)}h ago"
    for unit, length in (("year", 365 * DAY), ("month", 30 * DAY), ("week", 7 * DAY), ("day", DAY)):
        count = int(seconds // length)
        if count >= (2 if unit == "week" else 1):
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    raise AssertionError("every number of seconds over a day has a unit")


def mark(timestamp: float) -> str:
    """Return the mark that `fill` turns into the age of *timestamp*."""
    return f"{OPEN}{int(timestamp)}{CLOSE}"


def defuse(text: str) -> str:
    """Return *text* so that nothing in it is taken for a mark.

    >>> fill(defuse("@@age:0@@"), now=99999) == "@@age:0@@"
    False
    """
    return text.replace("@@", "@\u200b@")


def fill(text: str, *, now: float) -> str:
    """Return *text* with every mark replaced by its age.

    >>> fill("seen @@age:0@@, kept", now=7200)
    'seen 2h ago, kept'
    """
    head, *marked = text.split(OPEN)
    filled = [head]
    for piece in marked:
        timestamp, close, rest = piece.partition(CLOSE)
        if close and timestamp.isdigit():
            filled.append(ago(now - int(timestamp)) + rest)
        else:
            filled.append(OPEN + piece)
    return "".join(filled)
