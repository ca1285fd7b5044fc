"""Claude Code, as far as a hook must know it: which events matter, and which prompts."""

HOST = "claude-code"

ANSWERED = ("SessionStart", "UserPromptSubmit", "SubagentStart", "PreToolUse")

# A tool failed, or may have: a worker that runs is asked whether the error was met before.
MAY_HAVE_FAILED = ("PostToolUseFailure", "PostToolUse")

# There are many in a turn: none of them is worth a process in the background.
TOOL_CALLS = ("PreToolUse", *MAY_HAVE_FAILED)

# Answered only to who wants to hear what was captured.
TURN_ENDED = "Stop"

# A resumed or forked session still has what it was given when it began.
SPEAKING_SOURCES = ("startup", "clear", "compact")

FEWEST_WORDS = 3

# What the host itself types: a finished background task, a local command and its output.
MACHINE_PROMPTS = (
    "<task-notification",
    "<local-command-",
    "<command-name",
    "<command-message",
    "<bash-input",
    "<bash-stdout",
    "<bash-stderr",
    "<system-reminder",
    "<user-memory-input",
    "[Request interrupted",
    "Caveat: The messages below",
    "[recollect command]",
)


def is_question(prompt: str) -> bool:
    """Tell whether *prompt* is a person's, and says enough to search with.

    >>> is_question("why is the orders page slow?"), is_question("go on"), is_question("/compact")
    (True, False, False)
    >>> is_question("为什么慢"), is_question("<task-notification> a b c d")
    (True, False)
    """
    prompt = prompt.strip()
    if not prompt or is_typed_by_the_host(prompt):
        return False
    return count_words(prompt, up_to=FEWEST_WORDS) >= FEWEST_WORDS


def is_typed_by_the_host(prompt: str) -> bool:
    """Tell whether *prompt* is no person's words: a command, or what the host itself says.

    >>> is_typed_by_the_host("/compact"), is_typed_by_the_host("go on")
    (True, False)
    >>> is_typed_by_the_host("[recollect command] Answer")
    True
    """
    return is_command(prompt) or prompt.lstrip().startswith(MACHINE_PROMPTS)


def is_command(prompt: str) -> bool:
    """Tell whether *prompt* is a slash command; a path such as `/etc/hosts` is not.

    >>> is_command("/recollect:search orders"), is_command("/etc/hosts is wrong")
    (True, False)
    """
    first = prompt.split(maxsplit=1)[0] if prompt.strip() else ""
    return first.startswith("/") and "/" not in first[1:]


def count_words(text: str, *, up_to: int) -> int:
    """Count words, each CJK character as one, stopping at *up_to*."""
    count = 0
    for word in text.split():
        wide = sum(map(_is_cjk, word))
        count += wide or any(map(str.isalnum, word))
        if count >= up_to:
            break
    return count


def _is_cjk(character: str) -> bool:
    code = ord(character)
    return (
        0x3040 <= code <= 0x30FF
        or 0x3400 <= code <= 0x9FFF
        or 0xAC00 <= code <= 0xD7AF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
    )
