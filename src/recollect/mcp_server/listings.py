"""What is the same for every session, ready to be sent: files beside this one, never parsed here.

They come with the package, so they are those of the version that reads them. Part of the pipe.
"""

from _json import encode_basestring_ascii as quoted

import recollect

# The newest is last; a client that wants one we do not know is offered that.
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
# Later ones have no batches, earlier ones none either.
WITH_BATCHES = "2025-03-26"

FILES = {
    "tools/list": "tools.json",
    "prompts/list": "prompts.json",
    "resources/templates/list": "templates.json",
}

_CAPABILITIES = (
    '{"prompts":{"listChanged":false},"resources":{"listChanged":false,"subscribe":false},'
    '"tools":{"listChanged":false}}'
)


def agreed(version: object) -> str:
    """Return the version of the protocol to speak with a client that asks for *version*.

    >>> agreed("2025-03-26"), agreed("1999-01-01")
    ('2025-03-26', '2025-11-25')
    """
    return version if isinstance(version, str) and version in VERSIONS else VERSIONS[-1]


def hello(version: str) -> bytes:
    """Return the result of `initialize`, in JSON, for that *version* of the protocol."""
    server = f'{{"name":"recollect","title":"Recollect","version":{quoted(recollect.__version__)}}}'
    instructions = quoted(_read("instructions.txt").decode())
    return (
        f'{{"protocolVersion":{quoted(version)},"capabilities":{_CAPABILITIES},'
        f'"serverInfo":{server},"instructions":{instructions}}}'
    ).encode()


def listed(method: str) -> bytes:
    """Return the result of *method*, one of `FILES`, in a line of JSON."""
    return b"".join(line.strip() for line in _read(FILES[method]).splitlines())


def _read(name: str) -> bytes:
    with open(f"{__file__.rpartition('/')[0]}/{name}", "rb") as file:
        return file.read()
