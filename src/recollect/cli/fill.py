"""`index` and `import`: make the index anew, read old transcripts."""

from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from recollect import paths
from recollect.app import opened
from recollect.cli import show


def _progress(title: str, *, to_json: bool) -> Progress:
    return Progress(
        TextColumn(title),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=show.console(),
        transient=True,
        disable=to_json,
    )


@click.command()
@click.option("--rebuild", is_flag=True, help="Throw the index away and make it anew.")
@show.as_json
def index(rebuild: bool, to_json: bool) -> None:
    """Bring the index in step with the Markdown; searching does so by itself."""
    with opened(paths.home()) as app, _progress("Indexing", to_json=to_json) as bar:
        task = bar.add_task("", total=None)
        if rebuild:
            memories = app.rebuild(
                lambda done, total: bar.update(task, completed=done, total=total)
            )
        else:
            app.refresh_all()
            memories = sum(one.memories for one in app.overview())
    if to_json:
        show.dump({"memories": memories})
    else:
        show.say(f"The index has {memories} memories.")


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@show.as_json
@click.pass_obj
def import_(flags: dict[str, str], path: Path, to_json: bool) -> None:
    """Read Claude Code transcripts: a file, or every one below a folder.

    What is known already is left alone, so it can be run again.
    """
    with opened(paths.home(), flags=flags) as app, _progress("Reading", to_json=to_json) as bar:
        task = bar.add_task("", total=None)
        report = app.import_transcripts(
            path, lambda done, total: bar.update(task, completed=done, total=total)
        )
    if to_json:
        show.dump(report.as_json())
        return
    show.say(
        f"{report.added} turns added from {report.files} transcripts,"
        f" {report.known} were known already."
    )
    for file, reason in report.failed:
        show.say(f"[yellow]![/yellow] {file}: {reason}")
