"""The legs of a search that go by words: each finds what only it can."""

from collections.abc import Iterable

import pytest

from recollect.store.contract.search import ByNames, ByWords
from recollect.store.name_places import IN_ENTRY, IN_PART, IN_TITLE, IN_TURN, MOST_NAMES
from tests.builders.index import Shelf, a_call, a_memory, a_turn

SHOP, DIARY, GAME = "shop-1f", "diary-2e", "game-3d"
LEGS = ("own", "around", "said", "done")


def by_words(
    shelf: Shelf, *words: str, projects: tuple[str, ...] = (SHOP,), limit: int = 10, apart: str = ""
) -> ByWords:
    scope = shelf.index.lexical.scope(projects)
    counts = shelf.index.lexical.frequencies(scope, list(words))
    return shelf.index.lexical.find(scope, words, counts, apart=apart.split(), limit=limit)


def by_names(shelf: Shelf, *names: str, projects: tuple[str, ...] = (SHOP,)) -> ByNames:
    return shelf.index.lexical.named(shelf.index.lexical.scope(projects), names)


def titled(shelf: Shelf, scores: object) -> dict[str, float]:
    """The titles of the entries in *scores*, which has their numbers."""
    assert isinstance(scores, dict)
    entries = shelf.index.by_keys(list(scores))
    return {entries[number].title: score for number, score in scores.items()}


def texts(shelf: Shelf, numbers: Iterable[int]) -> set[str]:
    """What the passages with these *numbers* say."""
    return {passage.text for passage in shelf.index.passages(list(numbers)).values()}


class TestScope:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea in the shop"), a_memory("cake"))
        shelf.fill(DIARY, a_memory("tea in the diary"))
        shelf.fill(GAME, a_memory("tea in the game"))

    def test_of_one_project_is_that_project(self, shelf: Shelf) -> None:
        assert titled(shelf, by_words(shelf, "tea").own).keys() == {"tea in the shop"}

    def test_of_several_is_those_and_no_other(self, shelf: Shelf) -> None:
        found = by_words(shelf, "tea", projects=(SHOP, GAME))

        assert titled(shelf, found.own).keys() == {"tea in the shop", "tea in the game"}
        assert texts(shelf, found.matched) == {"tea in the shop", "tea in the game"}

    def test_of_none_named_is_everything(self, shelf: Shelf) -> None:
        everything = shelf.index.lexical.scope(None)

        found = shelf.index.lexical.find(everything, ["tea"], {"tea": 3}, limit=10)

        assert len(found.own) == len(found.matched) == 3
        assert everything.size == 4
        assert shelf.index.lexical.frequencies(everything, ["tea", "cake"]) == {"tea": 3, "cake": 1}

    def test_of_an_empty_list_or_an_unknown_project_is_nothing(self, shelf: Shelf) -> None:
        for projects in ((), ("nobody-00",)):
            assert shelf.index.lexical.scope(projects).size == 0
            found = by_words(shelf, "tea", projects=projects)
            assert not any(getattr(found, name) for name in (*LEGS, "matched"))

    def test_an_unknown_project_beside_a_known_one_changes_nothing(self, shelf: Shelf) -> None:
        found = by_words(shelf, "tea", projects=("nobody-00", SHOP))

        assert found == by_words(shelf, "tea", projects=(SHOP,))

    def test_counts_add_up_over_projects(self, shelf: Shelf) -> None:
        scope = shelf.index.lexical.scope([SHOP, DIARY])

        assert scope.size == 3
        assert shelf.index.lexical.frequencies(scope, ["tea", "none"]) == {"tea": 2, "none": 0}


class TestLegs:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("Fix the page", "selectinload", session="s", turn="t1", day=1),
            a_memory("Park the crane", session="s", turn="t2", day=2),
            a_memory("Lunch", "soup", session="other", turn="t3", day=3),
            a_memory("Summary", "pudding", kind="summary", session="s", day=3),
        )
        edited = (a_call("Edit", file_path="/x/shop/src/orders/db.py"),)
        run = (a_call("Bash", command="alembic upgrade head"),)
        shelf.archive(
            SHOP,
            a_turn("t1", "the giraffe", answer="it was an N+1 query", session="s", tools=edited),
            a_turn("t2", "somewhere else", session="s", tools=run),
        )
        shelf.sync(SHOP)

    def test_each_finds_what_only_it_can(self, shelf: Shelf) -> None:
        for word, expected in (
            (
                "selectinload",
                {
                    "own": {"Fix the page"},
                    "said": {"Fix the page"},
                    "around": {"Fix the page", "Park the crane"},
                },
            ),
            ("giraffe", {"said": {"Fix the page"}}),
            ("db", {"done": {"Fix the page"}}),
            ("alembic", {"said": {"Park the crane"}, "done": {"Park the crane"}}),
        ):
            found = by_words(shelf, word)

            legs = {name: set(titled(shelf, getattr(found, name))) for name in LEGS}
            assert {name: titles for name, titles in legs.items() if titles} == expected, word

    def test_a_neighbour_of_another_session_does_not_count(self, shelf: Shelf) -> None:
        assert "Lunch" not in titled(shelf, by_words(shelf, "crane").around)

    def test_a_summary_is_found_by_none(self, shelf: Shelf) -> None:
        found = by_words(shelf, "pudding")

        assert not any(getattr(found, name) for name in LEGS)

    def test_the_title_counts_more_than_the_body(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP, a_memory("harbour", "notes of today"), a_memory("notes of today", "harbour")
        )

        own = titled(shelf, by_words(shelf, "harbour").own)

        assert own["harbour"] > own["notes of today"]

    def test_larger_is_better_and_best_comes_first(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("one harbour", "and a lot of other words beside it"),
            a_memory("two harbour harbour"),
        )

        scores = list(by_words(shelf, "harbour").own.values())

        assert scores == sorted(scores, reverse=True)
        assert scores[0] > 0

    def test_each_leg_gives_at_most_so_many_the_later_of_equals(self, shelf: Shelf) -> None:
        memories = [a_memory("harbour", f"{n:02}", day=n, turn="t") for n in range(20)]
        shelf.fill(SHOP, *memories)
        shelf.fill(DIARY, *[a_memory("harbour", f"{n:02}", day=n + 30) for n in range(20)])

        found = by_words(shelf, "harbour", projects=(SHOP, DIARY), limit=5)

        bodies = [entry.body for entry in shelf.index.by_keys(list(found.own)).values()]
        assert len(found.own) == len(found.around) == 5
        assert set(bodies) == {"15", "16", "17", "18", "19"}

    def test_a_day_is_found_by_its_name(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea", day=0), a_memory("cake", day=5))

        assert titled(shelf, by_words(shelf, "november", "6").own).keys() == {"tea", "cake"}
        assert next(iter(titled(shelf, by_words(shelf, "november", "6").own))) == "cake"
        assert titled(shelf, by_words(shelf, "friday").own).keys() == {"cake"}

    @pytest.mark.parametrize(
        ("word", "text"),
        [("缓存", "今天修复了缓存的问题"), ("캐시", "캐시를 지웠다"), ("キャ", "古いキャッシュ")],
    )
    def test_a_pair_inside_a_sentence_is_found_by_every_leg(
        self, shelf: Shelf, word: str, text: str
    ) -> None:
        shelf.fill(
            SHOP,
            a_memory("title", text, session="s", turn="t1", day=1),
            a_memory("beside", session="s", turn="t2", day=2),
        )
        shelf.tell(SHOP, a_turn("t2", answer=text, session="s"))

        found = by_words(shelf, word)

        assert titled(shelf, found.own).keys() == {"title"}
        assert titled(shelf, found.around).keys() == {"title", "beside"}
        assert "beside" in titled(shelf, found.said)


class TestShares:
    @pytest.fixture(autouse=True)
    def library(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("red green", session="s", turn="t1"), a_memory("red", day=2))
        answer = f"## One\ngreen blue {'x ' * 200}\n\n## Two\nyellow {'y ' * 200}"
        shelf.tell(SHOP, a_turn("t1", answer=answer, session="s"))

    def matched(self, shelf: Shelf, found: ByWords, *words: str) -> dict[str, set[str]]:
        """Which of *words* each passage has, by how it begins."""
        passages = shelf.index.passages(list(found.matched))
        return {
            " ".join(passages[key].text.split()[:3]): {
                word for bit, word in enumerate(words) if mask >> bit & 1
            }
            for key, mask in found.matched.items()
        }

    def test_are_of_each_passage(self, shelf: Shelf) -> None:
        words = ("green", "blue", "yellow", "zebra", "red")

        found = by_words(shelf, *words)

        assert self.matched(shelf, found, *words) == {
            "red green": {"red", "green"},
            "red": {"red"},
            "One: green blue": {"green", "blue"},
            "Two: yellow y": {"yellow"},
        }

    def test_a_word_that_stands_apart_is_looked_up_but_not_matched(self, shelf: Shelf) -> None:
        found = by_words(shelf, "red", "green", apart="green")

        assert self.matched(shelf, found, "red") == {"red green": {"red"}, "red": {"red"}}
        assert next(iter(titled(shelf, found.own))) == "red green"

    def test_a_member_of_a_kind_has_the_word_for_it_too(self, shelf: Shelf) -> None:
        scope = shelf.index.lexical.scope([SHOP])
        counts = shelf.index.lexical.frequencies(scope, ["colour", "red"])

        found = shelf.index.lexical.find(
            scope, ["red", "colour"], counts, members={"colour": ["green", "blue"]}, limit=10
        )

        assert self.matched(shelf, found, "red", "colour", "kind of colour") == {
            "red green": {"red", "colour", "kind of colour"},
            "red": {"red"},
            "One: green blue": {"colour", "kind of colour"},
        }

    def test_without_words_there_is_nothing(self, shelf: Shelf) -> None:
        assert by_words(shelf) == ByWords()


class TestNames:
    def test_stand_more_or_less_prominently(self, shelf: Shelf) -> None:
        shelf.fill(
            SHOP,
            a_memory("get_orders is slow", day=1),
            a_memory("Slow page", "see get_orders", day=2),
            a_memory("Behind it", session="s", turn="t1", day=3),
            a_memory("Another", "see get_orders_total", day=4),
            a_memory("Far behind", session="s", turn="t2", day=5),
            a_memory("Nothing of it", "orders", day=6),
        )
        shelf.archive(
            SHOP,
            a_turn("t1", answer="It is in get_orders.", session="s"),
            a_turn("t2", answer="It is in get_orders_total.", session="s"),
        )
        shelf.sync(SHOP)

        found = by_names(shelf, "get_orders")

        assert titled(shelf, found.prominence) == {
            "get_orders is slow": IN_TITLE,
            "Slow page": IN_ENTRY,
            "Behind it": IN_TURN,
            "Another": IN_PART,
            "Far behind": IN_PART / 2,
        }
        assert titled(shelf, found.share) == {
            "get_orders is slow": 1.0,
            "Slow page": 1.0,
            "Behind it": 1.0,
            "Another": 0.0,
            "Far behind": 0.0,
        }

    def test_stand_whole_in_some_of_the_passages(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Behind it", session="s", turn="t1"))
        answer = "## One\nIt is in get_orders.\n\n## Two\nNot in get_orders_total."
        shelf.tell(SHOP, a_turn("t1", answer=answer, session="s"))

        found = by_names(shelf, "get_orders", "get_orders_total")

        passages = shelf.index.passages(list(found.passages))
        shares = {passages[number].text: share for number, share in found.passages.items()}
        assert shares == {
            "One:\nIt is in get_orders.": 0.5,
            "Two:\nNot in get_orders_total.": 0.5,
        }

    @pytest.mark.parametrize(
        ("name", "other"),
        [
            ("ORD-1042", "ORD-10421"),
            ("ORD-1042", "FORD-1042"),
            ("ORD-1042", "ORD-1042-B"),
            ("get_orders", "get_orders2"),
            ("get_orders", "forget_orders"),
            ("v1.2.3", "v1.2.34"),
            ("E1101", "E11012"),
            ("#1234", "#12345"),
        ],
    )
    def test_inside_another_are_not_whole(self, shelf: Shelf, name: str, other: str) -> None:
        shelf.fill(SHOP, a_memory("near", f"see {other}"), a_memory("exact", f"see {name}."))

        found = by_names(shelf, name)

        assert titled(shelf, found.share)["exact"] == 1.0
        assert titled(shelf, found.prominence)["exact"] == IN_ENTRY
        assert titled(shelf, found.share).get("near", 0.0) == 0.0

    @pytest.mark.parametrize("name", ["src/orders/db.py", "db.py", "orders/db.py"])
    def test_are_found_inside_a_longer_path(self, shelf: Shelf, name: str) -> None:
        shelf.fill(SHOP, a_memory("Page", "- files: `shop/src/orders/db.py` (modified)"))

        assert titled(shelf, by_names(shelf, name).share) == {"Page": 1.0}

    def test_a_file_that_was_changed_leads_to_the_entry(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Page", session="s", turn="t1"))
        edit = a_call("Edit", file_path="/home/anna/shop/src/orders/db.py")
        shelf.tell(SHOP, a_turn("t1", "go on", session="s", tools=(edit,)))

        found = by_names(shelf, "src/orders/db.py")

        assert titled(shelf, found.prominence) == {"Page": IN_TURN}
        assert titled(shelf, found.share) == {"Page": 1.0}

    def test_case_does_not_matter(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("Raise ValueError"))

        assert titled(shelf, by_names(shelf, "VALUEERROR").prominence) == {
            "Raise ValueError": IN_TITLE
        }

    def test_of_several_an_entry_scores_by_the_mean(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("one_a and two_b"), a_memory("only one_a", day=1))

        found = by_names(shelf, "one_a", "two_b")

        assert titled(shelf, found.prominence) == {"one_a and two_b": 1.0, "only one_a": 0.5}
        assert titled(shelf, found.share) == {"one_a and two_b": 1.0, "only one_a": 0.5}

    def test_of_two_characters_are_not_looked_up(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("use v2"))

        assert by_names(shelf, "v2") == ByNames()

    def test_of_many_the_first_few_count(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("tea"))

        assert by_names(shelf, *(f"name_{n}" for n in range(50))).asked == tuple(
            f"name_{n}" for n in range(MOST_NAMES)
        )

    def test_of_another_project_are_not_found(self, shelf: Shelf) -> None:
        shelf.fill(SHOP, a_memory("shop get_orders"))
        shelf.fill(DIARY, a_memory("diary get_orders"))

        assert titled(shelf, by_names(shelf, "get_orders").prominence).keys() == {"shop get_orders"}
        both = by_names(shelf, "get_orders", projects=(SHOP, DIARY))
        assert titled(shelf, both.prominence).keys() == {"shop get_orders", "diary get_orders"}

    @pytest.mark.parametrize("name", ['a"b', "a'b_", "x*y_z", "(a_b", "a\\b.c", "NEAR_(", "^a_b$"])
    def test_no_character_in_them_means_anything(self, shelf: Shelf, name: str) -> None:
        shelf.fill(SHOP, a_memory("tea"))

        assert by_names(shelf, name).prominence == {}
