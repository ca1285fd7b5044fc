"""Which notes a turn is worth: one explicit statement is enough, what sounds like it is not."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.config import Settings
from recollect.notes import cues, features
from recollect.notes.categories import CATEGORIES
from recollect.notes.triage import (
    OUTRIGHT_CUES,
    THRESHOLDS,
    Activity,
    Proposal,
    SpokenMessage,
    busyness,
    triage,
)


def said(*texts: str) -> list[SpokenMessage]:
    """A conversation that the user begins."""
    return [
        SpokenMessage(by="agent" if n % 2 else "user", text=text) for n, text in enumerate(texts)
    ]


def proposed(*texts: str) -> list[Proposal]:
    return triage(said(*texts), activity=Activity())


def categories(*texts: str) -> list[str]:
    return [one.category for one in proposed(*texts)]


@pytest.mark.parametrize(
    "text",
    [
        "We decided on Postgres because it has partial indexes.",
        "ok let's go with option B",
        "I picked ULIDs over UUIDs, they sort",
        "decision on the flags: subcommands, no more switches",
        "We're dropping IE 11, nobody uses it.",
        "We won't build our own login page. Keycloak does it.",
        "Wir haben uns gegen Kafka entschieden, weil der Betrieb zu teuer ist.",
        "On a finalement choisi SQLite, un serveur serait trop lourd.",
        "Nos quedamos con REST, GraphQL es demasiado para tres pantallas.",
        "我们最后决定用 Postgres，因为需要事务。",
        "Riverpod でいきます。Bloc は重すぎるので。",
        "Kafka 대신 RabbitMQ를 쓰기로 했어요.",
    ],
)
def test_one_statement_of_the_user_makes_a_decision(text: str) -> None:
    assert categories(text) == ["decision"]


@pytest.mark.parametrize(
    "text",
    [
        "From now on use pnpm.",
        "I prefer small commits.",
        "Always answer me in German.",
        "please stop adding emojis",
        "could you always run the linter before you commit?",
        "Tabs, not spaces. In all my projects.",
        "Ab jetzt bitte keine Abkürzungen in Variablennamen.",
        "Désormais, écris les commentaires en français.",
        "Prefiero funciones cortas.",
        "以后注释都用中文写",
        "今後はテストを先に書いてください",
        "앞으로는 커밋 메시지를 한국어로 써 주세요",
    ],
)
def test_one_statement_of_the_user_makes_a_preference(text: str) -> None:
    assert categories(text) == ["preference"]


@pytest.mark.parametrize(
    "text",
    [
        "The API allows at most 100 requests per minute.",
        "Never deploy on Fridays, company policy.",
        "Personal data may not leave the EU.",
        "It must run on Python 3.9, the customer has nothing newer.",
        "Kundendaten dürfen das Rechenzentrum nicht verlassen.",
        "Leur API n'accepte que cinq appels par seconde.",
        "Los datos de clientes no pueden salir de la UE.",
        "接口每分钟最多调用 200 次，超过会被封",
        "この端末はメモリが 64KB しかありません",
        "이 API는 초당 5번까지만 됩니다",
    ],
)
def test_one_statement_of_the_user_makes_a_constraint(text: str) -> None:
    assert categories(text) == ["constraint"]


@pytest.mark.parametrize(
    "text",
    [
        "The tenant id is hard-coded for now, we'll replace it after the launch.",
        "leave the retry logic, it's ugly but we have no time before the release",
        "known wart, we live with it until the next migration",
        "Put it on the list of tech debt: two copies of slugify.",
        "Das ist ein Provisorium, aufgeräumt wird nach dem Release.",
        "C'est du bricolage, on refera ça plus tard.",
        "Es una chapuza, de momento lo dejamos así.",
        "先写死吧，下个版本再改",
        "とりあえずハードコードで、後で直します",
        "일단 하드코딩하고 나중에 고치죠",
    ],
)
def test_a_flaw_that_is_left_for_later_is_debt(text: str) -> None:
    assert categories(text) == ["tech_debt"]


@pytest.mark.parametrize(
    ("problem", "way_out"),
    [
        (
            "docker says no space left on device",
            "The build cache was full. `docker builder prune -a` and a restart of the daemon fixed "
            "it; `df -h` shows 61 % now. If it happens again, do the same.",
        ),
        (
            "Der Drucker druckt nicht, Fehler 0x3",
            "Ursache war ein alter Auftrag. Dienst stoppen, den Ordner leeren, Dienst neu starten. "
            "Danach lief der Druck wieder.",
        ),
        (
            "测试环境全是 502",
            "原因是 socket 权限变了。执行 `systemctl restart php-fpm`，"
            "再 `nginx -s reload`，恢复正常。",
        ),
    ],
)
def test_a_problem_with_the_steps_that_solved_it_is_a_runbook(problem: str, way_out: str) -> None:
    assert categories(problem, way_out) == ["runbook"]


def test_the_user_may_tell_a_runbook_too() -> None:
    told = (
        "If the e2e tests hang at login: stop the agent, delete the mailbox, "
        "start the agent again. Works every time."
    )

    assert categories(told, "Noted.") == ["runbook"]


@pytest.mark.parametrize(
    "text",
    [
        "should we use pnpm?",
        "we haven't decided on a database yet",
        "still undecided, Kafka or RabbitMQ",
        "if we went with Postgres we could drop the cache",
        "maybe we go with Svelte, let me sleep on it",
        "the data team decided to rewrite everything in Scala",
        "my old company always squashed",
        "Why did we choose Mongo?",
        "use port 8081 for this run",
        "don't run the tests this time, I'm on battery",
        "fix the failing test",
        "add a limit of 50 items to the endpoint",
        "make sure the button is never disabled while loading",
        "write it to standard output instead of standard error",
        "the error says: UNIQUE constraint failed: users.email",
        "I always get a 500 when I open the page",
        "Done! 0 failed, 318 passed, the solution builds.",
        "thanks, that was quick!",
        "Wir haben noch nicht entschieden, ob wir bei Angular bleiben.",
        "On n'a pas encore choisi la base.",
        "Aún no hemos decidido nada.",
        "数据库还没定",
        "まだ決めていません",
        "아직 결정하지 못했어요",
    ],
)
def test_what_is_asked_doubted_reported_or_wanted_once_makes_no_note(text: str) -> None:
    assert categories(text, "All tests pass.") == []


@pytest.mark.parametrize(
    "text",
    [
        "always use double quotes... no wait, forget it, the linter does that already",
        "From now on use tabs. Never mind.",
    ],
)
def test_what_is_taken_back_makes_no_note(text: str) -> None:
    assert categories(text, "Okay.") == []


def test_what_a_later_message_takes_back_makes_no_note() -> None:
    assert categories("From now on use tabs.", "Okay.", "Scratch that.", "Fine.") == []


@pytest.mark.parametrize(
    "back",
    [
        "sorry, false alarm, nothing is settled",
        "hm no, actually leave it as it was",
        "ugh right. no. scrap that, I need to think",
    ],
)
def test_it_may_be_taken_back_in_passing(back: str) -> None:
    assert categories("we go with mqtt for the meters", "Fine.", back) == []


@pytest.mark.parametrize(
    ("said", "category"),
    [
        ("Ab jetzt immer pnpm statt npm benutzen. Lass das Logging drin.", "preference"),
        ("Alles bleibt in der EU, das verlangt der Datenschutz.", "constraint"),
        ("On oublie Redis, on a choisi Memcached parce que c'est plus simple.", "decision"),
        ("Scrap this ORM, we decided on plain SQL because it is faster.", "decision"),
        ("앞으로는 항상 pnpm을 써줘. 그럼 취소 버튼부터 고쳐줘.", "preference"),
    ],
)
def test_words_like_those_that_take_back_take_nothing_back(said: str, category: str) -> None:
    assert categories(said) == [category]


def test_what_takes_back_its_own_beginning_leaves_what_was_said_before() -> None:
    assert categories(
        "From now on use pnpm.", "Okay.", "Add a debug flag to the CLI. Never mind that, do tests."
    ) == ["preference"]


def test_picking_one_of_the_ways_that_the_agent_offered_is_a_decision() -> None:
    offer = "There are two options: keep the images on disk or put them in the database."
    chat = [
        SpokenMessage(by="agent", text=offer),
        SpokenMessage(by="user", text="Keep them on disk, the database is too slow for that."),
        SpokenMessage(by="agent", text="Okay."),
    ]

    assert [one.category for one in triage(chat, activity=Activity())] == ["decision"]


def test_so_is_picking_one_of_the_ways_that_the_user_asked_about() -> None:
    def score(question: str) -> float:
        chat = [
            SpokenMessage(by="user", text=question),
            SpokenMessage(by="agent", text="Both would do. Memcached is slightly leaner."),
            SpokenMessage(by="user", text="redis, we need persistence"),
            SpokenMessage(by="agent", text="Wiring it up."),
        ]
        found = triage(chat, activity=Activity(), thresholds={"decision": 0.0})
        return max(one.score for one in found)

    assert score("for the session cache, memcached or redis?") > score("how is the session cache?")


def test_what_was_said_before_helps_to_understand_and_proposes_nothing() -> None:
    before = [
        SpokenMessage(by="user", text="From now on use pnpm."),
        SpokenMessage(
            by="agent", text="There are two options: keep the images on disk or in the database."
        ),
    ]
    now = [
        SpokenMessage(by="user", text="Keep them on disk, the database is too slow for that."),
        SpokenMessage(by="agent", text="Okay."),
    ]

    (found,) = triage(now, before=before, activity=Activity())

    assert found.category == "decision"
    assert triage(now, activity=Activity()) == []


def test_only_cues_that_there_are_say_something_outright() -> None:
    known = set(features.named(cues.language("en")))

    assert all(outright and outright <= known for outright in OUTRIGHT_CUES.values())


def test_an_agent_that_does_as_it_was_told_chooses_nothing() -> None:
    answer = "I chose the BSD fork instead of `libsamplerate`, because its licence is compatible."

    assert categories("make the resampler faster", answer) == ["decision"]
    assert categories("Legal says nothing GPL in the console builds.", answer) == ["constraint"]


def test_only_what_is_said_outright_and_to_the_point_is_plain() -> None:
    def is_plain(text: str) -> bool:
        (found,) = triage([SpokenMessage(by="user", text=text)], activity=Activity())
        return found.plain

    aside = "The page shows orders. It has a table. The table has rows. Each row has a link."
    decided = "We decided on Postgres because it has partial indexes."

    assert is_plain(decided)
    assert not is_plain(f"{aside} {decided} {aside}")
    assert is_plain("From now on use pnpm.")
    assert not is_plain("I want my release tool to do it for me.")


def test_a_plain_answer_to_the_agent_is_no_decision() -> None:
    chat = [
        SpokenMessage(by="agent", text="Shall I run the tests or stop here?"),
        SpokenMessage(by="user", text="run the tests"),
        SpokenMessage(by="agent", text="All 40 pass."),
    ]

    assert triage(chat, activity=Activity()) == []


def test_our_own_context_is_not_heard() -> None:
    shown = "<recollect-memory>\nWe decided on Kafka.\n</recollect-memory>\nrun the tests"

    assert categories(shown, "They pass.") == []


def test_an_ordinary_fix_in_code_is_no_runbook() -> None:
    answer = "The sum was rounded twice. I removed the inner `round()`; all 40 tests pass."

    assert categories("the total is off by one cent, fix it", answer) == []


def test_the_agent_needs_the_way_not_taken_or_a_reason() -> None:
    assert categories("dates are broken", "I went with Luxon.") == []
    assert categories(
        "dates are broken", "I picked Luxon over date-fns because it keeps the zone."
    ) == ["decision"]


def test_what_an_agent_promises_or_repeats_is_the_users() -> None:
    (one,) = proposed("From now on use pnpm.", "Got it, I'll always use pnpm from now on.")

    assert (one.by, one.sentence) == ("user", "From now on use pnpm.")


def test_the_users_words_weigh_more_than_the_agents() -> None:
    told = "We decided on Postgres over MySQL because it has partial indexes."

    (user,) = proposed(told)
    (agent,) = triage([SpokenMessage(by="agent", text=told)], activity=Activity())

    assert user.score > agent.score


def test_what_an_agent_says_between_its_tool_calls_is_not_heard() -> None:
    spoken = [
        SpokenMessage(by="user", text="fix the dates"),
        SpokenMessage(by="agent", text="I picked Luxon over date-fns because it keeps the zone."),
        SpokenMessage(by="agent", text="Fixed."),
    ]

    assert triage(spoken, activity=Activity()) == []


def test_a_proposal_carries_its_sentence_not_the_whole_message() -> None:
    (one,) = proposed("The parser is fine. From now on use pnpm. Now look at the tests please.")

    assert one.sentence == "From now on use pnpm."


def test_a_word_about_how_far_it_goes_belongs_to_the_wish_before_it() -> None:
    (one,) = proposed("No comments that say what the code does. In all my projects.")

    assert one.sentence == "No comments that say what the code does."


def test_several_wishes_make_several_proposals() -> None:
    found = proposed("From now on use pnpm. Always answer me in German.")

    assert [one.category for one in found] == ["preference", "preference"]


def test_a_message_may_hold_a_rule_and_the_choice_it_led_to() -> None:
    text = (
        "The partner's API accepts at most 5 connections, hard limit. "
        "So we decided against one worker per shop."
    )

    assert sorted(categories(text)) == ["constraint", "decision"]


def test_a_statement_is_found_in_a_long_message() -> None:
    chatter = "The demo went well and the carrots were nice. " * 30
    text = f"{chatter}From now on use pnpm in this repo. {chatter}"

    assert categories(text) == ["preference"]


@pytest.mark.parametrize(
    ("uses", "tools", "exchanges"), [(8, 3, 3), (30, 5, 8), (60, 4, 1)], ids=str
)
def test_much_work_is_worth_a_summary(uses: int, tools: int, exchanges: int) -> None:
    activity = Activity(tool_uses=uses, distinct_tools=tools, exchanges=exchanges)

    (one,) = triage(said("port the parser", "Ported."), activity=activity)

    assert (one.category, one.sentence) == ("session_summary", "port the parser")


@pytest.mark.parametrize(
    ("uses", "tools", "exchanges"),
    [(0, 0, 8), (5, 5, 1), (12, 1, 4), (12, 4, 1), (7, 3, 3)],
    ids=str,
)
def test_little_work_is_not(uses: int, tools: int, exchanges: int) -> None:
    activity = Activity(tool_uses=uses, distinct_tools=tools, exchanges=exchanges)

    assert triage(said("port the parser", "Ported."), activity=activity) == []


@given(
    st.builds(
        Activity,
        **dict.fromkeys(("tool_uses", "distinct_tools", "exchanges"), st.integers(0, 10**6)),
    )
)
def test_busyness_is_a_share(activity: Activity) -> None:
    assert 0 <= busyness(activity) < 1


def test_a_threshold_of_one_means_none() -> None:
    never: dict[str, float] = dict.fromkeys(CATEGORIES, 1.0)

    told = said("We decided on Postgres over MySQL because it has partial indexes.")
    activity = Activity(tool_uses=99, distinct_tools=9, exchanges=9)

    assert triage(told, activity=activity, thresholds=never) == []


def test_what_must_be_so_in_a_piece_of_work_is_no_rule() -> None:
    assert categories("limit the export to 500 rows per file", "Done.") == []


@pytest.mark.parametrize(
    "text",
    [
        "dont ever push w/o asking me, thats my rule",
        "pls always show me the diff first",
    ],
)
def test_people_type_as_they_like(text: str) -> None:
    assert categories(text, "Understood.") == ["preference"]


def test_numbered_steps_in_one_line_are_steps() -> None:
    told = (
        "Keep this: the queue was stuck because of a stale lock. 1) stop the worker, 2) delete the "
        "lock row, 3) start the worker. It has been running since."
    )

    assert categories(told, "Noted.") == ["runbook"]


def test_a_flaw_is_quoted_rather_than_where_it_is_noted() -> None:
    (one,) = proposed("The two mailers are copy & paste. Known debt, we merge them next quarter.")

    assert (one.category, one.sentence) == ("tech_debt", "The two mailers are copy & paste.")


def test_only_the_last_messages_are_read() -> None:
    told = said("From now on use pnpm.", "Okay.", "thanks", "You're welcome.")

    assert triage(told, activity=Activity(), most_messages=2) == []
    assert triage(told, activity=Activity(), most_messages=0) == []


def test_the_thresholds_are_those_of_the_settings() -> None:
    assert Settings().triage_thresholds == dict(THRESHOLDS)


@given(
    st.lists(
        st.builds(SpokenMessage, by=st.sampled_from(["user", "agent"]), text=st.text()), max_size=6
    )
)
@settings(deadline=None)
def test_any_conversation_can_be_read(conversation: list[SpokenMessage]) -> None:
    found = triage(conversation, activity=Activity(), thresholds=dict.fromkeys(CATEGORIES, 0.0))

    assert all(0 <= one.score < 1 for one in found)
    assert all(one.category in CATEGORIES for one in found)


@pytest.mark.parametrize(
    "hostile",
    [
        "we decided on x because y. " * 5_000,
        "from now on " * 20_000,
        "if when should it " * 10_000,
        "all a b c d e f " * 10_000,
        "no " * 50_000,
        "必须" * 30_000,
        "は、" * 30_000,
        "<recollect-memory>" * 10_000,
    ],
)
def test_hostile_text_is_read_quickly(hostile: str) -> None:
    started = time.process_time()

    proposed(hostile, hostile)

    assert time.process_time() - started < 5
