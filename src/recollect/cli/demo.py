"""`demo`: a small session through the real hooks, in a home that is thrown away."""

import json
import os
import re
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

import click
from rich.markup import escape
from rich.panel import Panel

from recollect import worker_client
from recollect.app.recollect import Recollect
from recollect.cli import show
from recollect.errors import WorkerError
from recollect.hosts import home as own

QUESTIONS = (
    "Why was the orders page so slow, and how did we fix it?",
    "Where do we cache the product list, Redis or in-process?",
    "How do I rename a branch on the remote?",
)
# A later session replaces a value that the first one chose; then somebody asks for it.
CHANGE = "Prices change too often for that. Let the product cache live 20 seconds."
CHANGED = "The product cache lives for 20 seconds now instead of 60."
EDIT = {
    "file_path": "@PROJECT@/src/products/cache.py",
    "old_string": "PRODUCT_CACHE_SECONDS = 60",
    "new_string": "PRODUCT_CACHE_SECONDS = 20",
}
AFTER_THE_CHANGE = "For how many seconds do we cache the product list?"
# The first makes a note, the second takes its place.
SENTENCES = (
    "From now on we use npm for packages because it ships with Node.",
    "From now on use pnpm instead of npm because it is faster.",
)
SECONDS_TO_WAIT = 30.0

_EMPTY_FIELD = re.compile(r"- \w+:\s*")


@click.command()
@show.as_json
def demo(to_json: bool) -> None:
    """See what Recollect does, in a throwaway home: nothing of yours is touched."""
    with _scratch() as scratch:
        shown = scratch.replay()
    if to_json:
        show.dump(shown)
        return
    console = show.console()
    from rich.markdown import Markdown  # noqa: PLC0415 - only the demo shows any

    console.rule("[bold]A session ends. This is what stays (Markdown, yours to edit)")
    console.print(Panel(Markdown(_readable(str(shown["journal"]))), title="journal"))
    console.rule("[bold]The next session begins. Its agent is given this")
    _show_answer(shown["start"])
    console.rule("[bold]Each prompt brings back what answers it, or nothing")
    prompts = shown["prompts"]
    assert isinstance(prompts, dict)
    for question, answer in prompts.items():
        console.print(f"\n[bold cyan]> {escape(question)}[/bold cyan]")
        _show_answer(answer)
    console.rule("[bold]A later session changes a value: the current one comes back")
    console.print(f"\n[bold cyan]> {escape(AFTER_THE_CHANGE)}[/bold cyan]")
    _show_answer(shown["after_the_change"])
    console.rule("[bold]One sentence makes a note; a later one takes its place")
    notes = shown["notes"]
    assert isinstance(notes, dict)
    for sentence, held in notes.items():
        console.print(f"\n[bold cyan]> {escape(sentence)}[/bold cyan]")
        for note in held:
            console.print(f"  {escape(note)}")
    console.rule("[bold]That is all")
    console.print(
        "No key, no download, no tokens. Switch it on for real:\n\n"
        "    [bold]recollect setup[/bold]\n"
    )


class _Scratch:
    """A home and a project that live as long as the demo."""

    def __init__(self, folder: Path) -> None:
        self.home = str(folder / "home")
        self.project = folder / "shop"
        (self.project / "src").mkdir(parents=True)
        Path(self.home).mkdir(mode=0o700)
        own.record_launch(self.home)

    def replay(self) -> dict[str, object]:
        """Send sessions through the hooks; return what was kept and what is recalled."""
        text = resources.files("recollect.cli").joinpath("demo_session.jsonl").read_text()
        first = str(uuid.uuid4())
        for line in text.splitlines():
            self.hook(json.loads(line), first)
        self._settle()
        journal = self.journal()
        second, third = str(uuid.uuid4()), str(uuid.uuid4())
        start = self.hook({"hook_event_name": "SessionStart", "source": "startup"}, second)
        prompts = {question: self._ask(question, second) for question in QUESTIONS}
        edited: dict[str, object] = {"tool_name": "Edit", "tool_use_id": "toolu_demo07"}
        self._turn(CHANGE, CHANGED, second, edited | {"tool_input": EDIT})
        after = self._ask(AFTER_THE_CHANGE, third)
        notes = {sentence: self._say(sentence, third) for sentence in SENTENCES}
        return {
            "journal": journal,
            "start": start,
            "prompts": prompts,
            "after_the_change": after,
            "notes": notes,
        }

    def _ask(self, question: str, session: str) -> dict[str, object]:
        return self.hook({"hook_event_name": "UserPromptSubmit", "prompt": question}, session)

    def _say(self, sentence: str, session: str) -> list[str]:
        """Let the user say *sentence*, and return the notes that there are then."""
        self._turn(sentence, "Understood.", session)
        return self.notes()

    def _turn(
        self, prompt: str, answer: str, session: str, call: dict[str, object] | None = None
    ) -> None:
        """Send a turn through the hooks, and wait until it is taken in."""
        turn: dict[str, object] = {"prompt_id": str(uuid.uuid4())}
        self.hook({"hook_event_name": "UserPromptSubmit", "prompt": prompt, **turn}, session)
        if call:
            self.hook(
                {"hook_event_name": "PostToolUse", "tool_response": {}, **call, **turn}, session
            )
        self.hook({"hook_event_name": "Stop", "last_assistant_message": answer, **turn}, session)
        self._settle()

    def _settle(self) -> None:
        if not worker_client.wait_until_idle(self.home, seconds=SECONDS_TO_WAIT):
            raise WorkerError(
                f"the worker did not get through the demo in {SECONDS_TO_WAIT:.0f} s",
                hint="Try again; if it persists: recollect doctor",
            )

    def notes(self) -> list[str]:
        """Return the rules that were kept, and what became of them."""
        app = Recollect(self.home)
        try:
            project = app.projects.here(str(self.project)).name
            app.upkeep.sync(project)
            held = [one for one in app.search.notes(project) if "npm" in one.title]
            return [f"{one.hidden_reason or 'applies'}: {one.title}" for one in held]
        finally:
            app.close()

    def hook(self, payload: dict[str, object], session: str) -> dict[str, object]:
        """Run one hook through the launcher, as the host does, and return its answer."""
        payload |= {"session_id": session, "cwd": str(self.project), "transcript_path": ""}
        done = subprocess.run(
            ["sh", str(own.hook_script()), str(payload["hook_event_name"])],
            input=json.dumps(payload).replace("@PROJECT@", str(self.project)),
            capture_output=True,
            text=True,
            check=True,
            cwd=self.project,
            env={
                "PATH": os.environ.get("PATH", ""),
                "RECOLLECT_HOME": self.home,
                "HOME": self.home,
            },
        )
        return json.loads(done.stdout) if done.stdout else {}

    def journal(self) -> str:
        """Return the Markdown that was written."""
        app = Recollect(self.home)
        try:
            project = app.projects.here(str(self.project)).name
            days = reversed(app.journal.days(project))
            return "\n".join(app.journal.text(project, day) for day in days)
        finally:
            app.close()


@contextmanager
def _scratch() -> Iterator[_Scratch]:
    with tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder:
        scratch = _Scratch(Path(folder).resolve())
        try:
            yield scratch
        finally:
            worker_client.stop(scratch.home)


def _show_answer(answer: object) -> None:
    if not answer:
        show.say("[dim]Nothing: no memory is a good match, so the agent is left in peace.[/dim]")
        return
    assert isinstance(answer, dict)
    show.say(f"[green]{escape(answer['systemMessage'])}[/green]")
    context = answer["hookSpecificOutput"]["additionalContext"]
    show.console().print(Panel(escape(context), title="to the agent", border_style="dim"))


def _readable(markdown: str) -> str:
    """Return *markdown* as it is rendered, without anchors and fields that say nothing."""
    lines = (line for line in markdown.splitlines() if not line.startswith("<!--"))
    return "\n".join(line for line in lines if not _EMPTY_FIELD.fullmatch(line))
