"""What the user or an agent called wrong: hidden until the user decides."""

import time
from collections.abc import Sequence

from recollect.app.home import OpenHome
from recollect.privacy import redact
from recollect.store.contract.state import Dispute
from recollect.store.sqlite.index.database import Indexed


class Disputes:
    """The disputed memories of one home."""

    def __init__(self, home: OpenHome) -> None:
        self._home = home

    def add(self, project: str, id: str, *, said: str) -> None:  # noqa: A002
        """Remember that an agent found the memory *id* wrong, and what it *said*."""
        words = redact.clean(" ".join(said.split()))
        one = Dispute(project=project, id=id, author="agent", said=words, at=time.time())
        self._home.state.disputes.add(one)

    def waiting(self, projects: Sequence[str]) -> list[tuple[Dispute, Indexed]]:
        """Return what somebody called wrong in *projects*, as far as it is still there."""
        found = [one for name in projects for one in self._home.state.disputes.waiting(name)]
        known = [(one, self._home.index.by_id(one.id, [one.project])) for one in found]
        return [(one, entry) for one, entry in known if entry]

    def about(self, projects: Sequence[str], name: str) -> tuple[Dispute, Indexed] | None:
        """Return the disputed memory called *name*, or that it is short for."""
        names = {name, *self._home.index.ids(name)}
        return next((one for one in self.waiting(projects) if one[0].id in names), None)

    def settle(self, one: Dispute, *, is_right: bool) -> None:
        """Show a disputed memory again because it *is_right*, or leave it hidden for good."""
        waiting = self._home.state.disputes
        (waiting.accept if is_right else waiting.reject)(one)
