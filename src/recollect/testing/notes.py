"""What every store of notes must keep to: their texts, their versions, and the life of a note."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from functools import partial

from recollect.errors import NotFoundError
from recollect.notes import note_model
from recollect.notes.lifecycle import Rules
from recollect.notes.note_model import Note
from recollect.store.contract.notes import NoteKey, NoteStore, StoredNote
from recollect.store.notebook import Notebook
from recollect.testing.raising import error_of
from recollect.testing.texts import JUNK

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
REDIS = NoteKey("decision", "use-redis")
DEPLOY = NoteKey("runbook", "deploy")


class NotesContract:
    """Each test is one promise of a store of notes. A new one keeps them all or does not ship."""

    def make(self, project: str = "shop-1f") -> NoteStore:
        """Return an empty store, another one each time."""
        raise NotImplementedError

    def edit(self, store: NoteStore, key: NoteKey, text: str | None) -> None:
        """Make *text* the note, or delete it, as a person with an editor would."""
        raise NotImplementedError

    # Texts.

    def test_01_a_text_comes_back_as_it_was_written(self) -> None:
        """1. What was written is there, whatever stands in it."""
        store = self.make()

        # What no file can hold, half a pair of surrogates, is in no note.
        for number, text in enumerate(("", "# Use Redis\r\n", "caf\udce9\n", *JUNK[1:])):
            key = NoteKey("decision", f"note-{number}")
            assert store.write(key, text, over=None)
            assert store.read(key).text == text

    def test_02_where_nothing_is_there_is_no_note(self) -> None:
        """2. What nobody wrote has no text, no version and no place among the others."""
        store = self.make()

        assert isinstance(error_of(partial(store.read, REDIS)), NotFoundError)
        assert (store.version(REDIS), store.versions(REDIS)) == (None, [])
        assert (store.listed(), store.misnamed(), store.versioned()) == ([], [], [])

    def test_03_notes_are_listed_in_order(self) -> None:
        """3. Notes are listed by category and id; what is no id for a note is listed apart."""
        store = self.make()
        first, last = NoteKey("decision", "amber"), NoteKey("preference", "amber")
        for key in (last, REDIS, DEPLOY, first):
            store.write(key, "text", over=None)
        self.edit(store, NoteKey("decision", "My Idea"), "# My idea\n")

        assert store.listed() == [first, REDIS, DEPLOY, last]
        assert store.misnamed() == [NoteKey("decision", "My Idea")]
        assert store.read(NoteKey("decision", "My Idea")).text == "# My idea\n"

    def test_04_a_note_is_at_a_place_of_its_own(self) -> None:
        """4. Where a note is leads back to it, and to no other; elsewhere is none."""
        store = self.make()
        places = {store.location(key) for key in (REDIS, DEPLOY, NoteKey("runbook", "use-redis"))}

        assert len(places) == 3
        assert store.key_at(store.location(REDIS)) == REDIS
        assert store.key_at("elsewhere") is None

    def test_05_only_what_was_read_is_written_over(self) -> None:
        """5. What changed since it was read is not written over, and the text says so."""
        store = self.make()
        store.write(REDIS, "one", over=None)
        read = store.read(REDIS)
        self.edit(store, REDIS, "by hand")

        assert store.version(REDIS) != read.version
        assert not store.write(REDIS, "two", over=read)
        assert not store.write(REDIS, "two", over=None)
        assert not store.amend(REDIS, "two", over=read)
        assert not store.remove(REDIS, over=read, at=NOON)
        assert store.read(REDIS).text == "by hand"

    # Versions.

    def test_06_every_text_is_a_version_once(self) -> None:
        """6. What was written and what it was written over are versions, numbered, each once."""
        store = self.make()
        store.write(REDIS, "one", over=None)
        store.write(REDIS, "two", over=store.read(REDIS))
        self.edit(store, REDIS, "by hand")
        store.write(REDIS, "three", over=store.read(REDIS))

        assert _texts(store, REDIS) == ["one", "two", "by hand", "three"]
        assert [one.number for one in store.versions(REDIS)] == [1, 2, 3, 4]
        assert store.versioned() == [REDIS]
        assert isinstance(error_of(partial(store.version_text, REDIS, 5)), NotFoundError)

    def test_07_what_was_not_written_is_no_version(self) -> None:
        """7. A text that did not become the note is no version of it."""
        store = self.make()
        store.write(REDIS, "one", over=None)
        read = store.read(REDIS)
        self.edit(store, REDIS, "by hand")

        store.write(REDIS, "two", over=read)

        assert _texts(store, REDIS) == ["one"]

    def test_08_what_a_person_wrote_can_be_kept(self) -> None:
        """8. What a person wrote becomes a version when it is asked for, and once."""
        store = self.make()
        store.write(REDIS, "one", over=None)
        self.edit(store, REDIS, "by hand")

        assert [store.keep(REDIS), store.keep(REDIS)] == [True, False]
        assert _texts(store, REDIS) == ["one", "by hand"]
        assert store.read(REDIS).text == "by hand"

    def test_09_versions_outlive_the_note(self) -> None:
        """9. What was removed, or deleted by a person, still has its versions."""
        store = self.make()
        for key in (REDIS, DEPLOY):
            store.write(key, "one", over=None)

        assert store.remove(REDIS, over=store.read(REDIS), at=NOON)
        self.edit(store, DEPLOY, None)

        assert store.listed() == []
        assert store.versioned() == [REDIS, DEPLOY]
        assert (_texts(store, REDIS), _texts(store, DEPLOY)) == (["one"], ["one"])
        assert store.versions(REDIS)[-1].at == NOON

    def test_10_something_can_be_taken_out_of_all_versions(self) -> None:
        """10. What is amended makes no version, and a version that is amended keeps its time."""
        store = self.make()
        store.write(REDIS, "one secret", over=None)
        store.write(REDIS, "two secrets", over=store.read(REDIS))
        before = store.versions(REDIS)

        store.amend_version(REDIS, 1, "one")
        store.amend_version(REDIS, 2, "two")
        assert store.amend(REDIS, "two", over=store.read(REDIS))

        assert _texts(store, REDIS) == ["one", "two"]
        assert store.versions(REDIS) == before
        assert store.read(REDIS).text == "two"

    def test_11_an_erased_note_leaves_nothing(self) -> None:
        """11. Of an erased note there is neither text nor version; others stay as they are."""
        store = self.make()
        for key in (REDIS, DEPLOY):
            store.write(key, "one", over=None)
        drafts = {store.save_draft(REDIS, "mine"), store.save_draft(REDIS, "mine")}

        store.erase(REDIS)
        store.erase(REDIS)

        assert len(drafts) == 2
        assert (store.listed(), store.versioned()) == ([DEPLOY], [DEPLOY])
        assert (store.version(REDIS), store.versions(REDIS)) == (None, [])
        assert store.write(REDIS, "anew", over=None)
        assert _texts(store, REDIS) == ["anew"]

    def test_12_a_lock_can_be_had_again(self) -> None:
        """12. Both locks are let go at the end of the block, also after an error."""
        store = self.make()

        for lock in (store.locked, store.comparing, store.locked, store.comparing):
            assert isinstance(error_of(partial(_fail_within, lock)), NotFoundError)
        store.tidy()

    def test_13_notes_move_to_another_store(self) -> None:
        """13. All notes of another store move here with their versions, and none over another."""
        store, other = self.make(), self.make("bank-2e")
        store.write(REDIS, "of the shop", over=None)
        store.write(DEPLOY, "the same", over=None)
        other.write(REDIS, "of the bank", over=None)
        other.write(DEPLOY, "the same", over=None)
        other.write(NoteKey("constraint", "gone"), "deleted", over=None)
        self.edit(other, NoteKey("constraint", "gone"), None)

        store.take_over(other)

        numbered = NoteKey("decision", "use-redis-2")
        assert store.listed() == [REDIS, numbered, DEPLOY]
        assert _texts(store, numbered) == ["of the bank"]
        assert _texts(store, NoteKey("runbook", "deploy-2")) == ["the same"]
        assert _texts(store, NoteKey("constraint", "gone")) == ["deleted"]
        assert other.listed() == []

    # The life of a note.

    def test_14_a_note_is_made_and_read(self) -> None:
        """14. A note comes back as it was made; a second of its id gets a number."""
        notebook = Notebook(self.make())

        first = notebook.create(_note(), now=NOON)
        second = notebook.create(_note(), now=NOON)

        assert (first.outcome, first.name, second.id) == ("created", REDIS.name, "use-redis-2")
        held = _held(notebook, "decision/use-redis")
        assert (held.note, held.hash, held.project) == (_note(), first.hash, "shop-1f")

    def test_15_an_agent_changes_only_what_it_read(self) -> None:
        """15. A change that was made of an earlier text is not made, and is said to be late."""
        notebook = _kept(self.make())
        read = _held(notebook, REDIS.id)
        first = notebook.update(REDIS.id, _retitled("Valkey"), now=LATER)

        late = notebook.update(REDIS.id, _retitled("Mine"), now=LATER, expected=read.hash)

        assert (first.outcome, late.outcome) == ("updated", "nothing")
        assert late.reason == "the note changed since it was read"
        assert _held(notebook, REDIS.id).note.title == "Valkey"

    def test_16_a_person_who_saves_meanwhile_loses_nothing(self) -> None:
        """16. What a person saves while we change a note is part of it, and a version."""
        notebook = _kept(self.make())
        texts = [_held(notebook, REDIS.id).text]

        def edit(note: Note) -> Note:
            if len(texts) == 1:
                texts.append(texts[0].replace("It is fast.", "It is simple."))
                self.edit(notebook.store, REDIS, texts[1])
            return note.changed(title="Valkey")

        notebook.update(REDIS.id, edit, now=LATER)

        held = _held(notebook, REDIS.id)
        assert (held.note.title, "It is simple." in held.text) == ("Valkey", True)
        assert [notebook.version(REDIS.id, number) for number in (1, 2)] == texts

    def test_17_a_note_stands_where_it_was_put(self) -> None:
        """17. A note is retired, restored, archived and unarchived; what cannot be says why."""
        notebook = _kept(self.make())

        done = [
            notebook.step(REDIS.id, "retire", now=LATER, reason="too dear"),
            notebook.step(REDIS.id, "retire", now=LATER),
            notebook.step(REDIS.id, "restore", now=LATER),
            notebook.step(REDIS.id, "archive", now=LATER),
            notebook.step(REDIS.id, "restore", now=LATER),
            notebook.step(REDIS.id, "unarchive", now=LATER),
        ]

        assert [one.outcome for one in done] == [
            *("retired", "nothing", "restored", "archived", "nothing", "unarchived"),
        ]
        assert done[1].reason == "use-redis is retired already"
        assert _held(notebook, REDIS.id).note.active

    def test_18_one_note_takes_the_place_of_another(self) -> None:
        """18. Both say so; when the old one holds again, neither does."""
        notebook = _kept(self.make())
        notebook.create(_note("Use Valkey"), now=NOON)

        done = notebook.supersede(REDIS.id, by="use-valkey", now=LATER)

        assert done.outcome == "superseded"
        assert _held(notebook, REDIS.id).note.superseded_by == "use-valkey"
        assert _held(notebook, "use-valkey").note.supersedes == (REDIS.id,)
        assert notebook.doubtful() == []
        notebook.step(REDIS.id, "unarchive", now=LATER)
        assert _held(notebook, "use-valkey").note.supersedes == ()

    def test_19_what_a_person_deleted_stays_away(self) -> None:
        """19. A note that a person deleted is not made anew unasked, and can be had back."""
        notebook = _kept(self.make())
        self.edit(notebook.store, REDIS, None)

        again = notebook.create(_note(source={"by": "model"}), now=LATER)

        assert again.outcome == "nothing"
        (deleted,) = notebook.deleted()
        assert (deleted.name, deleted.note) == (REDIS.name, _note())
        assert notebook.revert_to(REDIS.id, 1, now=LATER).outcome == "brought-back"
        assert _held(notebook, REDIS.id).note.title == "Use Redis"

    def test_20_what_cannot_be_read_is_said_and_mended(self) -> None:
        """20. A broken text is no note, is named with what is wrong, and a version mends it."""
        notebook = _kept(self.make())
        self.edit(notebook.store, REDIS, "---\ntags: [\n---\nmy own words\n")

        (broken,) = notebook.broken()
        assert (notebook.notes(), broken.name, bool(broken.trouble.what)) == ([], REDIS.name, True)
        assert notebook.update(REDIS.id, _retitled("x"), now=LATER).outcome == "failed"
        assert notebook.revert_to(REDIS.id, 1, now=LATER).outcome == "brought-back"

        assert notebook.broken() == []
        assert "my own words" in notebook.version(REDIS.id, 2)

    def test_21_what_is_broken_can_be_put_away(self) -> None:
        """21. A broken text that is put away is gone from the notes, and still a version."""
        notebook = _kept(self.make())
        self.edit(notebook.store, REDIS, "---\nbroken")

        done = notebook.remove_broken(REDIS.id, now=LATER)

        assert (done.outcome, notebook.broken()) == ("put-away", [])
        (deleted,) = notebook.deleted()
        assert (deleted.text, deleted.is_broken, deleted.since) == ("---\nbroken", True, LATER)

    def test_22_nothing_names_an_erased_note(self) -> None:
        """22. No note and no version names a note that was erased, or has its words."""
        store = self.make()
        notebook = _kept(store)
        notebook.create(_note("Use Valkey"), now=NOON)
        notebook.supersede(REDIS.id, by="use-valkey", now=LATER)

        assert notebook.erase(REDIS.id).outcome == "erased"

        texts = [store.read(key).text for key in store.listed()]
        texts += [text for key in store.versioned() for text in _texts(store, key)]
        assert [key.id for key in store.listed()] == ["use-valkey"]
        assert not [text for text in texts if REDIS.id in text]
        assert notebook.erase(REDIS.id).outcome == "failed"

    def test_23_what_is_past_its_time_is_collected(self) -> None:
        """23. What was retired long enough ago is archived, or erased where the user wants that."""
        notebook = _kept(self.make())
        notebook.step(REDIS.id, "retire", now=NOON)
        a_month_later = NOON + timedelta(days=31)

        (due,) = notebook.due(now=a_month_later, rules={})
        (done,) = notebook.gc(now=a_month_later, rules={"decision": Rules(archive_retired=False)})

        assert (due.step, done.outcome, notebook.notes()) == ("archive", "erased", [])


def _note(title: str = "Use Redis", **fields: object) -> Note:
    content = {
        "status": "accepted",
        "context": "Carts are slow.",
        "decision": f"{title} for carts.",
        "rationale": ["It is fast."],
    }
    return note_model.new(
        category="decision", title=title, content=content, now=NOON, tags=("carts",), **fields
    )


def _kept(store: NoteStore) -> Notebook:
    notebook = Notebook(store)
    notebook.create(_note(), now=NOON)
    return notebook


def _held(notebook: Notebook, name: str) -> StoredNote:
    held = notebook.look_up(name)
    assert isinstance(held, StoredNote)
    return held


def _retitled(title: str) -> Callable[[Note], Note]:
    return lambda note: note.changed(title=title)


def _texts(store: NoteStore, key: NoteKey) -> list[str]:
    return [store.version_text(key, one.number) for one in store.versions(key)]


def _fail_within(lock: Callable[[], AbstractContextManager[None]]) -> None:
    with lock():
        raise NotFoundError("nothing")
