"""Ask a model about finished turns: what is asked, of which model, and what came back.

One call asks for everything that one model is to write. The answer is read here and trusted
nowhere: `gate` checks it against the turns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from recollect import tokens
from recollect.config import Settings
from recollect.errors import EngineError
from recollect.llm import answers, brief, prompts
from recollect.llm.answers import Drafted
from recollect.llm.brief import Before
from recollect.llm.engine import Asked, Completion, Consult
from recollect.notes.categories import CATEGORIES, Category, NoteField
from recollect.transcripts.turns import CleanTurn

# For what an engine writes around the two texts: Claude Code adds some 260 tokens.
RESERVE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What one call asks a model for."""

    model: str = ""
    observations: bool = True
    summary: bool = False
    categories: Mapping[Category, str] = field(default_factory=dict)
    """The categories of notes it may propose, each with what such a note is."""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDrafts:
    """What a model made of some turns, unchecked."""

    drafted: Drafted
    by: str
    """The model and the version of the prompt: `claude-haiku-5-5/1`."""
    failed: Mapping[str, EngineError] = field(default_factory=dict)
    """Further models that gave no answer, each with why."""


def wanted(settings: Settings, *, summary: bool, notes_too: bool = True) -> list[ModelRequest]:
    """Return the calls that the *settings* ask for, the main one first.

    Categories with a model of their own are asked of that one.
    """
    main = ModelRequest(
        model=settings.synthesis_default_model, language=settings.synthesis_language
    )
    calls = {main.model: main}
    for category in CATEGORIES:
        own = settings.categories[category]
        model = settings.synthesis_models[category] or main.model
        call = calls.get(model, replace(main, model=model, observations=False))
        if CATEGORIES[category].is_snapshot:
            # A model of its own is asked for a summary only when one is due.
            if summary:
                calls[model] = replace(call, summary=True)
        elif notes_too and own.enabled and own.auto_capture:
            calls[model] = replace(call, categories={**call.categories, category: own.description})
    return list(calls.values())


def draft(
    turns: Sequence[CleanTurn],
    before: Before,
    asks: Sequence[ModelRequest],
    *,
    settings: Settings,
    consult: Consult,
) -> ModelDrafts:
    """Return what the models make of *turns*, by what was known *before*. Raises `EngineError`.

    The *asks* are made one after the other. The first must be answered; what another model fails
    to add is left out.
    """
    main, *others = asks
    first, answer = _asked(turns, before, main, settings=settings, consult=consult)
    drafts = [first]
    failed = {}
    for ask in others:
        try:
            drafts.append(_asked(turns, before, ask, settings=settings, consult=consult)[0])
        except EngineError as error:
            failed[ask.model] = error
    return ModelDrafts(
        drafted=Drafted(
            observations=tuple(one for drafted in drafts for one in drafted.observations),
            summary=next((drafted.summary for drafted in drafts if drafted.summary), None),
            notes=tuple(one for drafted in drafts for one in drafted.notes),
            cut_off=any(drafted.cut_off for drafted in drafts),
        ),
        by=f"{answer.model}/{version()}",
        failed=failed,
    )


def version() -> int:
    """The version of what we ask for observations."""
    return prompts.load("observe").version


def instructions(ask: ModelRequest) -> str:
    """Return what the model is told to do."""
    parts = []
    if ask.observations:
        parts.append(prompts.load("observations").text)
    if ask.summary:
        parts.append(prompts.load("summary").text)
    if ask.categories:
        kinds = "\n".join(_described(category, text) for category, text in ask.categories.items())
        parts.append(prompts.load("notes").text.replace("{{categories}}", kinds))
    language = f"Write in {ask.language}; names stay as they are.\n" if ask.language else ""
    frame = prompts.load("observe").text
    filled = frame.replace("{{language}}\n", language).replace("{{objects}}", "\n\n".join(parts))
    return filled.strip()


def room(ask: ModelRequest, settings: Settings) -> int:
    """Return how many tokens are left for the turns beside what the model is told to do."""
    count = tokens.estimate(instructions(ask))
    return settings.synthesis_max_input_tokens - count - RESERVE


def _asked(
    turns: Sequence[CleanTurn],
    before: Before,
    ask: ModelRequest,
    *,
    settings: Settings,
    consult: Consult,
) -> tuple[Drafted, Completion]:
    answer = consult(
        Asked(
            instructions=instructions(ask),
            text=brief.write(turns, before, limit_tokens=room(ask, settings)),
            model=ask.model,
            most_output_tokens=settings.synthesis_max_output_tokens,
            seconds=settings.synthesis_timeout_seconds,
        )
    )
    return read(answer), answer


def read(answer: Completion) -> Drafted:
    """Return what *answer* says. Raises `EngineError` if it declines, or cannot be read."""
    if answer.stop == "refusal":
        raise EngineError(f"{answer.model} declined to answer", kind="refusal")
    return answers.read(answer.text, cut_off=answer.stop == "length")


def _described(category: Category, description: str) -> str:
    """Return a line that tells what a note of *category* is, and its fields.

    >>> _described("runbook", "How a problem is solved.")
    'runbook: How a problem is solved. trigger, steps[], verification; also symptoms[], \
root_cause, environment'
    """
    asked = [one for one in CATEGORIES[category].fields if not one.is_fixed_at_first]
    needed = ", ".join(_shape(one) for one in asked if one.required)
    also = ", ".join(_shape(one) for one in asked if not one.required)
    described = f"{description} " if description else ""
    return f"{category}: {described}{needed}" + (f"; also {also}" if also else "")


def _shape(field: NoteField) -> str:
    """Return how a field is written: `steps[]`, `severity` with the values it takes."""
    match field.form:
        case "examples":
            return f'{field.name} {{"prefer": [], "avoid": []}}'
        case "alternatives":
            return f'{field.name}[] of {{"option": "", "rejected_reason": ""}}'
        case "choice":
            return f"{field.name} ({' | '.join(field.choices)})"
        case "list":
            return f"{field.name}[]"
        case _:
            return field.name
