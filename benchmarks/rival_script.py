"""Runs in an environment where memsearch is installed: index a folder with it, or search.

Its own models need a download, so it gets an embedder that costs nothing: what is measured is
all the rest.
"""

import asyncio
import sys

from memsearch import core

QUESTION = "orders page slow since the cache was added"


class Free:
    """An embedder of no use and no cost."""

    model_name = "free"
    dimension = 384
    batch_size = 256

    async def embed(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each of *texts* that differs from the others."""
        return [[hash(text) % 1000 / 1000, *[0.1] * (self.dimension - 1)] for text in texts]


def main(verb: str, folder: str, database: str) -> None:
    """Do what *verb* says with *folder*, in *database*."""
    core.get_provider = lambda *_, **__: Free()
    search = core.MemSearch(paths=[folder], milvus_uri=database)
    work = search.index() if verb == "index" else search.search(QUESTION, top_k=10)
    assert asyncio.run(work), "memsearch found nothing"
    search.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
