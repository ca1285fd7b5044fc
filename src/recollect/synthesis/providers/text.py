"""What is sent, and what it may have cost when nobody tells."""

from recollect import tokens
from recollect.state.ledger import Spent
from recollect.synthesis.engine import Asked


def sendable(text: str) -> str:
    r"""Return *text* without what cannot be sent: half characters and zero bytes.

    >>> sendable("half \ud800, zero \0.")
    'half ?, zero .'
    """
    return text.encode("utf-8", "replace").decode().replace("\0", "")


def guessed(asked: Asked, answered: str) -> Spent:
    """Return our own guess of what it cost to have *asked* and to be *answered* this."""
    return Spent(
        input_tokens=tokens.estimate(asked.instructions) + tokens.estimate(asked.text),
        output_tokens=tokens.estimate(answered),
        estimated=True,
    )
