"""A question, and the memories that answer it: by words, by meaning, by name, or none."""

import os
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.config import Settings
from recollect.context.recall import POINTER_SHARE
from recollect.journal.model import LibraryItem
from recollect.search import score, wants
from recollect.search import search as searching
from recollect.search.query import Query
from recollect.search.search import Request, SearchResult, search
from recollect.search.wants import Wants
from recollect.store.sqlite.index import lookup
from recollect.testing import WordBag
from recollect.text import term_weights
from tests.builders.index import Shelf, ToVector, a_call, a_memory, a_turn, at_once
from tests.narrowing import not_none
from tests.unit.embedders.encoder import MINILM

SHOP, DIARY = "shop-1f", "diary-2e"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def results(
    shelf: Shelf,
    question: str | Query,
    *projects: str,
    embed: ToVector = lambda _: None,
    limit: int = 10,
    min_score: float = 0.5,
    **more: Any,
) -> list[SearchResult]:
    query = Query.plain(question) if isinstance(question, str) else question
    among = list(projects) or [SHOP]
    given: dict[str, Any] = {"projects": among} | more
    request = Request(query=query, limit=limit, min_score=min_score, **given)
    return search(shelf.index, request, embed=at_once(embed))


def found(shelf: Shelf, question: str | Query, *projects: str, **more: Any) -> list[str]:
    """The titles of what answers *question*, best first."""
    return [one.entry.title for one in results(shelf, question, *projects, **more)]


def asked(shelf: Shelf, question: str, **more: object) -> list[str]:
    """The same for somebody who types *question* into a search."""
    query = Query.read(question, now=NOW)
    return found(shelf, query, **{"min_score": 0.0, "rarer_than": 1.0} | more)


class TestSearching:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("The orders page is slow", "N+1 query, selectinload", day=1),
            a_memory("Bake a pumpkin cake", "needs cinnamon", day=2),
        )
        shelf.fill(DIARY, a_memory("The orders page of my diary", day=3))

    def test_finds_what_holds_the_question_and_nothing_else(self, shelf: Shelf) -> None:
        assert found(shelf, "why was the orders page slow?") == ["The orders page is slow"]
        assert found(shelf, "translate this greeting into Finnish") == []

    def test_looks_only_where_it_was_told_to(self, shelf: Shelf) -> None:
        assert found(shelf, "orders page", SHOP) == ["The orders page is slow"]
        assert found(shelf, "orders page", DIARY) == ["The orders page of my diary"]
        assert len(found(shelf, "orders page", SHOP, DIARY)) == 2
        assert found(shelf, "orders page", "nobody-00") == []

    def test_everywhere_means_every_project(self, shelf: Shelf) -> None:
        assert len(found(shelf, "orders page", projects=None)) == 2

    def test_nowhere_means_nothing(self, shelf: Shelf) -> None:
        assert found(shelf, "orders page", min_score=0.0, projects=[]) == []

    @pytest.mark.parametrize("question", ["", "  ", "?!", "what is it", "\0", '""'])
    def test_a_question_without_words_is_answered_with_nothing(
        self, shelf: Shelf, question: str
    ) -> None:
        assert found(shelf, question, min_score=0.0) == []
        assert asked(shelf, question) == []

    def test_at_most_so_many(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"tea {n}", f"cup {n}", day=n) for n in range(9)])

        assert len(found(shelf, "tea", limit=3, min_score=0.0)) == 3

    def test_of_equals_the_later_comes_first_however_many_there_are(self, shelf: Shelf) -> None:
        for begin in (0, -16_000):  # So long ago that no number tells their ages apart.
            shelf.fill(SHOP, *[a_memory("tea", f"{n:03}", day=begin - n) for n in range(120)])

            found = results(shelf, "tea", limit=3, min_score=0.0, rarer_than=1.0)

            assert [one.entry.body for one in found] == ["000", "001", "002"]

    def test_at_an_earlier_moment_what_came_later_is_not_known(self, shelf: Shelf) -> None:
        at = not_none(a_memory("The orders page is slow", day=1).at).timestamp()

        assert found(shelf, "orders page", SHOP, now=at - 3600) == []
        assert found(shelf, "orders page", SHOP, now=at) == ["The orders page is slow"]

    @pytest.mark.parametrize(
        ("hours", "known"), [(-26, ["Deploying"]), (0, ["Deploying"]), (-27, [])]
    )
    def test_what_was_written_by_hand_is_known_all_through_its_day(
        self, shelf: Shelf, hours: int, known: list[str]
    ) -> None:
        written = a_memory("Deploying", "The harbour crane is parked", day=5, kind="hand")
        shelf.fill(SHOP, written)
        assert written.at
        now = written.at.timestamp() + hours * 3600

        assert found(shelf, "harbour crane", now=now) == known

    def test_what_the_session_did_itself_is_left_out(self, shelf: Shelf) -> None:
        assert found(shelf, "orders page", asked_in="session-1") == []
        assert found(shelf, "orders page", asked_in="session-2")

    def test_unless_that_was_before_its_context_was_compacted(self, shelf: Shelf) -> None:
        at = a_memory("The orders page is slow", day=1).at
        assert at
        after = at.timestamp() + 1

        assert found(shelf, "orders page", asked_in="session-1", asked_since=after)
        assert not found(shelf, "orders page", asked_in="session-1", asked_since=after - 2)

    def test_a_file_that_changed_since_is_not_quoted(self, shelf: Shelf) -> None:
        os.utime(shelf.folder / "projects" / SHOP / "day.md")

        assert found(shelf, "orders page slow", min_score=0.0) == []

    def test_a_word_that_everybody_has_is_found_when_a_person_asks(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"tea {n}", f"cup {n}", day=n) for n in range(50)])

        assert found(shelf, "tea", min_score=0.0) == []
        assert found(shelf, "tea", min_score=0.0, rarer_than=1.0)

    def test_a_prompt_of_one_common_word_is_no_question(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, *[a_memory(f"tea {n}", f"cup {n}", day=n) for n in range(9)])

        assert found(shelf, "tea", min_score=0.0, least_weight=term_weights.LEAST_WEIGHT) == []
        assert found(shelf, "tea", min_score=0.0)

    def test_but_a_name_is(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("get_orders is slow"))

        assert found(shelf, "get_orders", least_weight=99.0) == ["get_orders is slow"]

    def test_what_is_shown_with_a_higher_bar_is_shown_with_a_lower_one_in_the_same_order(
        self, shelf: Shelf
    ) -> None:
        bag = WordBag()
        shelf.fill(SHOP, *[a_memory(f"tea {'mug ' * (n % 4)}{n}", day=n) for n in range(20)])
        shelf.embed(bag)

        everything = results(shelf, "tea mug 7", min_score=0.0, limit=99, embed=bag.question)
        for min_score in (0.1, 0.3, 0.5, 0.7):
            shown = found(shelf, "tea mug 7", min_score=min_score, limit=99, embed=bag.question)

            assert shown == [one.entry.title for one in everything if one.score >= min_score]

    @given(question=st.text(max_size=60))
    @settings(
        max_examples=60,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_any_question_is_answered(self, shelf: Shelf, question: str) -> None:
        for query in (Query.plain(question), Query.read(question, now=NOW)):
            assert all(0 < one.score <= 1 for one in results(shelf, query, limit=5, min_score=0.0))


class TestAgreement:
    """What a hook shows while no worker runs, the worker shows as well, or at least points at.

    The hook goes by words alone; the worker knows more, so it is surer or less sure.
    """

    WORDS = "orders page slow pumpkin cake cinnamon query deploy harbour crane zebra".split()

    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("The orders page is slow", "- **bugfix** N+1 query, selectinload", day=1),
            a_memory("Bake a pumpkin cake", "- **change** needs cinnamon", day=2),
            a_memory("Deploy the orders service", "- **change** harbour crane first", day=3),
            a_memory("The harbour", "- **discovery** slow boats", day=3),
            a_memory("Query the page", "- **change** of pumpkin prices", day=4),
            a_memory("Summary", "orders page", kind="summary", day=4),
        )
        shelf.fill(DIARY, a_memory("The orders page of my diary", day=3))

    def by_hook(
        self, shelf: Shelf, question: str, *, min_score: float, session: str = ""
    ) -> list[str]:
        connection = shelf.index.connection
        hits = lookup.recall(connection, SHOP, question, limit=9, bar=min_score, asked_in=session)
        return [hit.id for hit in hits]

    def by_worker(
        self, shelf: Shelf, question: str, *, min_score: float, session: str = ""
    ) -> list[str]:
        found = results(
            shelf,
            question,
            limit=9,
            min_score=min_score,
            asked_in=session,
            least_weight=term_weights.LEAST_WEIGHT,
            read_wants=lambda _: wants.UNKNOWN,
        )
        return [one.entry.id for one in found]

    @pytest.mark.parametrize(
        "question",
        [
            "orders page slow",
            "pumpkin zebra",
            "cinnamon query",
            "deploy the orders",
            "run it",
            "page",
            "?",
        ],
    )
    def test_agrees_with_the_hook_on_what_comes_first(self, shelf: Shelf, question: str) -> None:
        by_hook = self.by_hook(shelf, question, min_score=0.0)
        by_worker = self.by_worker(shelf, question, min_score=0.0)

        assert by_hook[:1] == by_worker[:1]

    @given(
        words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=8),
        session=st.sampled_from(["", "session-1", "session-3"]),
    )
    @settings(
        max_examples=60,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_whatever_is_asked(self, shelf: Shelf, words: list[str], session: str) -> None:
        min_score = Settings().recall_min_score
        question = " ".join(words)

        shown = self.by_hook(shelf, question, min_score=min_score, session=session)
        pointed_at = self.by_worker(
            shelf, question, min_score=min_score * POINTER_SHARE, session=session
        )

        assert set(shown) <= set(pointed_at)


class TestFilters:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory(
                "Slow orders page",
                "- **bugfix** N+1 query\n  - files: `src/orders/db.py` (modified)",
                day=1,
                turn="t1",
                session="abc-1",
            ),
            a_memory(
                "Cache the orders page",
                "- **decision** no cache yet\n  - files: `src/cache.py` (read)",
                day=10,
                turn="t2",
                session="abd-2",
            ),
            a_memory("Draft of the orders page", "by me", day=20, kind="hand", session=""),
        )
        shelf.tell(SHOP, a_turn("t1", answer="look at the tea pot", session="abc-1"))

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("orders type:bugfix", {"Slow"}),
            ("orders type:bugfix,decision", {"Slow", "Cache"}),
            ("orders -type:bugfix", {"Cache", "Draft"}),
            ("orders type:hand", {"Draft"}),
            ("orders type:entry", {"Slow", "Cache"}),
            ("orders file:db.py", {"Slow"}),
            ("orders file:src/", {"Slow", "Cache"}),
            ("orders file:orders/db.py", {"Slow"}),
            ("orders -file:db.py", {"Cache", "Draft"}),
            ("orders session:abc", {"Slow"}),
            ("orders session:ab", {"Slow", "Cache"}),
            ("orders after:2026-11-05", {"Cache", "Draft"}),
            ("orders before:2026-11-05", {"Slow"}),
            ("orders after:2026-11-05 before:2026-11-15", {"Cache"}),
            ("orders after:3w", {"Cache", "Draft"}),
            ("orders project:shop", {"Slow", "Cache", "Draft"}),
            ("orders project:diary", set()),
            ("orders -draft", {"Slow", "Cache"}),
            ("orders -draft -cache", {"Slow"}),
            ('orders "slow orders"', {"Slow"}),
            ('"ORDERS   page"', {"Slow", "Cache", "Draft"}),
            ('"tea pot"', {"Slow"}),
            ('orders -"orders page"', set()),
            ("orders -pot", {"Cache", "Draft"}),
            ("orders type:bugfix file:cache.py", set()),
        ],
    )
    def test_let_through_what_they_say(self, shelf: Shelf, query: str, expected: set[str]) -> None:
        assert {title.split()[0] for title in asked(shelf, query)} == expected

    @pytest.mark.parametrize(
        ("query", "expected"),
        [
            ("type:bugfix,decision", ["Cache", "Slow"]),
            ("after:2026-11-05", ["Draft", "Cache"]),
            ("-type:hand", ["Cache", "Slow"]),
            ("file:src/", ["Cache", "Slow"]),
            ("project:shop", ["Draft", "Cache", "Slow"]),
            ("project:diary", []),
        ],
    )
    def test_alone_show_the_newest_first(
        self, shelf: Shelf, query: str, expected: list[str]
    ) -> None:
        assert [title.split()[0] for title in asked(shelf, query)] == expected

    def test_alone_show_at_most_so_many(self, shelf: Shelf) -> None:
        assert asked(shelf, "type:entry", limit=1) == ["Cache the orders page"]

    def test_alone_look_in_every_project_in_one_order(self, shelf: Shelf) -> None:
        shelf.fill(DIARY, a_memory("Dear diary", day=15))

        assert [title.split()[0] for title in asked(shelf, "after:2026-11-05", projects=None)] == [
            "Draft",
            "Dear",
            "Cache",
        ]

    @pytest.mark.parametrize(
        "query",
        [
            'orders "page',
            "orders type:nonsense page",
            "orders AND page OR",
            "(orders page",
            "orders: page*",
            "orders after:whenever page",
            'orders page """',
        ],
    )
    def test_what_cannot_be_read_is_plain_words(self, shelf: Shelf, query: str) -> None:
        assert len(asked(shelf, query)) == 3

    def test_of_many_the_few_that_pass_are_found(self, shelf: Shelf) -> None:
        """Only the best hundred were looked at, and a filter turned all of them away."""
        shelf.fill(
            SHOP,
            *[a_memory(f"orders page {n}", f"note {n}", day=n) for n in range(150)],
            a_memory("deploy the orders", "page of long ago " + "and more words " * 20, day=-30),
        )

        assert asked(shelf, "orders page before:2026-11-01") == ["deploy the orders"]

    def test_a_phrase_of_common_words_is_found(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("To be or not to be"), a_memory("Orders"))

        assert asked(shelf, '"to be or not"') == ["To be or not to be"]

    def test_beside_a_name_of_common_words_they_show_what_has_the_name(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("get_all is slow", "- **bugfix** paged", day=1),
            a_memory("Lunch", "- **bugfix** salted", day=2),
        )

        assert asked(shelf, "get_all type:bugfix") == ["get_all is slow"]

    def test_beside_common_words_alone_they_show_the_newest_first(self, shelf: Shelf) -> None:
        """Somebody asks "what did we do after:yesterday"."""
        assert [title.split()[0] for title in asked(shelf, "what did we do after:2026-11-05")] == [
            "Draft",
            "Cache",
        ]


class TestLegs:
    def test_what_stands_around_an_entry_decides_between_equals(self, shelf: Shelf) -> None:
        shelf.put(
            SHOP,
            "a.md",
            a_memory("Deploy", "went very well", day=9, session="one", id="h-far"),
            a_memory("Lunch", "soup", day=9, session="one"),
        )
        shelf.put(
            SHOP,
            "b.md",
            a_memory("Deploy", "turned out fine", day=5, session="two", id="h-near"),
            a_memory("The harbour crane", "must be parked", day=5, session="two"),
        )
        shelf.sync(SHOP)

        ids = [
            one.entry.id for one in results(shelf, "deploy with the harbour crane", min_score=0.0)
        ]

        assert ids.index("h-near") < ids.index("h-far")

    def test_what_was_said_in_its_turn_leads_to_an_entry_and_is_quoted(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Go on", session="s", turn="t1"), a_memory("Lunch", day=2))
        shelf.tell(SHOP, a_turn("t1", "go on", answer="Park the harbour crane.", session="s"))

        (one,) = results(shelf, "harbour crane")

        assert one.entry.title == "Go on"
        assert one.passages[0].passage.text == "Park the harbour crane."
        assert one.passages[0].passage.part == "said"

    def test_the_passages_come_best_first_and_the_request_is_none_of_them(
        self, shelf: Shelf
    ) -> None:
        answer = "## Crane\nThe harbour crane is parked.\n\n## Lunch\nThere was soup."
        turn = a_turn("t1", "where is the harbour crane?", answer=answer, session="s")
        shelf.fill(SHOP, a_memory("Crane parked", session="s", turn="t1"))
        shelf.tell(SHOP, turn)

        (one,) = results(shelf, "harbour crane", min_score=0.0)

        assert [found.passage.text for found in one.passages] == [
            "Crane:\nThe harbour crane is parked.",
            "Lunch:\nThere was soup.",
        ]
        ranks = [found.rank for found in one.passages]
        assert ranks == sorted(ranks, reverse=True)
        assert ranks[0] == one.rank

    def test_a_request_speaks_for_what_was_answered(self, shelf: Shelf) -> None:
        for n, request in enumerate(("what of the boat?", "what of the harbour crane?")):
            turn = a_turn("t", request, answer="It is parked beside the shed.", session=f"s{n}")
            shelf.tell(SHOP, turn)
        shelf.fill(
            SHOP,
            a_memory("Parked one", session="s0", turn="t", day=9),
            a_memory("Parked two", session="s1", turn="t", day=1),
        )

        first, *_ = results(shelf, "harbour crane parked", min_score=0.0)

        assert first.entry.title == "Parked two"
        assert first.passages[0].passage.text == "It is parked beside the shed."

    def test_what_was_asked_and_never_answered_leads_nowhere(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Go on", session="s", turn="t1"))
        shelf.tell(SHOP, a_turn("t1", prompt="where is the harbour crane?", session="s"))

        assert found(shelf, "where is the harbour crane?", min_score=0.0) == []

    def test_beside_the_report_of_its_turn_the_line_of_an_entry_says_nothing_new(
        self, shelf: Shelf
    ) -> None:
        said = "Park the harbour crane"
        shelf.fill(SHOP, a_memory(said, session="s", turn="t1"))
        shelf.tell(SHOP, a_turn("t1", answer=said, session="s"))

        (one,) = results(shelf, "park harbour crane")

        assert [found.passage.part for found in one.passages] == ["said"]

    def test_a_line_of_an_entry_that_says_more_than_the_report_is_kept(self, shelf: Shelf) -> None:
        body = "- **decision** Ask Mia before the crane is moved on Sundays"
        shelf.fill(SHOP, a_memory("Crane", body, session="s", turn="t1"))
        shelf.tell(SHOP, a_turn("t1", answer="The harbour crane is parked.", session="s"))

        (one,) = results(shelf, "harbour crane", min_score=0.0)

        assert {found.passage.part for found in one.passages} == {"said", "own"}

    def test_what_an_entry_says_itself_and_what_its_turn_says_are_found_alike(
        self, shelf: Shelf
    ) -> None:
        shelf.fill(
            SHOP,
            a_memory("Park the harbour crane", day=1),
            a_memory("Go on", session="s", turn="t1", day=1),
        )
        shelf.tell(SHOP, a_turn("t1", answer="park the harbour crane", session="s"))

        assert set(found(shelf, "park harbour crane")) == {"Park the harbour crane", "Go on"}

    def test_what_was_done_decides_between_equals(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Migration", "of the prices one", session="s", turn="t1", day=1),
            a_memory("Migration", "of the prices two", session="t", turn="t2", day=9),
        )
        shelf.tell(
            SHOP, a_turn("t1", session="s", tools=(a_call("Bash", command="alembic upgrade"),))
        )

        bodies = [
            one.entry.body for one in results(shelf, "alembic migration prices", min_score=0.0)
        ]

        assert bodies[0] == "of the prices one"

    def test_what_means_the_same_is_found_without_a_word_in_common(self, shelf: Shelf) -> None:
        bag = WordBag({"purchases": "orders", "sluggish": "slow"})
        shelf.fill(SHOP, a_memory("Orders slow", day=1), a_memory("Pumpkin cake", day=2))
        shelf.embed(bag)

        by_meaning = found(shelf, "purchases sluggish", embed=bag.question)

        assert by_meaning == ["Orders slow"]
        assert found(shelf, "purchases sluggish") == []

    def test_the_bundled_model_finds_what_nobody_spelled_out(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("N+1 query in the listing fixed", "the database was asked once a row", day=1),
            a_memory("TLS certificate renewed on staging", day=2),
            a_memory("Pumpkin cake for the office party", day=3),
        )
        shelf.embed(MINILM)

        question = "Why did the HTTPS cert of the test server expire?"
        first, *_ = found(shelf, question, embed=MINILM.question, min_score=0.0)

        assert first == "TLS certificate renewed on staging"

    @pytest.mark.parametrize(
        ("question", "embedded"),
        [
            ("does Anna like tea7", "does like tea7"),
            ("does anna like tea7", "does anna like tea7"),
            ("who is Anna", "who is Anna"),
            ("does Berta like tea7", "does Berta like tea7"),
        ],
    )
    def test_a_proper_name_that_everybody_has_does_not_draw_the_meaning_to_it(
        self, shelf: Shelf, question: str, embedded: str
    ) -> None:
        """Where everybody is called Anna, what is about nothing but Anna lay nearest."""
        given: list[str] = []
        shelf.fill(SHOP, *[a_memory(f"Anna tea{n}", day=n) for n in range(60)])

        def embed(text: str) -> None:
            given.append(text)

        found(shelf, question, embed=embed)

        assert given == [embedded]

    def test_without_a_vector_for_the_question_words_answer(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Orders slow"))
        shelf.embed(WordBag())

        (one,) = results(shelf, "orders slow", embed=lambda _: None)

        assert not one.signals.is_compared

    def test_an_entry_without_a_vector_is_found_by_its_words_beside_others(
        self, shelf: Shelf
    ) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("harbour crane parked", day=1))
        shelf.embed(bag)
        shelf.put(SHOP, "later.md", a_memory("harbour crane moved", day=2))
        shelf.sync(SHOP)

        both = found(shelf, "harbour crane", embed=bag.question, min_score=0.0)

        assert set(both) == {"harbour crane parked", "harbour crane moved"}


class TestNames:
    def test_a_name_is_found_before_everything_that_only_resembles_it(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("ORD-10421 refund rounding", "the refund of ORD-10421 was rounded", day=9),
            a_memory("Refund", "see ORD-1042", day=1),
            a_memory("FORD-1042 refund rounding", day=8),
        )

        assert found(shelf, "refund of ORD-1042", min_score=0.0)[0] == "Refund"

    NONSENSE = pytest.mark.parametrize(
        "question", ["ORD-9999", "why does ORD-9999 fail?", "get_invoices_v9", "look at #98765"]
    )

    @NONSENSE
    @pytest.mark.parametrize("embed", [MINILM.question, lambda _: None], ids=["near", "words"])
    def test_a_code_that_nobody_has_is_answered_with_nothing(
        self, shelf: Shelf, question: str, embed: ToVector
    ) -> None:
        shelf.fill(
            SHOP,
            a_memory("Refund the customer of ORD-1042", "the second payment was a mistake", day=1),
            a_memory("get_orders is slow", "an N+1 query asked for each row again", day=2),
            a_memory("Deliver ORD-1043 again", "the parcel came back, see #1234", day=3),
        )
        shelf.embed(MINILM)

        assert found(shelf, question, min_score=0.5, embed=embed) == []

    def test_however_short_the_memories_of_other_codes_are(self, shelf: Shelf) -> None:
        """A vector sees that two codes look alike, not that they are two."""
        shelf.fill(SHOP, a_memory("ORD-1043 too", day=1), a_memory("ORD-1042", day=2))
        shelf.embed(MINILM)

        assert found(shelf, "ORD-9999", min_score=0.5, embed=MINILM.question) == []

    def test_a_file_that_was_named_decides_between_equals(self, shelf: Shelf) -> None:
        about = "- **change** prices\n  - files: `{}` (modified)"
        shelf.fill(
            SHOP,
            a_memory("Prices in cents", about.format("src/orders/db.py"), day=1),
            a_memory("Prices in euro", about.format("src/orders/db_old.py"), day=9),
        )

        (first, *_) = results(shelf, "prices in src/orders/db.py", min_score=0.0)

        assert first.entry.title == "Prices in cents"
        assert first.circumstances.same_files

    SHAPES = st.one_of(
        st.from_regex(r"[A-Z]{2,4}-[0-9]{2,5}", fullmatch=True),
        st.from_regex(r"[a-z]{3,7}_[a-z]{3,7}", fullmatch=True),
        st.from_regex(r"[a-z]{3,6}[A-Z][a-z]{3,6}", fullmatch=True),
        st.from_regex(r"src/[a-z]{2,6}/[a-z]{2,6}\.py", fullmatch=True),
        st.from_regex(r"[0-9a-f]{6}[0-9][a-f]", fullmatch=True),
        st.from_regex(r"#[0-9]{4,6}", fullmatch=True),
    )

    @given(
        name=SHAPES,
        place=st.sampled_from(["title", "body"]),
        words=st.lists(st.sampled_from(["refund", "rounding", "checkout"]), unique=True),
        with_vectors=st.booleans(),
    )
    @settings(
        max_examples=40,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    def test_whatever_it_is_called_the_exact_name_comes_first(
        self, shelf: Shelf, name: str, place: str, words: list[str], *, with_vectors: bool
    ) -> None:
        exact = a_memory(name) if place == "title" else a_memory("note", f"see {name}")
        near = [f"{name}7", f"{name}-b", f"x{name.lstrip('#')}", name[:-1]]
        shelf.fill(SHOP, exact, *self.all_about_it(near), *self.LUNCHES)
        bag = WordBag()
        shelf.embed(bag)
        embed: ToVector = bag.question if with_vectors else lambda _: None

        (first, *_) = results(shelf, " ".join([*words, name]), min_score=0.0, embed=embed)

        assert first.entry.id == exact.id

    @pytest.mark.parametrize("place", ["body", "turn"])
    def test_even_where_a_whole_session_was_about_those_that_resemble_it(
        self, shelf: Shelf, place: str
    ) -> None:
        body = "see ORD-1042" if place == "body" else ""
        exact = a_memory("note", body, session="s", turn="t1")
        near = ["ORD-10427", "ORD-1042-b", "FORD-1042", "ORD-104"]
        shelf.fill(SHOP, exact, *self.all_about_it(near, session="talk"), *self.LUNCHES)
        if place == "turn":
            shelf.tell(SHOP, a_turn("t1", answer="see ORD-1042", session="s"))
        bag = WordBag()
        shelf.embed(bag)

        question = "refund rounding checkout ORD-1042"
        (first, *_) = results(shelf, question, min_score=0.0, embed=bag.question)

        assert first.entry.id == exact.id

    LUNCHES = tuple(a_memory(f"lunch {n}", f"soup {n}", day=n) for n in range(5))

    def all_about_it(self, names: list[str], **changes: object) -> list[LibraryItem]:
        told = "refund rounding in the checkout"
        return [
            a_memory(f"{name} {told}", f"{told} of {name}", day=n, **changes)
            for n, name in enumerate(names, start=1)
        ]


class TestBetweenEquals:
    def test_what_the_user_corrected_comes_before_what_we_wrote(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Harbour crane", "parked by us", day=9),
            a_memory("Harbour crane", "parked by me", day=1, edited=True),
        )

        bodies = [one.entry.body for one in results(shelf, "harbour crane")]

        assert bodies == ["parked by me", "parked by us"]

    def test_also_when_they_corrected_it_in_their_own_words(self, shelf: Shelf) -> None:
        """What has none of our marks passed for a question that was never answered."""
        shelf.fill(
            SHOP,
            a_memory("Harbour crane", "- **change** parked by us", day=9),
            a_memory("Harbour crane", "parked by me", day=1, edited=True),
        )

        assert results(shelf, "harbour crane")[0].entry.body == "parked by me"

    def test_a_question_that_was_never_answered_comes_after_an_answer(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Where is the harbour crane parked", day=9),
            a_memory("Harbour crane", "- **change** parked beside the shed", day=1),
        )

        first = results(shelf, "where is the harbour crane parked?")[0]

        assert first.entry.title == "Harbour crane"

    def test_so_does_what_the_user_wrote(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Harbour crane", "parked by us", day=9),
            a_memory("Harbour crane", "parked by me", day=1, kind="hand", session=""),
        )

        assert results(shelf, "harbour crane")[0].entry.body == "parked by me"

    def test_that_of_the_same_branch_comes_first(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Harbour crane", "parked here", day=9, branch="main"),
            a_memory("Harbour crane", "parked there", day=1, branch="crane"),
        )

        def first(branch: str) -> str:
            return results(shelf, "harbour crane", branch=branch)[0].entry.body

        assert (first("crane"), first("main")) == ("parked there", "parked here")
        assert first("") == "parked here"

    def test_an_old_answer_is_still_the_answer(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Harbour crane", "parked", day=-9_000),
            *[a_memory(f"Tea {n}", "with a crane" if n == 3 else "", day=n) for n in range(9)],
        )

        assert found(shelf, "where is the harbour crane parked")[0] == "Harbour crane"

    def test_an_entry_without_a_time_can_be_the_answer(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Harbour crane", "parked", at=None))

        assert found(shelf, "harbour crane") == ["Harbour crane"]


class TestTwins:
    def test_what_says_the_same_is_shown_once_and_counted(self, shelf: Shelf) -> None:
        same = "Fix the flaky test of the checkout by waiting for the harbour crane to stop moving"
        shelf.fill(
            SHOP,
            *[a_memory(same, day=n, id=f"h-{n}") for n in range(4)],
            a_memory("Harbour crane", "bought", day=7),
        )

        shown = results(shelf, "harbour crane", min_score=0.0, rarer_than=1.0)

        assert {(one.entry.title, one.similar) for one in shown} == {
            (same, 3),
            ("Harbour crane", 0),
        }
        assert next(one.entry.id for one in shown if one.similar) == "h-3"

    def test_a_twin_takes_no_place_from_another_answer(self, shelf: Shelf) -> None:
        same = "Park the harbour crane beside the shed"
        shelf.fill(
            SHOP,
            *[a_memory(same, day=n, id=f"h-{n}") for n in range(30)],
            a_memory("Harbour crane", "bought", day=-7),
        )

        shown = found(shelf, "harbour crane", limit=2, min_score=0.0, rarer_than=1.0)

        assert sorted(shown) == ["Harbour crane", same]

    def test_what_differs_in_what_matters_is_no_twin(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Harbour crane moved north"), a_memory("Harbour crane sold"))

        assert len(found(shelf, "harbour crane", min_score=0.0)) == 2


class TestAsking:
    def test_entries_are_fetched_a_few_at_a_time_and_none_is_lost(
        self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(searching, "AT_A_TIME", 3)
        shelf.fill(SHOP, *[a_memory(f"tea {n} cup{n}", day=n) for n in range(20)])

        assert len(set(found(shelf, "tea", limit=50, min_score=0.0, rarer_than=1.0))) == 20

    def test_a_result_tells_why_it_was_found(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("The harbour crane of get_crane", day=1))
        shelf.embed(bag)

        (one,) = results(shelf, "harbour get_crane", embed=bag.question)

        assert one.matches.text_match == one.matches.neighbour_match == one.matches.named == 1.0
        assert one.signals.term_coverage == one.signals.named == one.signals.named_here == 1.0
        assert one.signals.is_compared
        assert one.signals.nearness == pytest.approx(3 / (4 * 4) ** 0.5, abs=0.3)
        bonus = one.matches.bonus(is_compared=True) + one.circumstances.bonus
        assert one.rank == pytest.approx(one.signals.score + bonus)

    def test_results_stand_in_the_order_of_their_scores(self, shelf: Shelf) -> None:
        bag = WordBag()
        shelf.fill(SHOP, *[a_memory(f"tea {'mug ' * (n % 4)}{n}", day=n) for n in range(20)])
        shelf.embed(bag)

        scores = [
            one.score for one in results(shelf, "tea mug 7", min_score=0.0, embed=bag.question)
        ]

        assert scores == sorted(scores, reverse=True)

    def test_a_prompt_that_wants_nothing_of_a_memory_is_answered_less_surely(
        self, shelf: Shelf
    ) -> None:
        bag = WordBag()
        shelf.fill(SHOP, a_memory("Park the harbour crane", "- **change** beside the shed"))
        shelf.embed(bag)

        def sure(wanted: Wants) -> float:
            (one,) = results(
                shelf,
                "harbour crane",
                min_score=0.0,
                embed=bag.question,
                read_wants=lambda _: wanted,
            )
            return one.score

        past = Wants(past=0.9, work=0.05, none=0.05)
        none = Wants(past=0.05, work=0.05, none=0.9)
        assert sure(none) < sure(wants.UNKNOWN) < sure(past)

    def test_what_is_compared_by_its_meaning_may_be_less_than_what_is_searched(
        self, shelf: Shelf
    ) -> None:
        given: list[str] = []
        shelf.fill(SHOP, a_memory("Harbour crane"))

        def embed(text: str) -> None:
            given.append(text)

        assert found(
            shelf, "why?\nharbour crane: E42 stuck", embed=embed, meaning="why?", min_score=0.0
        )
        assert given == ["why?"]

    def test_without_a_vector_the_words_tell_how_near_a_passage_probably_is(
        self, shelf: Shelf
    ) -> None:
        shelf.fill(SHOP, a_memory("Harbour crane"), a_memory("Harbour boat", day=1))

        near = {
            one.entry.title: one.signals.nearness
            for one in results(shelf, "harbour crane", min_score=0.0)
        }

        assert near["Harbour crane"] == pytest.approx(score.guessed_nearness(1.0))
        assert near["Harbour crane"] > near["Harbour boat"] > 0
