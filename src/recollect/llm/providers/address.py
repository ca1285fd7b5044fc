"""Where a server is asked, if it can be asked there without giving anything away."""

from dataclasses import dataclass

from recollect.embedders.endpoint import is_loopback, parts_of
from recollect.llm.providers import failures


@dataclass(frozen=True, slots=True)
class Address:
    """A server: its *url* without a slash at the end, its *host* for people."""

    url: str
    host: str
    is_remote: bool


def checked(engine: str, url: str, *, key: str) -> Address:
    """Return *url* in parts. Raises `EngineError` if it is none, or the *key* would be readable.

    >>> checked("openai", "http://localhost:11434/v1/", key="").url
    'http://localhost:11434/v1'
    """
    parts = parts_of(url)
    if parts is None:
        hint = "It looks like https://api.openai.com/v1 or http://localhost:11434/v1."
        raise failures.failure(
            engine, f"synthesis.{engine}.url is not the address of a server", "misfit", hint=hint
        )
    is_remote = not is_loopback(parts.hostname or "")
    if key and is_remote and parts.scheme == "http":
        own = f"synthesis.{engine}"
        hint = f"Begin {own}.url with https://, or leave {own}.key_file empty."
        what = f"{parts.netloc}: the key would travel unencrypted"
        raise failures.failure(engine, what, "misfit", hint=hint)
    return Address(url.rstrip("/"), parts.netloc, is_remote)
