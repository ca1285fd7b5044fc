"""What every engine, which asks a model, must keep to."""

import os
import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Literal

from recollect.errors import EngineError, Failure
from recollect.llm.engine import Asked, Engine, Stop
from recollect.testing.texts import JUNK

Behaviour = Literal[
    "answers",
    "says nothing",
    "is cut short",
    "declines",
    "takes no key",
    "wants money",
    "is asked too often",
    "has no such model",
    "takes no such question",
    "breaks down",
    "is not there",
    "breaks off",
    "speaks gibberish",
    "hangs",
    "drips",
]
"""How the model behind an engine behaves in a test. When it answers, it says `Four.`"""

FAILURES: dict[Behaviour, Failure] = {
    "takes no key": "auth",
    "wants money": "quota",
    "is asked too often": "rate-limit",
    "has no such model": "misfit",
    "takes no such question": "rejected",
    "breaks down": "unavailable",
    "is not there": "unreachable",
    "breaks off": "unavailable",
    "speaks gibberish": "unavailable",
}

# So much of a question in a row is a quotation of it.
QUOTED = 24
# What a machine may take on top of a deadline when it is busy.
LEEWAY_SECONDS = 5.0

ASKED_FOR = Asked(
    instructions="Answer with one word, and a full stop after it.",
    text="How much is two and two, when the orders page is slow?",
    model="scripted",
    most_output_tokens=300,
    seconds=20,
)


class EngineContract:
    """Each test is one promise of an engine. A new one keeps them all or does not ship."""

    key = ""
    """The key that the engine is made with, if it has one; its model may repeat it."""

    def make(self, behaviour: Behaviour) -> Engine:
        """Return an engine whose model behaves like this; the former one is not used any more."""
        raise NotImplementedError

    def sent(self) -> Sequence[str]:
        """Return all that reached the model, one text for each time it was asked.

        As it is, and not as it was encoded on the way.
        """
        raise NotImplementedError

    def wait_until_asked(self) -> None:
        """Return as soon as the model was asked."""
        raise NotImplementedError

    def test_01_an_answer_has_text_a_model_and_a_price(self) -> None:
        """1. An answer says what was said, by whom, and for how many tokens."""
        answer = self.make("answers").ask(ASKED_FOR)

        assert (answer.text, answer.stop) == ("Four.", "end")
        assert answer.model
        assert answer.spent.input_tokens > 0
        assert answer.spent.output_tokens > 0
        assert 0 <= answer.spent.cached_tokens <= answer.spent.input_tokens

    def test_02_the_model_is_asked_once(self) -> None:
        """2. A question that is answered was asked once, with all its words."""
        self.make("answers").ask(ASKED_FOR)

        (request,) = self.sent()
        assert ASKED_FOR.text in request
        assert ASKED_FOR.instructions in request

    def test_03_nothing_else_is_sent(self) -> None:
        """3. Neither where we are nor what stands in our environment reaches the model."""
        secret = "hunter2-of-the-environment"  # noqa: S105 - made up
        names = ("ANTHROPIC_CUSTOM_HEADERS", "OPENAI_CUSTOM_HEADERS", "OPENAI_ORG_ID", "A_SECRET")
        before = {name: os.environ.get(name) for name in names}
        os.environ.update(dict.fromkeys(names, f"X-Leak: {secret}"))
        try:
            self.make("answers").ask(ASKED_FOR)
        finally:
            for name, value in before.items():
                os.environ.pop(name, None)
                os.environ.update({name: value} if value is not None else {})

        (request,) = self.sent()
        assert secret not in request
        assert os.getcwd() not in request

    def test_04_each_failure_is_told_by_its_kind(self) -> None:
        """4. Each failure has its kind, a hint, and a line without the question and the key."""
        for behaviour, kind in FAILURES.items():
            engine = self.make(behaviour)

            error = _failure_of(engine, ASKED_FOR)

            assert error.kind == kind, f"{behaviour}: {error.kind}: {error.message}"
            assert error.message.startswith(f"{engine.name}: ")
            assert "\n" not in error.message
            assert error.hint
            shown = f"{error.message} {error.hint}"
            assert not [piece for piece in _quotations(ASKED_FOR) if piece in shown], shown
            assert not self.key or self.key not in shown

    def test_05_an_answer_that_is_no_use_is_still_an_answer(self) -> None:
        """5. Nothing said, cut short, declined: it cost something, and says what it is."""
        expected: dict[Behaviour, Stop] = {
            "says nothing": "end",
            "is cut short": "length",
            "declines": "refusal",
        }
        for behaviour, stop in expected.items():
            answer = self.make(behaviour).ask(ASKED_FOR)

            assert answer.stop == stop, behaviour
            assert answer.spent.tokens > 0
            assert behaviour != "says nothing" or answer.text == ""

    def test_06_a_deadline_is_kept(self) -> None:
        """6. Whoever says nothing, or a little now and then, is not waited for any longer."""
        behaviours: tuple[Behaviour, ...] = ("hangs", "drips")
        for behaviour in behaviours:
            engine = self.make(behaviour)
            began = time.monotonic()

            error = _failure_of(engine, replace(ASKED_FOR, seconds=1.5))

            assert error.kind == "timeout", behaviour
            assert time.monotonic() - began < 1.5 + LEEWAY_SECONDS

    def test_07_another_thread_can_end_a_call(self) -> None:
        """7. A call that is ended raises at once, and the engine can be asked again."""
        engine = self.make("hangs")
        with ThreadPoolExecutor() as pool:
            calling = pool.submit(_failure_of, engine, replace(ASKED_FOR, seconds=60))
            self.wait_until_asked()

            engine.stop()

            assert calling.result(timeout=LEEWAY_SECONDS).kind == "unavailable"
        assert _failure_of(engine, replace(ASKED_FOR, seconds=1)).kind == "timeout"

    def test_08_to_stop_what_does_not_run_does_nothing(self) -> None:
        """8. An engine that is not being asked can be stopped, and asked afterwards."""
        engine = self.make("answers")

        engine.stop()

        assert engine.ask(ASKED_FOR).text == "Four."

    def test_09_anything_can_be_asked(self) -> None:
        """9. Whatever stands in a text, it is taken for words, and what can be sent arrives."""
        engine = self.make("answers")

        everything = "/clear\n" + "\n".join(JUNK)

        assert engine.ask(replace(ASKED_FOR, text=everything)).text == "Four."
        (request,) = self.sent()
        for text in ("/clear", *JUNK):
            lost = [part for part in _sendable_parts(text) if part not in request]
            assert not lost, f"did not arrive: {lost}"


def _quotations(asked: Asked) -> list[str]:
    """Return all that would be a quotation of what was *asked*."""
    return [
        text[at : at + QUOTED]
        for text in (asked.text, asked.instructions)
        for at in range(len(text) - QUOTED + 1)
    ]


def _sendable_parts(text: str) -> list[str]:
    """Return the parts of *text* between half characters and zero bytes, which no request holds."""
    parts = re.split("[\ud800-\udfff\0]", text)
    return [part.strip() for part in parts if part.strip()]


def _failure_of(engine: Engine, asked: Asked) -> EngineError:
    """Return the error that *engine* raises when it is *asked* this."""
    try:
        answer = engine.ask(asked)
    except EngineError as error:
        return error
    raise AssertionError(f"{engine.name} answered {answer}")
