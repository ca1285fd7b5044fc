"""`index` and `import`: make the index anew, read old transcripts and exported notes."""

import os
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from recollect import paths
from recollect.app.importing import readable
from recollect.app.recollect import Recollect, opened
from recollect.cli import show
from recollect.cli.notes import here, placed
from recollect.errors import EmbedderError
from recollect.search.embedding import Embeddings
from recollect.store.contract.notes import ChangeResult

if TYPE_CHECKING:
    from recollect.importers.notes import NotesReport, Taken

OUTCOMES = ("created", "updated", "nothing", "failed")
WOULD = {"created": "create", "updated": "update", "retired": "retire"}

# Of more records that failed a person mends these first.
SHOWN = 20


def progress(*, to_json: bool) -> Progress:
    """Return a bar for work that takes a while; programs and files are not shown it."""
    console = show.console()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=to_json or not console.is_terminal,
    )


@click.command()
@click.option("--rebuild", is_flag=True, help="Read every file again, even if it seems unchanged.")
@show.as_json
def index(rebuild: bool, to_json: bool) -> None:
    """Bring the search index up to date with the Markdown files, now.

    The worker does this by itself. Searches work meanwhile, and you can stop it at any time: it
    goes on from there.
    """
    with (
        opened(paths.home(), embeddings=Embeddings()) as app,
        progress(to_json=to_json) as bar,
    ):
        task = bar.add_task("Reading", total=None)
        if rebuild:
            memories = app.upkeep.rebuild(
                lambda done, total: bar.update(task, completed=done, total=total)
            )
        else:
            app.upkeep.refresh_all()
            memories = sum(one.memories for one in app.projects.overview())
        trouble = _embed(app, bar)
        pending = app.meaning.pending()
    show.report(
        f"The index has {show.count(memories, 'memory')}.",
        to_json=to_json,
        memories=memories,
        pending=pending,
        trouble=trouble,
    )
    if trouble and not to_json:
        show.say(f"[yellow]![/yellow] Keyword search only: {escape(trouble)}")


def _embed(app: Recollect, bar: Progress) -> str:
    """Make the missing vectors, showing how far it is; return what is in the way of it."""
    task = bar.add_task("Meaning", total=None, visible=bool(app.meaning.pending()))
    try:
        app.meaning.fill(lambda done, total: bar.update(task, completed=done, total=total))
    except EmbedderError as error:
        return f"{error.message}. {error.hint}".strip()
    return ""


READ = """Read old transcripts and exported notes: one file, or every file in a folder.

{readable}

Each transcript goes to the project it was made in; `--project` is for those that do not name one.
Notes become notes of this project, unless you say `--project` or `--global`. Import the folders of
several projects one at a time.

What is known already is skipped, so you can run this again. If a note cannot be read, the others
are imported all the same, and the exit code is 1."""


@click.command("import", help=READ.format(readable=textwrap.fill(". ".join(readable()) + ".", 95)))
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Say what would be done, and do nothing.")
@placed
@show.as_json
@click.pass_obj
def import_(
    flags: dict[str, str],
    path: Path,
    dry_run: bool,
    project: str | None,
    everywhere: bool,
    to_json: bool,
) -> None:
    """Take in what PATH is or holds; `READ` is what people are told."""
    with (
        opened(paths.home(), flags=flags, embeddings=Embeddings()) as app,
        progress(to_json=to_json) as bar,
    ):
        found = app.importing.find(path)
        # Notes first: what a turn says again is known then.
        taken = None
        if found.records:
            taken = app.importing.notes(
                found,
                project=_target(app, project, everywhere=everywhere, dry_run=dry_run),
                dry_run=dry_run,
                progress=_shown(bar, "Notes"),
            )
        if dry_run:
            report: dict[str, object] = {"dry_run": True, "transcripts": len(found.logs)}
        else:
            home = here(app, project, everywhere=False).project if project and found.logs else ""
            read = app.importing.logs(found, _shown(bar, "Reading"), project=home)
            report = {**read.as_json(), "pending": app.meaning.pending()}
    report["notes"] = _as_data(taken, dry_run=dry_run)
    if to_json:
        show.dump(report)
    else:
        _say(report, taken, dry_run=dry_run)
    if (taken and taken.failed) or (report.get("failed") and path.is_file()):
        sys.exit(1)


def _shown(bar: Progress, what: str) -> Callable[[int, int], None]:
    """Return what to tell how many are done, of how many."""
    task = bar.add_task(what, total=None)
    return lambda done, total: bar.update(task, completed=done, total=total)


def _target(app: Recollect, project: str | None, *, everywhere: bool, dry_run: bool) -> str:
    """Return the project that notes are for; one that is not known yet has no name."""
    if not project and not everywhere:
        known = app.projects.at(os.getcwd()) if dry_run else app.projects.meet(os.getcwd())
        return known.name if known else ""
    return here(app, project, everywhere=everywhere).project


def _as_data(taken: "NotesReport | None", *, dry_run: bool) -> dict[str, object]:
    counts = taken.counts() if taken else {}
    names = {outcome: f"would_{WOULD[outcome]}" for outcome in WOULD} if dry_run else {}
    return {
        **{names.get(outcome, outcome): counts.get(outcome, 0) for outcome in OUTCOMES},
        "records": [_record_as_data(one, dry_run=dry_run) for one in taken.taken] if taken else [],
        "also": [_done_as_data(one, dry_run=dry_run) for one in taken.also] if taken else [],
    }


def _record_as_data(one: "Taken", *, dry_run: bool) -> dict[str, object]:
    where = {"file": one.file, "record": one.number or None, "name": one.name}
    return where | _done_as_data(one.done, dry_run=dry_run) | {"name": one.name}


def _done_as_data(done: ChangeResult, *, dry_run: bool) -> dict[str, object]:
    record: dict[str, object] = {
        "name": done.id,
        "outcome": done.outcome,
        "reason": done.reason,
        "fix": done.fix,
    }
    if dry_run and done.outcome in WOULD:
        return {**record, "outcome": "nothing", "would": WOULD[done.outcome]}
    return record


def _say(report: dict[str, object], taken: "NotesReport | None", *, dry_run: bool) -> None:
    if taken:
        _say_notes(taken, dry_run=dry_run)
    if dry_run:
        if report["transcripts"] or not taken:
            show.say(f"Would read {show.count(report['transcripts'], 'transcript')}.")
        return
    if report["files"] or report["failed"] or not taken:
        show.say(
            f"{show.count(report['added'], 'turn')} added from"
            f" {show.count(report['files'], 'transcript')}, {report['known']} known already."
        )
    if pending := report["pending"]:
        show.say(
            f"Until the worker has indexed their meaning, {pending} passages are found by keywords"
            " only. To do it now: [bold]recollect index[/bold]"
        )
    for one in report["failed"]:  # type: ignore[attr-defined]
        show.say(f"[yellow]![/yellow] {escape(one['file'])}: {escape(one['reason'])}")


def _say_notes(taken: "NotesReport", *, dry_run: bool) -> None:
    counts = taken.counts()
    words = {outcome: f"would be {outcome}" for outcome in WOULD} if dry_run else {}
    parts = [
        f"{counts[outcome]} {words.get(outcome, outcome)}"
        for outcome in OUTCOMES
        if counts[outcome]
    ]
    show.say(f"Notes: {', '.join(parts) or 'none'}.")
    alike: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for one in taken.taken:
        if one.done.reason and one.done.outcome != "failed":
            alike[one.done.outcome, one.done.reason].append(one.name or one.file)
    for other in taken.also:
        alike[other.outcome, other.reason].append(other.id)
    for (outcome, reason), names in alike.items():
        said = f"{len(names)} {words.get(outcome, outcome)}: {reason} ({_some(names)})"
        show.say(f"  [dim]{escape(said)}[/dim]")
    for one in taken.failed[:SHOWN]:
        show.say(f"[red]✗[/red] {escape(one.place)}: {escape(one.done.reason)}")
        show.say(f"  [dim]{escape(one.done.fix)}[/dim]")
    if len(taken.failed) > SHOWN:
        show.say(f"  and {len(taken.failed) - SHOWN} more that failed; all of them: --json")


def _some(names: Sequence[str]) -> str:
    """Return a few of *names*.

    >>> _some(["a", "b"]), _some(["a", "b", "c", "d", "e"])
    ('a, b', 'a, b, c and 2 more')
    """
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
