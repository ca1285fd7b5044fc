"""Is everything well? Each check says what it found and what to do."""

import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import recollect
from recollect import ages, config, paths, worker_client
from recollect.app.model_status import ModelStatus
from recollect.app.recollect import Recollect
from recollect.app.results import former
from recollect.errors import EmbedderError, HostError
from recollect.hosts import claude_code, roster
from recollect.hosts import home as own
from recollect.hosts.host import Host
from recollect.hosts.mcp_clients import CLIENTS
from recollect.hosts.plan import SetupPlan
from recollect.worker_client import Health

LEAST_FREE_MB = 100
BACKLOG = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool = former("well")
    detail: str = former("found")
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedHost:
    """What keeps an agent from being remembered."""

    host: str
    what: str
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenFile:
    """A note's file that cannot be read."""

    file: str
    what: str
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeStatus:
    """How Recollect is doing."""

    version: str
    home: str
    set_up: bool
    hosts: tuple[str, ...]
    """The agents it is set up in."""
    blocked: tuple[BlockedHost, ...] = former("hindered")
    outdated: tuple[str, ...]
    """Agents that `recollect setup` would bring up to date."""
    worker: Health
    projects: int
    memories: int
    here: str
    """The project here, in a line."""
    models: ModelStatus
    last_failure: str
    newer_release: str
    notes: tuple[BrokenFile, ...]


def status(app: Recollect, *, folder: str) -> HomeStatus:
    """Return how the home of *app* is doing, and the project that *folder* is in."""
    hosts = switched_on(app.home)
    those = plans(app.home) if hosts else []
    everyone = app.projects.overview()
    return HomeStatus(
        version=recollect.__version__,
        home=app.home,
        set_up=bool(hosts),
        hosts=tuple(hosts),
        blocked=tuple(
            BlockedHost(host=check.name, what=check.detail, fix=check.hint)
            for check in hindered(those)
        ),
        outdated=tuple(outdated(those)),
        worker=worker_client.status(app.home),
        projects=len(everyone),
        memories=sum(one.memories for one in everyone),
        here=_project_in(app, folder),
        models=app.models.status(now=time.time()),
        last_failure=app.housekeeping.last_failure,
        newer_release=app.housekeeping.newer_release,
        notes=tuple(_broken_files(app)),
    )


def _project_in(app: Recollect, folder: str) -> str:
    here = app.projects.at(folder)
    if here is None:
        return ""
    count, last = app.projects.count(here.name), app.sessions.last(here.name)
    said = f"{here.label}, {count} {'memory' if count == 1 else 'memories'}"
    return f"{said}, last session {ages.ago(time.time() - last.last_seen)}" if last else said


def _broken_files(app: Recollect) -> Iterator[BrokenFile]:
    for one in app.note_troubles():
        yield BrokenFile(file=one.place, what=one.what, fix=one.fix)


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
        *_left_behind(app),
        _meaning(app),
        *_models(app),
    ]


def _installation(home: str) -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Check(name="Python", ok=sys.version_info >= (3, 11), detail=version)
    writable = os.access(home, os.W_OK)
    yield Check(
        name="home",
        ok=writable,
        detail=f"{home} is {'writable' if writable else 'not writable'}",
        hint="Make the folder yours, or set RECOLLECT_HOME.",
    )
    open_to_others = [
        path.name
        for path in (Path(home), *Path(home).iterdir())
        if not path.is_symlink() and path.stat().st_mode & 0o077
    ]
    yield Check(
        name="privacy",
        ok=not open_to_others,
        detail=f"others can read {', '.join(open_to_others)}" if open_to_others else "yours alone",
        hint=f"Run: chmod -R go-rwx {home}",
    )
    free = shutil.disk_usage(home).free >> 20
    yield Check(
        name="disk", ok=free >= LEAST_FREE_MB, detail=f"{free} MB free", hint="Free some space."
    )


def _settings(app: Recollect) -> Iterator[Check]:
    _, problems = config.examine(app.home)
    for project in app.projects.all():
        problems += config.examine(app.home, project=project.name, root=project.root)[1]
    found_problems = list(dict.fromkeys((problem.message, problem.hint) for problem in problems))
    if not found_problems:
        yield Check(name="settings", ok=True, detail="all understood")
    for message, hint in found_problems:
        yield Check(name="settings", ok=False, detail=message, hint=hint)


def _launcher(home: str) -> Check:
    fix = "Run: recollect setup"
    try:
        python, hook = Path(paths.launch_record(home)).read_text(encoding="utf-8").split("\n")[:2]
    except (OSError, ValueError):
        return Check(name="hooks", ok=False, detail="not set up", hint=fix)
    for needed in (python, hook):
        if not os.path.exists(needed):
            return Check(name="hooks", ok=False, detail=f"{needed} is gone", hint=fix)
    return Check(name="hooks", ok=True, detail=f"run by {python}")


def _hosts(home: str) -> Iterator[Check]:
    """Claude Code is missed only where no other host has us."""
    others = [_host(host, plan) for host, plan in plans(home)]
    first = _plugin(home)
    if first.ok or not others:
        yield first
    yield from others
    with_tools = [name for name in roster.on(home) if name in CLIENTS]
    for title in roster.titles(with_tools):
        yield Check(name=title, ok=True, detail="has the memory's tools")


def _plugin(home: str) -> Check:
    try:
        well, found = claude_code.is_on(home), "in Claude Code's settings"
    except HostError as error:
        return Check(name="plugin", ok=False, detail=error.message, hint=error.hint)
    if well and own.plugin(home).exists() and not own.has_plugin(home):
        well, found = False, "is not what this version and your settings want"
    elif not well:
        found = f"not {found}"
    return Check(name="plugin", ok=well, detail=found, hint="" if well else "Run: recollect setup")


def _host(host: Host, plan: SetupPlan) -> Check:
    """What there is to say of *host*, for which *plan* is left."""
    fix = f"Run: recollect setup --host {host.name}"
    if plan.troubles:
        (trouble,) = plan.troubles
        return Check(name=host.title, ok=False, detail=trouble.message, hint=trouble.hint)
    if plan.is_blocked:
        return Check(name=host.title, ok=False, detail=plan.note, hint=fix if plan.steps else "")
    if plan.steps:
        return Check(name=host.title, ok=False, detail="is not what this version wants", hint=fix)
    return Check(name=host.title, ok=True, detail=f"set up. {plan.note}".removesuffix(". "))


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
        ok=not health.trouble,
        detail=health.trouble or ("runs" if health.running else "not running, starts on demand"),
        hint="Run: recollect worker restart",
    )
    yield Check(
        name="inbox",
        ok=health.waiting < BACKLOG,
        detail=f"{health.waiting} events wait",
        hint="Run: recollect worker start",
    )
    yield Check(
        name="set aside",
        ok=not health.set_aside,
        detail=f"{health.set_aside} events could not be read",
        hint=f"Their reasons stand in {paths.set_aside(home)}; they expire by themselves.",
    )


def _meaning(app: Recollect) -> Check:
    try:
        app.meaning.check()
    except EmbedderError as error:
        return Check(
            name="search by meaning",
            ok=False,
            detail=f"{error.message}; words are searched",
            hint=error.hint,
        )
    found = app.meaning.status()
    pending = f", {found['pending']} passages wait for the worker" if found["pending"] else ""
    return Check(name="search by meaning", ok=True, detail=f"{found['embedder']}{pending}")


def _models(app: Recollect) -> Iterator[Check]:
    found = app.models.status(now=time.time())
    if not found.is_on:
        yield Check(name="model", ok=True, detail="none is asked")
        return
    trouble = found.trouble or next(iter(app.models.troubles().values()), "")
    used = f"{found.engine}, {found.tokens_today:,} of {found.daily_tokens:,} tokens today"
    yield Check(
        name="model",
        ok=not trouble,
        detail=trouble or used,
        hint=(found.hint or "See: recollect config"),
    )
    yield Check(
        name="turns for a model",
        ok=not found.set_aside,
        detail=f"{found.waiting} wait, {found.set_aside} were set aside",
        hint="To see why, and to try again: recollect retry",
    )


def _notes(app: Recollect) -> Iterator[Check]:
    broken = list(_broken_files(app))
    if not broken:
        yield Check(name="notes", ok=True, detail="all can be read")
    for one in broken:
        yield Check(name="notes", ok=False, detail=f"{one.file}: {one.what}", hint=one.fix)


def _left_behind(app: Recollect) -> Iterator[Check]:
    for left, project in app.projects.left_behind():
        yield Check(
            name="projects",
            ok=False,
            detail=f"memories of {left.name} stayed behind when it became {project.name}",
            hint=f"To take them along: recollect projects join {left.name} {project.name}",
        )


def _databases(app: Recollect) -> Iterator[Check]:
    for name, found in app.verdicts().items():
        hint = (
            "Run: recollect index --rebuild"
            if name == "index.db"
            else "Run: recollect worker restart"
        )
        yield Check(name=name, ok=found == "ok", detail=found, hint=hint)
