"""Every host we know, and every client: switching on and leaving several of them at once."""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from recollect import discovery
from recollect import hosts as package
from recollect.errors import HostError
from recollect.hosts import launcher, mcp_clients
from recollect.hosts.host import Host, Installation
from recollect.hosts.mcp_clients import CLIENTS
from recollect.hosts.plan import SetupPlan, joined


@cache
def hosts() -> dict[str, Host]:
    """Return every host by its name."""
    found: list[Host] = discovery.found_in(package, "HOST")
    return {host.name: host for host in found}


def every() -> dict[str, Host]:
    """Return every host, and every client that has our tools alone, by its name."""
    return hosts() | {name: mcp_clients.as_host(one) for name, one in CLIENTS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Something to switch Recollect on in: how it is called, where it is, what is left to do."""

    name: str
    title: str
    where: str
    plan: Callable[[], SetupPlan]
    welcome: str = ""


def targets(home: str, names: Sequence[str], clients: Sequence[str]) -> list[Target]:
    """Return what *names* and *clients* name; if they name nothing, every host on this machine.

    Raises `HostError` if one of them is not there, or if we cannot run here.
    """
    check_platform()
    if not names and not clients:
        found = [(host, host.find()) for host in hosts().values()]
        there = [_target(home, host, one) for host, one in found if one]
        if not there:
            raise HostError("no agent was found on this machine", hint=_known())
        return there
    chosen = [every()[name] for name in (*names, *clients)]
    return [_target(home, host, _required(host)) for host in chosen]


def is_any_here() -> bool:
    """Tell whether there is any host on this machine."""
    return any(host.find() for host in hosts().values())


def check_platform() -> None:
    """Raise `HostError` if we cannot run here."""
    if sys.platform not in ("linux", "darwin"):
        raise HostError(
            f"Recollect does not run on {sys.platform} yet",
            hint="It runs on Linux and macOS; on Windows, within WSL.",
        )


def _known() -> str:
    """Say which agents there could be."""
    *names, last = (host.title for host in hosts().values())
    return (
        f"Install {', '.join(names)} or {last}, then run: recollect setup\n"
        "  For another client: recollect setup --mcp CLIENT"
    )


def distinct(plans: Iterable[SetupPlan]) -> Iterator[SetupPlan]:
    """Yield *plans* without steps that an earlier one has: what hosts share is done once."""
    seen: set[str] = set()
    for plan in plans:
        yield replace(plan, steps=tuple(step for step in plan.steps if step.line not in seen))
        seen |= {step.line for step in plan.steps}


def attempted(planned: Callable[[], SetupPlan]) -> SetupPlan:
    """Return what was *planned*, or the trouble alone: what is wrong with one host is its own."""
    try:
        return understood(planned)
    except HostError as error:
        return SetupPlan(steps=(), troubles=(error,))


def understood(planned: Callable[[], SetupPlan]) -> SetupPlan:
    """Return what was *planned*. Raises `HostError`, whatever is wrong with the host's files."""
    try:
        return planned()
    except (OSError, ValueError) as error:
        wrong = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        hint = "Nothing was changed. Put it right, then try again."
        raise HostError(wrong, hint=hint) from error


def on(home: str) -> list[str]:
    """Return the names of all that have us, hooks or tools; what cannot be read counts as well."""
    return [name for name, host in every().items() if _may_be_on(host, home)]


def titles(names: Iterable[str]) -> list[str]:
    """Return what the makers call the hosts and clients with these *names*."""
    return [every()[name].title for name in names]


def removal(home: str, names: Collection[str]) -> SetupPlan:
    """Return what is left to do until the hosts and clients with these *names* know nothing of us.

    Memories stay; what all of them stand on goes with the last. One whose files cannot be
    understood or written is not left, and stands among the troubles.
    """
    left = [host for name, host in every().items() if name in names]
    removals = (partial(host.removal, home, host.config_folder()) for host in left)
    plan = joined(map(attempted, removals))
    if plan.troubles or set(on(home)) - set(names):
        return plan
    return replace(plan, steps=(*plan.steps, *launcher.uninstalling(home)))


def _target(home: str, host: Host, found: Installation) -> Target:
    return Target(
        name=host.name,
        title=f"{host.title} {found.version}".strip(),
        where=found.executable,
        plan=partial(host.setup, home, found),
        welcome=host.welcome,
    )


def _required(host: Host) -> Installation:
    found = host.find()
    if not found:
        raise HostError(
            f"{host.title} was not found: {host.how_to_install}",
            hint=f"Install it, then run: recollect setup --host {host.name}",
        )
    return found


def _may_be_on(host: Host, home: str) -> bool:
    try:
        return host.is_on(home)
    except (HostError, OSError, ValueError):
        return True
