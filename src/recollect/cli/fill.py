"""`index` and `import`: make the index anew, read old transcripts."""

from pathlib import Path

import click
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from recollect import paths
from recollect.app import App, opened
from recollect.cli import show
from recollect.errors import EmbedderError
from recollect.index.embedding import Embeddings


def _progress(*, to_json: bool) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=show.console(),
        transient=True,
        disable=to_json,
    )


@click.command()
@click.option("--rebuild", is_flag=True, help="Read every file again, whatever it looks like.")
@show.as_json
def index(rebuild: bool, to_json: bool) -> None:
    """Bring the index in step with the Markdown, now; otherwise the worker does so.

    What is there answers meanwhile. It can be stopped at any time, and goes on from there.
    """
    with (
        opened(paths.home(), embeddings=Embeddings()) as app,
        _progress(to_json=to_json) as bar,
    ):
        task = bar.add_task("Reading", total=None)
        if rebuild:
            memories = app.rebuild(
                lambda done, total: bar.update(task, completed=done, total=total)
            )
        else:
            app.refresh_all()
            memories = sum(one.memories for one in app.overview())
        trouble = _embed(app, bar)
        pending = app.pending()
    show.report(
        f"The index has {show.count(memories, 'memory')}.",
        to_json=to_json,
        memories=memories,
        pending=pending,
        trouble=trouble,
    )
    if trouble and not to_json:
        show.say(f"[yellow]![/yellow] Search goes by words alone: {escape(trouble)}")


def _embed(app: App, bar: Progress) -> str:
    """Make the missing vectors, showing how far it is; return what is in the way of it."""
    task = bar.add_task("Meaning", total=None, visible=bool(app.pending()))
    try:
        app.embed(lambda done, total: bar.update(task, completed=done, total=total))
    except EmbedderError as error:
        return f"{error.message}. {error.hint}".strip()
    return ""


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@show.as_json
@click.pass_obj
def import_(flags: dict[str, str], path: Path, to_json: bool) -> None:
    """Read Claude Code transcripts: a file, or every one below a folder.

    What is known already is left alone, so it can be run again.
    """
    with opened(paths.home(), flags=flags) as app, _progress(to_json=to_json) as bar:
        task = bar.add_task("Reading", total=None)
        report = app.import_transcripts(
            path, lambda done, total: bar.update(task, completed=done, total=total)
        )
        pending = app.pending()
    if to_json:
        show.dump({**report.as_json(), "pending": pending})
        return
    show.say(
        f"{report.added} turns added from {report.files} transcripts,"
        f" {report.known} were known already."
    )
    if pending:
        show.say(
            f"{pending} passages can be found by their words alone until the worker has read what"
            " they mean. To have it done now: [bold]recollect index[/bold]"
        )
    for file, reason in report.failed:
        show.say(f"[yellow]![/yellow] {file}: {reason}")
