"""The two engines that ask a server, against scripted ones."""

import json
import socket
import threading
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Protocol

import pytest

from recollect.errors import EngineError
from recollect.llm.engine import Engine
from recollect.llm.providers import children, claude, failures, text
from recollect.llm.providers.anthropic import Anthropic
from recollect.llm.providers.openai import OpenAI
from recollect.store.contract.state import Spent
from recollect.testing import ASKED_FOR, Behaviour, EngineContract
from tests.endpoints import ChatApi, Fail, Hang, MessagesApi, Raw, Say, Step
from tests.home import wait_for

KEY = "sk-made-up-for-this-test-0123456789"

STEPS: dict[Behaviour, Step] = {
    "answers": Say(),
    "says nothing": Say(""),
    "is cut short": Say("Fou", stop="length"),
    "declines": Say("", stop="refusal"),
    "takes no key": Fail(401, f"no such key: {KEY}", type="authentication_error"),
    "wants money": Fail(429, type="insufficient_quota"),
    "is asked too often": Fail(429, type="rate_limit_error"),
    "has no such model": Fail(404, type="not_found_error"),
    "takes no such question": Fail(400, f"bad text: {ASKED_FOR.text}"),
    "breaks down": Fail(529, type="overloaded_error"),
    "breaks off": Say("Four, or more, or less.", cut_after=350),
    "speaks gibberish": Raw(b"<html>Welcome to the hotel's network</html>"),
    "hangs": Hang(),
    "drips": Say("Four. " * 200, pause=0.1),
}


def nobody() -> str:
    """An address on this machine where nobody listens."""
    with socket.socket() as once:
        once.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{once.getsockname()[1]}/v1"


class ServerContract(EngineContract):
    engine: ClassVar[type[Anthropic] | type[OpenAI]]
    stream: ClassVar[bool]
    api: MessagesApi | ChatApi
    key = KEY

    def setup_method(self) -> None:
        self.api = MessagesApi() if self.engine is Anthropic else ChatApi()
        self.api.__enter__()

    def teardown_method(self) -> None:
        self.api.__exit__(None, None, None)

    def make(self, behaviour: Behaviour) -> Engine:
        url = nobody() if behaviour == "is not there" else self.api.url
        if behaviour in STEPS:
            self.api.answers(self.step(behaviour))
        return self.engine(key=KEY, url=url, stream=self.stream)

    def step(self, behaviour: Behaviour) -> Step:
        whole_is_shorter = behaviour == "breaks off" and not self.stream
        return Say("Four.", cut_after=100) if whole_is_shorter else STEPS[behaviour]

    def sent(self) -> Sequence[str]:
        return [request.text for request in self.api.requests]

    def wait_until_asked(self) -> None:
        self.api.wait_for_requests()


class TestAnthropicInPieces(ServerContract):
    engine, stream = Anthropic, True


class TestAnthropicAtOnce(ServerContract):
    engine, stream = Anthropic, False


class TestOpenAIInPieces(ServerContract):
    engine, stream = OpenAI, True


class TestOpenAIAtOnce(ServerContract):
    engine, stream = OpenAI, False


@pytest.fixture
def messages() -> Iterator[MessagesApi]:
    with MessagesApi() as api:
        yield api


@pytest.fixture
def chat() -> Iterator[ChatApi]:
    with ChatApi() as api:
        yield api


@pytest.fixture(params=["anthropic", "openai"])
def server(request: pytest.FixtureRequest) -> Iterator[MessagesApi | ChatApi]:
    with MessagesApi() if request.param == "anthropic" else ChatApi() as api:
        yield api


@pytest.fixture(params=[True, False], ids=["in pieces", "at once"])
def stream(request: pytest.FixtureRequest) -> bool:
    return request.param is True


def engine_for(api: MessagesApi | ChatApi, *, stream: bool = True, key: str = KEY) -> Engine:
    return (Anthropic if isinstance(api, MessagesApi) else OpenAI)(
        key=key, url=api.url, stream=stream
    )


def failure(engine: Engine, **changes: Any) -> EngineError:
    with pytest.raises(EngineError) as raised:
        engine.ask(replace(ASKED_FOR, **changes))
    return raised.value


def test_what_the_server_counted_is_what_was_spent(
    server: ChatApi | MessagesApi, stream: bool
) -> None:
    server.answers(Say(usage=(50, 20, 9)))

    answer = engine_for(server, stream=stream).ask(ASKED_FOR)

    assert answer.spent == Spent(input_tokens=50, output_tokens=9, cached_tokens=20)
    assert answer.model == "scripted-1"


def test_what_the_server_does_not_count_is_guessed_and_said_to_be(
    server: ChatApi | MessagesApi, stream: bool
) -> None:
    server.answers(Say("Four, I think.", usage=None))

    spent = engine_for(server, stream=stream).ask(ASKED_FOR).spent

    assert spent.estimated
    assert spent.input_tokens >= len(ASKED_FOR.text) / 4
    assert spent.output_tokens > 0


WRONG_COUNTS = [-5, True, "9", None, 2.5, 10**30]


@pytest.mark.parametrize("count", WRONG_COUNTS)
def test_what_a_server_claims_to_have_counted_is_not_believed_blindly(
    server: ChatApi | MessagesApi, stream: bool, count: object
) -> None:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
    if isinstance(server, ChatApi):
        names = ("prompt_tokens", "completion_tokens", "prompt_tokens_details")
    wrong = {name: {"cached_tokens": count} if "details" in name else count for name in names}
    server.answers(Say(counted=wrong))

    spent = engine_for(server, stream=stream).ask(ASKED_FOR).spent

    for number in (spent.input_tokens, spent.output_tokens, spent.cached_tokens):
        assert type(number) is int
        assert 0 <= number < 2**40
    assert spent.cached_tokens <= spent.input_tokens


def test_more_cannot_have_been_kept_than_was_sent(chat: ChatApi, stream: bool) -> None:
    chat.answers(Say(usage=(50, 70, 9)))

    assert engine_for(chat, stream=stream).ask(ASKED_FOR).spent.cached_tokens == 50


def test_an_answer_without_end_is_cut_off_and_what_it_cost_is_guessed(
    server: ChatApi | MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "LONGEST_ANSWER", 30_000)
    server.answers(Say("word " * 8_000, stays=True))

    answer = engine_for(server).ask(replace(ASKED_FOR, seconds=60))

    assert (answer.stop, len(answer.text)) == ("length", text.LONGEST_ANSWER)
    assert answer.spent.estimated
    assert answer.spent.output_tokens >= 10_000


def test_a_whole_answer_that_is_too_long_is_cut_off_too(server: ChatApi | MessagesApi) -> None:
    server.answers(Say("word " * 80_000))

    answer = engine_for(server, stream=False).ask(ASKED_FOR)

    assert (answer.stop, len(answer.text)) == ("length", text.LONGEST_ANSWER)
    assert answer.spent == Spent(input_tokens=50, output_tokens=9, cached_tokens=20)


def test_only_what_is_needed_is_sent(server: ChatApi | MessagesApi, stream: bool) -> None:
    engine_for(server, stream=stream).ask(ASKED_FOR)

    (request,) = server.requests
    stays = {"host", "connection", "accept", "accept-encoding", "content-type", "content-length"}
    ours = {"user-agent", "x-api-key", "authorization", "anthropic-version"}
    assert set(request.headers) <= stays | ours
    assert request.headers["user-agent"] == "recollect"
    assert "temperature" not in request.body


def test_anthropic_is_told_what_to_do_apart_from_the_text(messages: MessagesApi) -> None:
    engine_for(messages).ask(ASKED_FOR)

    (request,) = messages.requests
    assert request.path == "/v1/messages"
    assert request.headers["x-api-key"] == KEY
    assert request.body == {
        "model": "scripted",
        "max_tokens": 300,
        "stream": True,
        "system": ASKED_FOR.instructions,
        "messages": [{"role": "user", "content": ASKED_FOR.text}],
    }


def test_anthropic_has_a_small_model_of_its_own(messages: MessagesApi) -> None:
    engine_for(messages).ask(replace(ASKED_FOR, model=""))

    assert messages.requests[0].body["model"] == Anthropic.default_model


def test_an_address_of_anthropics_kind_may_end_in_its_version(messages: MessagesApi) -> None:
    Anthropic(key=KEY, url=messages.url + "/v1/").ask(ASKED_FOR)

    assert messages.requests[0].path == "/v1/messages"


def test_openai_is_told_what_to_do_apart_from_the_text(chat: ChatApi) -> None:
    engine_for(chat).ask(ASKED_FOR)

    (request,) = chat.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.body == {
        "model": "scripted",
        "max_tokens": 300,
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": ASKED_FOR.instructions},
            {"role": "user", "content": ASKED_FOR.text},
        ],
    }


def test_an_address_of_openais_kind_needs_no_version(chat: ChatApi) -> None:
    OpenAI(url=chat.url.removesuffix("/v1")).ask(ASKED_FOR)

    assert chat.requests[0].path == "/v1/chat/completions"


def test_a_server_of_ones_own_needs_no_key_and_gets_none(server: ChatApi | MessagesApi) -> None:
    engine_for(server, key="").ask(ASKED_FOR)

    assert not {"authorization", "x-api-key"} & set(server.requests[0].headers)


def test_a_key_of_the_environment_is_not_used(
    server: ChatApi | MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "sk-of-somebody-else")

    engine_for(server, key="").ask(ASKED_FOR)

    assert "sk-of-somebody-else" not in server.requests[0].text


def test_without_a_key_nobody_far_away_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-of-somebody-else")

    for engine in (Anthropic(), OpenAI()):
        error = failure(engine)

        assert error.kind == "auth"
        assert f"synthesis.{engine.name}.key_file" in error.hint


def test_openai_has_no_model_of_its_own(chat: ChatApi) -> None:
    error = failure(engine_for(chat), model="")

    assert error.kind == "misfit"
    assert "synthesis.default_model" in error.hint
    assert chat.requests == []


@pytest.mark.parametrize(
    "url", ["ftp://x", "localhost:11434", "http://", "http://u:p@x/v1", "http://x/v1?key=1", "h t"]
)
def test_what_is_no_address_is_not_asked(url: str) -> None:
    for engine in (Anthropic(url=url), OpenAI(url=url)):
        assert failure(engine).kind == "misfit"


def test_a_key_does_not_travel_unencrypted() -> None:
    error = failure(OpenAI(key=KEY, url="http://models.example/v1"))

    assert error.kind == "misfit"
    assert "unencrypted" in error.message


def test_a_redirect_is_not_followed(server: ChatApi | MessagesApi) -> None:
    with ChatApi() as elsewhere:
        server.answers(Fail(307, headers={"Location": elsewhere.url}))

        error = failure(engine_for(server))

        assert (error.kind, elsewhere.requests) == ("misfit", [])


@pytest.mark.parametrize(
    ("after", "seconds"), [("20", 20.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("soon", None)]
)
def test_a_server_that_is_asked_too_often_says_how_long_to_wait(
    server: ChatApi | MessagesApi, stream: bool, after: str, seconds: float | None
) -> None:
    server.answers(Fail(429, type="rate_limit_error", headers={"Retry-After": after}))

    error = failure(engine_for(server, stream=stream))

    assert (error.kind, error.retry_after) == ("rate-limit", seconds)


def test_a_failure_is_not_asked_again_by_itself(
    server: ChatApi | MessagesApi, stream: bool
) -> None:
    server.answers(Fail(500, headers={"Retry-After": "0"}))

    failure(engine_for(server, stream=stream))

    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (Fail(400, "Your credit balance is too low to access the API."), "quota"),
        (Fail(402, "Insufficient Balance"), "quota"),
        (Fail(403, type="permission_error"), "auth"),
        (Fail(400, "The model `x` does not exist", type="model_not_found"), "misfit"),
        (Fail(408), "timeout"),
        (Fail(413, type="request_too_large"), "rejected"),
        (Fail(422), "rejected"),
        (Fail(500, "billing service is down"), "unavailable"),
        (Raw(b"", status=502), "unavailable"),
        (Raw(b'{"error": "no such model"}', "application/json", 404), "misfit"),
        (Raw(b"[]", "application/json"), "unavailable"),
        (Raw(b'{"half":', "application/json"), "unavailable"),
        (Raw(b'{"choices": [], "content": 7}', "application/json"), "unavailable"),
        (Raw(b"\xff\xfe", "text/event-stream"), "unavailable"),
        (Raw(b"event: message_start\ndata: {nonsense\n\n", "text/event-stream"), "unavailable"),
    ],
)
def test_what_a_server_does_has_a_meaning(
    server: ChatApi | MessagesApi, stream: bool, step: Fail | Raw, kind: str
) -> None:
    server.answers(step)

    assert failure(engine_for(server, stream=stream)).kind == kind


@pytest.mark.parametrize(
    ("name", "kind"), [("overloaded_error", "unavailable"), ("rate_limit_error", "rate-limit")]
)
def test_an_error_in_the_middle_of_a_stream_is_an_error(
    server: ChatApi | MessagesApi, name: str, kind: str
) -> None:
    error = {"type": "error", "error": {"type": name, "message": "Sorry."}}
    content = f"event: error\ndata: {json.dumps(error)}\n\n".encode()
    server.answers(Raw(content, "text/event-stream"))

    assert failure(engine_for(server)).kind == kind


@pytest.mark.parametrize("bytes_of_it", [0, 1, 60, 150, 300, 500])
def test_an_answer_that_breaks_off_is_never_taken_for_a_whole_one(
    server: ChatApi | MessagesApi, stream: bool, bytes_of_it: int
) -> None:
    whole = Say("Four. " * 100)
    server.answers(replace(whole, cut_after=bytes_of_it))

    assert failure(engine_for(server, stream=stream)).kind == "unavailable"


def test_a_server_that_does_not_hang_up_is_not_waited_for(server: ChatApi | MessagesApi) -> None:
    server.answers(Say(stays=True))

    assert engine_for(server).ask(replace(ASKED_FOR, seconds=60)).text == "Four."


def test_an_error_names_the_host_and_says_little(server: ChatApi | MessagesApi) -> None:
    server.answers(Fail(400, "why not? " * 100))

    error = failure(engine_for(server))

    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert f": {host}: answered 400" in error.message
    assert len(error.message) < 300


def test_an_error_shows_no_key(server: ChatApi | MessagesApi) -> None:
    server.answers(Fail(401, f"the key {KEY} is wrong"))

    error = failure(engine_for(server))

    assert KEY not in error.message + error.hint


def test_the_way_to_this_machine_leads_through_no_proxy(
    server: ChatApi | MessagesApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, nobody().removesuffix("/v1"))

    assert engine_for(server).ask(ASKED_FOR).text == "Four."


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY", "all_proxy"])
def test_the_way_out_leads_through_the_users_proxy(
    chat: ChatApi, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for other in ("http_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(other, raising=False)
        monkeypatch.delenv(other.upper(), raising=False)
    monkeypatch.setenv(name, chat.url.removesuffix("/v1"))

    answer = OpenAI(url="http://models.invalid/v1").ask(ASKED_FOR)

    assert answer.text == "Four."
    assert chat.requests[0].path == "http://models.invalid/v1/chat/completions"


def test_the_type_of_an_answer_may_be_written_in_any_case(chat: ChatApi) -> None:
    whole = json.dumps(chat.whole(Say())).encode()
    chat.answers(Raw(whole, "Application/JSON"))

    assert engine_for(chat, stream=False).ask(ASKED_FOR).text == "Four."


def test_claude_code_gets_the_proxy_only_for_the_way_out() -> None:
    environment = {"HTTPS_PROXY": "http://proxy:3128", "no_proxy": "x", "LANG": "C"}

    assert claude.inherited(environment, proxies=True) == environment
    assert claude.inherited(environment, proxies=False) == {"LANG": "C"}


def test_what_a_server_says_does_not_travel_with_the_error(server: ChatApi | MessagesApi) -> None:
    server.answers(Fail(400, f"invalid content in '{ASKED_FOR.text}'"))

    error = failure(engine_for(server))

    assert ASKED_FOR.text not in "".join(traceback.format_exception(error))


def test_an_error_that_echoes_the_question_is_not_repeated(
    server: ChatApi | MessagesApi, stream: bool
) -> None:
    server.answers(Fail(400, f"invalid content in '{ASKED_FOR.text}'"))

    error = failure(engine_for(server, stream=stream))

    assert "orders page" not in error.message
    assert "scripted_error" in error.message


def test_a_call_that_was_ended_leaves_no_line_open(server: ChatApi | MessagesApi) -> None:
    server.answers(Hang())
    engine = engine_for(server)
    with ThreadPoolExecutor() as pool:
        calling = pool.submit(failure, engine, seconds=60)
        server.wait_for_requests()

        engine.stop()

        assert calling.result(timeout=5).kind == "unavailable"
    wait_for(lambda: not any("_run" in thread.name for thread in threading.enumerate()), seconds=5)


def test_nothing_of_what_is_sent_is_logged(
    server: ChatApi | MessagesApi, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_LOG", "debug")
    monkeypatch.setenv("ANTHROPIC_LOG", "debug")
    caplog.set_level("DEBUG")

    engine_for(server).ask(ASKED_FOR)

    assert caplog.text == ""


def test_a_server_that_does_not_know_the_wish_for_usage_is_asked_without(chat: ChatApi) -> None:
    chat.answers(Fail(400, "unknown field: stream_options"), Say(usage=None))
    engine = engine_for(chat)

    assert engine.ask(ASKED_FOR).spent.estimated
    engine.ask(ASKED_FOR)

    assert ["stream_options" in one.body for one in chat.requests] == [True, False, False]


def test_a_model_that_wants_the_newer_name_of_the_limit_gets_it(
    chat: ChatApi, stream: bool
) -> None:
    chat.answers(Fail(400, "'max_tokens' is not supported, use 'max_completion_tokens'"), Say())
    engine = engine_for(chat, stream=stream)

    engine.ask(ASKED_FOR)
    engine.ask(ASKED_FOR)

    limits = [[name for name in one.body if name.startswith("max_")] for one in chat.requests]
    assert limits == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_a_server_that_takes_neither_name_of_the_limit_is_not_asked_for_ever(chat: ChatApi) -> None:
    chat.answers(Fail(400, "max_tokens and max_completion_tokens are too large"))

    assert failure(engine_for(chat)).kind == "rejected"
    assert len(chat.requests) == 2


def test_a_model_that_says_that_it_declines_has_declined(chat: ChatApi) -> None:
    declined = {"role": "assistant", "content": None, "refusal": "I cannot."}
    choice = {"index": 0, "message": declined, "finish_reason": "stop"}
    content = json.dumps({"id": "1", "object": "chat.completion", "choices": [choice]}).encode()
    chat.answers(Raw(content, "application/json"))

    answer = engine_for(chat, stream=False).ask(ASKED_FOR)

    assert (answer.stop, answer.text) == ("refusal", "")


@pytest.mark.parametrize("bytes_of_it", [60, 300])
def test_an_answer_that_breaks_off_has_cost_something(
    server: ChatApi | MessagesApi, stream: bool, bytes_of_it: int
) -> None:
    server.answers(replace(Say("Four. " * 100), cut_after=bytes_of_it))

    assert failure(engine_for(server, stream=stream)).paid


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Claude AI usage limit reached|1794850000", "quota"),
        ("You've hit your session limit · resets 5pm", "quota"),
        ("You've hit your monthly spend limit", "quota"),
        ("Credit balance is too low", "quota"),
        ("Not logged in · Please run /login", "auth"),
        ("Invalid API key · Fix external API key", "auth"),
        ("OAuth token revoked · Please run /login", "auth"),
        ("API Error: Can't reach the API server — check your internet (ENOTFOUND)", "unreachable"),
        ("API Error: Connection lost mid-response.", "unavailable"),
        ("Request timed out", "timeout"),
    ],
)
def test_what_claude_code_says_has_a_meaning(said: str, kind: str) -> None:
    assert failures.meaning_of_words(said) == kind


def test_a_text_cannot_make_claude_code_read_a_file_or_run_a_command() -> None:
    mentions = 'see @/etc/passwd, @~/.ssh/id, @"/a b", @../up and @src/app.py; ask ada@example.org'

    assert claude.harmless(mentions) == (
        'see @ /etc/passwd, @ ~/.ssh/id, @ "/a b", @ ../up and @src/app.py; ask ada@example.org'
    )
    assert claude.harmless("/compact").startswith("\n")


class StandIn(Protocol):
    """Claude Code that prints *output* and ends with *code*."""

    def __call__(self, output: str = "", *, code: int = 0, key: str = "") -> claude.Claude: ...


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """Make Claude Code a script: it writes a file to its standard output, and ends with a code."""

    def make(output: str = "", *, code: int = 0, key: str = "") -> claude.Claude:
        (tmp_path / "output").write_text(output, encoding="utf-8")
        program = tmp_path / "claude"
        program.write_text(f"#!/bin/sh\ncat > /dev/null\ncat '{tmp_path}/output'\nexit {code}\n")
        program.chmod(0o755)
        return claude.Claude(str(program), key=key, home=str(tmp_path / "home"))

    return make


REPORT = {
    "type": "result",
    "result": "Four.",
    "usage": {"input_tokens": 50, "output_tokens": 9},
    "total_cost_usd": 0.25,
}


@pytest.mark.parametrize(
    "output",
    [
        "{}",
        "\ufeff{}\n",
        "A new version is there.\n{}",
        '{}\nBye.\n{{"level": "warn"}}\n',
        '{{"type": "system"}}\n{}\n{{"type": "later"}}\n{{ not JSON\n',
        '[{{"type": "system"}}, {{"type": "result", "result": "Five."}}, {}, {{"type": "x"}}, 7]',
        "\r\nWarning: {{}}\r\n  {}\r\n",
    ],
)
def test_the_report_of_claude_code_may_stand_among_other_things(
    stand_in: StandIn, output: str
) -> None:
    answer = stand_in(output.format(json.dumps(REPORT))).ask(ASKED_FOR)

    assert answer.text == "Four."
    assert answer.spent == Spent(input_tokens=50, output_tokens=9, cost=0.25)


@pytest.mark.parametrize("output", ["", "Hello!", "[]", "7", '{"level": "warn"}', "[" * 99_999])
@pytest.mark.parametrize("code", [0, 1])
def test_without_a_report_the_model_was_asked_if_claude_code_is_content(
    stand_in: StandIn, output: str, code: int
) -> None:
    error = failure(stand_in(output, code=code))

    assert (error.kind, error.paid) == ("unavailable", code == 0)
    assert f"ended with {code} and without a report" in error.message


@pytest.mark.parametrize("count", WRONG_COUNTS)
def test_what_claude_code_claims_to_have_counted_is_not_believed_blindly(
    stand_in: StandIn, count: object
) -> None:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens")
    report = REPORT | {"usage": dict.fromkeys(names, count)}

    spent = stand_in(json.dumps(report)).ask(ASKED_FOR).spent

    for number in (spent.input_tokens, spent.output_tokens, spent.cached_tokens):
        assert type(number) is int
        assert 0 <= number < 2**40


@pytest.mark.parametrize(
    ("claimed", "cost"),
    [("NaN", None), ("Infinity", None), ("-0.5", 0.0), ("true", None), ("1e400", None), ("2", 2.0)],
)
def test_a_price_is_a_number_of_dollars_or_unknown(
    stand_in: StandIn, claimed: str, cost: float | None
) -> None:
    report = json.dumps(REPORT).replace("0.25", claimed)

    assert stand_in(report).ask(ASKED_FOR).spent.cost == cost


def test_claude_code_that_writes_without_end_is_ended(
    stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(children, "LARGEST_OUTPUT", 1_000_000)
    engine = stand_in()
    (tmp_path / "claude").write_text("#!/bin/sh\nexec yes\n")

    error = failure(engine, seconds=60)

    assert (error.kind, error.paid) == ("unavailable", True)
    assert "wrote more than 1 MB" in error.message


@pytest.mark.parametrize("odd", ["\0", "\ud800"])
def test_a_character_that_no_program_can_be_given_is_a_misfit(stand_in: StandIn, odd: str) -> None:
    for engine, changes in ((stand_in(), {"model": f"a{odd}b"}), (stand_in(key=f"{KEY}{odd}"), {})):
        error = failure(engine, **changes)

        assert error.kind == "misfit"
        assert KEY not in "".join(traceback.format_exception(error))


def test_somebody_who_logs_in_by_the_environment_is_told_that_it_is_not_passed_on(
    stand_in: StandIn,
) -> None:
    said = {"type": "result", "is_error": True, "result": "Not logged in · Please run /login"}

    error = failure(stand_in(json.dumps(said)))

    assert error.kind == "auth"
    assert "synthesis.claude.key_file" in error.hint
    assert "environment variables is not passed on" in error.hint


def test_claude_code_that_is_not_installed_is_missed(tmp_path: Path) -> None:
    error = failure(claude.Claude("no-such-program", home=str(tmp_path)))

    assert error.kind == "missing"
    assert not list(tmp_path.rglob("*-*"))
