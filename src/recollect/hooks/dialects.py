"""What a host says or hears in another way than Claude Code, whose words are ours. Hot path.

This is the light part of a host's descriptor, one row in `DIALECTS`; a host that says and hears
what Claude Code does needs none. The rest is in `hosts`, and the reader in `transcripts`.

The host's own files call a hook by our name for the event. Every host takes the same two fields,
`systemMessage` and `additionalContext`, and Codex refuses an answer that holds any other. None is
handed more than it takes whole: no budget allows for that, in UTF-16 units or in bytes.
"""

from recollect import typed

CLAUDE_CODE = "claude-code"


class Dialect:
    """How one host differs."""

    __slots__ = (
        *("begins_with_a_prompt", "end_of_payload", "folder", "names"),
        *("signs_of_failure", "takes_failure_context"),
    )

    def __init__(
        self,
        *,
        folder: str = "",
        names: dict[str, str] | None = None,
        begins_with_a_prompt: bool = False,
        takes_failure_context: bool = True,
        signs_of_failure: tuple[bytes, ...] = (),
        end_of_payload: int = 0,
    ) -> None:
        # The variable that names the folder of a session, wherever a `cd` has led since.
        self.folder = folder
        # What the host calls an event in the answer to it.
        self.names = names or {}
        # As a session begins its agent is given nothing: what it should know comes with the
        # first prompt.
        self.begins_with_a_prompt = begins_with_a_prompt
        # Whether the agent is handed anything when a tool fails; else it would be taken for shown.
        self.takes_failure_context = takes_failure_context
        # Words in the payload of a tool that may have failed, where the host tells of that as of
        # any other call; the worker looks more closely. None are looked for where it has an event
        # of its own.
        self.signs_of_failure = signs_of_failure
        # So many bytes are searched for them; 0 for all.
        self.end_of_payload = end_of_payload

    def may_have_failed(self, payload: bytes) -> bool:
        """Tell whether the tool call that *payload* tells of may have failed."""
        end = payload[-self.end_of_payload :].lower() if self.signs_of_failure else b""
        return any(sign in end for sign in self.signs_of_failure)


# A plugin of ours hands over our own events.
PLAIN = Dialect()

DIALECTS = {
    CLAUDE_CODE: Dialect(folder="CLAUDE_PROJECT_DIR"),
    # It does not say that a call has failed: its output ends with an error, and little stands
    # behind that.
    "codex": Dialect(
        signs_of_failure=(
            *(b"error", b"exception", b"fault", b"errno", b"fatal", b"panic", b"fail", b"denied"),
            *(b"refused", b"cannot", b"can't", b"could not", b"not found", b"no such", b"time"),
            *(b"undefined", b"unexpected", b"invalid", b"killed", b"abort", b"conflict"),
            *(b"mismatch", b"not allowed", b"match", b"err!"),
        ),
        end_of_payload=4096,
    ),
    # When it resumes a session it drops messages that begin with what a hook said.
    "gemini-cli": Dialect(
        folder="GEMINI_PROJECT_DIR",
        names={
            "UserPromptSubmit": "BeforeAgent",
            "PostToolUse": "AfterTool",
            "Stop": "AfterAgent",
        },
        begins_with_a_prompt=True,
        signs_of_failure=(b"exit code: ", b'"error":'),
    ),
    "openclaw": Dialect(takes_failure_context=False),
    "opencode": PLAIN,
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
    fields = {"prompt": prompt, "prompt_id": event.get("prompt_id") or event.get("turn_id")}
    return {**event, **{key: value for key, value in fields.items() if value is not None}}
