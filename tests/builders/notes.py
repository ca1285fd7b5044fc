"""Builders and strategies for notes."""

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from recollect.journal import markdown
from recollect.notes import note_model, note_text
from recollect.notes.categories import CATEGORIES, Category
from recollect.notes.note_model import Note
from recollect.notes.note_text import NotePlace

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)

CONTENT: dict[str, dict[str, object]] = {
    "decision": {
        "status": "accepted",
        "context": "Orders outgrew SQLite.",
        "decision": "Orders live in Postgres.",
        "rationale": ["partial indexes", "the team knows it"],
    },
    "runbook": {
        "trigger": "The build hangs at linking.",
        "steps": ["stop the daemon", "delete the cache"],
        "verification": "The build ends within a minute.",
    },
    "constraint": {
        "kind": "policy",
        "rule": "Never deploy on Fridays.",
        "impact": ["releases wait for Monday"],
        "severity": "high",
        "active": True,
    },
    "tech_debt": {
        "status": "open",
        "priority": "low",
        "description": "The parser reads the file twice.",
        "reason_deferred": "It is fast enough for now.",
    },
    "preference": {
        "topic": "package manager",
        "value": "Use pnpm.",
        "reason": "The lock file is smaller.",
        "strength": "strong",
    },
    "session_summary": {
        "goal": "Fix the orders page",
        "outcome": "success",
        "completed": ["one query instead of 41"],
        "next_actions": [],
    },
}


def a_note(
    title: str = "Postgres for orders", *, category: Category = "decision", **changes: Any
) -> Note:
    content = CONTENT[category] | changes.pop("content", {})
    given: dict[str, Any] = {"now": NOON, "tags": ["orders"]}
    return note_model.new(category=category, title=title, content=content, **(given | changes))


def content_of(note: Note) -> Any:
    """What *note* says; its category decides which fields that has."""
    return note.content


def a_place(note: Note) -> NotePlace:
    return NotePlace(category=note.category, id=note.id, modified=NOON)


def a_file(note: Note | None = None) -> str:
    return note_text.render(note or a_note())


def later(**ago: float) -> datetime:
    return NOON + timedelta(**ago)


# Text that has tried to break grammars before, and anything else.
NASTY = [
    "---",
    "## Context",
    "## Decision",
    "##",
    "# Title",
    "### Prefer",
    "### Avoid",
    r"\## escaped",
    "\\\\```",
    "```",
    "```python",
    "~~~",
    "~~~~ x",
    "- bullet",
    "1. first",
    "  indented",
    "\tby a tab",
    "option: rejected because of it",
    r"x: \rejected because",
    ": rejected because ",
    "key: value # comment",
    "&anchor *alias !tag",
    "한국어 제목",
    "\r\n",
    "\u2028",
    "\x85",
    "\ud800",
    "\x00",
    "true",
    "1.0",
    "2026-11-15",
    "",
]
words = st.text(max_size=20)
raw_texts = words | st.lists(st.sampled_from(NASTY) | words, max_size=6).map("\n".join)
texts = raw_texts.filter(lambda text: note_model.tidy_text(text) and text.strip())
items = raw_texts.filter(lambda text: note_model.tidy_text(text).strip())
lists = st.lists(items, max_size=3)
some = st.lists(items, min_size=1, max_size=3)
lines = (st.sampled_from(NASTY) | words).filter(markdown.one_line)
names = (st.sampled_from(NASTY) | words).filter(note_model._tidy_name)
tags = (st.sampled_from(NASTY) | words).filter(note_model._tidy_tag)
slugs = st.from_regex(r"\A[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?\Z")
moments = st.datetimes(
    min_value=datetime(1970, 1, 2),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(2200, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
maybe = st.none


def _of(*values: str) -> st.SearchStrategy[str]:
    return st.sampled_from(values)


alternatives = st.fixed_dictionaries({"option": lines, "rejected_reason": items})
contents = {
    "decision": st.fixed_dictionaries(
        {
            "status": _of("proposed", "accepted", "deprecated", "superseded"),
            "context": texts,
            "decision": texts,
            "rationale": some,
            "alternatives": st.lists(alternatives, max_size=2),
            "consequences": lists,
        }
    ),
    "runbook": st.fixed_dictionaries(
        {
            "trigger": texts,
            "steps": some,
            "verification": texts,
            "symptoms": lists,
            "root_cause": maybe() | texts,
            "environment": maybe() | texts,
        }
    ),
    "constraint": st.fixed_dictionaries(
        {
            "kind": _of("limitation", "gap", "policy", "technical"),
            "rule": texts,
            "impact": some,
            "severity": _of("high", "medium", "low"),
            "active": st.booleans(),
            "workarounds": lists,
            "expires": maybe() | lines,
        }
    ),
    "tech_debt": st.fixed_dictionaries(
        {
            "status": _of("open", "in_progress", "resolved", "wont_fix"),
            "priority": _of("critical", "high", "medium", "low"),
            "description": texts,
            "reason_deferred": texts,
            "impact": lists,
            "suggested_fix": lists,
            "acceptance_criteria": lists,
        }
    ),
    "preference": st.fixed_dictionaries(
        {
            "topic": lines,
            "value": texts,
            "reason": texts,
            "strength": _of("strong", "default", "soft"),
            "examples": st.fixed_dictionaries({"prefer": lists, "avoid": lists}),
        }
    ),
    "session_summary": st.fixed_dictionaries(
        {
            "goal": texts,
            "outcome": _of("success", "partial", "blocked", "abandoned"),
            "completed": lists,
            "next_actions": lists,
            "in_progress": lists,
            "blockers": lists,
            "key_changes": lists,
        }
    ),
}
changes = st.fixed_dictionaries(
    {"date": moments, "summary": lines},
    optional={"field": lines, "old_value": lines, "new_value": lines},
)
metadata = st.fixed_dictionaries(
    {"tags": st.lists(tags, min_size=1, max_size=4)},
    optional={
        "related_files": st.lists(names, max_size=3),
        "confidence": st.floats(0, 1),
        "record_status": _of("active", "retired", "archived"),
        "retired_at": moments,
        "retired_reason": lines,
        "archived_at": moments,
        "archived_reason": lines,
        "changes": st.lists(changes, max_size=2),
        "times_updated": st.integers(0, 99),
        "supersedes": st.lists(slugs, max_size=2),
        "superseded_by": slugs,
        "source": st.fixed_dictionaries(
            {"by": _of("user", "agent", "extractive", "model")},
            optional={"session": names, "turn": names},
        ),
        "evidence": st.fixed_dictionaries(
            {}, optional={"commit": names, "branch": names, "files": st.dictionaries(names, names)}
        ),
        "pinned": st.booleans(),
        "seen": st.integers(0, 9),
        "visibility": _of("private", "team"),
    },
)


@st.composite
def any_note(draw: st.DrawFn, category: Category | None = None, note_id: str | None = None) -> Note:
    """A note with any values; a second one of the same *category* and *note_id* is a change."""
    kind = category if category else draw(st.sampled_from(sorted(CATEGORIES)))
    fields = draw(metadata)
    made = note_model.new(
        category=kind,
        title=draw(lines.filter(lambda text: len(text) < 100)),
        content=draw(contents[kind]),
        now=draw(moments),
        **fields,
    )
    return made.changed(id=note_id) if note_id else made
