"""A real tokenizer of Claude, offline: the last one that was published.

It is the file that a pinned old release of `anthropic` carries; later models have others
that nobody outside can have. `python -m tests.client.tokenizer` fetches it and prints where it is.
"""

from pathlib import Path

from tokenizers import Tokenizer

from tests.client import bundled

SDK_VERSION = "0.38.0"  # of anthropic; the next one has no tokenizer any more


def tokenizer() -> Tokenizer:
    """The tokenizer; without one the test is skipped, or fails in CI."""
    try:
        return Tokenizer.from_file(str(fetch()))
    except bundled.MissingError as error:
        bundled.missing("tokenizer of Claude", error)


def fetch() -> Path:
    """The path of the tokenizer's file, downloaded unless it is in the cache already."""
    release = f"anthropic=={SDK_VERSION}"
    return bundled.fetch(release, "anthropic/tokenizer.json", into=f"tokenizer-{SDK_VERSION}")


if __name__ == "__main__":
    print(fetch())
