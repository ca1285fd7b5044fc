"""Which prompts point back at earlier work, to when, and about what; and the many that do not."""

import time as clock
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.context import pointing

BERLIN = ZoneInfo("Europe/Berlin")
# A Wednesday.
NOW = datetime(2026, 11, 18, 12, 30, tzinfo=BERLIN)
YESTERDAY = "2026-11-17 .. 2026-11-18"
MONDAY = "2026-11-16 .. 2026-11-17"
LAST_WEEK = "2026-11-09 .. 2026-11-16"
LAST = "the last session"
SOME = "some time"


def when(prompt: str, *, now: datetime = NOW) -> str | None:
    """What *prompt* points to, as one writes it down; None if it points nowhere."""
    found = pointing.read(prompt, now=now)
    if found is None:
        return None
    if found.after is None or found.before is None:
        assert found.after is found.before is None
        return LAST if found.last_session else SOME
    assert not found.last_session
    return f"{written(found.after, now)} .. {written(found.before, now)}"


def written(moment: float, now: datetime) -> str:
    if moment == now.timestamp():
        return "now"
    return f"{datetime.fromtimestamp(moment, now.tzinfo):%Y-%m-%d %H:%M}".removesuffix(" 00:00")


def topic(prompt: str) -> str:
    found = pointing.read(prompt, now=NOW)
    assert found is not None, prompt
    assert found.only_points == (not found.topic)
    return found.topic


def cells(text: str) -> list[str]:
    return [cell.strip() for row in text.strip().splitlines() for cell in row.split(" | ")]


def pairs(text: str) -> list[tuple[str, str]]:
    """What stands before and behind each arrow; nothing, where there is none."""
    return [(left, right) for left, _, right in (cell.partition(" -> ") for cell in cells(text))]


# What points to a time, and behind the arrow the topic that is left.
POINTING = {
    LAST: """
continue | as we discussed | yes please continue | go on | keep going | carry on | lets continue
can you continue? | resume our work | pick up where we left off | continue from last time | weiter
continue our previous session | where were we | ok so where did we leave off | like last time
ok continue with the auth middleware -> auth middleware | continue the migration -> migration
continue working on the importer -> importer | as discussed, rename the module -> rename the module
as agreed please drop the old endpoint -> drop the old endpoint | go with the approach we agreed on
implement the retry logic we talked about -> implement the retry logic | what were we working on?
what was I working on | last time you said the lock was the culprit -> lock was the culprit | 继续
the error from earlier is back -> error | mach mit den tests weiter -> tests | continue stp
wie besprochen, benenne das modul um -> benenne das modul um | wo waren wir stehen geblieben?
mach es wie beim letzten mal | où en étions-nous ? | comme la dernière fois | continúa
comme convenu, supprime le vieux endpoint -> supprime le vieux endpoint | sigue por favor
como hablamos, cambia el parser -> cambia el parser | seguimos donde lo dejamos | 继续上次的工作
按我们讨论过的方案改 | 続けてください | 前回の続きをお願いします | reprends là où on s'est arrêté
pls pick this up where we stopped | 接着上次的继续 | same as last time please
continue the websocket refactoring -> websocket refactoring | what did i ask you to do last time
ok weiter mit dem importer -> importer | continue with step 3 of the plan -> step 3
as discussed earlier, move it to a worker -> move it to a worker
show me the plan from our last session
""",
    YESTERDAY: """
what did we do yesterday? | revert yesterday's refactoring -> revert refactoring | 我们昨天做了什么
yesterday's fix broke the build -> fix broke the build | continue from yesterday
yesterday you wrote a script for the export -> script for the export | qué hicimos ayer?
as we discussed yesterday, use a queue -> use a queue | was haben wir gestern gemacht?
wir haben gestern den parser geändert -> parser | qu'est-ce qu'on a fait hier ? | 昨日やったことは?
昨天的那个bug又出现了 -> bug又出现 | la solution dont on a parlé hier -> solution
kannst du das problem von gestern nochmal anschauen -> problem nochmal anschauen
昨日決めた方針で実装して -> 方針で実装して | 昨天我们改的配置在哪 -> 配置在哪
yesterdays fix for the race didn't work -> fix for the race didn't
""",
    LAST_WEEK: """
that login bug from last week is back -> login bug | didn't we fix this last week?
der bug von letzter woche ist wieder da -> bug | le bug de la semaine dernière -> bug
on a discuté du cache la semaine dernière -> cache | el error de la semana pasada -> error
上周我们讨论的缓存 -> 缓存 | 先週直したバグ -> バグ | 我们上周决定用什么数据库 -> 用什么数据库
was haben wir letzte woche am login geändert -> login
""",
    MONDAY: """
the thing we tried on Monday | la idea que discutimos el lunes
you renamed a bunch of files on monday, which ones -> bunch of files, which ones
the config change from two days ago, undo it please -> config change, undo
""",
    SOME: """
what did we decide about the cache? -> cache | why did we choose sqlite -> sqlite
how did we fix the flaky login test? -> flaky login test | have we seen this error before? -> error
which library did we pick for pdf export? -> library for pdf export
why did we decide against graphql -> against graphql
haven't we fixed that null pointer before -> null pointer
remind me how we fixed the webpack warning -> webpack warning
""",
}

SILENT = """
parse yesterday's log file | schedule it for last Monday of the month | the report covers last week
add a `last_week` filter | add a last week filter | show orders from the last 7 days | fix the bug
continue statement in the loop is wrong | the loop should continue after an error | yes | ok
fix the resume() method | why does the download not continue? | users were logged out yesterday
write a function that returns yesterday's date | what is today's date | rename continue to next
format dates as today / yesterday / last week | continue button does nothing | continue on error
use continue instead of break | what does continue do in a for loop? | parse my resume pdf
continue with the next item if parsing fails | the script should go on even if one file is missing
let the process keep going when a worker dies | resume upload fails on safari | you broke the build
resume parsing after the header | add pause and resume to the player | the last time field is null
the user can resume the session after login | restore the cart from the previous session
store the last session id in a cookie | delete the previous session when the user logs in
expire sessions after the last session timeout | show the last time the user logged in
when was the last time the cache was flushed | add a last time updated column | like before
previous session token is still valid | test fails on mondays | we need to ship this on friday
we deploy on mondays, add a check for that | we should discuss the approach | undo the last change
let's discuss the api design | can we continue to use python 3.9? | the text says "where were we"
will this continue to work after the upgrade? | should we continue supporting node 16?
i want users to be able to pick up where they left off | add "as discussed" to the email template
let readers resume where they left off in the book | emails that we send yesterday at the latest
the video player should start where the user left off | the invoice of last month has a wrong total
we had an outage last week, write a postmortem template | open logs/last-week/what-we-did.txt
we sold 300 units yesterday, update the fixture | the order from yesterday is missing in the list
how many emails we sent last week should be shown on the dashboard | the last one is wrong
translate "what did we do yesterday" to german | see https://example.com/what-did-we-do-yesterday
it worked yesterday | this worked last week | set expiry to 2 weeks | retry after 3 days
posts created a week ago should be archived | i tried to log in yesterday and got a 500
i got this error yesterday | i saw a blog post last week about zig | what did they change last week
they decided last week to drop ie support | the team agreed yesterday on semver | 显示昨天的订单
the pm said last week that we need sso | my boss told me yesterday to use kotlin | 昨天服务器崩溃了
der server ist gestern abgestürzt | le serveur est tombé hier | el servidor se cayó ayer
affiche les commandes de la semaine dernière | la boucle doit continuer après une erreur
el bucle debe continuar después de un error | 解析上周的日志文件 | 出错后循环应该继续执行
上次登录时间显示错误 | 用户上周的数据不对 | 昨日の売上を表示して | サーバーが昨日落ちた
先週のログを解析して | 前回のログイン日時を表示する | エラーが出ても処理を続けて次に進むようにして
make the retry continue with exponential backoff | what does as discussed mean in german
add a resume command to the cli | please resume the container | how do i continue a rebase
git rebase --continue fails | the session cookie from last week is still accepted
generate a report of what the team did last week | we are going live next monday | did you test it?
we have used this pattern since 2019 | i think the problem is the last change
the change from int to float broke parsing | the fix from upstream doesn't apply
backport the fix from main | the bug of the month award page | why does the log say continue?
last time zone in the list is wrong | i was on vacation last week, what did the others change
we lost data yesterday, restore the backup | wie spät war es gestern in tokio
mañana es lunes, no desplegar | make the wizard continue when the optional step is empty
our users discussed this feature in the forum last week | what did you change?
what did you just do | how long did the last session take on average per user
the session from yesterday should be invalidated on logout | 昨天新增的用户没有收到邮件
resume the paused subscription when the card is updated | continue reading link has the wrong color
go on and delete the temp files if they are older than 2 days | i need a resume of the changes
when we deploy on friday the cache must be warm | it was decided in 2024 that ids are uuids
the client decided last month to cancel, remove their tenant | where were the env vars defined?
we received 3 complaints last week about slow search | we decided to use postgres, add the driver
change the default range from last month to last week | as discussed in the rfc, use snake case
we use monday as first day of the week, fix the calendar | la commande de hier n'apparaît pas
i pushed a commit yesterday that isn't deployed yet | keep the loop going until the queue is empty
can you continue to the next step automatically after login | ayer falló el despliegue
we agreed with legal to delete accounts after 30 days | we changed the default range to last week
what happened in the last session of parliament, use it as sample text
the issue is that last year's invoices are included | we added a report for last month
did we add the last week filter | tell me if we discussed, and what
the orders we moved last week to the archive | invoices that we created last month have no number
we agreed the report covers last week | we decided on monday as the first day of the week
we planned to remove accounts created last month | we decided that the archive keeps last month
have we done the migration before the release starts
"""


@pytest.mark.parametrize(
    ("prompt", "window", "left"),
    [(prompt, window, left) for window, text in POINTING.items() for prompt, left in pairs(text)],
)
def test_who_speaks_of_shared_work_points_to_its_time(prompt: str, window: str, left: str) -> None:
    assert (when(prompt), topic(prompt)) == (window, left)


@pytest.mark.parametrize("prompt", cells(SILENT))
def test_a_prompt_without_a_sign_of_shared_work_points_nowhere(prompt: str) -> None:
    assert when(prompt) is None


@pytest.mark.parametrize("prompt", ["", " ", "\n\n", "?", "```", "`", "'", "...", "—"])
def test_a_prompt_of_no_words_points_nowhere(prompt: str) -> None:
    assert when(prompt) is None


TYPES = """
that bug from last week -> bugfix | the security fix from yesterday -> security bugfix
the decision from last month -> decision | what did we decide yesterday? -> decision
how did we fix the login? -> bugfix | yesterday's refactoring -> refactor
continue with the refactoring -> refactor | the feature we built last week -> feature
der fehler von gestern -> bugfix | 昨天的那个bug -> bugfix
what did we do yesterday | what did we do yesterday about error handling
"""


@pytest.mark.parametrize(("prompt", "types"), pairs(TYPES))
def test_what_is_pointed_at_names_the_types(prompt: str, types: str) -> None:
    found = pointing.read(prompt, now=NOW)

    assert found is not None
    assert found.types == tuple(types.split())


MONDAY_MORNING = datetime(2026, 11, 16, 8, tzinfo=BERLIN)
NEW_YEAR = datetime(2027, 1, 1, 9, tzinfo=BERLIN)
WINDOWS = {
    NOW: """
today -> 2026-11-18 .. now | yesterday -> 2026-11-17 .. 2026-11-18
the day before yesterday -> 2026-11-16 .. 2026-11-17 | this week -> 2026-11-16 .. now
last week -> 2026-11-09 .. 2026-11-16 | this month -> 2026-11-01 .. now
last month -> 2026-10-01 .. 2026-11-01 | last year -> 2025-01-01 .. 2026-01-01
on wednesday -> 2026-11-11 .. 2026-11-12 | on thursday -> 2026-11-12 .. 2026-11-13
last tue -> 2026-11-17 .. 2026-11-18 | 3 days ago -> 2026-11-15 .. 2026-11-16
a couple of days ago -> 2026-11-16 .. 2026-11-17 | a few days ago -> 2026-11-11 .. 2026-11-18
2 weeks ago -> 2026-11-01 .. 2026-11-08 | a month ago -> 2026-10-04 .. 2026-11-04
2 hours ago -> 2026-11-18 10:00 .. 2026-11-18 11:00 | in the last week -> 2026-11-11 .. now
in the last 3 days -> 2026-11-15 .. now | over the past few weeks -> 2026-10-07 .. now
since friday -> 2026-11-13 .. now | since last month -> 2026-10-01 .. now
on november 20 -> 2025-11-20 .. 2025-11-21 | on the 3rd of march -> 2026-03-03 .. 2026-03-04
in december -> 2025-12-01 .. 2026-01-01 | on 2026-10-31 -> 2026-10-31 .. 2026-11-01
over the weekend -> 2026-11-14 .. 2026-11-16 | the other day -> 2026-11-04 .. 2026-11-18
last night -> 2026-11-17 18:00 .. 2026-11-18 06:00 | on nov 5 -> 2026-11-05 .. 2026-11-06
this morning -> 2026-11-18 .. 2026-11-18 12:00 | a week ago -> 2026-11-08 .. 2026-11-15
in the last two weeks -> 2026-11-04 .. now | since monday -> 2026-11-16 .. now
""",
    MONDAY_MORNING: """
yesterday -> 2026-11-15 .. 2026-11-16 | on monday -> 2026-11-09 .. 2026-11-10
last week -> 2026-11-09 .. 2026-11-16 | this week -> 2026-11-16 .. now
over the weekend -> 2026-11-14 .. 2026-11-16
""",
    NEW_YEAR: """
yesterday -> 2026-12-31 .. 2027-01-01 | last month -> 2026-12-01 .. 2027-01-01
last year -> 2026-01-01 .. 2027-01-01 | last week -> 2026-12-21 .. 2026-12-28
in december -> 2026-12-01 .. 2027-01-01 | this morning -> 2027-01-01 .. now
""",
}


@pytest.mark.parametrize(
    ("now", "named", "window"),
    [(now, named, window) for now, text in WINDOWS.items() for named, window in pairs(text)],
)
def test_a_named_time_has_a_beginning_and_an_end(now: datetime, named: str, window: str) -> None:
    assert when(f"what did we do {named}?", now=now) == window


@pytest.mark.parametrize("named", ["on 2027-01-01", "tomorrow", "next week", "on 2026-13-40"])
def test_a_time_that_is_not_past_is_none(named: str) -> None:
    assert when(f"what did we change {named}") is None


def test_the_day_on_which_the_clock_changes_has_25_hours() -> None:
    now = datetime(2026, 10, 26, 9, tzinfo=BERLIN)

    found = pointing.read("what did we do yesterday?", now=now)

    assert found is not None
    assert found.after is not None
    assert found.before is not None
    assert found.before - found.after == 25 * 3600


def test_days_are_counted_on_the_calendar_across_a_change_of_the_clock() -> None:
    just_after_midnight = datetime(2026, 3, 30, 0, 30, tzinfo=BERLIN)

    assert when("what did we do 1 day ago", now=just_after_midnight) == "2026-03-29 .. 2026-03-30"


MATTER = "the importer reads each file twice and keeps both copies in memory until it ends. " * 6


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("that bug from last week: " + MATTER, None),
        ("i changed the reader yesterday. " + MATTER, None),
        (MATTER + "please continue", None),
        (MATTER + "we changed the reader yesterday.", YESTERDAY),
        ("as we discussed, " + MATTER, LAST),
    ],
)
def test_a_long_prompt_points_only_with_a_plain_phrase(prompt: str, expected: str | None) -> None:
    assert when(prompt) == expected


PASTED = [
    "```\nwhat did we do yesterday\n```",
    "explain:\n```\nas discussed, we fixed it yesterday",
    "> as we discussed yesterday\nwhat does he mean?",
    "2026-11-17 10:00:01 INFO we fixed the cache yesterday",
    "ERROR as discussed last time",
    "why?\n    # we changed this last week",
    "$ echo what did we do yesterday",
    "<note>\nas we discussed yesterday\n</note>\nreview this note",
    "the banner says “pick up where we left off”",
]


@pytest.mark.parametrize("prompt", PASTED)
def test_what_is_quoted_or_pasted_does_not_point(prompt: str) -> None:
    assert when(prompt) is None


@pytest.mark.parametrize(
    "pasted",
    ["> it broke", "$ make", "ERROR no route", "    x = 1", "```\nx = 1\n```", "<log>\nx\n</log>"],
)
def test_what_is_said_around_something_pasted_points(pasted: str) -> None:
    assert when(f"see:\n{pasted}\nwhat did we do yesterday?") == YESTERDAY


def test_what_is_pasted_does_not_make_a_prompt_long() -> None:
    trace = "\n".join(f'  File "orders/page_{number}.py", line 3' for number in range(50))

    assert when(f"that bug from last week is back:\n{trace}") == LAST_WEEK


def test_the_topic_keeps_names_of_code_and_loses_what_is_pasted() -> None:
    assert topic("the `resume()` bug we fixed yesterday\n```\nlog\n```") == "`resume()` bug"


PIECES = (
    "we |last |the bug |what did we do yesterday |that bug from last week |ok |continue |'a |`|-|a"
    "|haben wir |我们昨天| |/|a.|<a>\n|good morning |which did we |remember how we "
)


@pytest.mark.parametrize("piece", PIECES.split("|"))
@pytest.mark.parametrize("length", [399, 1_000_000])
def test_a_megabyte_is_read_in_no_time(piece: str, length: int) -> None:
    prompt = piece * (length // len(piece))
    began = clock.process_time()

    pointing.read(prompt, now=NOW)

    assert clock.process_time() - began < 10  # Quadratic would be hours.


WORDS = (
    "we you i did have fixed discussed the a that bug from of on in since last week monday "
    "yesterday 3 days ago continue with where left off as like time session ' \" ` ( ) , . ? "
    "wir haben gestern hier on a fait ayer 我们 昨天 讨论了 前回 ſ İ ı 2026-11-05 nov 31 feb"
).split()


@given(st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_prompt_is_read_and_a_window_is_past(prompt: str) -> None:
    found = pointing.read(prompt, now=NOW)

    if found is not None and found.after is not None and found.before is not None:
        assert found.after < found.before <= NOW.timestamp()
        assert not found.last_session
    assert found is None or found.only_points == (not found.topic)
