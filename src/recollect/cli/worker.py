"""`worker`: start, stop, look at the process that works in the background."""

import click
from rich.markup import escape

from recollect import paths, worker_client
from recollect.app.results import as_data
from recollect.cli import show
from recollect.mcp_server import server


@click.group(invoke_without_command=True)
@click.pass_context
def worker(context: click.Context) -> None:
    """Start, stop or inspect the background process, which starts and stops by itself."""
    if not context.invoked_subcommand:
        context.invoke(status)


@worker.command()
@show.as_json
def status(to_json: bool) -> None:
    """Show whether a worker is running, and what it does."""
    found = worker_client.status(paths.home())
    if to_json:
        show.dump(as_data(found))
        return
    show.say(escape(found.in_words()))


@worker.command()
@show.as_json
def start(to_json: bool) -> None:
    """Start a worker if none is running."""
    pid = worker_client.start(paths.home())
    show.report(f"The worker is running (process {pid}).", to_json=to_json, pid=pid)


@worker.command()
@show.as_json
def stop(to_json: bool) -> None:
    """Let the worker finish what it is doing and exit; the next session starts a new one."""
    stopped = worker_client.stop(paths.home())
    said = "The worker has stopped." if stopped else "No worker is running."
    show.report(said, to_json=to_json, stopped=stopped)


@worker.command()
@show.as_json
def restart(to_json: bool) -> None:
    """Stop the worker and start a new one."""
    worker_client.stop(paths.home())
    pid = worker_client.start(paths.home())
    show.report(f"A new worker is running (process {pid}).", to_json=to_json, pid=pid)


@worker.command()
def run() -> None:
    """Run the worker here, in the foreground, until Ctrl-C."""
    from recollect.worker import daemon  # noqa: PLC0415 - heavy; only here

    daemon.run_here(paths.home(), answer=server.answered)
