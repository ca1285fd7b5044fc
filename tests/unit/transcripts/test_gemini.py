"""What the real Gemini CLI wrote, as turns."""

import json
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import TranscriptError
from recollect.transcripts import gemini, readers
from recollect.transcripts.turns import TokenUsage, Turn

FIXTURES = Path(__file__).parents[2] / "fixtures" / "gemini-cli"
WORKED = "tmp/project/chats/session-2026-11-17T03-34-73f43158.jsonl"
LOGS = [WORKED, "compressed.jsonl", "looped.jsonl"]
ANY_CASE = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100
)


@pytest.fixture
def recorded(tmp_path: Path) -> Callable[[str], Path]:
    """Copy what the real client wrote, with the project it was in and its subagents."""

    def copy(name: str) -> Path:
        shutil.copytree(FIXTURES, tmp_path / "gemini")
        return tmp_path / "gemini" / name

    return copy


class Log:
    """Writes a log record by record; only what matters has to be named."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        self.path = path
        self._records = 0
        self.record(sessionId="session-1", projectHash="9c21", kind="main")

    def record(self, **fields: object) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(fields) + "\n")

    def message(self, kind: str, content: object, **fields: object) -> None:
        self._records += 1
        at = f"2026-01-15T10:{self._records // 60:02}:{self._records % 60:02}.000Z"
        record = {"id": f"m-{self._records}", "timestamp": at, "type": kind, "content": content}
        self.record(**record | fields)

    def prompt(self, text: str, **fields: object) -> None:
        self.message("user", [{"text": text}], **fields)

    def says(self, text: str, **fields: object) -> None:
        self.message("gemini", text, **fields)

    def calls(self, tool: str, result: object = (), **fields: object) -> None:
        call = {"id": "c-1", "name": tool, "args": {}, "result": result, "status": "success"}
        self.message("gemini", "", toolCalls=[call | fields])


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path / "session-1.jsonl")


def test_a_turn_has_prompt_remarks_tool_calls_and_answer(recorded: Callable[[str], Path]) -> None:
    reading = gemini.read(recorded(WORKED))

    turn, *_ = reading.turns
    assert (turn.host, turn.session) == ("gemini-cli", reading.session)
    assert turn.prompt == "The orders page is slow, see @notes.md and fix it"
    assert turn.remarks == ("Let me look at the notes.", "Now the change.")
    assert turn.answer == "The cause was an N+1 query; selectinload fixes it."
    assert timedelta(0) < turn.ended - turn.started < timedelta(minutes=1)
    assert turn.usage == TokenUsage(input_tokens=60759, output_tokens=186)
    assert reading.skipped == 0


def test_tools_have_the_names_that_all_hosts_share_and_whole_paths(
    recorded: Callable[[str], Path],
) -> None:
    turn, *_ = gemini.read(recorded(WORKED)).turns

    assert [(call.name, call.input.get("file_path")) for call in turn.tools] == [
        ("Read", "/home/dev/project/notes.md"),
        ("Bash", None),
        ("Write", "/home/dev/project/db.py"),
        ("Edit", "/home/dev/project/db.py"),
    ]
    ran = turn.tools[1]
    assert (ran.input["command"], ran.output, ran.failed) == (
        "echo 41 queries; false",
        "41 queries",
        True,
    )


def test_the_project_stands_beside_the_logs(recorded: Callable[[str], Path]) -> None:
    assert {turn.cwd for turn in gemini.read(recorded(WORKED)).turns} == {"/home/dev/project"}


def test_a_log_that_was_copied_elsewhere_still_tells_its_project(
    recorded: Callable[[str], Path],
) -> None:
    turns = gemini.read(recorded("compressed.jsonl")).turns

    assert {turn.cwd for turn in turns} == {"/home/dev/project"}


def test_a_subagents_calls_join_the_turn_that_set_it_to_work(
    recorded: Callable[[str], Path],
) -> None:
    _, turn, *_ = gemini.read(recorded(WORKED)).turns

    assert turn.answer == "The helper found nothing else."
    assert [(call.name, bool(call.agent)) for call in turn.tools] == [
        ("invoke_agent", False),
        ("Read", True),
        ("complete_task", True),
    ]


def test_the_log_of_a_subagent_has_no_turns_of_its_own(recorded: Callable[[str], Path]) -> None:
    (path,) = recorded(WORKED).parent.glob("*/*.jsonl")

    assert gemini.read(path).turns == ()
    assert not readers.is_log(path)


def test_a_turn_that_was_stopped_before_it_was_answered_was_interrupted(
    recorded: Callable[[str], Path],
) -> None:
    turns = gemini.read(recorded(WORKED)).turns

    assert [turn.interrupted for turn in turns] == [False, False, True, False]
    assert turns[2].prompt == "Run the long tests"


@pytest.mark.parametrize("name", LOGS)
def test_only_the_last_turn_may_still_grow(recorded: Callable[[str], Path], name: str) -> None:
    turns = gemini.read(recorded(name)).turns

    assert [turn.finished for turn in turns] == [True] * (len(turns) - 1) + [False]


@pytest.mark.parametrize("name", LOGS)
def test_no_turn_knows_what_hooks_and_the_client_added(
    recorded: Callable[[str], Path], name: str
) -> None:
    turns = gemini.read(recorded(name)).turns

    said = " ".join(turn.prompt + turn.answer for turn in turns)
    assert "hook_context" not in said
    assert "session_context" not in said
    assert "What is known." not in said


def test_a_compressed_history_makes_no_turn_twice(recorded: Callable[[str], Path]) -> None:
    turns = gemini.read(recorded("compressed.jsonl")).turns

    assert [turn.prompt for turn in turns] == ["Read the notes again", "And after compression?"]


def test_what_the_client_tells_itself_is_no_prompt(recorded: Callable[[str], Path]) -> None:
    turns = gemini.read(recorded("looped.jsonl")).turns

    assert [turn.prompt for turn in turns] == [
        "First thing",
        "Second thing",
        "Third thing",
        "Fourth thing",
    ]


def test_an_answer_that_the_client_left_out_of_its_log_is_no_interruption(
    recorded: Callable[[str], Path],
) -> None:
    turns = gemini.read(recorded("looped.jsonl")).turns

    assert (turns[0].answer, turns[0].interrupted) == ("", False)


@pytest.mark.parametrize(
    "words",
    [
        "Please continue.",
        "System: Potential loop detected. Details: again.",
        "I ran the following shell command:\n```sh\nls\n```",
        "<state_snapshot>All so far.</state_snapshot>",
        "Here is the user's editor context as a JSON object. This is for your information only.",
        "User has manually exited Plan Mode. Switching to Default mode.",
    ],
)
def test_words_in_the_users_place_begin_no_turn(log: Log, words: str) -> None:
    log.prompt("Build it")
    log.prompt(words, displayContent=[{"text": "Build it"}])
    log.says("Built.")

    (turn,) = gemini.read(log.path).turns

    assert (turn.prompt, turn.answer) == ("Build it", "Built.")


def test_a_hook_that_sends_the_agent_back_to_work_begins_no_turn(log: Log) -> None:
    log.prompt("Fix it")
    log.says("Fixed.")
    log.prompt("Run the tests first.", displayContent=[{"text": "Fix it"}])
    log.says("Fixed and tested.")

    (turn,) = gemini.read(log.path).turns

    assert (turn.prompt, turn.answer) == ("Fix it", "Fixed.\n\nFixed and tested.")


def test_a_session_that_was_written_down_twice_has_each_turn_once(log: Log) -> None:
    log.prompt("Fix it", id="u")
    log.says("Fixed.", id="g")
    log.prompt("Fix it", id="u")
    log.says("Fixed.", id="g")

    (turn,) = gemini.read(log.path).turns

    assert (turn.answer, turn.interrupted) == ("Fixed.", False)


def test_a_command_that_is_given_twice_is_two_turns(log: Log) -> None:
    for _ in range(2):
        log.prompt("Review pull request 7.", displayContent=[{"text": "/review 7"}])
        log.says("Reviewed.")

    assert [turn.prompt for turn in gemini.read(log.path).turns] == ["/review 7", "/review 7"]


@pytest.mark.parametrize(
    ("tool", "given", "named"),
    [
        ("list_directory", {"dir_path": "keys"}, {"path": "/home/dev/shop/keys"}),
        ("read_file", {"absolute_path": "/srv/a.pem"}, {"file_path": "/srv/a.pem"}),
        ("read_many_files", {"include": ["keys/*"]}, {"paths": ["/home/dev/shop/keys/*"]}),
        ("mcp_web_get", {"path": "keys", "include": ["a"]}, {"path": "keys", "include": ["a"]}),
    ],
)
def test_files_are_named_where_exclusions_look_for_them(
    tmp_path: Path, tool: str, given: dict[str, object], named: dict[str, object]
) -> None:
    log = Log(tmp_path / "chats" / "session-1.jsonl")
    (tmp_path / ".project_root").write_text("/home/dev/shop")
    log.prompt("Look")
    log.calls(tool, args=given)

    (turn,) = gemini.read(log.path).turns

    assert turn.tools[0].input == named


@pytest.mark.parametrize("name", ["..", "x" * 5000])
def test_a_session_with_an_odd_name_has_no_subagents(tmp_path: Path, name: str) -> None:
    log = Log(tmp_path / "chats" / "session-1.jsonl")
    log.path.write_text(log.path.read_text().replace("session-1", name))
    log.prompt("Look")
    agents = Log(tmp_path / "agent.jsonl")
    agents.path.write_text('{"sessionId":"a","startTime":"2026-01-15T10:00:02Z"}\n')
    agents.calls("read_file")

    (turn,) = gemini.read(log.path).turns

    assert turn.tools == ()


def test_a_message_counts_in_its_last_version_where_it_first_stood(log: Log) -> None:
    log.prompt("One")
    log.says("Work", id="a")
    log.prompt("Two")
    log.says("Working", id="a")
    log.says("Done.")

    one, two = gemini.read(log.path).turns

    assert (one.answer, two.answer) == ("Working", "Done.")


def test_a_cancelled_call_failed_and_its_turn_was_interrupted(log: Log) -> None:
    log.prompt("Run it")
    refused = [{"functionResponse": {"response": {"error": "User cancelled"}}}]
    log.calls("run_shell_command", refused, status="cancelled")

    (turn,) = gemini.read(log.path).turns

    assert (turn.interrupted, turn.tools[0].failed) == (True, True)
    assert turn.tools[0].output == "User cancelled"


def test_a_tool_of_a_server_has_the_name_that_all_hosts_give_it(log: Log) -> None:
    log.prompt("Look")
    log.calls("mcp_tickets_find_one")

    (turn,) = gemini.read(log.path).turns

    assert turn.tools[0].name == "mcp__tickets__find_one"


def test_thoughts_are_never_read(log: Log) -> None:
    log.prompt("Why?")
    content = [{"text": "hm, a secret", "thought": True}, {"text": "Because."}]
    log.message("gemini", content, thoughts=[{"subject": "secret"}])

    (turn,) = gemini.read(log.path).turns

    assert turn.answer == "Because."
    assert "secret" not in repr(turn)


def test_our_own_commands_are_not_remembered(log: Log) -> None:
    log.prompt("[recollect command] search tea", displayContent=[{"text": "/recollect:search tea"}])
    log.says("Tea is green.")

    assert gemini.read(log.path).turns == ()


@pytest.mark.parametrize("name", LOGS)
def test_reading_goes_on_where_it_stopped(recorded: Callable[[str], Path], name: str) -> None:
    path = recorded(name)
    whole = gemini.read(path)
    lines = path.read_bytes().splitlines(keepends=True)

    grown, offset = path.with_name("grown.jsonl"), 0
    seen: dict[str, Turn] = {}
    for count in range(1, len(lines) + 1):
        grown.write_bytes(b"".join(lines[:count]))
        reading = gemini.read(grown, offset=offset)
        seen |= {turn.key: turn for turn in reading.turns}
        offset = reading.resume_at

    told = [(turn.prompt, turn.answer, turn.interrupted) for turn in whole.turns]
    assert [(turn.prompt, turn.answer, turn.interrupted) for turn in seen.values()] == told


def test_a_line_that_is_still_being_written_is_left_for_the_next_reading(log: Log) -> None:
    log.prompt("One")
    whole = gemini.read(log.path)
    with log.path.open("a") as file:
        file.write('{"id":"m-9","type":"user","content":[{"text":"Tw')

    reading = gemini.read(log.path)

    assert (reading.turns, reading.end, reading.skipped) == (whole.turns, whole.end, 0)


def test_a_broken_line_costs_itself_alone(log: Log) -> None:
    log.prompt("One")
    with log.path.open("a") as file:
        file.write('{"id": broken\n')
    log.says("Done.")

    reading = gemini.read(log.path)

    assert (reading.turns[0].answer, reading.skipped) == ("Done.", 1)


def test_the_one_document_of_an_earlier_client_is_read_too(tmp_path: Path) -> None:
    folder = tmp_path / "tmp" / "shop" / "chats"
    folder.mkdir(parents=True)
    (folder.parent / ".project_root").write_text("/home/dev/shop")
    messages = [
        {"id": "u", "timestamp": "2025-11-02T10:00:00Z", "type": "user", "content": "Mend it"},
        {"id": "g", "timestamp": "2025-11-02T10:00:09Z", "type": "gemini", "content": "Mended."},
    ]
    document = {"sessionId": "s-1", "projectHash": "9c21", "messages": messages}
    path = folder / "session-2025-11-02T10-00-s1.json"
    path.write_text(json.dumps(document, indent=2))

    (turn,) = readers.of_file(path)(path).turns

    assert (turn.key, turn.prompt, turn.answer) == ("u", "Mend it", "Mended.")
    assert (turn.cwd, readers.is_log(path), readers.is_document(path)) == (
        "/home/dev/shop",
        True,
        True,
    )


@pytest.mark.parametrize("folder", ["chats/chats", "chats/2026"])
def test_a_log_is_no_subagents_because_of_its_folder(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "session-1.jsonl"
    path.parent.mkdir(parents=True)
    Log(path)

    assert readers.is_log(path)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "session-1.jsonl"
    path.write_text('{"type":"user"}\n')

    with pytest.raises(TranscriptError, match="not a log of Gemini CLI"):
        gemini.read(path)


def test_a_log_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(TranscriptError, match="no such transcript"):
        gemini.read(tmp_path / "session-1.jsonl")


@ANY_CASE
@given(
    data=st.data(),
    junk=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=6,
    ),
)
def test_whatever_stands_in_a_field_is_no_crash(
    tmp_path: Path, data: st.DataObject, junk: object
) -> None:
    lines = [json.loads(line) for line in (FIXTURES / WORKED).read_text().splitlines()]
    line = data.draw(st.sampled_from(lines[1:]))
    line[data.draw(st.sampled_from(sorted(line)))] = junk
    path = tmp_path / "session-1.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    assert gemini.read(path).session == lines[0]["sessionId"]
