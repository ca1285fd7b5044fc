"""The plugin's commands and its skill, typed in the real client as it asks for permission."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

import recollect
from tests.client.claude import Claude, Result
from tests.client.model_api import ModelApi, Request, Say, Use, context_of
from tests.client.tokenizer import tokenizer
from tests.home import PLUGIN, Home
from tests.remembering import ANSWER, QUESTION, put, remember, take_in

COMMANDS = sorted(path.stem for path in (PLUGIN / "commands").glob("*.md"))
SKILL = "recollect:memory-recall"
NEEDS_A_WORD = "requires approval"

RULE = "From now on we always use pnpm in this repository, never npm."


@pytest.fixture
def known(claude: Claude, home: Home) -> str:
    """The id of the one memory in the client's project; no worker runs or starts."""
    home.no_worker()
    remember(home, claude.project)
    (entry,) = home.kept()
    return entry.id


def typed(claude: Claude, prompt: str, *args: str) -> Result:
    """What becomes of *prompt* where nobody is there to answer a question of the client's."""
    options = ("--output-format", "json", "--plugin-dir", str(PLUGIN))
    done = claude.command("-p", *options, *args, "--", prompt)
    assert done.returncode == 0, done
    return done


def ran(request: Request) -> list[str]:
    """What the tools gave back to the model, up to *request*."""
    blocks = [block for message in request.body["messages"] for block in message["content"]]
    return [
        str(block["content"])
        for block in blocks
        if isinstance(block, dict) and block["type"] == "tool_result"
    ]


def run(*commands: str) -> list[Any]:
    """The steps of a model that runs *commands* and is done."""
    return [*(Use("Bash", {"command": command}) for command in commands), Say("Done.")]


# What each command shows, and what it may not do without the user's word.
SHOWN = {
    "help": (f"Recollect {recollect.__version__}", ""),
    "projects": ("claude-code", "recollect projects exclude project"),
    "config": ('"capture.enabled": true', "recollect config set capture.enabled false"),
    "debug": ("The end of its log", "recollect logs --clear"),
    "review": ("We decided on Redis", "recollect review --accept decision"),
    "stats": ("tokens", ""),
    "list": ("We decided on Redis", "recollect retire decision"),
    "retire": ("A note of Recollect", "recollect retire decision"),
    "restore": ("Nothing was forgotten", "recollect restore decision"),
    "gc": ("Nothing is past its", "recollect gc"),
}


@pytest.mark.usefixtures("known")
def test_what_is_shown_is_what_the_command_line_says_and_changes_need_the_users_word(
    claude: Claude, model_api: ModelApi, home: Home
) -> None:
    decided = "We decided on Redis because it is shared."
    remember(home, claude.project, "Which cache?", decided, session="s-2")
    for name, (_, refused) in SHOWN.items():
        model_api.reply(to=f"/recollect:{name}", steps=run(refused) if refused else [Say("Done.")])

    typed_one_by_one(claude, *(f"/recollect:{name}" for name in SHOWN))

    for name, (shown, refused) in SHOWN.items():
        requests = [one for one in model_api.main_requests() if f"/recollect:{name}<" in one.prompt]
        assert shown in requests[0].prompt
        assert not refused or NEEDS_A_WORD in ran(requests[-1])[-1]


def typed_one_by_one(claude: Claude, *prompts: str) -> None:
    """Let one session of the client answer *prompts* in turn."""
    texts = ({"role": "user", "content": prompt} for prompt in prompts)
    lines = [json.dumps({"type": "user", "message": text}) for text in texts]
    form = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
    subprocess.run(
        [claude.binary, "-p", *form, "--plugin-dir", str(PLUGIN)],
        cwd=claude.project,
        env=claude.env,
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


class TestAsking:
    def test_up_to_three_searches_run_and_none_of_the_question(
        self, claude: Claude, model_api: ModelApi, known: str, tmp_path: Path
    ) -> None:
        stolen = tmp_path / "stolen"
        asked = f"{QUESTION} $(touch {stolen}) `touch {stolen}` 'x"
        searches = ["orders page", "kubernetes ingress"]
        commands = [f"recollect search -- '{words}'" for words in searches]
        model_api.reply(
            to="Answer the question",
            steps=run(
                *commands, f"recollect expand {known}", f"recollect search $(touch {stolen})"
            ),
        )

        typed(claude, f"/recollect:ask {asked} !`touch {stolen}`")

        request = model_api.main_requests()[-1]
        found, nothing, whole, hostile = ran(request)
        assert f"<question>\n{asked} " in request.prompt
        assert known in found
        assert "No match. Try other words." in nothing
        assert "selectinload" in whole
        assert known not in hostile
        assert not stolen.exists()


class TestSaving:
    def test_a_text_becomes_a_note_word_for_word(
        self, claude: Claude, model_api: ModelApi, home: Home, known: str
    ) -> None:
        text = "We don't use `npm` here: $HOME/bin has \"pnpm\"\nand that's it."
        quoted = text.replace("'", "'\\''")
        steps = run(f"recollect remember -c preference -- '{quoted}'")
        model_api.reply(to="Keep in Recollect", steps=steps)

        typed(claude, f"/recollect:save {text}")

        request = model_api.main_requests()[-1]
        assert f"<text>\n{text}\n</text>" in request.prompt
        assert "created" in ran(request)[0]
        (note,) = home.path.glob("projects/*/preferences/*.md")
        assert text in note.read_text()

    def test_without_a_text_the_session_so_far_is_taken_in_once(
        self, claude: Claude, model_api: ModelApi, home: Home
    ) -> None:
        home.no_worker()
        session = typed(claude, RULE).session_id
        command = f"recollect save --session {session}"
        model_api.reply(to="Keep in Recollect", steps=run(command, command))

        typed(claude, "/recollect:save", "--resume", session)

        request = model_api.main_requests()[-1]
        assert command in request.prompt
        first, second = ran(request)
        known = "Nothing new to save. Already kept of this session: 1 turn, preference."
        # The client lists our pages as it starts; the worker that answers may be quicker.
        assert first in ("Saved: preference (created).", known)
        assert second == known
        take_in(home)
        assert home.titles() == [RULE]


def test_what_is_to_be_forgotten_is_looked_at_and_goes_only_with_the_users_word(
    claude: Claude, model_api: ModelApi, home: Home, known: str
) -> None:
    commands = (f"recollect forget --dry-run {known}", f"recollect forget {known}")
    model_api.reply(to="to forget what stands", steps=run(*commands))

    typed(claude, "/recollect:forget the orders page")

    looked, done = ran(model_api.main_requests()[-1])
    assert "would be forgotten" in looked
    assert ANSWER.rstrip(".") in looked
    assert NEEDS_A_WORD in done
    assert home.titles() == [ANSWER]


class TestTheSkill:
    def test_typed_it_looks_into_the_memory_apart_from_the_conversation(
        self, claude: Claude, model_api: ModelApi, known: str
    ) -> None:
        first = typed(claude, "Good morning, what shall we do?").session_id
        commands = ("recollect search -- 'orders page'", f"recollect transcript {known}")
        model_api.reply(to="Find in Recollect", steps=run(*commands, "touch changed"))

        done = typed(claude, f"/{SKILL} {QUESTION}", "--resume", first)

        request = model_api.requests[-1]
        found, said, refused = ran(request)
        assert done.text == "Done."
        assert f"<question>\n{QUESTION}\n</question>" in request.prompt
        assert "Good morning" not in context_of(request)
        assert known in found
        assert ANSWER in said
        assert "needs approval" in refused
        assert not {"Edit", "Write"} & set(request.tools)

    def test_called_by_the_agent_it_hands_back_its_answer_alone(
        self, claude: Claude, model_api: ModelApi, known: str
    ) -> None:
        called = Use("Skill", {"skill": SKILL, "args": QUESTION})
        model_api.reply(to="Fix the page again", steps=[called, Say("Fixed.")])
        steps = [*run("recollect search -- 'orders page'")[:-1], Say(f"An N+1 query ({known}).")]
        model_api.reply(to="Find in Recollect", steps=steps)

        # The client asks once whether an agent may use a skill that brings its own commands.
        typed(claude, "Fix the page again", "--allowedTools", f"Skill({SKILL})")

        first, *_, last = model_api.main_requests()
        (main,) = ran(last)
        (found,) = ran([one for one in model_api.requests if one.agent_id][-1])
        assert "forked execution" in main
        assert f"An N+1 query ({known})." in main
        assert known in found
        assert "More of one" not in main
        # Every session pays for what is listed, so that is the skill alone.
        listed = re.findall(r"^- recollect:.*$", context_of(first), re.MULTILINE)
        assert [line.split(": ")[0] for line in listed] == [f"- {SKILL}"]
        assert len(tokenizer().encode(listed[0]).ids) <= 60


@pytest.mark.parametrize("page", [PLUGIN / "commands" / "help.md", PLUGIN / "README.md"])
def test_every_command_is_named_where_people_look(page: Path) -> None:
    named = re.findall(r"`/recollect:([a-z]+)", page.read_text())

    assert sorted(set(named)) == COMMANDS


def test_a_turn_of_a_command_is_not_remembered(home: Home, claude: Claude, known: str) -> None:
    put(home, "UserPromptSubmit", "s-2", claude.project, prompt="/recollect:ask why", prompt_id="p")
    put(home, "Stop", "s-2", claude.project, last_assistant_message="Because.", prompt_id="p")
    take_in(home)

    assert home.titles() == [ANSWER]
