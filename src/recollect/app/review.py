"""What waits for a word of the user: notes in doubt, and memories that somebody called wrong."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from recollect import paths
from recollect.app import results
from recollect.app.browse import PAGE, ListPage, page_of
from recollect.app.disputes import Disputes
from recollect.app.naming import Naming
from recollect.app.results import Change
from recollect.app.viewer import Visibility
from recollect.errors import NotFoundError, RecollectError
from recollect.journal import markdown
from recollect.store.contract.notes import StoredNote
from recollect.store.contract.search import IndexRow
from recollect.store.contract.state import Dispute

if TYPE_CHECKING:
    from recollect.curation.curator import Curator
    from recollect.curation.review import Item, Review

Decision = Literal["accept", "reject", "replace"]
# In the order in which they are shown.
KINDS = ("disputed", "proposed", "contradiction", "doubted", "released", "stale")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewLine:
    """One memory to decide on, and why."""

    kind: str
    """One of `KINDS`."""
    about: str
    """Why, in a few words."""
    name: str
    project: str
    title: str
    body: str
    """Its Markdown."""
    other: str = ""
    """The note that it may contradict …"""
    other_body: str = ""
    """… and what that says."""
    can_replace: bool = False
    """Whether it may take the place of the other."""
    note: Mapping[str, Any] = field(default_factory=dict)
    """All fields of a note, and its `file`; empty for what the journal has."""
    said: str = ""
    """What was said against a memory that is disputed."""
    author: str = ""
    """Who said it: `user` or `agent`."""
    session: str = ""
    hidden: bool = False
    """Whether it is not shown meanwhile."""


class ReviewRoom:
    """What waits in one home for its user, whom alone it is shown to."""

    def __init__(
        self,
        disputes: Disputes,
        visibility: Visibility,
        *,
        review: "Callable[[str], Review]",
        curator: "Callable[[], Curator]",
    ) -> None:
        self._disputes = disputes
        self._visibility = visibility
        self._review = review
        self._curator = curator

    def waiting(self, projects: Sequence[str]) -> list[ReviewLine]:
        """Return what waits in *projects*, what somebody called wrong first; nothing for others."""
        if not self._visibility.sees_all:
            return []
        notes = [_of_note(item) for name in projects for item in self._items(name)]
        notes.sort(key=lambda one: KINDS.index(one.kind))
        return [*(_of_dispute(*one) for one in self._disputes.waiting(projects)), *notes]

    def page(
        self,
        *,
        projects: Sequence[str] | None = None,
        kinds: Collection[str] = (),
        page: int = 1,
        size: int = PAGE,
    ) -> ListPage[ReviewLine]:
        """Return what waits and is of these *kinds*, page by page. Raises `ProjectError`."""
        return page_of(
            self.waiting(self._visibility.reach(projects)),
            {
                "project": (lambda one: [one.project], ()),
                "kind": (lambda one: [one.kind], kinds),
            },
            page=page,
            size=size,
        )

    def decide(self, name: str, naming: Naming, decision: Decision) -> Change:
        """Do what the user decided on what *name* means.

        To accept says that it is right as it stands, to reject takes it out, to replace puts it in
        the place of the note that it contradicts. Raises `NotFoundError` for what does not wait,
        and `RecollectError` for anybody but the user.
        """
        if not self._visibility.sees_all:
            raise RecollectError(
                f"{name} waits for the user's word", hint="They decide with: recollect review"
            )
        places = tuple(dict.fromkeys((naming.project, paths.EVERYWHERE)))
        if decision != "replace" and (found := self._disputes.about(places, name)):
            self._disputes.settle(found[0], is_right=decision == "accept")
            is_right = "right after all: it is shown again"
            why = is_right if decision == "accept" else "it stays hidden"
            return Change(outcome="updated", id=found[0].id, reason=why)
        held = self._curator().find(*naming.note(name))
        item = next((one for one in self._items(held.project) if one.held.name == held.name), None)
        if item is None:
            what = "is not waiting for review"
            raise NotFoundError(f"{held.name}: {what}", hint="See: recollect review --json")
        decide = getattr(self._review(held.project), decision)
        return results.change(decide(item, now=datetime.now(UTC)))

    def settle(self, one: ReviewLine) -> Change:
        """Say that a note, which was edited since it waited as *one*, holds as it stands now."""
        from recollect.curation.review import Item  # noqa: PLC0415 - takes pydantic and YAML

        held = self._curator().find(one.name, [one.project])
        item = Item(kind=one.kind, held=held, about=one.about)  # type: ignore[arg-type]
        return results.change(self._review(one.project).accept(item, now=datetime.now(UTC)))

    def _items(self, project: str) -> "Iterator[Item]":
        yield from self._review(project).items((project,))


def _of_note(item: "Item") -> ReviewLine:
    note = item.held.note
    return ReviewLine(
        kind=item.kind,
        about=item.about,
        name=item.held.name,
        project=item.held.project,
        title=note.title,
        body=_body(item.held),
        other=item.other.name if item.other else "",
        other_body=_body(item.other) if item.other else "",
        can_replace=item.can_replace,
        note={"file": item.held.location, **note.model_dump(mode="json")},
    )


def _of_dispute(one: Dispute, entry: IndexRow) -> ReviewLine:
    who = "you said" if one.author == "user" else "an agent said"
    hidden = "" if one.hidden else "; still shown, as nobody can tell which one was meant"
    return ReviewLine(
        kind="disputed",
        about=f"{who}: {one.said or 'it is wrong'}{hidden}",
        name=one.id,
        project=one.project,
        title=entry.title,
        body=entry.body,
        said=one.said,
        author=one.author,
        session=one.session,
        hidden=one.hidden,
    )


def _body(held: StoredNote) -> str:
    """Return a note without its front matter, and without what nobody sees."""
    return markdown.legible(held.text.split("\n---\n", 1)[-1].strip())
