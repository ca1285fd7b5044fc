"""A memory of a dozen short sessions answers what a person asks of it, and nothing else."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from recollect.app.recollect import Recollect, opened
from recollect.search.embedding import Embeddings
from recollect.search.report import SearchRequest
from tests.home import Home, repository
from tests.remembering import put, take_in

OVERVIEW = """\
I found it and it is fixed.

The overview asked the database once per customer for the last invoice, so a tenant with 1,200
customers caused 1,201 statements. I replaced that with one window query in `overview/repo.py`. On
the copy of the Hansen tenant the page went from 7.4 s to 310 ms, and the number of statements from
1,201 to 3. I also added an index on `invoices (customer_id, issued_at desc)`; building it took 48
seconds on staging. The template no longer formats dates one by one. All 214 tests pass.

What I left alone: the CSV export uses the same old repository method, so it is still slow; it only
matters above roughly 5,000 customers, and the largest tenant has 1,900.
"""
OUTBOX = """\
Outgoing mails go through a table in Postgres now (`outbox`), read by `mailer.py`.

We decided against RabbitMQ because nobody here wants to run another server for 400 mails a day, and
against Celery with Redis because a mail could be lost when Redis restarts. A mail is tried 5 times,
with pauses of 1, 5, 25 and 125 minutes.
"""
GREET = """\
Done: `greet.py` greets the name, and `--shout` prints it in capitals.

**Why `argparse` over `sys.argv`:**
- You get `--help` and error messages for free.
- The flag may stand before or after the name.

I went with argparse because the cost is negligible: the script starts in 30 ms either way.
"""
IGNORE_FILE = """\
`--ignore-file PATH` is in. It reads one glob a line, lines that begin with # are comments, and it
may be given several times. Without the option `.lintignore` is read if it exists.
"""
BILLING = """\
We chose Postgres over MySQL for the billing service because we need partial indexes and
transactional DDL. It runs on port 5433, since 5432 is taken by the old one.
"""
RUNBOOK = """\
Runbook for the test database:
1. `make db-drop`
2. `make db-create`
3. `make seed`
It takes about 40 seconds. Never run it against staging: the script checks the host name.
"""

SESSIONS = {
    "the customer overview is awfully slow for big tenants, please look into it": OVERVIEW,
    "Which queue do we take for the outgoing mails? Compare and decide, then build it.": OUTBOX,
    "write a small greet script that takes a name and an optional --shout flag": GREET,
    "our linter should have an --ignore-file option, build it": IGNORE_FILE,
    "From now on we use pnpm, never npm.": "Understood: pnpm from now on.",
    "We need a database for the new service. Postgres or MySQL?": BILLING,
    "write a runbook for resetting the test database": RUNBOOK,
    "which supplier delivers the lamps?": "I don't know; nothing in the repository says so.",
    "which printer is in the hall?": "ok",
    "rename the tests folder to spec": "Renamed `tests/` to `spec/`, also in `pyproject.toml`.",
    "update the dependencies": "Updated 14; `sqlalchemy` stays below 2.1 for the audit plugin.",
    "fix the flaky login test": "It failed when the clock passed a minute; time is frozen now.",
}

PASTED = """\
I get this when I run the checks in CI, what is going on?
```
$ lint --ignore-file ci/ignore.txt src
usage: lint [-h] [--fix] [--format {text,json}] paths [paths ...]
lint: error: unrecognized arguments: --ignore-file ci/ignore.txt
Error: Process completed with exit code 2.
```"""
QUOTING = """\
Please go over the feedback from "Anna" and "the support team" and tell me what we have already:
"customers say the mails come twice", "when does the system stop trying to send a mail?"
Also they would like "dark mode"."""


class Shop:
    """A folder in which the sessions were, and everything that remembers them."""

    def __init__(self, app: Recollect, folder: Path) -> None:
        self._app = app
        self._folder = folder

    def given(self, prompt: str) -> dict[str, Any]:
        """What *prompt* is given a day later, as `recollect context --json` tells it."""
        event: dict[str, object] = {
            "session_id": "asks",
            "cwd": str(self._folder),
            "prompt": prompt,
        }
        a_day_later = self._folder.stat().st_mtime + 86_400
        return self._app.hooks.preview("UserPromptSubmit", event, now=a_day_later)

    def found(self, words: str) -> dict[str, Any]:
        """What `recollect search` finds, as with `--json`."""
        return self._app.search.report(
            SearchRequest(
                question=words,
                limit=5,
                min_score=None,
                project=None,
                all_projects=False,
                include_archived=False,
                explain=False,
                folder=str(self._folder),
            )
        )


@contextmanager
def remembering(folder: Path, sessions: Mapping[str, str]) -> Iterator[Shop]:
    """A shop in which each of *sessions* had one prompt and one answer."""
    home, place = Home(folder / "recollect"), repository(folder / "shop")
    for number, (prompt, answer) in enumerate(sessions.items()):
        turn: dict[str, Any] = {"session": f"s-{number}", "folder": place}
        turn["prompt_id"] = f"p-{number}"
        put(home, "UserPromptSubmit", prompt=prompt, **turn)
        put(home, "Stop", last_assistant_message=answer, **turn)
        put(home, "SessionEnd", reason="other", **turn)
    take_in(home)
    with opened(str(home), embeddings=Embeddings()) as app:
        app.meaning.fill(lambda *_: None)
        app.meaning.warm()
        yield Shop(app, place)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with remembering(tmp_path_factory.mktemp("young"), SESSIONS) as shop:
        yield shop


def cards(given: dict[str, Any]) -> str:
    return "\n".join(piece["text"] for piece in given["pieces"] if piece["kind"] == "card")


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("how fast is the customer overview now, and what was it before?", "7.4 s to 310 ms"),
        ("what did we leave alone when we fixed the overview?", "the CSV export uses the same old"),
        ("from how many customers on does the csv export become a problem?", "5,000 customers"),
        ("how many statements did the overview need?", "1,201 to 3"),
        ("why not rabbitmq?", "nobody here wants to run another server"),
        ("how often is a mail tried again before we give up?", "tried 5 times"),
        ("Why did we choose argparse?", "the cost is negligible"),
        ("on what port does postgres run?", "port 5433"),
        ("why is sqlalchemy held back?", "for the audit plugin"),
        ("which database do we use?", "Postgres over MySQL"),
        ("what DB engine did we pick", "Postgres over MySQL"),
        ("which package manager do we use here?", "pnpm, never npm"),
        pytest.param(PASTED, "reads one glob a line", id="a pasted error that names a flag"),
        pytest.param(QUOTING, "tried 5 times", id="a long prompt with quotes"),
    ],
)
def test_the_answer_is_carried(shop: Shop, prompt: str, answer: str) -> None:
    assert answer in " ".join(cards(shop.given(prompt)).split())


def test_a_question_of_one_telling_word_is_understood_as_a_whole(tmp_path: Path) -> None:
    """It was searched by "argparse" alone, which said too little where a turn says it often."""
    why = "\n\n".join(f"Point {n} on argparse: it parses part {n} of the line." for n in range(8))
    greet = f"{why}\n\nI went with argparse because the cost is negligible."

    with remembering(tmp_path, {"write greet.py that greets by name": greet}) as shop:
        assert "the cost is negligible" in cards(shop.given("Why did we choose argparse?"))


@pytest.mark.parametrize(
    "prompt",
    [
        *("squash my last two commits", "explain what a mutex is", "sort the imports", "stop"),
        *("what time is it", "write a haiku about autumn", "thanks, that was all for today"),
    ],
)
def test_what_wants_nothing_gets_nothing(shop: Shop, prompt: str) -> None:
    assert shop.given(prompt)["context"] == ""


@pytest.mark.parametrize(
    "prompt", ["which supplier delivers the lamps?", "which printer is in the hall?"]
)
def test_a_question_that_got_no_answer_is_no_answer(shop: Shop, prompt: str) -> None:
    assert shop.given(prompt)["context"] == ""


def test_a_runbook_that_only_says_the_word_is_no_answer_to_which_one(shop: Shop) -> None:
    assert "make db-drop" not in shop.given("which database do we use?")["context"]


class TestASearch:
    @pytest.mark.parametrize(
        "words", ['"the customers overview" slow', "type:security customer overview slow"]
    )
    def test_shows_the_closest_where_nothing_has_the_phrase_or_the_type(
        self, shop: Shop, words: str
    ) -> None:
        found = shop.found(words)

        assert found["results"][0]["title"].startswith("The overview asked the database once")
        assert all(one["weak"] for one in found["results"])
        assert "Nothing has that phrase, or is of that type." in found["notes"]

    def test_takes_quotes_in_a_pasted_text_for_quotes(self, shop: Shop) -> None:
        first = shop.found(QUOTING)["results"][0]

        assert first["title"].startswith("Outgoing mails go through a table in Postgres now")
        assert not first["weak"]

    def test_of_what_is_not_near_finds_nothing(self, shop: Shop) -> None:
        assert shop.found('"polar bears" hibernating')["results"] == []
