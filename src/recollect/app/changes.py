"""Change what is remembered, by name, as a program or an agent does it.

Whoever changes a note says by its hash what they read of it: what changed since stays as it is.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from recollect import ids, paths
from recollect.app import results
from recollect.app.disputes import Disputes
from recollect.app.home import OpenHome
from recollect.app.naming import Naming, called, gone
from recollect.app.projects import Projects
from recollect.app.results import Change
from recollect.app.viewer import Visibility
from recollect.errors import NotFoundError, RecollectError
from recollect.journal.model import AUTHORS, LONGEST_TEXT, By
from recollect.notes.categories import CATEGORIES, Category
from recollect.store import saved
from recollect.store.contract.notes import StoredNote
from recollect.store.contract.state import NoteChange

if TYPE_CHECKING:
    from recollect.curation.curator import Curator, Memory


class Changes:
    """Changes to the memories of one home. Each is of what a name means to a `Naming`."""

    def __init__(
        self,
        home: OpenHome,
        projects: Projects,
        disputes: Disputes,
        visibility: Visibility,
        *,
        curator: "Callable[[], Curator]",
    ) -> None:
        self._home = home
        self._projects = projects
        self._disputes = disputes
        self._visibility = visibility
        self._curator = curator

    def remember(  # noqa: PLR0913 - one parameter a circumstance
        self,
        text: str,
        naming: Naming,
        *,
        category: Category | None = None,
        title: str = "",
        tags: Sequence[str] = (),
        pinned: bool = False,
        everywhere: bool = False,
        author: By = "user",
    ) -> Change:
        """Keep *text* as a note of the project that is meant, or of all of them."""
        from recollect.curation.curator import Saying  # noqa: PLC0415 - notes take pydantic

        if not text.strip():
            raise RecollectError("there is nothing to remember", hint="Say it in a sentence.")
        if len(text) > LONGEST_TEXT:
            raise RecollectError(
                f"text: has {len(text):,} characters, and {LONGEST_TEXT:,} are the most",
                hint="Say it shorter, or in several notes.",
            )
        if category:
            check_category(category)
        tags = [tags] if isinstance(tags, str) else tags
        by = _known(author)
        said = Saying(text=text, category=category, title=title, tags=tags, pinned=pinned, by=by)
        is_met = everywhere or bool(naming.asked_for)
        with nullcontext() if is_met else self._projects.meeting(naming.folder):
            where = paths.EVERYWHERE if everywhere else naming.known_project().name
            done = self._curator().remember(said, project=where, now=_now())
        change = results.change(done)
        return self._proposed(change) if by == "agent" and where == paths.EVERYWHERE else change

    def edit(
        self, name: str, naming: Naming, text: str, *, read_hash: str, title: str = "", author: By
    ) -> Change:
        """Let a note say *text*, unless it changed since it had the hash that was read."""
        by = _known(author)
        held = naming.found_note(name)
        self._visibility.check_change(held.name, held.project, author=by)
        if changed := _changed_since(held, read_hash):
            return changed
        head = held.text[: len(held.text) - len(_body(held.text))]
        whole = f"{head}{_titled(text, title, otherwise=held.note.title)}\n"
        done = self._curator().rewrite(held, whole, over=held.text, now=_now(), by=by)
        return results.change(done, name=held.name)

    def supersede(
        self, name: str, naming: Naming, *, by: str, text: str, read_hash: str | None, author: By
    ) -> Change:
        """Put the note *by*, or a new one that says *text*, in the place of another."""
        old = naming.found_note(name)
        self._visibility.check_change(old.name, old.project, author=author)
        if changed := _changed_since(old, read_hash):
            return changed
        if not by:
            everywhere = old.project == paths.EVERYWHERE
            kind = old.note.category
            made = self.remember(text, naming, category=kind, everywhere=everywhere, author=author)
            # It may say the same as the old one, or take it back by its own words.
            if not made.is_done or old.name in (made.id, *(one.id for one in made.also)):
                return made
            by = made.id
        new = naming.found_note(by)
        if new.project != old.project:
            raise RecollectError(
                f"{new.name} and {old.name} belong to different projects",
                hint="Retire the old one instead.",
            )
        done = results.change(self._curator().supersede(new, old, now=_now()), name=old.name)
        return replace(done, reason=done.reason or f"{new.name} stands in its place")

    def retire(self, name: str, naming: Naming, *, reason: str, read_hash: str | None) -> Change:
        """Take a note out of context and search."""
        held = naming.found_note(name)
        if changed := _changed_since(held, read_hash):
            return changed
        done = self._curator().step(held, "retire", now=_now(), reason=reason)
        return results.change(done, name=held.name)

    def restore(self, name: str, naming: Naming) -> Change:
        """Bring back what was retired, forgotten, archived or superseded."""
        naming.known_project()
        try:
            one = naming.forgotten(name)
        except NotFoundError as error:
            is_all = naming.asked_for or self._visibility.is_confined
            if is_all or not name.strip() or error.hint != ids.WHERE_IDS_ARE:
                raise
            hint = "If it was in another project, say --project."
            raise NotFoundError(error.message, hint=hint) from None
        note = getattr(one, "note", None)
        if note is not None and note.record_status == "archived":
            held = naming.found_note(called(one))
            done = self._curator().step(held, "unarchive", now=_now())
        else:
            done = self._curator().restore(one, now=_now())
        return results.change(done, name=called(one))

    def dispute(self, name: str, naming: Naming, *, said: str) -> Change:
        """Say that a memory is wrong or outdated, and what holds: it waits in review."""
        naming.known_project()
        one = naming.memory(name)
        self._disputes.add(one.project, called(one), said=said)
        return Change(
            outcome="disputed",
            id=called(one),
            reason="not shown unasked any more; the user decides in recollect review",
        )

    def forget(self, name: str, naming: Naming, *, really: bool) -> Change:
        """Take a memory out; `restore` brings it back, unless it is *really* to go."""
        naming.known_project()
        one = naming.memory(name)
        if not really and _was_taken_out(one):
            raise gone(name, one)
        told = self._curator().forget(one, really=really, now=_now())
        left = [f"not ours to delete: {place}" for place in told.beyond]
        return Change(
            outcome="erased" if told.erased else "forgotten",
            id=called(one),
            reason="; ".join([*left, *told.also]),
        )

    def _proposed(self, done: Change) -> Change:
        """Return that *done* waits for the user, who hears of it, if it is a new note."""
        from recollect.notes.lifecycle import is_proposed  # noqa: PLC0415 - takes pydantic

        if done.outcome != "created":
            return done
        note = self._curator().find(done.id, [paths.EVERYWHERE]).note
        if not is_proposed(note):
            return done
        news = NoteChange(note.category, saved.PROPOSED, note.title)
        saved.add(self._home.state, paths.EVERYWHERE, [news])
        why = "it holds nowhere until the user accepts it in recollect review"
        return replace(done, outcome="proposed", reason=why)


def check_category(name: str) -> None:
    """Raise `RecollectError` if there is no category of that *name*."""
    if name not in CATEGORIES:
        raise RecollectError(
            f"{name}: no such category", hint=f"There are {', '.join(CATEGORIES)}."
        )


def _known(author: By) -> By:
    """Return *author*. Raises `RecollectError` for one that there is not."""
    if author not in AUTHORS:
        raise RecollectError(f"{author}: no such author", hint=f"There are {', '.join(AUTHORS)}.")
    return author


def _was_taken_out(one: "Memory") -> bool:
    from recollect.curation.curator import RemovedEntry  # noqa: PLC0415 - notes take pydantic

    if isinstance(one, StoredNote):
        return one.note.record_status == "retired"
    return isinstance(one, RemovedEntry)


def _titled(text: str, title: str, *, otherwise: str) -> str:
    """Return *text* under *title*, else under its own headline, else under another."""
    own, _, below = text.strip().partition("\n")
    if not own.startswith("# "):
        own, below = f"# {otherwise}", text
    headline = f"# {' '.join(title.split())}" if title.strip() else own
    return f"{headline}\n\n{below.strip()}".strip()


def _changed_since(held: StoredNote, hash: str | None) -> Change | None:  # noqa: A002
    """Return that nothing is done, if *held* is not as it was when it had this *hash*.

    None asks for no such care; an empty one is that of nothing that was read.
    """
    if hash is None or ids.text_hash(held.text) == hash:
        return None
    if not hash:
        return Change(
            outcome="failed",
            id=held.name,
            reason="it needs the hash of what you read",
            fix="Expand it: its hash stands there.",
        )
    return Change(
        outcome="failed",
        id=held.name,
        reason="it was changed since you read it",
        fix="Expand it again, and decide by what it says now.",
    )


def _body(text: str) -> str:
    from recollect.notes import front_matter  # noqa: PLC0415 - takes YAML

    return front_matter.read(text).body


def _now() -> datetime:
    return datetime.now(UTC)
