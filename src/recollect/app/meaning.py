"""Search by meaning, as far as this process has a model: vectors of questions and of passages."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from recollect.app.home import OpenHome
from recollect.errors import StoreError
from recollect.notes import rules
from recollect.search import wants
from recollect.search.embedding import Choice, Embedding, Embeddings
from recollect.search.search import no_vector
from recollect.search.wants import Wants

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector

# So much of a prompt is compared by its meaning: its beginning says what is wanted.
LONGEST_UNASKED = 600


class Meaning:
    """The embedder of one home; without *embeddings* a search goes by words alone."""

    def __init__(self, home: OpenHome, embeddings: Embeddings | None) -> None:
        self._home = home
        # Without them nothing heavy is loaded.
        self._embeddings = embeddings

    def warm(self) -> None:
        """Load what a search by meaning needs. Raises `EmbedderError`."""
        embedding = self._embedding()
        if embedding and not embedding.is_resting:
            embedding.warm()

    def check(self) -> None:
        """Find out whether the search by meaning works. Raises `EmbedderError`."""
        embedding = self._embedding()
        if embedding:
            embedding.check()

    def status(self) -> dict[str, object]:
        """Return how the search by meaning is."""
        try:
            pending = self.pending()
        except StoreError:  # The next look at the library makes the index anew.
            pending = 0
        return {
            "embedder": self.choice().kind,
            "embedder_trouble": self.trouble(),
            "pending": pending,
        }

    def trouble(self) -> str:
        """Return why there is no search by meaning; empty when there is."""
        embedding = self._embedding()
        return embedding.trouble if embedding else ""

    def pending(self) -> int:
        """Return how many passages can be found by their words, but not yet by their meaning."""
        choice = self.choice()
        if choice.kind == "none":
            return 0
        return self._home.index.vectors.pending_for(asdict(choice), without=self._excluded())

    def fill(
        self, progress: Callable[[int, int], None], *, enough: Callable[[], bool] = lambda: False
    ) -> int:
        """Make the vectors that are missing; return how many passages got one.

        *progress* hears how many are done, of how many. Raises `EmbedderError`.
        """
        embedding = self._embedding()
        if embedding is None or not embedding.is_wanted or embedding.is_resting:
            return 0
        total = self.pending()
        return embedding.fill(
            self._home.index.vectors,
            without=self._excluded(),
            enough=enough,
            progress=lambda done: progress(done, total),
        )

    def remarks(self) -> list[str]:
        """Return what a person should know about how a search was done."""
        wanted = self.choice()
        if wanted.kind == "none":
            return []
        if self._embeddings is None:
            return ["Keyword search only: no model was loaded."]
        serving = self._home.index.vectors.serving()
        is_new = serving is None or Choice(**serving[2]) == wanted
        if trouble := self.trouble():
            return [
                f"{'Keyword search only' if is_new else 'Search by the earlier vectors'}: {trouble}"
            ]
        pending = self.pending()
        if not pending:
            return []
        passages = "1 passage" if pending == 1 else f"{pending} passages"
        if is_new:
            return [f"{passages} can only be found by keywords so far; the worker is indexing."]
        return [f"Search by the earlier vectors, until the new ones have {passages} more."]

    def question(self, text: str, *, patient: bool) -> "Callable[[], Vector | None]":
        """Begin with the vector of a question in the space that serves, if there is one now."""
        serving = self._home.index.vectors.serving()
        wanted = self.choice()
        if self._embeddings is None or serving is None or wanted.kind == "none":
            return no_vector(text)
        choice = Choice(**serving[2])
        # The user has left it: its vectors may serve until others are made, but nothing more
        # is sent there.
        if choice.kind == "openai" and choice != wanted:
            return no_vector(text)
        # Nobody waits for the meaning of a whole log that was pasted into a prompt.
        asked = text if patient else text[:LONGEST_UNASKED]
        return self._embeddings.of(choice).begin(asked, patient=patient)

    def wants(self, vector: "Vector | None") -> Wants:
        """Tell what the prompt with this *vector* wants, where the encoder is the one we know."""
        serving = self._home.index.vectors.serving()
        is_known = serving is not None and Choice(**serving[2]).kind == wants.ENCODER
        return wants.UNKNOWN if vector is None or not is_known else wants.read(vector)

    def nearness(self, text: str, others: Mapping[str, str]) -> dict[str, float]:
        """Return how near *text* is to *others* in meaning; nothing without a model at hand."""
        embedding = self._embedding()
        if embedding is None or not others:
            return {}
        vectors = [embedding.question(one, patient=True) for one in (text, *others.values())]
        if any(vector is None for vector in vectors):
            return {}
        own, *rest = vectors
        return {name: float(own @ one) for name, one in zip(others, rest, strict=True)}  # type: ignore[operator]

    def sentence_vector(self, text: str) -> "Vector | None":
        """Return the bundled encoder's vector of *text*; None without it, or if it cannot read."""
        embedding = self._embedding()
        if embedding is None or embedding.choice.kind != rules.ENCODER:
            return None
        return embedding.question(text, patient=True)

    def choice(self) -> Choice:
        """Return the embedder that the settings ask for."""
        settings = self._home.settings()
        return Choice(
            kind=settings.embedder_kind,
            model=settings.embedder_model,
            url=settings.embedder_url,
            key_file=settings.embedder_key_file,
            may_send=settings.embedder_may_send,
        )

    def _embedding(self) -> Embedding | None:
        return self._embeddings.of(self.choice()) if self._embeddings else None

    def _excluded(self) -> list[str]:
        return [project.name for project in self._home.registry.all() if project.excluded]
