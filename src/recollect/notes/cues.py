"""How developers say that something is worth a note, in seven languages.

The cues themselves stand in `cue_words/`, a file for each language; `triage` decides what they
amount to. They are read against a sentence as `spoken` hears it: lower case, straight quotes,
quotations blanked, code replaced by `run` (a command) or `name`. Every gap between words is
bounded, so no sentence costs more than its length.

A file has sections in brackets, named after the fields below. Each line holds alternatives of a
regular expression; an indented line goes on where the line before it broke off. `<name>` stands
for a part that is defined in a section of that name, here or in `any.txt`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TypeVar

FOLDER = Path(__file__).with_name("cue_words")

# Written without spaces between words, or with endings glued to them.
UNSPACED = frozenset({"zh", "ja", "ko"})

_NOTHING = re.compile(r"(?!)")
_SECTION = re.compile(r"\[(.+)\]")
_PART = re.compile(r"<[a-z' -]+>")
# A cue begins at a word, or at the punctuation that a part like `<start>` begins with.
_AT_A_WORD = r"(?:(?<![\w-])|(?=[,:;.(]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionCues:
    """A choice between ways, made."""

    made: re.Pattern[str] = _NOTHING
    """One is enough."""
    ruled: re.Pattern[str] = _NOTHING
    """One is enough when the user says so."""
    hint: re.Pattern[str] = _NOTHING
    """How a choice is often told; needs other signs. So for preferences and constraints."""
    swapped: re.Pattern[str] = _NOTHING
    """What the agent did; needs the way not taken, and the reason."""
    set: re.Pattern[str] = _NOTHING
    """How it will be; needs the way not taken, or the reason."""
    reason: re.Pattern[str] = _NOTHING
    contrast: re.Pattern[str] = _NOTHING
    """The way not taken."""
    never: re.Pattern[str] = _NOTHING
    """What only looks like it; so for every category."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferenceCues:
    """How somebody wants things done in general."""

    explicit: re.Pattern[str] = _NOTHING
    """One is enough."""
    hint: re.Pattern[str] = _NOTHING
    taste: re.Pattern[str] = _NOTHING
    habit: re.Pattern[str] = _NOTHING
    """That it holds every time."""
    order: re.Pattern[str] = _NOTHING
    """That somebody is told to do so."""
    topic: re.Pattern[str] = _NOTHING
    """What preferences are about: names, commits, answers, tools."""
    never: re.Pattern[str] = _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintCues:
    """A rule, limit or policy that holds."""

    explicit: re.Pattern[str] = _NOTHING
    """One is enough, with something of the last three."""
    stated: re.Pattern[str] = _NOTHING
    """The same, when the user says so."""
    hint: re.Pattern[str] = _NOTHING
    duty: re.Pattern[str] = _NOTHING
    """What must be or cannot be; needs more of the last three."""
    amount: re.Pattern[str] = _NOTHING
    source: re.Pattern[str] = _NOTHING
    """Where rules come from: a contract, hardware, production."""
    firm: re.Pattern[str] = _NOTHING
    """That it is fixed, or what happens otherwise."""
    authority: re.Pattern[str] = _NOTHING
    """Who makes rules: the law, a customer, a store, a data sheet."""
    penalty: re.Pattern[str] = _NOTHING
    """What is done to those who break them."""
    never: re.Pattern[str] = _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Debt:
    """A flaw that is known and stays for a while."""

    named: re.Pattern[str] = _NOTHING
    """One is enough."""
    flaw: re.Pattern[str] = _NOTHING
    slight: re.Pattern[str] = _NOTHING
    """What may be a flaw."""
    known: re.Pattern[str] = _NOTHING
    """That somebody has seen it."""
    kept: re.Pattern[str] = _NOTHING
    """That it is left as it is."""
    later: re.Pattern[str] = _NOTHING
    soon: re.Pattern[str] = _NOTHING
    """What is to be done about it."""
    never: re.Pattern[str] = _NOTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """A problem, and what helped."""

    again: re.Pattern[str] = _NOTHING
    """What to do should it happen again."""
    remedy: re.Pattern[str] = _NOTHING
    cause: re.Pattern[str] = _NOTHING
    symptom: re.Pattern[str] = _NOTHING
    action: re.Pattern[str] = _NOTHING
    """What is done to a machine rather than to code."""
    check: re.Pattern[str] = _NOTHING
    never: re.Pattern[str] = _NOTHING


# There is one of each language; to compare them cue by cue would cost more than to read a sentence.
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LanguageCues:
    """The cues of one language, and how it asks, doubts, reports and takes back."""

    name: str
    decision: DecisionCues
    preference: PreferenceCues
    constraint: ConstraintCues
    tech_debt: Debt
    runbook: Recovery
    question: re.Pattern[str] = _NOTHING
    unsure: re.Pattern[str] = _NOTHING
    doubt: re.Pattern[str] = _NOTHING
    """What of that counts against a debt: what would be better is part of one."""
    reported: re.Pattern[str] = _NOTHING
    """Said of others."""
    one_off: re.Pattern[str] = _NOTHING
    """Meant for this once."""
    request: re.Pattern[str] = _NOTHING
    """Asks for a piece of work: what must be so in it is no rule."""
    polite: re.Pattern[str] = _NOTHING
    """How an order is asked for."""
    promised: re.Pattern[str] = _NOTHING
    """What the agent is about to do."""
    echo: re.Pattern[str] = _NOTHING
    """How the agent answers to what it was told."""
    gone: re.Pattern[str] = _NOTHING
    """That something is over."""
    joking: re.Pattern[str] = _NOTHING
    keep: re.Pattern[str] = _NOTHING
    """That it is told to be remembered."""
    tried: re.Pattern[str] = _NOTHING
    """That nothing has helped so far."""
    withdrawn: re.Pattern[str] = _NOTHING
    """Takes back what was said before."""
    clause: re.Pattern[str] = _NOTHING
    """What ends one clause and begins another."""
    because: re.Pattern[str] = _NOTHING
    """What joins a reason to what it is for."""
    hence: re.Pattern[str] = _NOTHING
    """What a consequence begins with."""
    instead: re.Pattern[str] = _NOTHING
    """What joins the thing that was chosen and the one that was not."""
    lead: re.Pattern[str] = _NOTHING
    """What announces a wish or a choice and adds nothing to it."""
    strict: re.Pattern[str] = _NOTHING
    mild: re.Pattern[str] = _NOTHING
    policy: re.Pattern[str] = _NOTHING
    gap: re.Pattern[str] = _NOTHING
    """That something is not there."""
    machine: re.Pattern[str] = _NOTHING
    urgent: re.Pattern[str] = _NOTHING
    minor: re.Pattern[str] = _NOTHING

    @property
    def is_reversed(self) -> bool:
        """True when reasons, and what was not chosen, stand before the word that joins them."""
        return self.name in ("ja", "ko")


NAMES: tuple[str, ...] = ("en", "de", "fr", "es", "zh", "ja", "ko")


@cache
def language(name: str) -> LanguageCues:
    """Return the cues of the language *name*."""
    parts = _sections("any") | _sections(name)
    patterns = {
        section: _compiled(text, parts, bare=name in UNSPACED or section == "clause")
        for section, text in _sections(name).items()
        if not _PART.fullmatch(section)
    }
    patterns.setdefault("doubt", patterns["unsure"])
    return LanguageCues(
        name=name,
        decision=_filled(DecisionCues, "decision", patterns),
        preference=_filled(PreferenceCues, "preference", patterns),
        constraint=_filled(ConstraintCues, "constraint", patterns),
        tech_debt=_filled(Debt, "tech_debt", patterns),
        runbook=_filled(Recovery, "runbook", patterns),
        **{section: one for section, one in patterns.items() if "." not in section},
    )


_Group = TypeVar("_Group")


def _filled(kind: type[_Group], group: str, patterns: Mapping[str, re.Pattern[str]]) -> _Group:
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    found = {name: patterns.get(f"{group}.{name}", _NOTHING) for name in names}
    return kind(**found)


@cache
def _sections(name: str) -> dict[str, str]:
    """The sections of a file, each as one regular expression whose parts are not filled in."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n"):
        if heading := _SECTION.fullmatch(line):
            lines = found.setdefault(heading[1], [])
        elif line.startswith("    "):
            lines[-1] += line[4:]
        elif line and not line.startswith("#"):
            lines.append(line)
    return {section: "|".join(lines) for section, lines in found.items()}


def _compiled(text: str, parts: Mapping[str, str], *, bare: bool) -> re.Pattern[str]:
    whole = _PART.sub(lambda part: f"(?:{parts[part[0]]})", text)
    return re.compile(whole if bare else f"{_AT_A_WORD}(?:{whole})")


def languages(heard: str) -> tuple[LanguageCues, ...]:
    """Return the languages that *heard* may be in; English always is, people mix it in.

    >>> [language.name for language in languages("wir haben uns für postgres entschieden")]
    ['de', 'en']
    """
    return tuple(map(language, _names(heard)))


_KANA = re.compile("[\u3041-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_HAN = re.compile("[\u3400-\u9fff]")
# Two of these, and the text is hardly English; one will do where no English word is beside it.
_SMALL_WORDS: Mapping[str, re.Pattern[str]] = {
    "de": re.compile(
        r"\b(?:der|die|das|und|ist|nicht|wir|ich|ein|eine|einen|mit|für|auf|von|bitte|haben|wird"
        r"|dem|den|zu|im|es|aber|noch|immer|jetzt|keine?|uns|wenn|weil|muss|nur|sind|auch|mal|bei"
        r"|man|darf|dann|nach|hab|doch|vor|nie|wurde|kann|zum|zur|dass|oder|wieder)\b|\w*[äöüß]\w*"
    ),
    "fr": re.compile(
        r"\b(?:le|la|les|des|une|est|nous|pas|pour|dans|avec|sur|que|qui|je|du|au|ce|et|ne"
        r"|toujours|jamais|tu|il|mais|ça|un|mes|mon|de|en|chez|donc|ou|trop|serait|cette|sans|faut"
        r"|alors|aussi|quand)\b|\b(?:j|l|d|c|n|qu)'|\w*[éèêàçùîôœ]\w*"
    ),
    "es": re.compile(
        r"\b(?:el|la|los|las|una|es|que|de|en|con|para|por|se|del|al|lo|un|hemos|siempre|nunca"
        r"|pero|ya|está|muy|como|hay|y|su|mi|me|esto|eso|cada|ahora|este|esta|sin|todo|cuando"
        r"|porque|demasiado|usa|vez|lugar|nada|hace)\b|\w*[ñáíóú¿¡]\w*"
    ),
}
_SMALL_ENGLISH = re.compile(
    r"\b(?:the|is|are|to|of|and|we|i|in|for|it|on|a|an|with|not|no|this|that|use|be|please|you)\b"
)


def _names(heard: str) -> Iterator[str]:
    if _HANGUL.search(heard):
        yield "ko"
    elif _KANA.search(heard):
        yield "ja"
    elif _HAN.search(heard):
        yield "zh"
    else:
        yield from _spaced(heard)
    yield "en"


def _spaced(heard: str) -> list[str]:
    """The languages with spaces that *heard* may be in beside English, the likeliest first."""
    counts = {name: len(set(words.findall(heard))) for name, words in _SMALL_WORDS.items()}
    likely = max(counts, key=counts.__getitem__)
    if counts[likely] >= 2 or (counts[likely] and not _SMALL_ENGLISH.search(heard)):
        return [likely]
    return [] if _SMALL_ENGLISH.search(heard) or not heard else list(counts)
