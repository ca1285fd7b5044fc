"""Which memories agents pass over: shown often, and never used."""

import json

from recollect.store.contract.state import OFTEN, StateStore


def ignored(state: StateStore, project: str, *, least: int = OFTEN) -> frozenset[str]:
    """Return the memories that agents in *project* pass over.

    Those were shown for at least so many prompts since they were last changed, and never used:
    not for anything else and not as they were before either.
    """
    return frozenset(one.id for one in state.shown.never_used(project=project, least=least))


def count_ignored(state: StateStore, project: str) -> None:
    """Count for `passed_over`: with many rows that takes longer than a prompt may wait."""
    state.set_meta(f"ignored:{project}", json.dumps(sorted(ignored(state, project))))


def passed_over(state: StateStore, project: str) -> frozenset[str]:
    """Return what was `ignored` in *project* when somebody last counted."""
    return frozenset(json.loads(state.meta(f"ignored:{project}") or "[]"))
