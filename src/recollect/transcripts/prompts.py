"""Whose words a prompt is made of: hosts speak in the user's place, too.

A host puts commands, their output, its own notices and interruptions where the user's words
stand, each in a tag or a phrase of its own.
"""

import re
from dataclasses import dataclass
from enum import Enum

OURS = ("/recollect:", "[recollect command]")
"""How our own commands begin, typed or as a host spells them out; they are not remembered."""


class Kind(Enum):
    """What stands in the place of a prompt."""

    TYPED = "the user's words"
    COMMAND = "a slash command"
    SHELL = "a command that the user ran in the host's shell mode"
    MACHINE = "a notice that the agent answers"
    LOCAL = "what a local command printed"
    CONTEXT = "what the host adds for the agent"
    INTERRUPTION = "the mark of an interrupted turn"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt without the host's wrapping."""

    kind: Kind
    text: str


_IN_FRONT = re.compile(r"\s*+<(ide_\w++|system-reminder)>.*?</\1>\s*+", re.DOTALL)
_COMMAND = re.compile(r"<command-(?:name|message|args)>")
_COMMAND_NAME = re.compile(r"<command-name>\s*+/?([^<\s]++)\s*+</command-name>")
_COMMAND_ARGS = re.compile(r"<command-args>(.*)</command-args>", re.DOTALL)
_SHELL = re.compile(r"<bash-input>(.*?)(?:</bash-input>|\Z)", re.DOTALL)
_LOCAL = re.compile(r"<local-command-std\w++>")
_CONTEXT = re.compile(r"<(?:local-command-\w++|bash-std\w++)>|Caveat: The messages below were |\Z")
_MACHINE = re.compile(
    r"<(?:task|agent|teammate|channel)[\w-]*+[ >]|Stop hook feedback:\n|<user-prompt-submit-hook>"
)
_INTERRUPTION = re.compile(r"\[Request interrupted by user|Operation stopped by hook: ")
_HOSTS = {
    Kind.INTERRUPTION: _INTERRUPTION,
    Kind.LOCAL: _LOCAL,
    Kind.CONTEXT: _CONTEXT,
    Kind.MACHINE: _MACHINE,
}
_SLASH = re.compile(r"/[A-Za-z][\w:-]*+(?=\s|\Z)")


def understand(text: str) -> Prompt:
    """Tell what *text* is, and unwrap it.

    >>> understand("<command-name>/review</command-name><command-args>PR 7</command-args>").text
    '/review PR 7'
    """
    own = _without_context(text)
    for kind, shape in _HOSTS.items():
        if shape.match(own):
            return Prompt(kind, own)
    if shell := _SHELL.match(own):
        return Prompt(Kind.SHELL, f"!{shell[1].strip()}")
    if _COMMAND.match(own):
        return _command(own)
    return Prompt(Kind.COMMAND if _SLASH.match(own) else Kind.TYPED, own)


def is_machine_prompt(text: str) -> bool:
    r"""True if the host made *text*: the words in it are not the user's own.

    >>> is_machine_prompt("<task-notification>\n<task-id>a7</task-id>")
    True
    >>> is_machine_prompt("<div> is not closed, why?")
    False
    """
    if _COMMAND.match(text.lstrip()):
        return True
    return understand(text).kind not in (Kind.TYPED, Kind.COMMAND)


def _without_context(text: str) -> str:
    """*text* without what the host put in front of the user's words."""
    at = 0
    while found := _IN_FRONT.match(text, at):
        at = found.end()
    return text[at:].strip()


def _command(text: str) -> Prompt:
    name = _COMMAND_NAME.search(text)
    if name is None:
        return Prompt(Kind.CONTEXT, text)
    args = _COMMAND_ARGS.search(text)
    return Prompt(Kind.COMMAND, f"/{name[1]} {args[1].strip() if args else ''}".rstrip())
