"""`context`: what an agent would be given at this moment, word for word, and why."""

import json
import os
import time
from datetime import datetime

import click
from rich.markup import escape

from recollect import line, paths
from recollect.app.recollect import opened
from recollect.cli import show
from recollect.errors import ProjectError, RecollectError
from recollect.hooks import fallback
from recollect.hooks.claude_code import MAY_HAVE_FAILED, SPEAKING_SOURCES
from recollect.hooks.response import HookResponse
from recollect.search import moments
from recollect.store.contract.state import Project

SECONDS = 10.0
SOURCES = (*SPEAKING_SOURCES, "resume", "fork")


@click.command()
@click.option(
    "--prompt", metavar="TEXT", help="With this prompt, instead of when a session starts."
)
@click.option("--file", "file", metavar="PATH", help="Before the agent reads this file.")
@click.option("--error", metavar="TEXT", help="When a tool fails with this error.")
@click.option("--subagent", is_flag=True, help="When a subagent starts.")
@click.option(
    "--source",
    type=click.Choice(SOURCES),
    default="startup",
    show_default=True,
    help="How the session starts.",
)
@click.option(
    "--session",
    default="",
    metavar="ID",
    help="In this session, leaving out what it was shown before.",
)
@click.option("--project", metavar="NAME", help="In another project: its name, label or path.")
@click.option(
    "--now",
    "when",
    metavar="TIME",
    help="At another time, such as `yesterday` or 2026-11-15T14:30.",
)
@show.as_json
@click.pass_obj
def context(  # noqa: PLR0913 - one parameter an option
    flags: dict[str, str],
    prompt: str | None,
    file: str | None,
    error: str | None,
    subagent: bool,
    source: str,
    session: str,
    project: str | None,
    when: str | None,
    to_json: bool,
) -> None:
    """Show exactly what an agent would be given now, and why.

    Nothing is sent to an agent, and nothing counts as shown.
    """
    if sum(map(bool, (prompt, file, error, subagent))) > 1:
        raise RecollectError("--prompt, --file, --error and --subagent exclude each other")
    now = _moment(when)
    with opened(paths.home(), flags=flags) as app:
        here = app.projects.at(os.getcwd())
        place = app.projects.find(project) if project else here
        if place is None:
            raise ProjectError(
                f"{os.getcwd()} has no memory yet",
                hint="Work there with an agent, or name another project: --project.",
            )
        found = app.sessions.find(session) if session else None
    folder = os.getcwd() if here and here.name == place.name else place.root
    event: dict[str, object] = {"session_id": found.id if found else "", "cwd": folder}
    name = "SessionStart"
    if prompt is not None:
        name, event["prompt"] = "UserPromptSubmit", prompt
    elif file is not None:
        name, event["tool_name"] = "PreToolUse", "Read"
        event["tool_input"] = {"file_path": os.path.abspath(file)}
    elif error is not None:
        name, event["error"] = "PostToolUseFailure", error
    elif subagent:
        name, event["agent_type"] = "SubagentStart", "any"
    else:
        event["source"] = source
    answer = _asked(name, event, place, now=now, flags=flags)
    if to_json:
        show.dump(answer)
    else:
        _show(answer)


def _asked(
    name: str, event: dict[str, object], project: Project, *, now: float, flags: dict[str, str]
) -> dict[str, object]:
    """Return what a hook would be answered, by whom a hook would ask.

    Settings that are given for this call alone are nobody's but ours, so they are obeyed here.
    """
    home = paths.home()
    if flags:
        with opened(home, flags=flags) as app:
            return {**app.hooks.preview(name, event, now=now), "worker": False}
    if not paths.sets_something(dict(os.environb)):
        asked = json.dumps({"name": name, "event": event, "now": now}).encode()
        try:
            reply = line.ask(paths.socket(home), "preview", asked, seconds=SECONDS)
        except line.Absent:
            reply = None
        if reply and not reply.startswith(b'{"error"'):
            return {**json.loads(reply), "project": project.name, "worker": True}
    if name in MAY_HAVE_FAILED:
        response = HookResponse(name, nothing="no worker was asked, and nobody else is")
        return {**response.as_json(project=project.name), "worker": False}
    response = HookResponse(name)
    if not project.excluded:
        response = fallback.answer(home, project.name, name, event, now=now)
    return {**response.as_json(project=project.name), "worker": False}


def _moment(text: str | None) -> float:
    if text is None:
        return time.time()
    found = moments.read(text, now=datetime.now().astimezone())
    if found is None:
        raise RecollectError(
            f"--now: {text!r} is not a time", hint="Try `yesterday`, `2h ago` or 2026-11-15T14:30."
        )
    return found


def _show(answer: dict[str, object]) -> None:
    shown, left_out = answer["shown"], answer["left_out"]
    assert isinstance(shown, list)
    assert isinstance(left_out, list)
    if answer["context"]:
        click.echo(answer["context"])
        show.say("")
    show.say(_summary(answer))
    if answer["message"]:
        show.say(f"[dim]You are told:[/dim] {escape(str(answer['message']))}")
    for one in shown:
        score = f"{one['score']:.2f}, " if one["score"] else ""
        about = f"{score}{one['tokens']} tokens"
        why = f": {one['why']}" if one["why"] else ""
        show.say(f"[dim]shown[/dim]    {escape(one['id'])} ({about}){escape(why)}")
    for one in left_out:
        show.say(f"[dim]left out[/dim] {escape(one['id'])}: {escape(one['why'])}")
    if not answer["worker"] and answer["event"] not in MAY_HAVE_FAILED:
        how = (
            "keyword search only"
            if answer["event"] == "UserPromptSubmit"
            else "what was prepared last"
        )
        show.say(f"[dim]The worker is not running: {how}.[/dim]")


def _summary(answer: dict[str, object]) -> str:
    if not answer["context"]:
        why = str(answer["empty_reason"]) or "no memory is a good match"
        return f"Nothing: {escape(why)}."
    return f"[bold]≈ {answer['tokens']} tokens[/bold] for the agent ({answer['event']})"
