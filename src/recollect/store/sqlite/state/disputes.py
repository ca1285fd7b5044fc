"""Memories of which a user or an agent said that they are wrong, until a person has looked at them.

A disputed memory is not shown unasked. It waits in `recollect review` with what was said; there it
is right after all, and shown again, or it stays hidden.
"""

from dataclasses import asdict, dataclass

from recollect.store.sqlite.state.database import State

LONGEST_SAID = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """What was said against one memory."""

    project: str
    id: str
    author: str
    """`user` or `agent`."""
    session: str = ""
    said: str = ""
    at: float = 0.0
    hidden: bool = True
    """Whether it is not shown meanwhile; of several, nobody may know which one was meant."""


def add(state: State, one: Dispute) -> None:
    """Remember *one*; what was said of the same memory before is replaced."""
    state.run("add_dispute", **{**asdict(one), "said": one.said[:LONGEST_SAID]})


def waiting(state: State, project: str) -> list[Dispute]:
    """Return what waits for a person in *project*, the latest first."""
    names = Dispute.__slots__
    rows = (dict(zip(names, row, strict=True)) for row in state.rows("disputes", project))
    return [Dispute(**{**row, "hidden": bool(row["hidden"])}) for row in rows]


def hidden(state: State, project: str) -> frozenset[str]:
    """Return the ids of what is not shown unasked in *project*."""
    return frozenset(str(id_) for (id_,) in state.rows("hidden_disputes", project))


def accept(state: State, one: Dispute) -> None:
    """Say that the memory is right after all: it is shown again."""
    state.run("drop_dispute", id=one.id, project=one.project)


def reject(state: State, one: Dispute) -> None:
    """Say that it is wrong indeed: it stays hidden, and waits no longer."""
    state.run("settle_dispute", one.project, one.id)
