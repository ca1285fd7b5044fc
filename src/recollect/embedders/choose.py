"""Make the embedder that the settings name, and none that sends texts away unasked."""

from recollect.embedders.fastembed import DEFAULT_MODEL, FastEmbed
from recollect.embedders.minilm import MiniLM
from recollect.embedders.protocol import Embedder
from recollect.errors import EmbedderError
from recollect.privacy import key_file

KINDS = ("minilm", "openai", "fastembed", "none")


def chosen(
    kind: str,
    *,
    model: str = "",
    url: str = "",
    key_file: str = "",
    may_send: bool = False,
    timeout: float = 30.0,
) -> Embedder | None:
    """Return the embedder of this *kind*; None if there is to be none.

    Raises `EmbedderError` if it cannot be made of the settings, or would send texts to another
    machine although they *may_send* nothing. The model is loaded, or the server asked, with the
    first text.
    """
    match kind:
        case "none":
            return None
        case "minilm":
            return MiniLM()
        case "fastembed":
            return FastEmbed(model or DEFAULT_MODEL)
        case "openai":
            return _openai(model, url, key_file=key_file, may_send=may_send, timeout=timeout)
        case _:
            raise EmbedderError(
                f"embedder.kind: there is no {kind}",
                kind="missing",
                hint=f"It is one of {', '.join(KINDS)}.",
            )


def _openai(model: str, url: str, *, key_file: str, may_send: bool, timeout: float) -> Embedder:
    # 50 ms that only those pay who use it.
    from recollect.embedders.endpoint import Endpoint  # noqa: PLC0415
    from recollect.embedders.openai import ServerEmbedder  # noqa: PLC0415

    for name, value in (("embedder.model", model), ("embedder.url", url)):
        if not value:
            raise EmbedderError(
                f"{name} is not set",
                kind="missing",
                hint=f"With embedder.kind = openai, {name} must say what to ask, and where.",
            )
    endpoint = Endpoint(url, key=_key(key_file) if key_file else "", timeout=timeout)
    if endpoint.is_remote and not may_send:
        raise EmbedderError(
            f"{endpoint.host}: memories may not be sent to another machine",
            kind="refused",
            hint="Set embedder.may_send to true to allow it, or embedder.kind to minilm.",
        )
    return ServerEmbedder(endpoint, model)


def _key(file: str) -> str:
    try:
        return key_file.read(file)
    except ValueError as error:
        hint = "Write the key, and nothing else, into that file."
        raise EmbedderError(f"embedder.key_file: {error}", kind="missing", hint=hint) from error
