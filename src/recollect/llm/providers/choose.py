"""Make the engine that the settings name; `auto` takes the first that is there and allowed."""

from recollect.config import Access, Settings
from recollect.errors import EngineError
from recollect.llm.engine import Engine
from recollect.privacy import key_file

ENGINES = ("claude", "anthropic", "openai")

# What an engine is made of; a change of one is worth another try.
_PARTS = ("engine", "allow", "default_model", "daily_tokens", "timeout_seconds", "stream", *ENGINES)


def chosen(settings: Settings, *, home: str, client: str) -> Engine:
    """Return the engine; *client* is where Claude Code is, empty if it is nowhere.

    Raises `EngineError` if there is none that can be asked.
    """
    name = settings.synthesis_engine
    if name == "extractive":
        raise EngineError(
            "no model is switched on",
            kind="missing",
            hint="To switch one on: recollect config set synthesis.engine claude",
        )
    if name != "auto":
        return _engine(name, settings, home=home, client=client)
    for one in ENGINES:
        if one in settings.synthesis_allow and _is_there(one, settings, client):
            return _engine(one, settings, home=home, client=client)
    allowed = ", ".join(settings.synthesis_allow) or "none"
    raise EngineError(
        f"none of the allowed engines is there (allowed: {allowed})",
        kind="missing",
        hint="Install Claude Code, or set synthesis.engine and what it needs.",
    )


def fingerprint(settings: Settings) -> str:
    """Return what changes when another engine would be made, or another key used."""
    parts = [str(getattr(settings, f"synthesis_{part}")) for part in _PARTS]
    return "\n".join([*parts, *(key_file.stamp(access(settings, one).key_file) for one in ENGINES)])


def model_of(settings: Settings, model: str) -> str:
    """Return what tells one model of one engine from every other: they fail and rest apart."""
    return f"{fingerprint(settings)}\n{model or settings.synthesis_default_model}"


def models_of(settings: Settings) -> list[str]:
    """Return every model that the *settings* may have asked, as `model_of` names them."""
    own = settings.synthesis_models.values()
    named = [settings.synthesis_default_model, settings.synthesis_verify_model, *own]
    return list(dict.fromkeys(model_of(settings, name) for name in named))


def access(settings: Settings, name: str) -> Access:
    """Return how the engine *name* is reached."""
    found: Access = getattr(settings, f"synthesis_{name}")
    return found


def _is_there(name: str, settings: Settings, client: str) -> bool:
    """Tell whether *name* has what it needs; whether it answers shows when it is asked."""
    if name == "claude":
        return bool(client)
    own = access(settings, name)
    is_reached = bool(own.url or own.key_file)
    return is_reached and (name == "anthropic" or bool(settings.synthesis_default_model))


def _engine(name: str, settings: Settings, *, home: str, client: str) -> Engine:
    # Each is loaded by those alone who use it.
    own = access(settings, name)
    key = _key(name, own.key_file)
    if name == "claude":
        from recollect.llm.providers.claude import Claude  # noqa: PLC0415

        if not client:
            raise EngineError(
                "claude: Claude Code is not there",
                kind="missing",
                hint="Install it, or set synthesis.engine to another one.",
            )
        return Claude(client, url=own.url, key=key, home=home)
    if name == "anthropic":
        from recollect.llm.providers.anthropic import Anthropic  # noqa: PLC0415

        return Anthropic(key=key, url=own.url, stream=settings.synthesis_stream)
    from recollect.llm.providers.openai import OpenAI  # noqa: PLC0415

    return OpenAI(key=key, url=own.url, stream=settings.synthesis_stream)


def _key(name: str, file: str) -> str:
    try:
        return key_file.read(file) if file else ""
    except ValueError as error:
        hint = "Write the key, and nothing else, into that file."
        message = f"synthesis.{name}.key_file: {error}"
        raise EngineError(message, kind="auth", hint=hint) from error
