"""The embedder behind the settings: made late, left alone when it fails, never waited for."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, get_args

import numpy as np
import pytest

from recollect.errors import EmbedderError, Trouble
from recollect.search import embedding
from recollect.search.embedding import (
    FIRST_REST,
    LASTING,
    LONGEST_REST,
    Choice,
    Embedding,
    Embeddings,
)
from recollect.testing import WordBag
from tests.builders.index import Shelf, a_memory, embedding_with
from tests.unit.embedders.encoder import MINILM

SHOP = "shop-1f"


class Failing(WordBag):
    """An embedder that fails as often as there are `errors`, then works."""

    def __init__(self, *errors: EmbedderError) -> None:
        super().__init__()
        self.errors = list(errors)
        self.calls = 0

    def documents(self, texts: Sequence[str]) -> np.ndarray:
        self._perhaps_fail()
        return super().documents(texts)

    def question(self, text: str) -> np.ndarray:
        self._perhaps_fail()
        return super().question(text)

    def _perhaps_fail(self) -> None:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)


class Clock:
    """Stands still until it is told to go."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(embedding, "time", clock)
    return clock


def an_error(kind: Trouble, **more: Any) -> EmbedderError:
    return EmbedderError(f"server: {kind}", kind=kind, **more)


def rest_of(one: Embedding, clock: Clock) -> float:
    """For how long *one* rests from now on; its clock is there afterwards."""
    start = clock.now
    while one.is_resting:
        clock.now += 0.1
    return clock.now - start


def fails(call: Callable[[], object]) -> EmbedderError:
    with pytest.raises(EmbedderError) as raised:
        call()
    return raised.value


class TestResting:
    @pytest.mark.parametrize("kind", get_args(Trouble))
    def test_after_any_failure_it_is_not_asked_for_a_while(
        self, shelf: Shelf, clock: Clock, kind: Trouble
    ) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        failing = Failing(an_error(kind))
        one = embedding_with(failing)

        fails(lambda: one.fill(shelf.index.vectors))

        assert one.is_resting
        assert one.fill(shelf.index.vectors) == 0
        assert one.question("tea", patient=True) is None
        assert failing.calls == 1

    @pytest.mark.parametrize("kind", get_args(Trouble))
    def test_what_passes_by_itself_rests_shortly_and_what_does_not_an_hour(
        self, clock: Clock, kind: Trouble
    ) -> None:
        one = embedding_with(Failing(an_error(kind)))
        expected = LONGEST_REST if kind in LASTING else FIRST_REST

        fails(one.warm)

        assert rest_of(one, clock) == pytest.approx(expected, rel=0.25)

    def test_each_further_failure_doubles_the_rest_up_to_an_hour(self, clock: Clock) -> None:
        one = embedding_with(Failing(*[an_error("unreachable")] * 15))
        rests = []
        for _ in range(15):
            fails(one.warm)
            rests.append(rest_of(one, clock))

        expected = [min(FIRST_REST * 2**n, LONGEST_REST) for n in range(15)]
        assert rests == [pytest.approx(rest, rel=0.25) for rest in expected]

    def test_a_server_that_says_how_long_is_left_alone_that_long(self, clock: Clock) -> None:
        one = embedding_with(Failing(an_error("busy", retry_after=77.0)))

        fails(one.warm)

        assert rest_of(one, clock) == pytest.approx(77.0, rel=0.25)

    def test_after_a_success_the_next_rest_is_a_short_one_again(self, clock: Clock) -> None:
        failing = Failing(*[an_error("slow")] * 5)
        one = embedding_with(failing)
        for _ in range(5):
            fails(one.warm)
            rest_of(one, clock)
        one.warm()
        failing.errors = [an_error("slow")]

        one.question("tea", patient=True)

        assert rest_of(one, clock) == pytest.approx(FIRST_REST, rel=0.25)

    def test_what_was_embedded_before_a_failure_is_kept(self, shelf: Shelf, clock: Clock) -> None:
        shelf.fill(SHOP, *[a_memory(f"n{n}", day=n) for n in range(40)])
        failing = Failing()
        one = embedding_with(failing)

        def then_fail(_: int) -> None:
            failing.errors = [an_error("unreachable")]

        fails(lambda: one.fill(shelf.index.vectors, progress=then_fail))
        rest_of(one, clock)
        done = one.fill(shelf.index.vectors)

        assert done == 8
        assert len(failing.asked) == 40


class TestTrouble:
    def test_is_told_with_what_to_do_about_it(self, clock: Clock) -> None:
        one = embedding_with(Failing(an_error("refused", hint="Check the key.")))
        before = one.trouble

        fails(one.warm)

        assert (before, one.trouble) == ("", "server: refused (Check the key.)")

    def test_of_a_question_that_nobody_could_embed_is_told_too(self, clock: Clock) -> None:
        one = embedding_with(Failing(an_error("unreachable")))

        assert one.question("tea", patient=True) is None
        assert one.trouble == "server: unreachable"

    @pytest.mark.parametrize("how", ["warm", "question", "fill"])
    def test_is_over_after_a_success(self, shelf: Shelf, clock: Clock, how: str) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        one = embedding_with(Failing(an_error("slow")))
        fails(one.warm)
        rest_of(one, clock)

        ways: dict[str, Callable[[], object]] = {
            "warm": one.warm,
            "question": lambda: one.question("tea", patient=True),
            "fill": lambda: one.fill(shelf.index.vectors),
        }
        ways[how]()

        assert one.trouble == ""

    @pytest.mark.parametrize(
        "choice", [Choice(kind="openai"), Choice(kind="openai", model="m", url="https://x.invalid")]
    )
    def test_an_embedder_that_cannot_be_made_is_told_and_rests_too(
        self, shelf: Shelf, clock: Clock, choice: Choice
    ) -> None:
        """A worker with wrong settings tried every moment, and `status` showed nothing."""
        one = Embedding(choice)

        error = fails(lambda: one.fill(shelf.index.vectors))

        assert error.message in one.trouble
        assert one.is_resting


class TestQuestions:
    def test_somebody_impatient_gets_none_while_it_is_cold(self) -> None:
        failing = Failing()
        one = embedding_with(failing)

        assert one.question("tea", patient=False) is None
        assert failing.calls == 0

    def test_somebody_patient_waits_until_it_is_warm(self) -> None:
        one = embedding_with(Failing())

        assert one.question("tea", patient=True) is not None

    def test_once_warm_it_answers_everybody(self) -> None:
        one = embedding_with(Failing())
        one.warm()

        vector = one.question("tea", patient=False)

        assert vector is not None
        assert np.array_equal(vector, WordBag().question("tea"))

    def test_somebody_impatient_does_not_wait_for_a_server(self) -> None:
        one = embedding_with(Failing(), kind="openai")
        one.check()

        assert one.question("tea", patient=False) is None
        assert one.question("tea", patient=True) is not None

    @pytest.mark.parametrize("text", ["", "  \n"])
    def test_nothing_is_not_asked(self, text: str) -> None:
        failing = Failing()

        assert embedding_with(failing).question(text, patient=True) is None
        assert failing.calls == 0

    def test_no_failure_reaches_who_asks(self, clock: Clock) -> None:
        one = Embedding(Choice(kind="openai"))

        assert one.question("tea", patient=True) is None

    def test_nothing_is_sent_to_a_server_to_warm_it(self) -> None:
        failing = Failing()
        one = embedding_with(failing, kind="openai")

        one.warm()

        assert failing.calls == 0

    def test_it_is_asked_to_find_out_whether_it_works(self, clock: Clock) -> None:
        failing = Failing()
        one = embedding_with(failing, kind="openai")
        one.check()
        failing.errors = [an_error("unreachable")]

        fails(one.check)

        assert failing.calls == 2
        assert one.trouble

    def test_it_is_warmed_once(self) -> None:
        failing = Failing()
        one = embedding_with(failing)

        one.warm()
        one.warm()

        assert failing.calls == 1


class TestNone:
    def test_is_never_made_nor_asked(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        none = Embedding(Choice(kind="none"))

        none.warm()

        assert not none.is_wanted
        assert none.question("tea", patient=True) is None
        assert none.fill(shelf.index.vectors) == 0
        assert shelf.index.vectors.serving() is None


class TestWhatTheBundledModelReads:
    """It was made for English; of what it cannot read it makes vectors that mean nothing."""

    @pytest.mark.parametrize(
        "text",
        [
            "plain",
            "naïve café, Straße",
            "fix 缓存 in the orders page",
            "12345",
            "",
            "¿Qué? ¡Ñandú!",
        ],
    )
    def test_mostly_latin_letters(self, text: str) -> None:
        assert Embedding(Choice(kind="minilm")).reads(text)

    @pytest.mark.parametrize(
        "text", ["修复缓存的问题", "кеш заказов", "캐시를 지웠다", "キャッシュ bug", "שלום", "नमस्ते"]
    )
    def test_no_other_scripts(self, text: str) -> None:
        assert not Embedding(Choice(kind="minilm")).reads(text)
        assert Embedding(Choice(kind="openai")).reads(text)

    def test_what_it_cannot_read_gets_no_vector_and_is_not_asked_for_again(
        self, shelf: Shelf
    ) -> None:
        shelf.fill(SHOP, a_memory("修复缓存的问题"), a_memory("tea"))
        bag = WordBag()
        one = embedding_with(bag, kind="minilm")

        first, second = one.fill(shelf.index.vectors), one.fill(shelf.index.vectors)

        assert bag.asked == ["tea"]
        assert (first, second) == (2, 0)
        assert shelf.index.vectors.pending(1) == 0
        assert one.question("缓存", patient=True) is None

    def test_another_embedder_is_given_it_afterwards(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("修复缓存的问题"))
        embedding_with(WordBag(), kind="minilm").fill(shelf.index.vectors)
        bag = WordBag(name="multilingual")

        shelf.embed(bag)

        assert bag.asked == ["修复缓存的问题"]


class TestFilling:
    def test_tells_how_far_it_is_and_how_many_there_were(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"n{n}", day=n) for n in range(70)])
        heard: list[int] = []

        done = embedding_with(WordBag()).fill(shelf.index.vectors, progress=heard.append)

        assert (heard, done) == ([32, 64, 70], 70)

    def test_stops_when_it_is_enough_and_goes_on_later(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"n{n}", day=n) for n in range(40)])
        one = embedding_with(WordBag())
        enough = iter([False, True])

        first = one.fill(shelf.index.vectors, enough=lambda: next(enough))

        assert (first, one.fill(shelf.index.vectors)) == (32, 8)

    def test_remembers_which_settings_the_vectors_were_made_with(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))
        shelf.embed(WordBag(name="bag"))

        serving = shelf.index.vectors.serving()

        assert serving
        assert Choice(**serving[2]) == Choice(kind="fastembed", model="bag")
        assert shelf.index.vectors.pending_for(serving[2], without=()) == 0

    def test_settings_that_change_but_lead_to_the_same_space_are_remembered(
        self, shelf: Shelf
    ) -> None:
        """After another key file was set, questions went on with the old one, and everything
        was said to be pending."""
        shelf.fill(SHOP, a_memory("tea"))
        shelf.embed(WordBag(name="same"))
        choice = Choice(kind="openai", model="same", key_file="new.key")
        one = Embedding(choice)
        one._embedder = WordBag(name="same")

        one.fill(shelf.index.vectors)

        serving = shelf.index.vectors.serving()
        assert serving
        assert Choice(**serving[2]) == choice
        assert shelf.index.vectors.pending_for(serving[2], without=()) == 0

    def test_the_bundled_model_finds_what_means_the_same(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("The orders page was slow because each row asked the database again", day=1),
            a_memory("Renew the TLS certificate of the staging server", day=2),
            a_memory("Bananas ripen faster in a paper bag", day=3),
        )
        embedding_with(MINILM, kind="minilm").fill(shelf.index.vectors)

        slow = shelf.nearest(MINILM, "Why does it take so long to list purchases?")
        ends = shelf.nearest(MINILM, "When does the HTTPS cert expire?")

        assert next(iter(slow)).startswith("The orders page")
        assert next(iter(ends)).startswith("Renew the TLS")


class TestEmbeddings:
    def test_the_same_settings_have_the_same_embedder(self) -> None:
        embeddings = Embeddings()

        one = embeddings.of(Choice(kind="minilm"))

        assert embeddings.of(Choice(kind="minilm")) is one
        assert embeddings.of(Choice(kind="none")) is not one

    def test_making_one_costs_nothing_until_it_is_asked(self) -> None:
        Embeddings().of(Choice(kind="no such kind"))


def test_a_question_is_begun_beside_other_work(shelf: Shelf) -> None:
    may_go_on = threading.Event()

    class Thinking(WordBag):
        def question(self, text: str) -> np.ndarray:
            assert may_go_on.wait(10)
            return super().question(text)

    awaited = embedding_with(Thinking()).begin("orders", patient=True)
    may_go_on.set()  # Had it not been beside, nobody would have come here.

    assert np.array_equal(awaited(), WordBag().question("orders"))  # type: ignore[arg-type]


def test_a_question_that_fails_beside_has_no_vector() -> None:
    failing = embedding_with(Failing(EmbedderError("gone", kind="unreachable")))

    assert failing.begin("orders", patient=True)() is None
    assert "gone" in failing.trouble
