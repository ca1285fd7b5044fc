"""What every embedder must keep to, and a small one to test with."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from recollect.embedders.protocol import Embedder
from recollect.testing.texts import JUNK

if TYPE_CHECKING:
    from recollect.embedders.protocol import Vector, Vectors

# Vectors of one text may differ by so much in any number, since not every model computes the
# same when others are computed beside it.
TOLERANCE = 0.02

TEXTS = (
    "The orders page was slow because each row asked the database again.",
    "Renew the TLS certificate of the staging server before Friday.",
    "Bananas ripen faster in a paper bag.",
)


class EmbedderContract:
    """Each test is one promise of an embedder. A new one keeps them all or does not ship."""

    def make(self) -> Embedder:
        """Return the embedder to test; the same one each time, if it takes long to make."""
        raise NotImplementedError

    def test_01_each_text_gets_a_row(self) -> None:
        """1. There is a row for each text, as long as promised, of 32-bit numbers."""
        embedder = self.make()

        vectors = embedder.documents(TEXTS)

        assert vectors.shape == (len(TEXTS), embedder.dimensions)
        assert vectors.dtype == np.float32

    def test_02_a_question_gets_one_vector(self) -> None:
        """2. A question gets one vector, as long as a document's."""
        embedder = self.make()

        vector = embedder.question("Why is the orders page slow?")

        assert vector.shape == (embedder.dimensions,)
        assert vector.dtype == np.float32

    def test_03_vectors_are_of_unit_length(self) -> None:
        """3. All vectors are of unit length, so that a product is a cosine."""
        embedder = self.make()

        vectors = [*embedder.documents(TEXTS), embedder.question(TEXTS[0])]

        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)

    def test_04_the_order_is_kept(self) -> None:
        """4. The rows stand in the order of the texts, short and long ones mixed."""
        texts = ["short", TEXTS[0] * 5, TEXTS[1], "a", TEXTS[2] * 3] * 20
        embedder = self.make()

        vectors = embedder.documents(texts)

        for number, text in enumerate(texts[:5]):
            alone = embedder.documents([text])[0]
            assert int(np.argmax(vectors[:5] @ alone)) == number
            assert np.allclose(vectors[number::5], alone, atol=TOLERANCE)

    def test_05_a_vector_does_not_depend_on_what_stands_beside_the_text(self) -> None:
        """5. The same text gets the same vector, alone or among others, today and tomorrow."""
        embedder = self.make()

        alone = embedder.documents([TEXTS[0]])[0]
        among = embedder.documents([TEXTS[1] * 9, TEXTS[0], "", TEXTS[2]])[1]

        assert np.allclose(alone, among, atol=TOLERANCE)
        assert np.allclose(alone, self.make().documents([TEXTS[0]])[0], atol=TOLERANCE)

    def test_06_no_texts_get_no_rows(self) -> None:
        """6. No texts get no rows, which still have their length."""
        embedder = self.make()

        assert embedder.documents([]).shape == (0, embedder.dimensions)

    def test_07_an_empty_text_gets_a_vector(self) -> None:
        """7. A text of nothing, or of blanks, gets a vector like any other."""
        embedder = self.make()

        vectors = [*embedder.documents(["", " \n\t "]), embedder.question("")]

        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)

    def test_08_a_long_text_gets_a_vector(self) -> None:
        """8. A text of any length gets a vector; what it says first counts."""
        long = (TEXTS[0] + " ") * 150
        embedder = self.make()

        vectors = embedder.documents([long[:10_000], long * 20, TEXTS[2]])

        assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]

    def test_09_junk_gets_a_vector(self) -> None:
        """9. Whatever is in a text, it gets a vector and raises nothing."""
        embedder = self.make()

        vectors = [*embedder.documents(JUNK), *map(embedder.question, JUNK)]

        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)

    def test_10_the_name_stays(self) -> None:
        """10. Name and dimensions are the same before and after, and for a second one."""
        embedder = self.make()
        before = (embedder.name, embedder.dimensions, embedder.is_remote)

        embedder.documents(TEXTS)

        again = self.make()
        assert embedder.name.strip()
        assert (embedder.name, embedder.dimensions, embedder.is_remote) == before
        assert (again.name, again.dimensions, again.is_remote) == before

    def test_11_a_text_answers_itself(self) -> None:
        """11. Asked with the words of a document, that document lies closest."""
        embedder = self.make()
        documents = embedder.documents(TEXTS)

        for number, text in enumerate(TEXTS):
            assert int(np.argmax(documents @ embedder.question(text))) == number

    def test_12_what_means_the_same_lies_closer(self) -> None:
        """12. A question lies closer to what answers it than to what has nothing to do with it."""
        embedder = self.make()
        documents = embedder.documents(TEXTS)

        slow = documents @ embedder.question("Why does it take so long to list purchases?")
        ends = documents @ embedder.question("When does the HTTPS cert expire?")

        assert int(np.argmax(slow)) == 0
        assert int(np.argmax(ends)) == 1

    def test_13_two_threads_may_ask_at_once(self) -> None:
        """13. Threads that ask at the same time get what each would get alone."""
        embedder = self.make()
        alone = embedder.documents(TEXTS)

        with ThreadPoolExecutor(4) as threads:
            answers = list(threads.map(embedder.question, TEXTS * 8))

        for number, answer in enumerate(answers):
            assert int(np.argmax(alone @ answer)) == number % len(TEXTS)


class WordBag:
    """A small embedder to test with: each word points a way of its own, whatever its place.

    *meanings* says which words mean the same as others, and so point the same way.

    >>> bag = WordBag({"purchases": "orders"})
    >>> round(float(bag.question("slow orders") @ bag.question("purchases, slow")), 3)
    1.0
    """

    is_remote = False

    def __init__(
        self,
        meanings: Mapping[str, str] | None = None,
        *,
        name: str = "word-bag",
        dimensions: int = 512,
    ) -> None:
        self.name = name
        self.dimensions = dimensions
        self.asked: list[str] = []
        """The documents it was given, in order."""
        self._meanings = meanings or {}

    def documents(self, texts: Sequence[str]) -> "Vectors":
        """Return a row for each of *texts*."""
        self.asked += texts
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self.question(text)
        return rows

    def question(self, text: str) -> "Vector":
        """Return the vector of *text*."""
        vector = np.zeros(self.dimensions, np.float32)
        spaced = "".join(c if c.isalnum() else " " for c in text.lower())
        for word in spaced.split() or [""]:
            meant = self._meanings.get(word, word)
            name = blake2b(f"{self.name} {meant}".encode(errors="replace"), digest_size=8)
            vector[int.from_bytes(name.digest(), "big") % self.dimensions] += 1
        found: Vector = vector / np.linalg.norm(vector)
        return found
