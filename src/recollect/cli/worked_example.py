"""One call to a model, from the turns to what is kept of its answer, for the documentation.

Nothing here is retold: the texts come out of the same functions that the worker calls, with a
model that is replaced by a fixed answer.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from recollect.config import Settings
from recollect.intake.clean import Exclusions, cleaned
from recollect.memories import markdown
from recollect.privacy import redact
from recollect.state.ledger import Spent
from recollect.synthesis import gate, model
from recollect.synthesis.brief import Before, Candidate
from recollect.synthesis.engine import Answer, Asked
from recollect.synthesis.extractive import Extractive
from recollect.synthesis.gate import Grounds
from recollect.transcripts.turns import ToolCall, Turn

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
        Candidate(
            name="constraint/tests-run-without-a-network",
            category="constraint",
            says="Tests run without a network",
        )
    ],
)

ANSWER = """\
<observation turn="1">
<type>bugfix</type>
<title>N+1 query in get_orders fixed with selectinload</title>
<text>get_orders loaded the items of each order one by one. The page loads in 180 ms now.</text>
<facts><fact>2 queries instead of 41</fact>
<fact>`pytest tests/test_orders.py`: 7 passed</fact></facts>
<concepts><concept>problem-solution</concept></concepts>
<files_read></files_read>
<files_modified><file>src/orders/db.py</file><file>src/orders/cache.py</file></files_modified>
</observation>
<summary>
<request>Find out why the orders page takes 4 seconds, and fix it</request>
<investigated>The queries of the orders page</investigated>
<learned>get_orders issued 41 queries</learned>
<completed>The N+1 query is fixed</completed>
<next_steps>A test that counts queries for the product list</next_steps>
<files_read></files_read>
<files_edited><file>src/orders/db.py</file></files_edited>
<notes></notes>
</summary>
<note turn="2" category="constraint" action="create" target="" confidence="0.9">
<title>Every list view needs a test that counts its queries</title>
<kind>policy</kind>
<rule>Every list view needs a test that counts its queries</rule>
<impact><item>The product list has none yet</item></impact>
<severity>medium</severity>
</note>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """What was sent, what came back, and what is kept of it."""

    instructions: str
    text: str
    answer: str
    entries: Sequence[str]
    """What the journal says of each turn, where the model said something of it."""
    by: str
    dropped: Mapping[str, int]
    notes: Mapping[str, Grounds]
    """Whose word each note rests on, by its title."""


def example() -> Example:
    """Return what one call sends for `SESSION`, and what becomes of `ANSWER`."""
    turns = [cleaned(turn, Exclusions()) for turn in SESSION]
    settings = Settings()
    sent: list[Asked] = []

    def consult(asked: Asked) -> Answer:
        sent.append(asked)
        return Answer(text=ANSWER, model=MODEL, spent=Spent())

    asks = model.wanted(settings, summary=True)
    told = model.draft(turns, BEFORE, asks, settings=settings, consult=consult)
    checked = [
        gate.observations([one for one in told.drafted.observations if one.turn == turn.key], turn)
        for turn in turns
    ]
    (asked,) = sent
    return Example(
        instructions=asked.instructions,
        text=redact.clean(asked.text),
        answer=ANSWER,
        entries=[
            markdown.said(replace(Extractive().observe(turn), observations=one.observations))
            for turn, one in zip(turns, checked, strict=True)
            if one.observations
        ],
        by=told.by,
        dropped=sum((Counter(dict(one.dropped)) for one in checked), Counter()),
        notes={note.title: gate.grounds(note, turns) for note in told.drafted.notes},
    )
