"""What tells a card that was shown from another state of it. Light."""


def marked(mark: str, stale: str) -> str:
    """Return what tells a card that holds from the same card that may be out of date.

    With a worker and without, that is said in other words; it is no news.

    >>> marked("ab12", ""), marked("ab12", "  (may be out of date: `a.py` is gone)")
    ('ab12', 'ab12~')
    """
    return f"{mark}~" if stale else mark


def is_of_state(mark: str, stale: str) -> bool:
    """Tell whether what *mark* stands for was shown while its files were as *stale* says.

    >>> is_of_state("ab12", ""), is_of_state("ab12", "  (may be out of date)"), is_of_state("", "")
    (True, False, False)
    """
    return bool(mark) and mark.endswith("~") == bool(stale)
