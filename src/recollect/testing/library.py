"""What every library must keep to: its journal, its archive, and what an index learns of them."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

from recollect.errors import NotFoundError
from recollect.journal.model import JournalEntry, LibraryItem, Observation, Summary
from recollect.store.contract.library import NOTE, DocumentChange
from recollect.store.library import Library
from recollect.testing.raising import error_of
from recollect.testing.texts import JUNK
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
SESSION = "9ee0ccc7-0000-4000-8000-000000000001"


class LibraryContract:
    """Each test is one promise of a library. A new backend keeps them all or does not ship."""

    def make(self, project: str = "shop-1f") -> Library:
        """Return an empty library, another one each time, whose days are those of Greenwich."""
        raise NotImplementedError

    def edit(self, library: Library, day: str, text: str) -> None:
        """Make *text* the *day*, as a person with an editor would."""
        raise NotImplementedError

    # The journal.

    def test_01_an_entry_comes_back_under_its_day(self) -> None:
        """1. What was recorded stands under the day its turn began, as it was."""
        library = self.make()
        entry = _entry()

        assert library.record(entry, known=False) == "added"

        assert library.days() == ["2026-11-15"]
        assert [one.id for one in library.items_on("2026-11-15")] == [entry.id]
        assert library.entries_of(SESSION) == [entry]

    def test_02_a_turn_is_recorded_once(self) -> None:
        """2. The same turn again changes nothing, not even the version of its day."""
        library = self.make()
        library.record(_entry(), known=False)
        before = library.states()

        assert library.record(_entry(), known=False) == "unchanged"
        assert library.record(_entry(), known=True) == "unchanged"
        assert library.states() == before

    def test_03_a_better_text_replaces_ours_and_never_a_models(self) -> None:
        """3. What a model wrote replaces an extract, and an extract never what a model wrote."""
        library = self.make()
        library.record(_entry(), known=False)

        better = library.record(_entry("Better", by="claude/1"), known=True)
        worse = library.record(_entry("Worse"), known=True)

        assert (better, worse) == ("replaced", "kept-model-version")
        assert [one.headline for one in library.entries_of(SESSION)] == ["Better"]

    def test_04_what_a_person_changed_is_left_alone(self) -> None:
        """4. An entry that a person edited is theirs: nothing of ours replaces it."""
        library = self.make()
        library.record(_entry("Park the crane"), known=False)
        self._replace(library, "Park the crane", "Park it by the water")

        assert library.record(_entry("Better", by="claude/1"), known=True) == "kept-yours"
        assert [one.title for one in _items(library)] == ["Park it by the water"]
        assert library.edited_in(SESSION) == {"turn-0"}

    def test_05_what_a_person_deleted_stays_away(self) -> None:
        """5. An entry that we recorded and that is gone was deleted: it is not made again."""
        library = self.make()
        library.record(_entry(), known=False)
        self.edit(library, "2026-11-15", "# 2026-11-15\n")

        assert library.record(_entry(), known=True) == "deleted-by-user"
        assert _items(library) == []

    def test_06_what_a_person_wrote_is_read_and_kept(self) -> None:
        """6. A person's own text is among what is there, byte for byte after we write."""
        library = self.make()
        library.record(_entry(), known=False)
        own = "\n## My own words\n\ncaf\udce9 under the mat\r\n"
        self.edit(library, "2026-11-15", library.text_on("2026-11-15") + own)

        library.record(_entry("Another", number=1), known=False)

        assert own in library.text_on("2026-11-15")
        assert "My own words" in [one.title for one in _items(library) if one.kind == "hand"]

    def test_07_days_are_in_order(self) -> None:
        """7. Days are listed in order, and entries of a session come back in order."""
        library = self.make()
        for number in (2, 0, 1):
            entry = _entry(f"On day {number}", number=number, at=NOON + timedelta(days=number))
            library.record(entry, known=False)

        assert library.days() == ["2026-11-15", "2026-11-16", "2026-11-17"]
        headlines = [one.headline for one in library.entries_of(SESSION)]
        assert headlines == ["On day 0", "On day 1", "On day 2"]

    def test_08_a_session_has_one_summary(self) -> None:
        """8. A summary is kept once, replaced while it is ours, and knows what it tells of."""
        library = self.make()
        library.record(_entry(), known=False)
        summary = Summary(session=SESSION, request="Park the crane")

        first = library.summarise(summary, started=NOON, known=False)
        again = library.summarise(replace(summary, request="Sell"), started=NOON, known=True)

        assert (first, again) == ("added", "replaced")
        assert library.summary_of(SESSION).startswith("- request: Sell\n")
        assert [one.kind for one in _items(library)].count("summary") == 1

    def test_09_what_is_written_together_is_there_at_the_end(self) -> None:
        """9. In `together` everything is read as it will be, and is written also after an error."""
        library = self.make()

        with suppress(ZeroDivisionError), library.together():
            library.record(_entry(), known=False)
            assert [one.id for one in library.entries_of(SESSION)] == [_entry().id]
            assert library.states() == {}
            raise ZeroDivisionError

        assert [one.id for one in library.entries_of(SESSION)] == [_entry().id]

    def test_10_an_edit_made_meanwhile_stays(self) -> None:
        """10. What a person edits while we are about to write is kept, and so is ours."""
        library = self.make()
        library.record(_entry("Park the crane"), known=False)

        with library.together():
            library.record(_entry("Another", number=1), known=False)
            self._replace(library, "Park the crane", "My own words", text=self._written(library))

        assert {one.title for one in _items(library)} == {"My own words", "Another"}

    def test_11_anything_can_be_kept(self) -> None:
        """11. Whatever stands in an entry, it is kept, and those beside it."""
        library = self.make()
        for number, text in enumerate(JUNK):
            library.record(_entry(f"harbour {text}", number=number, text=text), known=False)

        assert len(library.entries_of(SESSION)) == len(JUNK)

    # Forgetting.

    def test_12_what_was_forgotten_can_be_put_back(self) -> None:
        """12. A forgotten memory is gone from its day, and comes back where it stood."""
        library = self.make()
        for number in range(3):
            library.record(_entry(f"Turn {number}", number=number), known=False)
        before = _items(library)

        self._forget(library, before[1])
        gone = [one.title for one in _items(library)]
        library.restore(before[1].id)

        assert gone == ["Turn 0", "Turn 2"]
        assert [(one.id, one.body) for one in _items(library)] == [
            (one.id, one.body) for one in before
        ]
        assert library.trash.all() == []

    def test_13_what_was_erased_never_comes_back(self) -> None:
        """13. An erased turn cannot be restored, and is not recorded again by anybody."""
        library = self.make()
        library.record(_entry(), known=False)
        (item,) = _items(library)
        self._forget(library, item)

        library.erase(item.id)

        assert library.record(_entry(), known=False) == "deleted-by-user"
        assert "was not forgotten" in str(error_of(partial(library.restore, item.id)))

    def test_14_what_is_not_there_cannot_be_forgotten(self) -> None:
        """14. Forgetting what is gone is an error, not a silence."""
        library = self.make()
        library.record(_entry(), known=False)
        (item,) = _items(library)
        self._forget(library, item)

        assert isinstance(error_of(partial(self._forget, library, item)), NotFoundError)

    def test_15_a_note_that_was_erased_is_known(self) -> None:
        """15. The mark of an erased note is remembered, and of no other."""
        library = self.make()

        library.trash.bury_note("decision/use-redis")

        assert library.trash.is_buried(NOTE, "decision/use-redis")
        assert not library.trash.is_buried(NOTE, "decision/use-kafka")
        assert not library.trash.is_buried("claude-code", "decision/use-redis")

    def test_16_a_library_can_be_joined_to_another(self) -> None:
        """16. All of another library moves here; what both have is there once."""
        library, other = self.make(), self.make("bank-2e")
        library.record(_entry("Here"), known=False)
        other.record(_entry("Here"), known=False)
        other.record(_entry("There", number=1), known=False)
        other.archive.append("s-2", _turn("t1"))
        for number, erase in ((2, False), (3, True)):
            other.record(_entry("Taken out", number=number), known=False)
            gone = _items(other)[-1]
            self._forget(other, gone)
            if erase:
                other.erase(gone.id)

        library.absorb(other)

        assert [one.title for one in _items(library)] == ["Here", "There"]
        assert [one.key for one in library.archive.read("s-2")] == ["t1"]
        assert (other.days(), other.archive.sessions()) == ([], [])
        assert [one.title for one in library.trash.all()] == ["Taken out"]
        assert library.record(_entry(number=3), known=False) == "deleted-by-user"

    # The archive.

    def test_17_a_turn_comes_back_from_the_archive(self) -> None:
        """17. A turn is read as it was archived; long tool texts are cut, words are not."""
        library = self.make()
        call = ToolCall(id="c", name="Bash", input={"command": "x" * 9_000}, output="y" * 9_000)
        turn = CleanTurn(replace(_turn("t1", "a" * 9_000), tools=(call,)))

        library.archive.append("s-1", turn)

        (found,) = library.archive.read("s-1")
        assert found.answer == turn.answer
        assert len(found.tools[0].output) < len(call.output)
        assert library.archive.read("s-2") == []

    def test_18_turns_are_read_forwards_and_backwards(self) -> None:
        """18. Turns come oldest first, and backwards the last first; a later version replaces."""
        library = self.make()
        for key in ("t1", "t2", "t3"):
            library.archive.append("s-1", _turn(key))
        library.archive.append("s-1", _turn("t2", "said again"))

        forwards = {one.key: one.answer for one in library.archive.read("s-1")}
        backwards = {one.key: one.answer for one in library.archive.backwards("s-1")}

        assert sorted(forwards) == ["t1", "t2", "t3"]
        assert forwards["t2"] == backwards["t2"] == "said again"
        assert list(backwards) == ["t2", "t3", "t1"]

    def test_19_a_turn_can_be_taken_out_of_the_archive(self) -> None:
        """19. A removed turn is gone in every version, and those beside it stay."""
        library = self.make()
        for key in ("t1", "t2", "t1"):
            library.archive.append("s-1", _turn(key))

        assert library.archive.remove("s-1", "t1")

        assert [one.key for one in library.archive.read("s-1")] == ["t2"]
        assert not library.archive.remove("s-1", "t1")

    def test_20_the_archive_can_be_bounded(self) -> None:
        """20. Sessions go until the rest fits; within bounds nothing goes."""
        library = self.make()
        for session in ("s-1", "s-2"):
            library.archive.append(session, _turn("t1"))

        assert library.archive.prune(max_bytes=1 << 20) == 0
        assert library.archive.prune(max_bytes=0) == 2
        assert library.archive.sessions() == []

    # What an index learns.

    def test_21_everything_is_new_to_who_knows_nothing(self) -> None:
        """21. Whoever knows nothing hears of every document, with all that stands in it."""
        library = self._filled()

        changes = _changes(library, {})

        assert {one.kind for one in changes.values()} == {"journal", "archive"}
        items = [item.title for one in changes.values() for item in one.items or ()]
        turns = [turn.key for one in changes.values() for turn in one.turns]
        assert (items, turns) == (["Park the crane"], ["t1"])
        assert all(one.version for one in changes.values())

    def test_22_nothing_is_new_to_who_knows_it_all(self) -> None:
        """22. Whoever knows all versions hears nothing, and the states are as they were."""
        library = self._filled()
        known, states = _known(library), library.states()

        assert _changes(library, known) == {}
        assert library.states() == states

    def test_23_only_what_changed_is_told(self) -> None:
        """23. After an entry, its day is told and no other; the states differ."""
        library = self._filled()
        known, states = _known(library), dict(library.states())
        later = _entry("Tomorrow", number=1, at=NOON + timedelta(days=1))

        library.record(later, known=False)

        (change,) = _changes(library, known).values()
        assert [item.title for item in change.items or ()] == ["Tomorrow"]
        assert library.states() != states

    def test_24_of_an_archive_only_what_was_added_is_told(self) -> None:
        """24. After another turn, that turn is told, and that there were others before."""
        library = self._filled()
        known = _known(library)

        library.archive.append("s-1", _turn("t2"))

        (change,) = _changes(library, known).values()
        assert ([turn.key for turn in change.turns], change.is_more) == (["t2"], True)

    def test_25_an_archive_that_lost_a_turn_is_told_whole(self) -> None:
        """25. After a turn was removed, those that are left are told as all there are."""
        library = self._filled()
        library.archive.append("s-1", _turn("t2"))
        known = _known(library)

        library.archive.remove("s-1", "t1")

        (change,) = _changes(library, known).values()
        assert ([turn.key for turn in change.turns], change.is_more) == (["t2"], False)

    def test_26_what_is_gone_is_told_last(self) -> None:
        """26. A document that is no longer there is told as one without a version."""
        library = self._filled()
        known = {**_known(library), "gone/2026-11-01": "1"}

        changes = _changes(library, known)

        assert changes == {"gone/2026-11-01": DocumentChange(document="gone/2026-11-01")}

    def test_27_a_document_is_read_as_it_is_now(self) -> None:
        """27. What stands in a document, its state and its hash follow an edit at once."""
        library = self._filled()
        (day,) = (one.document for one in _changes(library, {}).values() if one.items)
        state, text_hash = library.state(day), library.hash_of(day)

        self._replace(library, "Park the crane", "My own words")

        assert [one.title for one in library.items(day)] == ["My own words"]
        assert library.state(day) != state
        assert library.hash_of(day) != text_hash
        assert (library.items("gone"), library.state("gone"), library.hash_of("gone")) == (
            (),
            "",
            "",
        )

    def _filled(self) -> Library:
        library = self.make()
        library.record(_entry("Park the crane"), known=False)
        library.archive.append("s-1", _turn("t1"))
        return library

    def _forget(self, library: Library, item: LibraryItem) -> None:
        days = (one for one in _changes(library, {}).values() if one.kind == "journal")
        library.forget(item.id, next(iter(days)).document, at=1.0)

    def _replace(self, library: Library, old: str, new: str, *, text: str = "") -> None:
        text = text or library.text_on("2026-11-15")
        assert old in text
        self.edit(library, "2026-11-15", text.replace(old, new))

    def _written(self, library: Library) -> str:
        """Return the text of the day as it is written down, whatever is about to be."""
        (day,) = library.states()
        return next(part.text(day) for part in library.documents if part.state(day))


def _entry(
    headline: str = "Park the crane",
    *,
    number: int = 0,
    at: datetime | None = None,
    by: str = "extractive/1",
    text: str = "It stands by the water.",
) -> JournalEntry:
    at = at or NOON + timedelta(minutes=number)
    return JournalEntry(
        id=f"{at:%Y%m%dT%H%M%S}-{number:08x}",
        turn=f"turn-{number}",
        session=SESSION,
        host="claude-code",
        at=at,
        headline=headline,
        observations=(Observation(type="change", title="Moved", text=text),),
        by=by,
    )


def _turn(key: str, said: str = "done") -> CleanTurn:
    return CleanTurn(
        Turn(
            host="claude-code",
            session="s-1",
            key=key,
            prompt="go on",
            answer=said,
            started=NOON,
            ended=NOON,
        )
    )


def _items(library: Library) -> list[LibraryItem]:
    return [item for day in library.days() for item in library.items_on(day)]


def _changes(library: Library, since: Mapping[str, str]) -> dict[str, DocumentChange]:
    return {one.document: one for one in library.changes(since)}


def _known(library: Library) -> dict[str, str]:
    return {name: one.version for name, one in _changes(library, {}).items()}
