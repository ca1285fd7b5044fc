"""What a file was like: a short text that tells later whether it changed, and how much.

Two parts: a digest, which tells any change, and the file's lines folded into 256 bits (a
simhash), in which a small change turns few bits. So nothing but the two texts is needed to say
that a third of a file is new, neither git nor the old content.
"""

import math
import os
import stat
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

# More is data, not code that somebody wrote about.
LARGEST_FILE = 2 << 20

# A change across a whole repository says little of any one file.
MOST_FILES = 12

BITS = 256
DIGEST_BYTES = 8

# Each bit of a byte in 32 bits of its own, so that adding up large numbers counts 8 bits at once.
_SPREAD = [
    b"".join(int(byte >> bit & 1).to_bytes(4, "little") for bit in range(8)) for byte in range(256)
]


def of(path: Path) -> str:
    """Return the fingerprint of the file *path*; empty if there is none to be taken."""
    try:
        # A pipe that nobody writes to must not keep us waiting.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
                return ""
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError):
        return ""
    return of_content(content)


def of_those(names: Iterable[str], *, cwd: str, root: str) -> dict[str, str]:
    """Return the fingerprints of the files below *root* among *names*, by their path from there.

    A name that is no whole path is looked for in *cwd*.
    """
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        path = os.path.normpath(os.path.join(cwd or root, name))
        inside = path.startswith(root.rstrip("/") + "/") and path.isprintable()
        if inside and len(found) < MOST_FILES and (seen := of(Path(path))):
            found[os.path.relpath(path, root)] = seen
    return found


def of_content(content: bytes) -> str:
    r"""Return the fingerprint of *content*; of what is no text only the digest.

    >>> of_content(b"one\ntwo\n") == of_content(b"one\ntwo\n")
    True
    """
    digest = blake2b(content, digest_size=DIGEST_BYTES).hexdigest()
    lines = {line.strip() for line in content.split(b"\n")} - {b""}
    if b"\0" in content or not lines:
        return digest
    return f"{digest}-{_folded(lines):0{BITS // 4}x}"


def change(then: str, now: str) -> float:
    r"""Return how much of a file changed between two fingerprints, from 0 to 1, roughly.

    Where only a digest is known, any change counts as a whole.

    >>> change(of_content(b"one\ntwo"), of_content(b"  one\n\n  two\n"))
    0.0
    """
    if then == now:
        return 0.0
    _, _, before = then.partition("-")
    _, _, after = now.partition("-")
    if not before or not after:
        return 1.0
    differing = (int(before, 16) ^ int(after, 16)).bit_count() / BITS
    # The angle between two sets of lines is the share of bits in which they differ.
    return round(max(0.0, 1.0 - math.cos(math.pi * min(differing, 0.5))), 2)


def _folded(lines: Iterable[bytes]) -> int:
    """Return, bit for bit, what most of the *lines* have in their digests."""
    total = 0
    count = 0
    for line in lines:
        digest = blake2b(line, digest_size=BITS // 8).digest()
        total += int.from_bytes(b"".join(_SPREAD[byte] for byte in digest), "little")
        count += 1
    sums = total.to_bytes(4 * BITS, "little")
    folded = 0
    for bit in range(BITS):
        if 2 * int.from_bytes(sums[4 * bit : 4 * bit + 4], "little") > count:
            folded |= 1 << bit
    return folded
