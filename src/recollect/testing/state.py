"""What every state must keep to: projects, sessions, the queue, costs, what was shown."""

from contextlib import suppress
from dataclasses import replace

from recollect.store import ledger
from recollect.store.contract.state import (
    Dispute,
    ModelCall,
    Project,
    Session,
    Shown,
    Spent,
    StateStore,
)

SHOP = Project(
    name="shop-1f",
    label="shop",
    root="/home/ada/shop",
    root_commit="ab12",
    remote="example.org/shop",
    inode="7:1",
    first_seen=1.0,
    last_seen=5.0,
)
BANK = replace(SHOP, name="bank-2e", label="bank", root="/home/ada/bank", last_seen=9.0)
SESSION = Session(
    id="9ee0ccc7-1",
    host="claude-code",
    project=SHOP.name,
    cwd=SHOP.root,
    transcript="",
    started=10.0,
    last_seen=20.0,
    turns=2,
)
CALL = ModelCall(
    at=1_800_000_000.0, engine="claude", model="m-1", project=SHOP.name, purpose="observe"
)
SHOWN = Shown(
    at=100.0,
    project=SHOP.name,
    session=SESSION.id,
    event="prompt",
    id="h-1",
    version="v1",
    score=0.75,
    tokens=120,
    in_full=4_000,
)
DISPUTE = Dispute(project=SHOP.name, id="h-1", author="user", said="we changed that", at=7.0)


class StateContract:
    """Each test is one promise of a state. A new backend keeps them all or does not ship."""

    def make(self) -> StateStore:
        """Return an empty state, another one each time."""
        raise NotImplementedError

    # Projects.

    def test_01_a_project_comes_back_by_name_and_path(self) -> None:
        """1. A project is found by its name and by each path that stands for it."""
        state = self.make()
        state.projects.add(SHOP, "/home/ada/shop/.git")
        state.projects.set_identity("/home/ada/shop", SHOP.name)

        assert state.projects.named(SHOP.name) == SHOP
        assert state.projects.of_identity("/home/ada/shop/.git") == SHOP.name
        assert state.projects.identities(SHOP.name) == ["/home/ada/shop", "/home/ada/shop/.git"]
        assert (state.projects.named("shop"), state.projects.of_identity("/")) == (None, None)

    def test_02_the_last_seen_project_comes_first(self) -> None:
        """2. Projects are listed by when they were last seen, and paths with who is excluded."""
        state = self.make()
        state.projects.add(SHOP, SHOP.root)
        state.projects.add(BANK, BANK.root)

        state.projects.save(replace(BANK, excluded=True))
        state.projects.remove_identity(SHOP.root)

        assert [one.name for one in state.projects.all()] == [BANK.name, SHOP.name]
        assert state.projects.places() == [(BANK.root, BANK.name, True)]

    def test_03_all_of_a_project_goes_along_when_it_is_joined(self) -> None:
        """3. Paths, sessions, the queue, costs and what was shown go to the project it joins."""
        state = self.make()
        state.projects.add(SHOP, SHOP.root)
        state.projects.add(BANK, BANK.root)
        state.sessions.save(SESSION)
        state.queue.add(host="h", turn="t-1", session="s", project=SHOP.name, now=1.0)
        state.ledger.book(CALL, Spent(input_tokens=3))
        state.shown.add([SHOWN])

        state.projects.join(SHOP.name, into=BANK.name)

        assert state.projects.named(SHOP.name) is None
        assert state.projects.identities(BANK.name) == [BANK.root, SHOP.root]
        assert [one.id for one in state.sessions.of_project(BANK.name)] == [SESSION.id]
        assert [one.project for one in state.queue.everything()] == [BANK.name]
        assert [one.project for one in state.ledger.rows()] == [BANK.name]
        assert state.shown.totals(project=BANK.name).together.memories == 1

    def test_20_a_project_can_be_forgotten(self) -> None:
        """20. A project that is removed is gone with the paths that stood for it."""
        state = self.make()
        state.projects.add(SHOP, SHOP.root)
        state.projects.add(BANK, BANK.root)

        state.projects.remove(SHOP.name)

        assert state.projects.all() == [BANK]
        assert state.projects.of_identity(SHOP.root) is None

    # Sessions.

    def test_04_a_session_comes_back_as_it_was_saved_last(self) -> None:
        """4. A session is as it was saved last, but stays in the project of its start."""
        state = self.make()
        state.sessions.save(SESSION)

        state.sessions.save(replace(SESSION, turns=3, project=BANK.name, status="completed"))

        assert state.sessions.find(SESSION.id) == replace(SESSION, turns=3, status="completed")
        assert state.sessions.find("9ee0ccc7") is None

    def test_05_sessions_are_found_by_how_they_begin(self) -> None:
        """5. A beginning finds its sessions, latest first; nothing finds none."""
        state = self.make()
        later = replace(SESSION, id="9ee0-2", last_seen=30.0, host="codex")
        for one in (SESSION, later, replace(SESSION, id="other", project=BANK.name, turns=0)):
            state.sessions.save(one)

        assert [one.id for one in state.sessions.matching("9ee0")] == ["9ee0-2", SESSION.id]
        assert (state.sessions.matching(""), state.sessions.matching("%")) == ([], [])
        assert [one.id for one in state.sessions.of_project(SHOP.name)] == ["9ee0-2", SESSION.id]
        assert (state.sessions.count(SHOP.name), state.sessions.count(BANK.name)) == (2, 0)
        assert state.sessions.hosts(SHOP.name) == ["claude-code", "codex"]

    def test_06_active_sessions_are_known_the_quietest_first(self) -> None:
        """6. Sessions of which no end is known are listed, the quietest first."""
        state = self.make()
        for name, seen, status in (
            ("b", 30.0, "active"),
            ("a", 9.0, "active"),
            ("c", 1.0, "failed"),
        ):
            state.sessions.save(replace(SESSION, id=name, last_seen=seen, status=status))

        assert [one.id for one in state.sessions.active()] == ["a", "b"]

    def test_07_drafts_keep_their_order(self) -> None:
        """7. Turns under way come in the order they began, each as it was saved last."""
        state = self.make()
        for turn, body in (("b", "1"), ("a", "2"), ("b", "3"), ("c", "4")):
            state.sessions.save_draft("s", turn, body)
        state.sessions.remove_draft("s", "c")
        state.sessions.save_draft("other", "b", "x")

        assert list(state.sessions.drafts("s").items()) == [("b", "3"), ("a", "2")]

        state.sessions.forget_drafts("s")

        assert (state.sessions.drafts("s"), state.sessions.drafts("other")) == ({}, {"b": "x"})

    def test_08_what_was_recorded_is_known_by_the_whole_key(self) -> None:
        """8. A recorded key is known, and no part of it, and no other of the same letters."""
        state = self.make()

        state.sessions.set_recorded("claude-code", "t-1")
        state.sessions.set_recorded("claude-code", "t-1")

        assert state.sessions.is_recorded("claude-code", "t-1")
        assert not state.sessions.is_recorded("claude-code", "t-10")
        assert not state.sessions.is_recorded("claude-codet-1")

    # The queue.

    def test_09_turns_wait_in_the_order_they_came(self) -> None:
        """9. The oldest turn comes first, and a turn that is there already begins anew."""
        state = self.make()
        for turn, now in (("t-2", 2.0), ("t-1", 1.0), ("t-2", 3.0)):
            state.queue.add(host="h", turn=turn, session="s", project=SHOP.name, now=now)

        assert [(one.turn, one.queued) for one in state.queue.everything()] == [
            ("t-1", 1.0),
            ("t-2", 3.0),
        ]

    def test_10_who_is_overtaken_has_no_say(self) -> None:
        """10. A turn that was added again is neither saved nor removed by who had it before."""
        state = self.make()
        state.queue.add(host="h", turn="t-1", session="s", project=SHOP.name, now=1.0)
        (old,) = state.queue.everything()
        state.queue.add(host="h", turn="t-1", session="s", project=SHOP.name, now=2.0)

        state.queue.save([replace(old, tries=3)])
        state.queue.remove([old])

        (left,) = state.queue.everything()
        assert (left.tries, left.queued) == (0, 2.0)
        state.queue.remove([left])
        assert state.queue.everything() == []

    # What models cost.

    def test_11_calls_are_added_up_by_day_and_model(self) -> None:
        """11. Calls of one day, project, engine, model and purpose are one row."""
        state = self.make()
        state.ledger.book(CALL, Spent(input_tokens=3, output_tokens=2, cost=0.5))
        state.ledger.book(CALL, Spent(input_tokens=1, estimated=True))
        state.ledger.book(replace(CALL, model="m-2"), Spent(input_tokens=7, cost=1.0))

        first, second = state.ledger.rows()

        assert (first.calls, first.tokens, first.cost) == (2, 6, 0.5)
        assert (first.without_price, first.estimated) == (1, 1)
        assert (second.model, second.tokens) == ("m-2", 7)
        assert state.ledger.rows(since="9999-01-01") == []

    def test_12_what_was_booked_can_be_settled_or_released(self) -> None:
        """12. A guess is replaced by what a call really cost, or taken back."""
        state = self.make()
        guess, failed = (state.ledger.book(CALL, Spent(input_tokens=100)) for _ in range(2))

        state.ledger.settle(guess, Spent(input_tokens=7), model="m-9")
        state.ledger.release(failed)

        (row,) = state.ledger.rows()
        assert (row.model, row.tokens) == ("m-9", 7)
        assert state.ledger.spent_on(ledger.day_of(CALL.at)) == 7
        assert state.ledger.spent_on("2000-01-01") == 0

    # What was shown.

    def test_13_a_line_counts_once(self) -> None:
        """13. The same lines taken in twice are counted once, and keep how they were used."""
        state = self.make()
        state.shown.add([SHOWN])
        state.shown.mark_used(SHOWN, "files")

        state.shown.add([SHOWN])

        totals = state.shown.totals()
        assert (totals.together.memories, totals.together.used) == (1, 1)
        assert totals.events["prompt"].uses["files"] == 1
        assert totals.events["start"].memories == 0
        assert state.shown.latest(SESSION.id) == SHOWN.at

    def test_14_what_is_unused_is_told_as_it_was_shown_last(self) -> None:
        """14. Of a memory shown twice the last time counts; once used it is told no more."""
        state = self.make()
        again = replace(SHOWN, at=200.0)
        state.shown.add([SHOWN, again, replace(SHOWN, id="", version="")])

        assert state.shown.unused_in(SESSION.id) == [again]
        assert state.shown.unused_in(SESSION.id, until=150.0) == [SHOWN]
        assert state.shown.between(SESSION.id, 150.0, 250.0) == [again]

        state.shown.mark_used(again, "cited")

        assert state.shown.unused_in(SESSION.id) == []

    def test_15_what_is_passed_over_and_what_helps_is_known(self) -> None:
        """15. What was shown often and never used is known until it changes; so is what helped."""
        state = self.make()
        often = [replace(SHOWN, at=float(at)) for at in range(5)]
        helps = replace(SHOWN, id="h-2")
        state.shown.add([*often, helps])
        state.shown.mark_used(helps, "files")

        assert [(one.id, one.shown) for one in state.shown.never_used()] == [("h-1", 5)]
        assert [(one.id, one.used) for one in state.shown.most_used()] == [("h-2", 1)]

        state.shown.add([replace(SHOWN, at=50.0, version="v2")])

        assert state.shown.never_used() == []

    def test_16_what_was_shown_can_be_forgotten(self) -> None:
        """16. Rows of a memory can be erased, in one project or all, and old ones be deleted."""
        state = self.make()
        elsewhere = replace(SHOWN, project=BANK.name, session="s-2")
        state.shown.add([SHOWN, elsewhere, replace(SHOWN, id="h-2", at=1.0)])

        state.shown.forget("h-1", project=SHOP.name)
        state.shown.prune(50.0)

        assert state.shown.totals().together.memories == 1
        assert state.shown.totals(project=BANK.name).together.memories == 1

    # What was called wrong.

    def test_17_a_disputed_memory_is_hidden_until_somebody_decides(self) -> None:
        """17. It waits and is hidden; accepted it is shown again, rejected it stays hidden."""
        state = self.make()
        other = replace(DISPUTE, id="h-2", at=9.0, hidden=False)
        state.disputes.add(DISPUTE)
        state.disputes.add(other)
        waiting, hidden = state.disputes.waiting(SHOP.name), state.disputes.hidden(SHOP.name)

        state.disputes.accept(DISPUTE)
        state.disputes.reject(other)

        assert (waiting, set(hidden)) == ([other, DISPUTE], {"h-1"})
        assert state.disputes.waiting(SHOP.name) == []
        assert state.disputes.hidden(SHOP.name) == {"h-2"}
        state.disputes.forget("h-2")
        assert state.disputes.hidden(SHOP.name) == frozenset()

    # All of it.

    def test_18_a_key_has_the_value_it_was_given_last(self) -> None:
        """18. What is remembered for a key is what was written last; nothing for another."""
        state = self.make()

        for value in ("1", "2"):
            state.set_meta("house_kept", value)

        assert (state.meta("house_kept"), state.meta("other")) == ("2", "")

    def test_19_a_step_happens_whole_or_not_at_all(self) -> None:
        """19. After an error inside a transaction, everything is as it was before it."""
        state = self.make()
        state.projects.add(SHOP, SHOP.root)

        with suppress(ZeroDivisionError), state.transaction():
            state.projects.save(replace(SHOP, label="other"))
            state.sessions.save(SESSION)
            state.set_meta("key", "value")
            raise ZeroDivisionError

        assert state.projects.named(SHOP.name) == SHOP
        assert (state.sessions.find(SESSION.id), state.meta("key")) == (None, "")
        with state.transaction():
            state.set_meta("key", "value")
        assert state.meta("key") == "value"
