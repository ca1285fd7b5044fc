"""What a host says or hears in another way than Claude Code, whose words are ours. Hot path.

The host's own files call a hook by our name for the event. Every host takes the same two fields,
`systemMessage` and `additionalContext`, and Codex refuses an answer that holds any other. None is
handed more than it takes whole: no budget allows for that, in UTF-16 units or in bytes.
"""

from recollect import typed
from recollect.hooks import claude_code

CLAUDE_CODE = claude_code.HOST


class Dialect:
    """How one host differs."""

    __slots__ = ("begins_with_a_prompt", "folder", "names")

    def __init__(
        self,
        *,
        folder: str = "",
        names: dict[str, str] | None = None,
        begins_with_a_prompt: bool = False,
    ) -> None:
        # The variable that names the folder of a session, wherever a `cd` has led since.
        self.folder = folder
        # What the host calls an event in the answer to it.
        self.names = names or {}
        # As a session begins its agent is given nothing: what it should know comes with the
        # first prompt.
        self.begins_with_a_prompt = begins_with_a_prompt


# A plugin of ours hands over our own events.
PLAIN = Dialect()

DIALECTS = {
    CLAUDE_CODE: Dialect(folder="CLAUDE_PROJECT_DIR"),
    "codex": PLAIN,
    # When it resumes a session it drops messages that begin with what a hook said.
    "gemini-cli": Dialect(
        folder="GEMINI_PROJECT_DIR",
        names={
            "UserPromptSubmit": "BeforeAgent",
            "PostToolUse": "AfterTool",
            "Stop": "AfterAgent",
        },
        begins_with_a_prompt=True,
    ),
    "opencode": PLAIN,
    "openclaw": PLAIN,
}


def of(host: str) -> Dialect:
    """Return how *host* speaks."""
    return DIALECTS.get(host, PLAIN)


def heard(event: dict[str, object]) -> dict[str, object]:
    """Return *event* of any host in our words: whose turn it is, and what the user wrote.

    >>> heard({"turn_id": "t-1", "prompt": "<hook_context>tea</hook_context> Why?"})
    {'turn_id': 't-1', 'prompt': 'Why?', 'prompt_id': 't-1'}
    """
    prompt = event.get("prompt")
    prompt = typed.words(prompt) if isinstance(prompt, str) else None
    told = {"prompt": prompt, "prompt_id": event.get("prompt_id") or event.get("turn_id")}
    return {**event, **{key: value for key, value in told.items() if value is not None}}
