"""What the user typed, in a prompt that a host has added to. Part of the hot path."""

# Around what a hook said, where Gemini CLI puts it in front of the user's words.
BEGIN, END = "<hook_context>", "</hook_context>"
# Behind them, what the files hold that they name; a line of its own.
FILES = "\n--- Content from referenced files ---"
# In an entry, in front of what the user typed.
ASKED = "asked: "


def words(prompt: str) -> str:
    r"""Return *prompt* without what a host put around the user's words.

    >>> words("<hook_context>tea</hook_context> Why?")
    'Why?'
    >>> words("See @a.md\n--- Content from referenced files ---\nAll of it.")
    'See @a.md'
    """
    while prompt.startswith(BEGIN) and END in prompt:
        prompt = prompt.partition(END)[2].lstrip()
    typed, mark, files = prompt.partition(FILES)
    return typed.rstrip() if mark and files[:1] in ("", "\n") else prompt
