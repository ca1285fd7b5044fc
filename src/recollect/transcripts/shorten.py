"""Cut long texts in the middle, visibly: what a tool printed matters at its head and its tail."""

from recollect.privacy import redact

LONGEST_OUTPUT = 20_000
"""Characters of one tool's output that a turn holds."""

# The mark around a number of up to seventeen digits.
_MARK = 40


def output(text: str) -> str:
    """A tool's *text* as a turn holds it.

    It is cleaned before it is cut: a cut may part a secret from what gives it away, such as
    the tag in front of a private block.
    """
    return text if len(text) <= LONGEST_OUTPUT else shorten(redact.clean(text), LONGEST_OUTPUT)


def shorten(text: str, limit: int) -> str:
    r"""*text* within *limit* characters: its head, a mark, its tail.

    >>> shorten("a" * 50 + "b" * 50, 60)
    'aaaaaaaaaa\n[… 80 characters cut …]\nbbbbbbbbbb'
    """
    if len(text) <= limit:
        return text
    kept = max(limit - _MARK, 2)
    head, tail = kept // 2, kept - kept // 2
    return f"{text[:head]}\n[… {len(text) - kept} characters cut …]\n{text[-tail:]}"
