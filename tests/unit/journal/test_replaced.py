"""What a turn replaces, and which older pieces state it."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.journal import replaced
from recollect.journal.replaced import ReplacedValue
from recollect.transcripts.turns import ToolCall, Turn

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def a_turn(prompt: str = "", answer: str = "", *edits: tuple[str, str, str]) -> Turn:
    calls = tuple(
        ToolCall(
            id=f"t-{number}",
            name="Edit",
            input={"file_path": f"/shop/{path}", "old_string": old, "new_string": new},
        )
        for number, (path, old, new) in enumerate(edits)
    )
    return Turn(
        host="claude-code",
        session="s-1",
        key="k-1",
        prompt=prompt,
        answer=answer,
        tools=calls,
        started=NOON,
        ended=NOON,
        cwd="/shop",
    )


def told(turn: Turn) -> list[tuple[str, str]]:
    return [(one.old, one.new) for one in replaced.changes(turn)]


def only(turn: Turn) -> ReplacedValue:
    (one,) = (one for one in replaced.changes(turn))
    return one


class TestWhatATurnReplaces:
    def test_an_edit_shows_the_old_value_and_the_new_one(self) -> None:
        one = only(a_turn("", "", ("orders/list.py", "PAGE_SIZE = 50", "PAGE_SIZE = 20")))

        assert (one.old, one.new, one.name, one.file) == ("50", "20", "PAGE_SIZE", "orders/list.py")

    @pytest.mark.parametrize(
        ("said", "change"),
        [
            ("I took the debounce from 300 down to **120 ms** on both phones.", ("300", "120")),
            ("Frost limit: 2 → 3.5 °C.", ("2", "3.5")),
            ("Batches are **50 rows** per request instead of 200.", ("200", "50")),
            ("Link and code are valid for **45 minutes**, up from 15.", ("15", "45")),
            ("Index cache: sled replaced by redb", ("sled", "redb")),
            ("I replaced `cross` with **`cargo-zigbuild`** for both.", ("cross", "cargo-zigbuild")),
            ("Actually, let's use httpx instead of requests from now on.", ("requests", "httpx")),
            ("Let's switch from yarn to pnpm.", ("yarn", "pnpm")),
        ],
    )
    def test_a_sentence_says_what_was_replaced(self, said: str, change: tuple[str, str]) -> None:
        assert change in told(a_turn(answer=said))
        assert change in told(a_turn(prompt=said))

    @pytest.mark.parametrize(
        "said",
        ["It works.", "The page has 50 rows.", "I moved the file to the other folder.", ""],
    )
    def test_most_sentences_replace_nothing(self, said: str) -> None:
        assert told(a_turn(answer=said)) == []

    def test_a_rewritten_file_replaces_no_single_value(self) -> None:
        old = "\n".join(f"line_{n} = {n}" for n in range(60))
        new = "\n".join(f"row_{n} = {n + 1}" for n in range(60))

        assert told(a_turn("", "", ("a.py", old, new))) == []

    @given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=80), st.text(max_size=80))
    def test_no_text_breaks_it(self, prompt: str, answer: str, old: str, new: str) -> None:
        turn = a_turn(prompt, answer, ("a.py", f"{old}1", f"{new}2"))

        for change in replaced.changes(turn):
            assert replaced.outdated(change, f"{answer} {old}") is not None
            assert isinstance(replaced.spellings(change), list)


class TestWhatIsOutdated:
    GRACE = only(
        a_turn(
            "Please raise the prune grace period to three days",
            "Raised to **72 hours**.",
            ("src/prune.rs", "const GRACE: Duration = hours(24);", "GRACE: Duration = hours(72);"),
        )
    )

    def test_a_piece_that_states_the_old_value_of_the_same_matter(self) -> None:
        text = "**Grace period: 24 hours.** It has to exceed the longest backup."

        found = replaced.outdated(self.GRACE, text, is_same_file=True)

        assert found == ["**Grace period: 24 hours.**"]

    def test_not_a_number_of_something_else(self) -> None:
        assert replaced.outdated(self.GRACE, "The test takes 24 seconds.", is_same_file=True) == []
        assert replaced.outdated(self.GRACE, "24 hours of film fit onto it.") == []

    def test_not_a_piece_that_names_both_values(self) -> None:
        text = "The prune grace period went from 24 hours to 72 hours."

        assert replaced.outdated(self.GRACE, text, is_same_file=True) == []

    def test_seconds_in_code_are_minutes_in_words(self) -> None:
        change = only(
            a_turn(
                "",
                "Tickets for uploads are valid longer.",
                ("t.ex", "upload_ttl 600", "upload_ttl 86_400"),
            )
        )

        assert replaced.outdated(
            change, "An upload ticket (ttl) is valid for **10 minutes**.", is_same_file=True
        )

    @pytest.mark.parametrize(
        ("said", "change"),
        [
            ("Ten seconds is too short, use 30 seconds.", ("10", "30")),
            ("10 seconds is too short, use thirty seconds.", ("10", "30")),
        ],
    )
    def test_amounts_are_read_in_their_order(self, said: str, change: tuple[str, str]) -> None:
        assert told(a_turn(said)) == [change]

    def test_a_count_of_something_else_replaces_nothing(self) -> None:
        said = "The timeout of 30 seconds is too long. Two tests fail."

        assert told(a_turn(said)) == []

    def test_an_amount_that_is_written_out(self) -> None:
        change = only(
            a_turn(
                "be more patient with the till",
                "It gives up after the eighth attempt.",
                ("app/Push.php", "public int $attempts = 5;", "public int $attempts = 8;"),
            )
        )

        assert change.name == "attempts"
        assert replaced.outdated(
            change, "The push makes five attempts, a minute apart.", is_same_file=True
        )

    def test_a_thing_that_was_replaced_where_it_was_chosen(self) -> None:
        change = only(a_turn(answer="Index cache: sled replaced by redb"))

        assert replaced.outdated(change, "I chose **sled** for the local index cache.")
        assert replaced.outdated(change, "The sledge is in the shed.") == []

    @pytest.mark.parametrize(
        "said",
        [
            "Actually, let's use httpx instead of requests from now on",
            "let's switch from requests to httpx",
            "From now on we use httpx instead of requests, please.",
        ],
    )
    def test_a_thing_that_the_user_replaced_in_all_of_the_project(self, said: str) -> None:
        change = only(a_turn(said, "Understood: httpx it is."))

        assert replaced.outdated(change, "For the importer, use **requests**: it is there.")
        assert replaced.outdated(change, "The importer uses requests for all calls.")
        assert replaced.outdated(change, "I went with requests over `httpx` for its docs.")
        assert not replaced.outdated(change, "The server answers 40 requests per second.")
        assert not replaced.outdated(change, "We compared requests with httpx, and use `requests`.")

    @pytest.mark.parametrize(
        ("prompt", "answer"),
        [
            ("use httpx instead of requests in the upload client", "Done."),
            ("make the uploads faster", "I use httpx instead of requests now."),
        ],
    )
    def test_a_thing_that_was_replaced_in_one_place_only(self, prompt: str, answer: str) -> None:
        (change, *_) = replaced.changes(a_turn(prompt, answer))

        assert not replaced.outdated(change, "For the invoices, use **requests**: it is there.")
