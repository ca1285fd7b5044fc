"""The categories of notes, one row each: nothing else in the package names them all.

A row says what a note of the category consists of, where it stands, when it is shown and what is
said of it to people and to models. Everything else is derived from it: the content model and its
JSON Schema, the file format, the settings, what a model is asked for, what a search filters by. To
add a category, add a row. The module is light, because settings and command names are made of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Category: TypeAlias = str
"""The name of a row of `CATEGORIES`."""

Form = Literal["text", "list", "alternatives", "examples", "line", "choice", "flag"]
"""How a value is written: the first four under a heading of their own, the others as a key of the
front matter."""

_UNDER_A_HEADING = frozenset({"text", "list", "alternatives", "examples"})


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteField:
    """One field of the content of a note."""

    name: str
    form: Form
    required: bool = False
    choices: tuple[str, ...] = ()
    """The values of a choice."""
    default: str | bool | tuple[str, ...] | None = None
    """What a required field means in a file that leaves it out."""
    is_fixed_at_first: bool = False
    """A new note has the default: nobody is asked."""
    description: str = ""

    @property
    def has_heading(self) -> bool:
        """True if the value stands under a heading of its own."""
        return self.form in _UNDER_A_HEADING


# There is one of each; what is made of a row is cached by it.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoteCategory:
    """One category of notes."""

    name: Category
    folder: str
    """Where its notes stand in a library."""
    description: str
    """What such a note is: in the settings, in what agents are shown, and what a model is told."""
    fields: tuple[NoteField, ...]
    """In their order in a file. The first one under a heading is what the note says."""
    word: str
    """What people call it in a search."""
    title_from: str = ""
    """The field that a draft is called after, if not after the sentence it was made of."""
    status_field: str = ""
    """The field that says whether the note holds by its own word; a flag says active or lifted."""
    start_place: int = 0
    """Its place among what is shown at every session's start; 0 for what is not shown there."""
    for_subagents: bool = False
    is_rule: bool = False
    """A user lays down such notes: they hold until somebody says otherwise."""
    is_permanent: bool = False
    """People change or supersede it; no draft retires it."""
    matches_loosely: bool = False
    """What is told in other words is still the same: an error and what mends it."""
    is_snapshot: bool = False
    """It tells how a session stands, and is made of sessions only."""
    may_repeat_itself: bool = True
    """What a note says may stand for what nobody said of it. The steps of a runbook cannot."""
    always_verified: bool = False
    """Where a second model checks drafts, it checks all of these."""
    threshold: float = 0.5
    retention_days: int = 0
    max_retained: int = 0

    @property
    def sections(self) -> dict[str, Form]:
        """The fields under a heading, with their forms."""
        return {one.name: one.form for one in self.fields if one.has_heading}

    @property
    def keys(self) -> tuple[str, ...]:
        """The fields that stand in the front matter."""
        return tuple(one.name for one in self.fields if not one.has_heading)

    @property
    def main(self) -> str:
        """The field that says what a note says."""
        return next(iter(self.sections))

    @property
    def defaults(self) -> dict[str, object]:
        """What the required fields mean that a file may leave out."""
        return {one.name: one.default for one in self.fields if one.default is not None}

    @property
    def fixed_at_first(self) -> dict[str, object]:
        """What a new note has without anybody being asked."""
        return {one.name: one.default for one in self.fields if one.is_fixed_at_first}

    @property
    def filled_by_main(self) -> tuple[str, ...]:
        """The sections for which the main one stands where a person left them out."""
        return tuple(
            one.name
            for one in self.fields
            if one.has_heading and one.required and one.default is None and one.name != self.main
        )

    @property
    def is_choice(self) -> bool:
        """True for what somebody chose, and can take back by choosing otherwise."""
        return self.is_rule and self.is_permanent

    def field(self, name: str) -> NoteField:
        """Return the field *name*."""
        return next(one for one in self.fields if one.name == name)


def _choice(name: str, choices: str, default: str, *, is_fixed_at_first: bool = False) -> NoteField:
    return NoteField(
        name=name,
        form="choice",
        required=True,
        choices=tuple(choices.split()),
        default=default,
        is_fixed_at_first=is_fixed_at_first,
    )


def _needed(name: str, form: Form = "text") -> NoteField:
    return NoteField(name=name, form=form, required=True)


def _optional(name: str, form: Form = "list", description: str = "") -> NoteField:
    return NoteField(name=name, form=form, description=description)


_ROWS = (
    NoteCategory(
        name="decision",
        folder="decisions",
        word="decision",
        description="A choice that was made, and why.",
        fields=(
            _choice(
                "status",
                "proposed accepted deprecated superseded",
                "accepted",
                is_fixed_at_first=True,
            ),
            _needed("decision"),
            _needed("context"),
            _needed("rationale", "list"),
            _optional("alternatives", "alternatives"),
            _optional("consequences"),
        ),
        status_field="status",
        start_place=3,
        is_rule=True,
        is_permanent=True,
        always_verified=True,
    ),
    NoteCategory(
        name="runbook",
        folder="runbooks",
        word="runbook",
        description="How a problem shows, and the steps that solve it.",
        fields=(
            _needed("trigger"),
            _optional("symptoms"),
            _optional("root_cause", "text"),
            _needed("steps", "list"),
            _needed("verification"),
            _optional("environment", "text"),
        ),
        title_from="trigger",
        matches_loosely=True,
        may_repeat_itself=False,
    ),
    NoteCategory(
        name="constraint",
        folder="constraints",
        word="constraint",
        description="A rule or limit that holds here.",
        fields=(
            _choice("kind", "limitation gap policy technical", "policy"),
            _choice("severity", "high medium low", "medium"),
            NoteField(
                name="active", form="flag", required=True, default=True, is_fixed_at_first=True
            ),
            _optional("expires", "line", "A date or a condition, in words."),
            _needed("rule"),
            _needed("impact", "list"),
            _optional("workarounds"),
        ),
        status_field="active",
        start_place=2,
        for_subagents=True,
        is_rule=True,
        always_verified=True,
        threshold=0.6,
    ),
    NoteCategory(
        name="tech_debt",
        folder="tech-debt",
        word="tech-debt",
        description="What was left for later, and why.",
        fields=(
            _choice("status", "open in_progress resolved wont_fix", "open", is_fixed_at_first=True),
            _choice("priority", "critical high medium low", "medium"),
            _needed("description"),
            _needed("reason_deferred"),
            _optional("impact"),
            _optional("suggested_fix"),
            _optional("acceptance_criteria"),
        ),
        title_from="description",
        status_field="status",
    ),
    NoteCategory(
        name="preference",
        folder="preferences",
        word="preference",
        description="How the user wants things done.",
        fields=(
            # A file that leaves the topic out is about its title.
            _needed("topic", "line"),
            _choice("strength", "strong default soft", "default"),
            _needed("value"),
            _needed("reason"),
            _optional("examples", "examples"),
        ),
        start_place=1,
        for_subagents=True,
        is_rule=True,
        is_permanent=True,
        threshold=0.6,
    ),
    NoteCategory(
        name="session_summary",
        folder="sessions",
        word="session",
        description="Where a session stood when it ended.",
        fields=(
            _choice("outcome", "success partial blocked abandoned", "partial"),
            _needed("goal"),
            NoteField(name="completed", form="list", required=True, default=()),
            _optional("in_progress"),
            _optional("blockers"),
            NoteField(name="next_actions", form="list", required=True, default=()),
            _optional("key_changes"),
        ),
        is_permanent=True,
        is_snapshot=True,
        threshold=0.6,
        retention_days=90,
        max_retained=5,
    ),
)

CATEGORIES: dict[Category, NoteCategory] = {row.name: row for row in _ROWS}
"""The rows by name. Look them up when they are needed: whatever is added here counts at once."""


def folders() -> Mapping[str, Category]:
    """Return the category of each folder."""
    return {row.folder: name for name, row in CATEGORIES.items()}


def named(text: str) -> str:
    """Return the category that *text* names, by its folder or by itself.

    >>> named("tech-debt"), named("decision")
    ('tech_debt', 'decision')
    """
    return folders().get(text, text.replace("-", "_"))


def at_start() -> tuple[Category, ...]:
    """Return the categories that are shown at every session's start, in their order."""
    shown = [row for row in CATEGORIES.values() if row.start_place]
    return tuple(row.name for row in sorted(shown, key=lambda row: row.start_place))
