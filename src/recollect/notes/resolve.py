"""What becomes of a draft: a new note, an update, a retirement, or nothing.

Two things decide: whether there is a note that the draft could be about, and what the
drafter wants. A veto beats both. Nothing is read here; what is known is passed in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from recollect.notes.categories import CATEGORIES, Category

Intent = Literal["create", "update", "retire"]
Action = Literal["create", "update", "retire", "nothing"]
Structure = Literal["no-candidate", "retirable", "permanent"]
"""Is there a candidate, and may a drafter retire it?"""

# So long a note that was retired is not made anew.
REST = timedelta(hours=24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What to do, and why, in words for the person who asks."""

    action: Action
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFacts:
    """What may speak against any change."""

    category: Category
    now: datetime
    enabled: bool = True
    slug: str = ""
    """The id that the draft's title gives."""
    retired_at: datetime | None = None
    """When the note of that slug was retired, if it is."""
    hash_read: str = ""
    """Of the candidate as the drafter saw it; empty without one."""
    hash_now: str = ""
    """Of the candidate as it stands; empty when it is gone."""


_TABLE: Mapping[Structure, Mapping[Intent, Resolution]] = {
    "no-candidate": {
        "create": Resolution(action="create", reason="there is no note like it"),
        "update": Resolution(action="create", reason="there is no note like it to update"),
        "retire": Resolution(action="nothing", reason="there is no note like it to retire"),
    },
    "retirable": {
        "create": Resolution(action="create", reason="it says something of its own"),
        "update": Resolution(action="update", reason="a note says something like it"),
        "retire": Resolution(action="retire", reason="what the note says holds no longer"),
    },
    "permanent": {
        "create": Resolution(action="create", reason="it says something of its own"),
        "update": Resolution(action="update", reason="a note says something like it"),
        "retire": Resolution(
            action="update", reason="notes of this category are updated, and retired by people"
        ),
    },
}


def structure(candidate: Category | None) -> Structure:
    """The structure for a *candidate* of that category, or for none.

    >>> structure("runbook"), structure("decision"), structure(None)
    ('retirable', 'permanent', 'no-candidate')
    """
    if candidate is None:
        return "no-candidate"
    return "permanent" if CATEGORIES[candidate].is_permanent else "retirable"


def resolve(intent: Intent, found: Structure, *, veto: str = "") -> Resolution:
    """What to do about a draft; with a *veto*, nothing.

    >>> resolve("retire", "permanent").action, resolve("create", "retirable", veto="no").action
    ('update', 'nothing')
    """
    return Resolution(action="nothing", reason=veto) if veto else _TABLE[found][intent]


def veto(facts: ChangeFacts) -> str:
    """Why nothing may be done, in words; empty when nothing speaks against it."""
    return (
        _disabled(facts.category, enabled=facts.enabled)
        or resting(facts.slug, facts.retired_at, now=facts.now)
        or changed(facts.hash_read, facts.hash_now)
    )


def _disabled(category: Category, *, enabled: bool) -> str:
    if enabled:
        return ""
    return f"the category {category} is off (categories.{category}.enabled)"


def resting(slug: str, retired_at: datetime | None, *, now: datetime) -> str:
    """Why no note may be made as *slug* now; empty when one may."""
    if retired_at is None or now - retired_at >= REST:
        return ""
    return (
        f"{slug} was retired in the last {REST // timedelta(hours=1)} hours: "
        "restore it, or choose another title"
    )


def changed(hash_read: str, hash_now: str) -> str:
    """Why a candidate may not be changed by what was drafted from an earlier text of it."""
    if hash_read == hash_now:
        return ""
    return (
        "the note changed since it was read" if hash_now else "the note is gone since it was read"
    )
