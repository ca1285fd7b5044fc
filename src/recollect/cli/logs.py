"""`logs`: what the worker did, without any content of memories."""

import os
import time
from pathlib import Path

import click

from recollect import paths
from recollect.cli import show


@click.command()
@click.option("-n", "--lines", default=50, show_default=True, help="Show the last N lines.")
@click.option("-f", "--follow", is_flag=True, help="Keep showing new lines.")
@click.option("--clear", is_flag=True, help="Empty the logs.")
@show.as_json
def logs(lines: int, follow: bool, clear: bool, to_json: bool) -> None:
    """Show the worker's log. It contains no memories, unless RECOLLECT_DEBUG=1 is set."""
    folder = Path(paths.logs(paths.home()))
    if clear:
        for file in folder.glob("*.log*"):
            file.write_bytes(b"")
        show.report("The logs are empty.", to_json=to_json, cleared=True)
        return
    if os.environ.get("RECOLLECT_DEBUG"):
        click.echo("RECOLLECT_DEBUG is set: these logs may contain parts of memories.", err=True)
    log = folder / "worker.log"
    shown = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    if to_json:
        show.dump(shown[-lines:])
        return
    for one in shown[-lines:]:
        click.echo(one)
    if follow:
        _follow(log)


def _follow(log: Path) -> None:
    place = log.stat().st_size if log.exists() else 0
    try:
        while True:
            size = log.stat().st_size if log.exists() else 0
            if size < place:  # The log was rotated or emptied.
                place = 0
            if size > place:
                with log.open(encoding="utf-8") as file:
                    file.seek(place)
                    click.echo(file.read(), nl=False)
                    place = file.tell()
            time.sleep(0.3)
    except KeyboardInterrupt:
        return
