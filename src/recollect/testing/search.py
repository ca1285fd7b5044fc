"""What every search must keep to, whatever keeps its index."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from recollect.embedders.protocol import Embedder
from recollect.journal.model import LibraryItem
from recollect.search.query import Query
from recollect.search.search import Request
from recollect.testing.embedders import WordBag
from recollect.testing.texts import JUNK
from recollect.transcripts.turns import ToolCall, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One memory that a search found."""

    id: str
    score: float
    """How likely it answers the question, 0–1."""
    passages: tuple[str, ...] = ()
    """What of it, or of the turn behind it, answers; the best first."""
    similar: int = 0
    """How many others that say the same were left out."""


class Searchable(Protocol):
    """What `SearchContract` asks of a backend: to be filled, and to be searched."""

    def put(
        self, project: str, memories: Sequence[LibraryItem], turns: Sequence[Turn] = ()
    ) -> None:
        """Make *memories*, and the *turns* behind them, all that is known of *project*.

        A memory and its turn have the same session and the same key of the turn.
        """

    def embed(self, embedder: Embedder) -> None:
        """Give everything its vectors, and let *embedder* read the questions from now on."""

    def search(self, request: Request) -> Sequence[Answer]:
        """Return what answers *request*, best first."""


SHOP, DIARY = "shop-1f", "diary-2e"
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
# What a person is shown who asks, and what an agent is shown unasked.
ASKED, UNASKED = 0.3, 0.5


class SearchContract:
    """Each test is one promise of a search. A new backend keeps them all or does not ship."""

    def make(self) -> Searchable:
        """Return the backend to test, with nothing in it."""
        raise NotImplementedError

    def test_01_what_holds_the_question_is_found(self) -> None:
        """1. A memory that holds the words of the question is found; one that has none is not."""
        search = _filled(self.make())

        assert _ids(search, "why was the orders page slow?") == ["orders"]

    def test_02_what_has_nothing_to_do_with_anything_finds_nothing(self) -> None:
        """2. A question that nothing answers is answered with nothing."""
        search = _filled(self.make())

        assert _ids(search, "translate this greeting into Finnish", min_score=UNASKED) == []
        assert _ids(search, "what should we do with it now?") == []

    def test_03_forms_case_and_accents_do_not_matter(self) -> None:
        """3. Endings, capitals and accents make no difference."""
        search = self.make()
        search.put(SHOP, [_kept("cafe", "Café opening hours", "naïve parsing of prices")])

        for question in ("CAFE OPENING HOURS", "cafés opened", "naive parsing, price"):
            assert _ids(search, question) == ["cafe"], question

    def test_04_scripts_without_spaces_are_found_by_their_words(self) -> None:
        """4. A word inside a sentence without spaces is found, and so is one with a particle."""
        search = self.make()
        search.put(
            SHOP,
            [
                _kept("zh", "今天修复了缓存的问题"),
                _kept("ja", "古いキャッシュを消した"),
                _kept("ko", "데이터베이스를 옮겼다"),
                _kept("en", "something else"),
            ],
        )

        found = {word: _ids(search, word) for word in ("缓存", "キャッシュ", "데이터베이스")}

        assert found == {"缓存": ["zh"], "キャッシュ": ["ja"], "데이터베이스": ["ko"]}

    def test_05_an_exact_name_comes_first(self) -> None:
        """5. A name, a code or a path comes before everything that only resembles it."""
        for name in ("ORD-1042", "get_orders", "src/orders/db.py", "HTTPServer2", "#1234"):
            search = self.make()
            near = (f"{name}7", f"{name}-b", f"x{name}", name[:-1])
            others = [
                _kept(f"near-{n}", f"{other} refund", f"refund of {other}", day=n, session="talk")
                for n, other in enumerate(near, start=1)
            ]
            exact = _kept("exact", "Note", session="s", turn="t1")
            search.put(SHOP, [exact, *others], [_turn("t1", f"see {name}")])
            search.embed(WordBag())

            assert _ids(search, f"refund {name}", min_score=0.0)[0] == "exact", name

    def test_06_a_code_that_nobody_has_finds_nothing(self) -> None:
        """6. A code that stands nowhere is not answered with others that look like it."""
        search = self.make()
        search.put(SHOP, [_kept("42", "ORD-1042 refunded"), _kept("43", "ORD-1043 refunded")])

        assert _ids(search, "ORD-9999", min_score=ASKED) == []

    def test_07_what_was_said_in_its_turn_leads_to_a_memory(self) -> None:
        """7. A memory is found by what was said in its turn, and the passage is quoted."""
        search = _filled(self.make())

        (answer,) = _answers(search, "giraffe necktie", min_score=UNASKED)

        assert answer.id == "cake"
        assert "giraffe" in answer.passages[0]

    def test_08_a_changed_file_leads_to_a_memory(self) -> None:
        """8. A memory is found by the path of a file that its turn changed."""
        search = _filled(self.make())

        assert _ids(search, "src/billing/tax_rates.py", min_score=ASKED) == ["orders"]

    def test_09_what_stands_beside_it_decides_between_equals(self) -> None:
        """9. Of two that fit equally, the one whose session is about the question comes first."""
        search = self.make()
        search.put(
            SHOP,
            [
                _kept("far", "Deploy", "went very well", day=9, session="one"),
                _kept("lunch", "Lunch", "soup", day=9, session="one"),
                _kept("near", "Deploy", "turned out fine", day=5, session="two"),
                _kept("crane", "The harbour crane", "is parked", day=5, session="two"),
            ],
        )

        found = _ids(search, "deploy with the harbour crane", min_score=0.0)

        assert found.index("near") < found.index("far")

    def test_10_what_the_user_rewrote_hides_its_turn(self) -> None:
        """10. Of a memory that the user rewrote, the turn is no longer found."""
        search = _filled(self.make())
        memory = _kept("cake", "Bake a cake", session="s", turn="t2", edited=True)

        search.put(SHOP, [_ORDERS, memory], _TURNS)

        assert _ids(search, "giraffe necktie", min_score=0.0) == []

    def test_11_what_the_user_deleted_is_gone_with_its_turn(self) -> None:
        """11. A memory that is gone is not found, neither by itself nor by its turn."""
        search = _filled(self.make())

        search.put(SHOP, [_ORDERS], _TURNS)

        assert _ids(search, "pumpkin cake cinnamon", min_score=0.0) == []
        assert _ids(search, "giraffe necktie", min_score=0.0) == []

    def test_12_what_changed_is_found_as_it_is_now(self) -> None:
        """12. A memory that was changed is found by its new words, not by its old ones."""
        search = _filled(self.make())

        search.put(SHOP, [_kept("cake", "Repair the harbour crane")])

        assert _ids(search, "harbour crane") == ["cake"]
        assert _ids(search, "pumpkin cake", min_score=0.0) == []

    def test_13_only_the_projects_that_were_named_are_searched(self) -> None:
        """13. Nothing of another project is shown; None means all, and no project nothing."""
        search = _filled(self.make())
        search.put(DIARY, [_kept("diary", "The orders page of my diary")])

        found = {
            among: set(_ids(search, "orders page", projects=None if among is None else [*among]))
            for among in ((SHOP,), (DIARY,), (SHOP, DIARY), None, (), ("nobody-00",))
        }

        assert found == {
            (SHOP,): {"orders"},
            (DIARY,): {"diary"},
            (SHOP, DIARY): {"orders", "diary"},
            None: {"orders", "diary"},
            (): set(),
            ("nobody-00",): set(),
        }

    def test_14_filters_are_kept_to(self) -> None:
        """14. Only what all filters let through is shown, however well something else fits."""
        search = self.make()
        body = "- **{}** the orders page\n  - files: `{}` (modified)"
        search.put(
            SHOP,
            [
                _kept("bug", "Slow orders", body.format("bugfix", "src/db.py"), session="abc"),
                _kept("new", "Paged orders", body.format("feature", "src/page.py"), day=9),
                _kept("hand", "Draft of orders", "by me", day=20, kind="hand"),
            ],
        )

        for query, expected in (
            ("orders type:bugfix", {"bug"}),
            ("orders -type:bugfix", {"new", "hand"}),
            ("orders type:hand", {"hand"}),
            ("orders file:db.py", {"bug"}),
            ("orders session:ab", {"bug"}),
            ("orders after:2026-11-05", {"new", "hand"}),
            ("orders after:2026-11-05 before:2026-11-15", {"new"}),
            ("orders -draft", {"bug", "new"}),
            ('orders "the orders page"', {"bug", "new"}),
            ("orders project:shop", {"bug", "new", "hand"}),
            ("orders project:diary", set()),
        ):
            assert set(_ids(search, Query.read(query, now=_NOW), min_score=0.0)) == expected, query

    def test_15_filters_alone_show_the_newest_first(self) -> None:
        """15. Without any words, what the filters let through comes newest first."""
        search = self.make()
        search.put(SHOP, [_kept(f"m{day}", f"tea {day}", day=day) for day in (3, 1, 9, 5)])

        assert _ids(search, Query.read("after:2026-11-03", now=_NOW)) == ["m9", "m5", "m3"]
        assert _ids(search, Query.read("after:2026-11-03", now=_NOW), limit=1) == ["m9"]

    def test_16_the_bar_and_the_limit_are_kept_to(self) -> None:
        """16. A minimum score cuts off what is less likely, a limit what comes later."""
        search = self.make()
        colours = "red green blue white black".split()
        search.put(SHOP, [_kept(f"m{n}", f"tea {n}", " ".join(colours[: n + 1])) for n in range(5)])

        everything = _answers(search, "green blue white black", min_score=0.0)

        assert all(0 < answer.score <= 1 for answer in everything)
        for min_score in (0.1, 0.3, 0.5, 0.7, 0.9):
            expected = [answer.id for answer in everything if answer.score >= min_score]
            assert _ids(search, "green blue white black", min_score=min_score) == expected
        for limit in (1, 2, 3):
            shown = _ids(search, "green blue white black", min_score=0.0, limit=limit)
            assert shown == [answer.id for answer in everything][:limit]

    def test_17_what_says_the_same_is_shown_once(self) -> None:
        """17. Of memories that say the same, one is shown, which knows how many there are."""
        search = self.make()
        same = "Park the harbour crane beside the shed"
        twins = [_kept(f"twin{day}", same, day=day) for day in range(4)]
        search.put(SHOP, [*twins, _kept("bought", "Harbour crane", "bought today")])

        found = {
            answer.id: answer.similar for answer in _answers(search, "harbour crane", min_score=0.0)
        }

        assert found == {"twin3": 3, "bought": 0}

    def test_18_the_asking_session_is_not_told_what_it_did(self) -> None:
        """18. What the asking session did is left out, unless its context was compacted since."""
        search = _filled(self.make())
        did = NOON.timestamp()

        assert _ids(search, "orders page slow", asked_in="s") == []
        assert _ids(search, "orders page slow", asked_in="s", asked_since=did - 1) == []
        assert _ids(search, "orders page slow", asked_in="s", asked_since=did + 1) == ["orders"]

    def test_19_of_equals_the_later_comes_first(self) -> None:
        """19. Of memories that fit equally the later comes first, each time."""
        for begin in (0, -16_000):  # So long ago that no number tells their ages apart.
            search = self.make()
            days = range(begin, begin + 9)
            search.put(SHOP, [_kept(f"m{day}", "tea", f"number {day}", day=day) for day in days])

            for _ in range(3):
                expected = [f"m{begin + later}" for later in (8, 7, 6)]
                assert _ids(search, "tea", min_score=0.0, limit=3) == expected

    def test_20_what_the_user_wrote_comes_before_what_we_wrote(self) -> None:
        """20. Of two that fit equally, the one that the user wrote or corrected comes first."""
        for changes in ({"edited": True}, {"kind": "hand", "session": ""}):
            search = self.make()
            ours = _kept("ours", "Harbour crane", "- **change** parked by us", day=9)
            search.put(
                SHOP, [ours, _kept("theirs", "Harbour crane", "was parked by me", **changes)]
            )

            assert _ids(search, "harbour crane") == ["theirs", "ours"]

    def test_21_an_old_answer_is_still_found(self) -> None:
        """21. Age never hides the answer."""
        search = self.make()
        newer = [_kept(f"m{day}", f"Tea {day}", day=day) for day in range(9)]
        search.put(SHOP, [_kept("old", "Harbour crane parked", day=-9_000), *newer])

        assert _ids(search, "harbour crane", min_score=UNASKED) == ["old"]

    def test_22_a_word_that_too_many_have_is_asked_for_only_on_request(self) -> None:
        """22. What every memory has tells nothing, and light questions may be left unanswered."""
        search = self.make()
        search.put(SHOP, [_kept(f"m{n}", f"tea {n}", f"cup {n}") for n in range(50)])

        assert _ids(search, "tea", min_score=0.0, rarer_than=0.25) == []
        assert _ids(search, "tea", min_score=0.0, rarer_than=1.0)
        assert _ids(search, "tea", min_score=0.0, rarer_than=1.0, least_weight=4.0) == []

    def test_23_what_means_the_same_is_found(self) -> None:
        """23. With vectors, a memory is found by its meaning, without a word in common."""
        search = self.make()
        search.put(SHOP, [_ORDERS, _CAKE])
        question = "purchases sluggish"
        before = _ids(search, question, min_score=UNASKED)

        search.embed(WordBag({"purchases": "orders", "sluggish": "slow", "page": "orders"}))

        assert (before, _ids(search, question, min_score=ASKED)) == ([], ["orders"])

    def test_24_another_embedder_takes_over(self) -> None:
        """24. After another embedder, of another size, has read everything, it answers alone."""
        search = self.make()
        search.put(SHOP, [_ORDERS, _CAKE])
        search.embed(WordBag({"sluggish": "slow", "purchases": "orders", "page": "orders"}))

        meanings = {"tart": "cake", "squash": "pumpkin", "bake": "cake"}
        search.embed(WordBag(meanings, name="other", dimensions=300))

        assert _ids(search, "purchases sluggish", min_score=ASKED) == []
        assert _ids(search, "squash tart", min_score=ASKED) == ["cake"]
        assert _ids(search, "orders page slow", min_score=UNASKED) == ["orders"]

    def test_25_with_vectors_words_and_names_are_found_as_before(self) -> None:
        """25. What is not embedded yet, or has no meaning to compare, is found by its words."""
        search = _filled(self.make())
        search.embed(WordBag())
        search.put(SHOP, [_ORDERS, _CAKE, _kept("later", "Harbour crane, see ORD-1042")], _TURNS)

        assert _ids(search, "harbour crane") == ["later"]
        assert _ids(search, "ORD-1042") == ["later"]
        assert _ids(search, "orders page slow", min_score=UNASKED) == ["orders"]

    def test_26_anything_can_be_kept(self) -> None:
        """26. Whatever stands in a memory and in its turn, it is kept, and those beside it."""
        for text in JUNK:
            search = self.make()
            odd = _kept("odd", f"harbour {text}", text, session="s", turn="t1", branch=text)
            turn = _turn(
                "t1", text, tools=(ToolCall(id="c", name="Bash", input={"command": text}),)
            )

            search.put(SHOP, [odd, _kept("plain", "crane driver")], [turn])

            assert _ids(search, "harbour", min_score=0.0) == ["odd"]
            assert _ids(search, "crane driver") == ["plain"]

    def test_27_anything_can_be_asked(self) -> None:
        """27. No question is an error, as typed by a person or said by a user."""
        search = _filled(self.make())
        typed = ('"', "*", "AND", "NEAR(", "title:tea", "(", "'; DROP TABLE x", "%", "\\", "-", "")
        for text in (*JUNK, *typed):
            for query in (Query.plain(text), Query.read(text, now=_NOW)):
                assert all(
                    0 < answer.score <= 1 for answer in _answers(search, query, min_score=0.0)
                )


_NOW = NOON + timedelta(days=60)


def _kept(id: str, title: str, body: str = "", *, day: float = 0, **changes: object) -> LibraryItem:  # noqa: A002
    given: dict[str, object] = {
        "kind": "entry",
        "at": NOON + timedelta(days=day),
        "session": f"session-{id}",
    }
    return LibraryItem(id=id, title=title, body=body, **(given | changes))  # type: ignore[arg-type]


def _turn(key: str, said: str, *, tools: tuple[ToolCall, ...] = ()) -> Turn:
    """Return a turn in which the agent *said* something."""
    return Turn(
        host="claude-code",
        session="s",
        key=key,
        prompt="go on",
        answer=said,
        tools=tools,
        started=NOON,
        ended=NOON,
    )


_ORDERS = _kept(
    "orders", "The orders page is slow", "- **bugfix** an N+1 query", session="s", turn="t1"
)
_CAKE = _kept(
    "cake", "Bake a pumpkin cake", "- **change** needs cinnamon", day=1, session="s", turn="t2"
)
_EDIT = ToolCall(id="c", name="Edit", input={"file_path": "/x/shop/src/billing/tax_rates.py"})
_TURNS = (_turn("t1", "look into it", tools=(_EDIT,)), _turn("t2", "a giraffe with a necktie"))


def _filled(search: Searchable) -> Searchable:
    """Return *search* with two memories, each with the turn behind it."""
    search.put(SHOP, [_ORDERS, _CAKE], _TURNS)
    return search


def _answers(search: Searchable, question: str | Query, **changes: object) -> Sequence[Answer]:
    query = Query.plain(question) if isinstance(question, str) else question
    given: dict[str, object] = {
        "query": query,
        "limit": 20,
        "min_score": ASKED,
        "projects": [SHOP],
        "rarer_than": 1.0,
    }
    return search.search(Request(**(given | changes)))  # type: ignore[arg-type]


def _ids(search: Searchable, question: str | Query, **changes: object) -> list[str]:
    return [answer.id for answer in _answers(search, question, **changes)]
