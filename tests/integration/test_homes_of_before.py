"""A home that an earlier version made opens and works; nothing in it is lost or doubled."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from recollect.cli.main import cli
from tests import kept_homes

Ask = Callable[..., str]


@pytest.fixture(params=kept_homes.names())
def old_home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return kept_homes.unpack(request.param, tmp_path)


@pytest.fixture
def ask(old_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What `recollect` prints in that home."""
    monkeypatch.setenv("RECOLLECT_HOME", str(old_home))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli, list(words), catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.stdout

    return run


def markdown(home: Path) -> dict[str, str]:
    """Everything that people can read and edit, but for the summaries of sessions.

    The last one is brought in step with what its turns are now understood to have done.
    """
    found = (path for path in home.rglob("*.md") if ".history" not in path.parts)
    summary = re.compile(r"^### Summary\n(?:(?!#).*\n)*", re.MULTILINE)
    return {str(path.relative_to(home)): summary.sub("", path.read_text()) for path in found}


def anchors(home: Path) -> list[str]:
    """The ids of all that stands in the journals, in order."""
    journals = (text for name, text in markdown(home).items() if "/journal/" in name)
    return re.findall(r'<!-- recollect: \{"id":"([^"]+)"', "\n".join(journals))


def test_its_markdown_stays_as_it_is(ask: Ask, old_home: Path) -> None:
    before = markdown(old_home)

    ask("index")
    ask("search", "--all-projects", "chunker")
    ask("status")

    assert markdown(old_home) == before


def test_what_was_said_and_what_was_written_by_hand_is_found(ask: Ask) -> None:
    assert "FastCDC" in ask("search", "--project", "burrow", "Which chunking algorithm won?")
    assert "driver 4.2" in ask("search", "--project", "burrow", "label printer driver")
    assert kept_homes.EDITED in ask("search", "--project", "burrow", "FastCDC won by hand")


def test_an_index_made_anew_from_its_markdown_finds_the_same(ask: Ask, old_home: Path) -> None:
    question = ("search", "--project", "burrow", "Which chunking algorithm won?")
    ask("index")  # A search alone makes vectors for a few seconds, and on a busy machine not all.
    before = ask(*question)
    (old_home / "index.db").unlink()

    ask("index")

    assert ask(*question) == before


def test_its_notes_are_in_the_states_they_were_in(ask: Ask) -> None:
    current = ask("list", "--project", "burrow")

    assert "We use zstd level 3" in current
    assert "tabs" not in current
    assert "tabs" in ask("list", "--project", "burrow", "--status", "retired")
    assert "British English" in ask("list", "--project", "burrow", "--status", "archived")
    assert "Never say sorry" in ask("list", "--global")


def test_its_notes_are_changed_and_brought_back(ask: Ask) -> None:
    ask("restore", "--project", "burrow", "use-spaces-never-tabs")
    ask("unarchive", "--project", "burrow", "answer-in-british-english")
    ask("retire", "--project", "burrow", "we-use-zstd-level-3")

    current = ask("list", "--project", "burrow")
    assert "tabs" in current
    assert "British English" in current
    assert "zstd" not in current


def test_its_settings_and_labels_hold(ask: Ask) -> None:
    assert ask("config", "get", "recall.bar").strip() == "0.45"
    assert "Rooms" in ask("projects")


def test_what_was_forgotten_is_known_as_forgotten_and_can_come_back(ask: Ask) -> None:
    (forgotten,) = (
        word for word in ask("forget", "--project", "burrow", "--list").split()
        if word.startswith("20260")
    )  # fmt: skip

    ask("restore", "--project", "burrow", forgotten)

    assert forgotten in ask("expand", forgotten)


def test_the_transcripts_it_was_made_of_bring_nothing_new(
    ask: Ask, old_home: Path, tmp_path: Path
) -> None:
    before = anchors(old_home)
    assert before
    sessions = kept_homes.transcripts("burrow", tmp_path / "sessions")

    ask("import", str(sessions))

    assert anchors(old_home) == before
    assert kept_homes.EDITED in "".join(markdown(old_home).values())


def test_a_session_that_goes_on_is_added_to_it(ask: Ask, tmp_path: Path) -> None:
    more = kept_homes.transcripts("burrow", tmp_path / "sessions", until=kept_homes.MOST_TURNS + 4)

    ask("import", str(more))

    timeline = ask("timeline", "--project", "burrow", "2099-01-01", "--before", "100")
    forgotten = 1
    assert timeline.count("20260") == kept_homes.MOST_TURNS + 4 - forgotten


def test_a_session_still_begins_with_what_holds(ask: Ask) -> None:
    ask("search", "--project", "burrow", "chunker")

    start = ask("context", "--project", "burrow", "--now", "2026-11-19T08:00:00Z")

    assert "The repository format never changes" in start
