"""What one session, project or file does wrong is no other one's trouble."""

import json
import os
from pathlib import Path

import pytest

from recollect import worker_client
from recollect.app.recollect import opened
from tests.home import Home, repository, wait_for
from tests.remembering import put, remember, take_in


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return repository(tmp_path / "shop")


def turn(home: Home, folder: Path, session: str, key: str, prompt: str, answer: str) -> None:
    put(home, "UserPromptSubmit", session, folder, prompt=prompt, prompt_id=key)
    put(home, "Stop", session, folder, last_assistant_message=answer, prompt_id=key)


def test_the_same_words_twice_are_two_turns_with_their_own_answers(home: Home, shop: Path) -> None:
    turn(home, shop, "s", "p1", "Please go on", "I wrote the first chapter because it was due.")
    turn(home, shop, "s", "p2", "Please go on", "I wrote the second chapter because it was due.")
    take_in(home)

    first, second = home.kept()
    assert "first chapter" in first.title
    assert "second chapter" not in first.title + first.body
    assert "second chapter" in second.title


def test_a_project_that_cannot_be_written_stops_no_other(
    home: Home, shop: Path, tmp_path: Path
) -> None:
    remember(home, shop, "Look at the shop", session="s-0")
    day = home.day_file()
    day.rename(tmp_path / "elsewhere.md")
    day.symlink_to(tmp_path / "elsewhere.md")  # We write through no link.
    turn(home, shop, "s-1", "p1", "Work in the shop", "Done.")
    turn(home, repository(tmp_path / "other"), "s-2", "p2", "Work elsewhere", "Done.")

    with pytest.raises(Exception, match="is a link"):
        take_in(home)

    assert "Work elsewhere" in home.titles()
    assert len(list((home.path / "inbox").glob("*.json"))) == 1, "the Stop of the shop waits"


def test_while_one_project_is_stuck_the_worker_follows_the_others(
    home: Home, shop: Path, tmp_path: Path
) -> None:
    other = repository(tmp_path / "other")
    remember(home, shop, "Look at the shop", session="s-0")
    day = home.day_file()
    day.rename(tmp_path / "elsewhere.md")
    day.symlink_to(tmp_path / "elsewhere.md")
    remember(home, other, "Look elsewhere", session="s-1")
    turn(home, shop, "s-2", "p1", "Work in the shop", "Done.")
    worker_client.start(str(home))
    (second,) = (path for path in home.path.glob("projects/other-*/journal/*.md"))

    with second.open("a") as file:
        file.write("\n## Deploying\nThe harbour crane must be parked first.\n")

    # Asked again and again, it is not to be kept: the question would be in every other entry.
    unkept = {"RECOLLECT_CAPTURE_ENABLED": "false"}
    asked = {"session_id": "q", "cwd": str(other), "prompt": "park the harbour crane first"}
    question = json.dumps({"hook_event_name": "UserPromptSubmit", **asked}).encode()
    wait_for(
        lambda: b"harbour crane" in home.raw_hook("UserPromptSubmit", question, env=unkept).stdout
    )
    wait_for(lambda: "is a link" in worker_client.status(str(home)).trouble)


def test_a_session_that_asks_not_to_be_kept_is_not_and_others_are(home: Home, shop: Path) -> None:
    private = {"session_id": "private", "cwd": str(shop), "prompt_id": "p"}
    env = {"RECOLLECT_CAPTURE_ENABLED": "false"}

    for event, more in (
        ("UserPromptSubmit", {"prompt": "My private diary for today"}),
        ("Stop", {"last_assistant_message": "Noted."}),
    ):
        payload = json.dumps({"hook_event_name": event, **private, **more}).encode()
        home.raw_hook(event, payload, env=env)
    turn(home, shop, "open", "p1", "Ordinary work here", "Done.")
    home.settle()

    assert home.titles() == ["Ordinary work here"]


def test_a_broken_settings_file_keeps_events_waiting_instead_of_guessing(
    home: Home, shop: Path
) -> None:
    (home.path / "config.toml").write_text("[capture]\nenabled = false\n[recall\n")
    turn(home, shop, "s", "p1", "Perhaps nothing may be kept", "Who knows.")
    with pytest.raises(Exception, match=r"config\.toml"):
        take_in(home)
    assert home.titles() == []

    (home.path / "config.toml").write_text("[capture]\nenabled = false\n")
    take_in(home)

    assert home.titles() == []
    assert not list((home.path / "inbox").glob("*.json"))


def test_a_lost_state_comes_back_from_its_backup_and_with_it_what_was_deleted(
    home: Home, shop: Path
) -> None:
    remember(home, shop, "Something embarrassing", session="s-0")
    with opened(str(home)) as app:
        app.inside.state.back_up(day="2026-11-15")
    home.day_file().unlink()
    for name in ("state.db", "state.db-wal", "state.db-shm"):
        (home.path / name).unlink(missing_ok=True)

    remember(home, shop, "Something embarrassing", session="s-0")

    assert home.titles() == []


def test_the_commit_of_a_turn_stays_when_the_next_one_commits(home: Home, shop: Path) -> None:
    from tests.home import git

    turn(home, shop, "s", "p1", "Look at the first commit", "Seen.")
    take_in(home)
    before = home.kept()[0].commit
    git(shop, "commit", "-q", "--allow-empty", "-m", "second")
    turn(home, shop, "s", "p2", "Look at the second commit", "Seen.")
    take_in(home)

    assert before
    assert home.kept()[0].commit == before
    assert home.kept()[1].commit != before


def test_after_compaction_a_session_can_recall_what_it_did_before(home: Home, shop: Path) -> None:
    turn(home, shop, "s", "p1", "Fix the orders page", "It was an N+1 query because of lazy items.")
    home.settle()
    question = {"session_id": "s", "cwd": str(shop), "prompt": "why was the orders page broken"}
    before = home.hook("UserPromptSubmit", prompt_id="p2", **question)
    home.hook("SessionStart", session_id="s", cwd=str(shop), source="compact")
    home.settle()

    after = home.hook("UserPromptSubmit", prompt_id="p3", **question)

    assert before == {}
    assert "N+1" in str(after)


def test_a_turn_deleted_from_the_journal_is_not_in_the_transcript_either(
    home: Home, shop: Path
) -> None:
    turn(home, shop, "s", "p1", "Something embarrassing", "Oh dear.")
    turn(home, shop, "s", "p2", "Something useful", "Well done.")
    take_in(home)
    day = home.day_file()
    parts = day.read_text().split("\n### ")
    day.write_text("\n### ".join(part for part in parts if "embarrassing" not in part))

    with opened(str(home)) as app:
        _, turns = app.sessions.turns("s")

    assert [one.prompt for one in turns] == ["Something useful"]


def test_a_file_of_somebody_else_in_the_inbox_stops_nothing(home: Home, shop: Path) -> None:
    (home.path / "inbox").mkdir(mode=0o700)
    strange = home.path / "inbox" / "00000000000000000001-1-claude-code.Stop.json"
    strange.symlink_to("/nowhere")  # Reading it fails for anybody, root included.
    turn(home, shop, "s", "p1", "Ordinary work here", "Done.")
    home.settle()

    assert home.titles() == ["Ordinary work here"]
    assert len(list((home.path / "set-aside").iterdir())) == 1


def test_an_inbox_that_nobody_empties_is_told_at_the_next_start(home: Home, shop: Path) -> None:
    home.no_worker()
    put(home, "Stop", "s", shop, prompt_id="p")
    (waiting,) = (home.path / "inbox").iterdir()
    old = f"{int(waiting.name[:20]) - 3600 * 10**9:020d}"
    waiting.rename(waiting.with_name(old + waiting.name[20:]))

    told = home.hook("SessionStart", session_id="t", cwd=str(shop), source="startup")

    assert "has taken in nothing for 6" in str(told["systemMessage"])
    assert "recollect doctor" in str(told["systemMessage"])


def test_a_worker_leaves_when_its_state_was_deleted(home: Home, shop: Path) -> None:
    home.settle()
    worker = home.worker()
    for name in ("state.db", "state.db-wal", "state.db-shm"):
        (home.path / name).unlink(missing_ok=True)

    home.hook("Stop", session_id="s", cwd=str(shop), prompt_id="p")

    wait_for(lambda: worker not in home.processes())
    assert os.path.exists(home.path / "inbox")
