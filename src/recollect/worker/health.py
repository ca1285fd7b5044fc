"""Is everything well? Each check says what it found and what to do."""

import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from recollect import config, paths, worker_client
from recollect.app.recollect import Recollect
from recollect.errors import EmbedderError, HostError
from recollect.hosts import claude_code, roster
from recollect.hosts import home as own
from recollect.hosts.host import Host
from recollect.hosts.mcp_clients import CLIENTS
from recollect.hosts.plan import SetupPlan

LEAST_FREE_MB = 100
BACKLOG = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    well: bool
    found: str
    hint: str = ""


def examine(app: Recollect) -> list[Check]:
    """Look at everything that memory needs."""
    return [
        *_installation(app.home),
        *_settings(app),
        _launcher(app.home),
        *_hosts(app.home),
        *_worker(app.home),
        *_databases(app),
        *_notes(app),
        _meaning(app),
        *_models(app),
    ]


def _installation(home: str) -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check(name="Python", well=sys.version_info >= (3, 11), found=version)
    writable = os.access(home, os.W_OK)
    yield Check(
        name="home",
        well=writable,
        found=f"{home} is {'writable' if writable else 'not writable'}",
        hint="Make the folder yours, or set RECOLLECT_HOME.",
    )
    open_to_others = [
        path.name
        for path in (Path(home), *Path(home).iterdir())
        if not path.is_symlink() and path.stat().st_mode & 0o077
    ]
    yield Check(
        name="privacy",
        well=not open_to_others,
        found=f"others can read {', '.join(open_to_others)}" if open_to_others else "yours alone",
        hint=f"Run: chmod -R go-rwx {home}",
    )
    free = shutil.disk_usage(home).free >> 20
    yield Check(
        name="disk", well=free >= LEAST_FREE_MB, found=f"{free} MB free", hint="Free some space."
    )


def _settings(app: Recollect) -> Iterator[Check]:
    _, problems = config.examine(app.home)
    for project in app.projects.all():
        problems += config.examine(app.home, project=project.name, root=project.root)[1]
    found_problems = list(dict.fromkeys((problem.message, problem.hint) for problem in problems))
    if not found_problems:
        yield Check(name="settings", well=True, found="all understood")
    for message, hint in found_problems:
        yield Check(name="settings", well=False, found=message, hint=hint)


def _launcher(home: str) -> Check:
    fix = "Run: recollect setup"
    try:
        python, hook = Path(paths.launch_record(home)).read_text(encoding="utf-8").split("\n")[:2]
    except (OSError, ValueError):
        return Check(name="hooks", well=False, found="not set up", hint=fix)
    for needed in (python, hook):
        if not os.path.exists(needed):
            return Check(name="hooks", well=False, found=f"{needed} is gone", hint=fix)
    return Check(name="hooks", well=True, found=f"run by {python}")


def _hosts(home: str) -> Iterator[Check]:
    """Claude Code is missed only where no other host has us."""
    others = [_host(host, plan) for host, plan in plans(home)]
    first = _plugin(home)
    if first.well or not others:
        yield first
    yield from others
    with_tools = [name for name in roster.on(home) if name in CLIENTS]
    for title in roster.titles(with_tools):
        yield Check(name=title, well=True, found="has the memory's tools")


def _plugin(home: str) -> Check:
    try:
        well, found = claude_code.is_on(home), "in Claude Code's settings"
    except HostError as error:
        return Check(name="plugin", well=False, found=error.message, hint=error.hint)
    if well and own.plugin(home).exists() and not own.has_plugin(home):
        well, found = False, "is not what this version and your settings want"
    elif not well:
        found = f"not {found}"
    return Check(name="plugin", well=well, found=found, hint="" if well else "Run: recollect setup")


def _host(host: Host, plan: SetupPlan) -> Check:
    """What there is to say of *host*, for which *plan* is left."""
    fix = f"Run: recollect setup --host {host.name}"
    if plan.troubles:
        (trouble,) = plan.troubles
        return Check(name=host.title, well=False, found=trouble.message, hint=trouble.hint)
    if plan.is_blocked:
        return Check(name=host.title, well=False, found=plan.note, hint=fix if plan.steps else "")
    if plan.steps:
        return Check(name=host.title, well=False, found="is not what this version wants", hint=fix)
    return Check(name=host.title, well=True, found=f"set up. {plan.note}".removesuffix(". "))


def switched_on(home: str) -> list[str]:
    """Return what the hosts are called whose hooks will run: the launcher has its record, too."""
    if not os.path.exists(paths.launch_record(home)):
        return []
    return [host.title for host in roster.hosts().values() if _has(host, home)]


def plans(home: str) -> list[tuple[Host, SetupPlan]]:
    """Return the hosts that have us, and what `setup` would do there; Claude Code is not asked."""
    others = (host for host in roster.hosts().values() if host.name != claude_code.NAME)
    return [(host, _plan(host, home)) for host in others if _has(host, home)]


def hindered(plans: Iterable[tuple[Host, SetupPlan]]) -> list[Check]:
    """Return which of the hosts with these *plans* keep nothing, and why."""
    return [_host(host, plan) for host, plan in plans if plan.is_blocked or plan.troubles]


def outdated(plans: Iterable[tuple[Host, SetupPlan]]) -> list[str]:
    """Return what the hosts with these *plans* are called that keep all, and could be renewed."""
    return [host.title for host, plan in plans if plan.steps and not plan.is_blocked]


def _plan(host: Host, home: str) -> SetupPlan:
    found = host.find()
    return roster.attempted(partial(host.setup, home, found)) if found else SetupPlan(steps=())


def _has(host: Host, home: str) -> bool:
    try:
        return host.is_on(home)
    except (HostError, OSError, ValueError):  # `doctor` says what is wrong with the host's files.
        return False


def _worker(home: str) -> Iterator[Check]:
    health = worker_client.status(home)
    yield Check(
        name="worker",
        well=not health.trouble,
        found=health.trouble or ("runs" if health.running else "not running, starts on demand"),
        hint="Run: recollect worker restart",
    )
    yield Check(
        name="inbox",
        well=health.waiting < BACKLOG,
        found=f"{health.waiting} events wait",
        hint="Run: recollect worker start",
    )
    yield Check(
        name="set aside",
        well=not health.set_aside,
        found=f"{health.set_aside} events could not be read",
        hint=f"Their reasons stand in {paths.set_aside(home)}; they expire by themselves.",
    )


def _meaning(app: Recollect) -> Check:
    try:
        app.meaning.check()
    except EmbedderError as error:
        return Check(
            name="search by meaning",
            well=False,
            found=f"{error.message}; words are searched",
            hint=error.hint,
        )
    found = app.meaning.status()
    pending = f", {found['pending']} passages wait for the worker" if found["pending"] else ""
    return Check(name="search by meaning", well=True, found=f"{found['embedder']}{pending}")


def _models(app: Recollect) -> Iterator[Check]:
    found = app.models.status(now=time.time())
    if not found.is_on:
        yield Check(name="model", well=True, found="none is asked")
        return
    trouble = found.trouble or next(iter(app.models.troubles().values()), "")
    used = f"{found.engine}, {found.tokens_today:,} of {found.daily_tokens:,} tokens today"
    yield Check(
        name="model",
        well=not trouble,
        found=trouble or used,
        hint=(found.hint or "See: recollect config"),
    )
    yield Check(
        name="turns for a model",
        well=not found.set_aside,
        found=f"{found.waiting} wait, {found.set_aside} were set aside",
        hint="To see why, and to try again: recollect retry",
    )


def _notes(app: Recollect) -> Iterator[Check]:
    troubles = app.note_troubles()
    if not troubles:
        yield Check(name="notes", well=True, found="all can be read")
    for one in troubles:
        yield Check(name="notes", well=False, found=f"{one.place}: {one.what}", hint=one.fix)


def _databases(app: Recollect) -> Iterator[Check]:
    for name, found in app.verdicts().items():
        hint = (
            "Run: recollect index --rebuild"
            if name == "index.db"
            else "Run: recollect worker restart"
        )
        yield Check(name=name, well=found == "ok", found=found, hint=hint)
