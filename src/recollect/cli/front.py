"""`recollect --version` and `recollect --help`, printed before any command is loaded. Light."""

import os

import recollect
from recollect.cli.catalogue import ALIASES, GROUPS

WIDEST = 100
NARROWEST = 20
# Between the longest name and what the command does.
GAP = 2

OPTIONS = (
    ("-s, --set KEY=VALUE", "A setting for this call alone."),
    ("--version", "Show the version and exit."),
    ("-h, --help", "Show this message and exit."),
)


def columns() -> int:
    """Return how wide help may be: `COLUMNS` if it is set, else the terminal, 80 without one."""
    chosen = os.environ.get("COLUMNS", "")
    if chosen.isdecimal() and int(chosen):
        wide = int(chosen)
    else:
        try:
            wide = os.get_terminal_size(1).columns or 80
        except OSError:  # No terminal, or no output at all.
            wide = 80
    return max(min(wide, WIDEST), NARROWEST)


def version() -> str:
    """Return the line that `--version` prints."""
    return f"recollect, version {recollect.__version__}\n"


def text(width: int) -> str:
    """Return the help of `recollect` itself, no line longer than *width*.

    >>> print(text(40))  # doctest: +ELLIPSIS
    Usage: recollect [OPTIONS] COMMAND ...
    <BLANKLINE>
    A memory for coding agents: local, fast,
    readable.
    <BLANKLINE>
    ...
    Find:
      search        Find the memories that
                    answer a question
    ...
    """
    hint = "One command in detail: recollect COMMAND --help"
    short = ", ".join(f"{alias} ({name})" for alias, name in ALIASES.items())
    parts = [
        _wrapped("Usage: recollect [OPTIONS] COMMAND ...", width),
        _wrapped("A memory for coding agents: local, fast, readable.", width),
        _wrapped("Start with `recollect demo`, then `recollect setup`.", width),
    ]
    longest = max(len(name) for _, commands in GROUPS for name, _, _ in commands)
    for heading, commands in GROUPS:
        rows = [_row(name, said, longest, width) for name, _, said in commands]
        parts.append("\n".join([f"{heading}:", *rows]))
    longest = max(len(names) for names, _ in OPTIONS)
    parts.append("\n".join(["Options:", *(_row(*one, longest, width) for one in OPTIONS)]))
    parts += [_wrapped(f"Short names: {short}.", width), _wrapped(hint, width)]
    return "\n\n".join(parts) + "\n"


def _row(name: str, said: str, longest: int, width: int) -> str:
    """Return *name* with what is *said* of it beside it, or below it where that is too narrow."""
    indent = 2 + longest + GAP
    if width - indent < NARROWEST:
        return f"  {name}\n{_wrapped(said, width, indent=4)}"
    beside = _wrapped(said, width, indent=indent)
    return f"  {name}".ljust(indent) + beside.lstrip()


def _wrapped(words: str, width: int, indent: int = 0) -> str:
    """Break *words* into lines of at most *width*, each with *indent* before it."""
    lines, line = [], ""
    for word in words.split():
        if line and indent + len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join(" " * indent + one for one in [*lines, line])
