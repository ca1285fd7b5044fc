"""What models are told to do: one Markdown file each, with a version that changes with its words.

The version stands in the front matter, so that an answer can be traced to the prompt it came from.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

_FRONT_MATTER = re.compile(r"---\nversion: (?P<version>\d+)\n---\n(?P<text>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelPrompt:
    """What a model is told, and which version of it that is."""

    text: str
    version: int


@cache
def load(name: str) -> ModelPrompt:
    """Return the prompt in the file called *name*. Raises `ValueError` if it has no version."""
    file = resources.files(__name__).joinpath(f"{name}.md")
    return parse(file.read_text(encoding="utf-8"), name=name)


def parse(text: str, *, name: str) -> ModelPrompt:
    r"""Return the prompt that *text* is; *name* is for the error if it is none.

    >>> parse("---\nversion: 2\n---\nSay hello.\n", name="greet")
    ModelPrompt(text='Say hello.', version=2)
    """
    found = _FRONT_MATTER.fullmatch(text)
    if not found:
        raise ValueError(f"{name}.md: does not begin with its version")
    return ModelPrompt(text=found["text"].strip(), version=int(found["version"]))
