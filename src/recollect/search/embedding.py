"""The embedder that the settings ask for: made on first use, shared, and left alone when it fails.

One per process, for all threads. Whoever asks for vectors of passages hears of every failure;
a question is simply answered by words while there is no vector for it.
"""

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from recollect.embedders import choose
from recollect.errors import EmbedderError
from recollect.store.contract.search import PassageWithoutVector, VectorStore

if TYPE_CHECKING:
    from recollect.embedders.protocol import Embedder, Vector

# After a failure the embedder rests so long, then twice as long, up to an hour.
FIRST_REST = 2.0
LONGEST_REST = 3600.0
# These do not pass by themselves; a changed setting makes a new embedder at once.
LASTING = ("missing", "refused", "broken")

# A long prompt takes the model longer than a hook can wait; what it is about stands at its
# beginning.
HURRIED_CHARACTERS = 300

# Passages that are embedded and kept in one go.
BATCH = 32

# Of a text with more letters than this from other scripts, the bundled model knows nothing.
MOST_FOREIGN = 0.3
SAMPLE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which embedder is wanted, as the settings say it."""

    kind: str = "minilm"
    model: str = ""
    url: str = ""
    key_file: str = ""
    may_send: bool = False


class Embeddings:
    """The embedders of one process, each made once."""

    def __init__(self) -> None:
        self._made: dict[Choice, Embedding] = {}
        self._lock = threading.Lock()

    def of(self, choice: Choice) -> "Embedding":
        """Return the embedder of *choice*."""
        with self._lock:
            return self._made.setdefault(choice, Embedding(choice))


class Embedding:
    """The embedder of a *choice*."""

    def __init__(self, choice: Choice) -> None:
        self.choice = choice
        self.trouble = ""
        """What is wrong, as long as it is."""
        self._lock = threading.Lock()
        self._aside = ThreadPoolExecutor(1, thread_name_prefix="question")
        self._embedder: Embedder | None = None
        self._is_warm = False
        self._rest = FIRST_REST
        self._rest_until = 0.0

    @property
    def is_wanted(self) -> bool:
        """Whether there is to be a search by meaning at all."""
        return self.choice.kind != "none"

    @property
    def is_a_server(self) -> bool:
        """Whether somebody else must be asked, who may take any time to answer."""
        return self.choice.kind == "openai"

    @property
    def is_resting(self) -> bool:
        """Whether it failed a moment ago and is not asked."""
        return time.monotonic() < self._rest_until

    @property
    def name(self) -> str:
        """The space its vectors live in. Raises `EmbedderError` when it cannot be made."""
        return self._made().name

    def warm(self) -> None:
        """Load what takes long to load here; nothing is sent anywhere. Raises `EmbedderError`."""
        if self.is_wanted and not self._is_warm and not self.is_a_server:
            self.check()

    def check(self) -> None:
        """Find out whether it works, by asking it. Raises `EmbedderError`."""
        if self.is_wanted:
            self._asked(lambda embedder: embedder.question("hello"))

    def question(self, text: str, *, patient: bool) -> "Vector | None":
        """Return the vector of a question; None when there is none now.

        Somebody who is not *patient* gets none rather than wait for a model to be loaded or
        for a server.
        """
        if not self.is_wanted or self.is_resting or not text.strip() or not self.reads(text):
            return None
        try:
            if not patient and (not self._is_warm or self.is_a_server):
                return None
            shortened = text if patient else text[:HURRIED_CHARACTERS]
            return self._asked(lambda embedder: embedder.question(shortened))
        except EmbedderError:
            return None

    def begin(self, text: str, *, patient: bool) -> "Callable[[], Vector | None]":
        """Begin with the vector of a question, beside whatever else is done; see `question`."""
        return self._aside.submit(self.question, text, patient=patient).result

    def reads(self, text: str) -> bool:
        """Tell whether the embedder understands what *text* is written in."""
        if self.choice.kind != "minilm" or text.isascii():
            return True
        letters = [character for character in text[:SAMPLE] if character.isalpha()]
        foreign = sum(1 for character in letters if ord(character) >= 0x250)
        return foreign <= MOST_FOREIGN * len(letters)

    def fill(
        self,
        vectors: VectorStore,
        *,
        without: Sequence[str] = (),
        enough: Callable[[], bool] = lambda: False,
        progress: Callable[[int], None] = lambda _: None,
    ) -> int:
        """Make the vectors that are missing, until it is *enough*; return how many passages.

        Nothing is made of the projects that are to do *without*.
        *progress* hears how many are done. Once all are there, they serve alone:
        those of an embedder that was used before go. Raises `EmbedderError`.
        """
        if not self.is_wanted or self.is_resting:
            return 0
        space = vectors.space(self.name, asdict(self.choice))
        done = 0
        while not enough():
            wanted = vectors.wanted(space, limit=BATCH, without=without)
            if not wanted:
                break
            self._fill(vectors, space, wanted)
            done += len(wanted)
            progress(done)
        serving = vectors.serving()
        if serving and serving[0] != space and not vectors.pending(space, without=without):
            vectors.serve(space)
        return done

    def _fill(self, vectors: VectorStore, space: int, wanted: list[PassageWithoutVector]) -> None:
        known = vectors.known(space, wanted)
        texts = {
            one.hash: one.text for one in wanted if one.hash not in known and self.reads(one.text)
        }
        made = self._asked(lambda embedder: embedder.documents(list(texts.values())))
        vectors.put(space, wanted, dict(zip(texts, made, strict=True)))

    def _made(self) -> "Embedder":
        with self._lock:
            if self._embedder is None:
                try:
                    made = choose.chosen(**asdict(self.choice))
                except EmbedderError as error:
                    self._failed(error)
                    raise
                assert made, "asked only when one is wanted"
                self._embedder = made
            return self._embedder

    def _asked(self, work: "Callable[[Embedder], Vector]") -> "Vector":
        embedder = self._made()
        try:
            found = work(embedder)
        except EmbedderError as error:
            self._failed(error)
            raise
        self.trouble = ""
        self._rest = FIRST_REST
        self._is_warm = True
        return found

    def _failed(self, error: EmbedderError) -> None:
        self.trouble = f"{error.message} ({error.hint})" if error.hint else error.message
        asked = min(error.retry_after or self._rest, LONGEST_REST)
        rest = LONGEST_REST if error.kind in LASTING else asked
        # Several machines that lost the same server shall not all come back at once.
        self._rest_until = time.monotonic() + rest * random.uniform(0.8, 1.2)  # noqa: S311
        self._rest = min(self._rest * 2, LONGEST_REST)
