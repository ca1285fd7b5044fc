"""What models are sent, word for word, and what is kept of an answer, for the documentation.

Nothing here is retold: the texts come out of the same functions that the worker calls, with a
model that is replaced by a fixed answer.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from recollect.config import Settings
from recollect.journal import markdown
from recollect.journal.extractive import Extractive
from recollect.journal.model import JournalEntry, Observation
from recollect.llm import ask, gate, model, verify
from recollect.llm.answers import DraftedNote
from recollect.llm.brief import Before, ChangeableNote
from recollect.llm.engine import Asked, Completion
from recollect.llm.speech import Grounds, Speech
from recollect.pipeline.clean import Exclusions, cleaned
from recollect.privacy import redact
from recollect.store.contract.state import Spent
from recollect.transcripts.turns import CleanTurn, ToolCall, Turn

MODEL = "claude-haiku-5-5"

SESSION = (
    Turn(
        host="claude-code",
        session="9ee0ccc7",
        key="1",
        cwd="/home/ada/shop",
        prompt="The orders page takes 4 seconds. Find out why and fix it. "
        "<private>The customer is Globex.</private> The staging database has password=hunter2.",
        tools=(
            ToolCall(id="a", name="Read", input={"file_path": "/home/ada/shop/src/orders/db.py"}),
            ToolCall(
                id="b",
                name="Bash",
                input={"command": "pytest tests/test_orders.py"},
                output="AssertionError: 41 queries issued, expected 1\n1 failed, 6 passed",
                failed=True,
            ),
            ToolCall(
                id="c",
                name="Edit",
                input={
                    "file_path": "/home/ada/shop/src/orders/db.py",
                    "old_string": "select(Order)",
                    "new_string": "select(Order).options(selectinload(Order.items))",
                },
            ),
            ToolCall(
                id="d",
                name="Bash",
                input={"command": "pytest tests/test_orders.py"},
                output="7 passed in 0.61s",
            ),
        ),
        answer="It was an N+1 query: get_orders loaded the items of each order one by one. "
        "With selectinload the page issues 2 queries instead of 41.",
        started=datetime(2026, 11, 15, 13, 32, tzinfo=UTC),
        ended=datetime(2026, 11, 15, 13, 36, tzinfo=UTC),
        finished=True,
    ),
    Turn(
        host="claude-code",
        session="9ee0ccc7",
        key="2",
        cwd="/home/ada/shop",
        prompt="From now on every list view needs a test that counts its queries, "
        "because we had this twice.",
        answer="Understood. The orders page has one, the product list has none yet.",
        started=datetime(2026, 11, 15, 13, 40, tzinfo=UTC),
        ended=datetime(2026, 11, 15, 13, 41, tzinfo=UTC),
        finished=True,
    ),
)

BEFORE = Before(
    recorded=["Orders live in Postgres"],
    candidates=[
        ChangeableNote(
            name="constraint/tests-run-without-a-network",
            category="constraint",
            says="Tests run without a network",
        )
    ],
)

ANSWER = """\
{"kind": "observation", "turn": 1, "type": "bugfix",
"title": "N+1 query in get_orders fixed with selectinload",
"text": "get_orders loaded the items of each order one by one. The page loads in 180 ms now.",
"facts": ["2 queries instead of 41", "`pytest tests/test_orders.py`: 7 passed"],
"concepts": ["problem-solution"], "files_read": [],
"files_modified": ["src/orders/db.py", "src/orders/cache.py"]}
{"kind": "summary", "request": "Find out why the orders page takes 4 seconds, and fix it",
"investigated": "The queries of the orders page", "learned": "get_orders issued 41 queries",
"completed": "The N+1 query is fixed",
"next_steps": "A test that counts queries for the product list",
"files_read": [], "files_edited": ["src/orders/db.py"], "notes": ""}
{"kind": "note", "turn": 2, "category": "constraint", "action": "create", "target": "",
"confidence": 0.9, "title": "Every list view needs a test that counts its queries",
"fields": {"kind": "policy", "rule": "Every list view needs a test that counts its queries",
"impact": ["The product list has none yet"], "severity": "medium"}}"""

VERDICT = '{"kind": "verdict", "verdict": "PASS", "reason": "The person said so in turn 2."}'

QUESTION = "Why was the orders page slow, and what keeps it from happening again?"


class Listening:
    """A model that gives one answer, and keeps what it was sent."""

    def __init__(self, answer: str) -> None:
        self._answer = answer
        self.sent: list[Asked] = []

    def __call__(self, asked: Asked) -> Completion:
        """Answer; what is sent has gone through what every text goes through last."""
        self.sent.append(replace(asked, text=redact.clean(asked.text)))
        return Completion(text=self._answer, model=MODEL, spent=Spent())


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What was sent, what came back, and what is kept of it."""

    observe: Asked
    answer: str
    entries: Sequence[str]
    """What the journal says of each turn, where the model said something of it."""
    by: str
    dropped: Mapping[str, int]
    notes: Mapping[str, Grounds]
    """Whose word each note rests on, by its title."""
    verify: Asked
    """The check of the first of these notes."""
    ask: Asked
    """`QUESTION`, with what the journal says of the turns."""


def example() -> Example:
    """Return what each kind of call sends for `SESSION`, and what becomes of `ANSWER`."""
    turns = [cleaned(turn, Exclusions()) for turn in SESSION]
    settings = Settings()
    drafter = Listening(ANSWER)
    asks = model.wanted(settings, summary=True)
    told = model.draft(turns, BEFORE, asks, settings=settings, consult=drafter)
    checked = [
        gate.observations(
            [one for one in told.drafted.observations if one.turn == turn.key], Speech((turn,))
        )
        for turn in turns
    ]
    entries = [
        _entry(turn, one.observations, told.by) for turn, one in zip(turns, checked, strict=True)
    ]
    (observe,) = drafter.sent
    return Example(
        observe=observe,
        answer=ANSWER,
        entries=[markdown.body_of(one) for one in entries if one.by == told.by],
        by=told.by,
        dropped=sum((Counter(dict(one.dropped)) for one in checked), Counter()),
        notes={note.title: gate.grounds(note, Speech(tuple(turns))) for note in told.drafted.notes},
        verify=_verify(told.drafted.notes[0], turns, settings),
        ask=_ask(entries, settings),
    )


def _entry(turn: CleanTurn, observed: tuple[Observation, ...], by: str) -> JournalEntry:
    """Return what the journal has of *turn*: without a model's word, it stays as it was."""
    plain = Extractive().observe(turn)
    return replace(plain, observations=observed, by=by) if observed else plain


def _verify(note: DraftedNote, turns: Sequence[CleanTurn], settings: Settings) -> Asked:
    checker = Listening(VERDICT)
    verify.check(note, turns, settings=settings, consult=checker)
    (sent,) = checker.sent
    return sent


def _ask(entries: Sequence[JournalEntry], settings: Settings) -> Asked:
    reader = Listening("<answer></answer><missing>Nothing is.</missing>")
    found = [_source(one) for one in entries]
    ask.answer(QUESTION, search=lambda _: found, consult=reader, settings=settings)
    (sent,) = reader.sent
    return sent


def _source(entry: JournalEntry) -> ask.CitedMemory:
    title, _, text = markdown.body_of(entry).partition("\n")
    return ask.CitedMemory(id=entry.id, title=title, text=text, date=f"{entry.at:%Y-%m-%d}")
