import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.llm import answers, gate, prompts
from recollect.llm.answers import DraftedNote, DraftedObservation
from recollect.llm.speech import Grounds, Speech
from recollect.transcripts.turns import CleanTurn, ToolCall
from tests.builders.turns import CWD, a_command, a_read, a_turn, an_edit

ORDERS = a_turn(
    "The orders page is slow, find out why and fix it. We cache nothing there yet.",
    remarks=("The lazy loading of the lines issues a query for each order.",),
    answer="Fixed: `get_orders` now uses selectinload, so the page issues 1 query instead of 41. "
    "The timeout went from 30s to five minutes, as Python 3.12.1 needs it.",
    tools=(
        a_read("src/orders/api.py"),
        an_edit("src/orders/db.py"),
        a_command("grep -rn lazy src", 'src/models/line.py:12: lazy="select"  # see #1234'),
        a_command("pytest -q tests/test_orders.py", "128 passed in 2.31s, 1,024 skipped"),
    ),
)


def drafted(title: str = "The orders page was slow", **changes: Any) -> DraftedObservation:
    return DraftedObservation(title=title, **changes)


def checked(
    *those: DraftedObservation, turn: CleanTurn = ORDERS, translated: bool = False
) -> gate.Checked:
    return gate.observations(those, Speech((turn,), translated))


def grounds_of(
    note: DraftedNote, turns: Sequence[CleanTurn], *, translated: bool = False
) -> Grounds:
    return gate.grounds(note, Speech(tuple(turns), translated))


def supported_fields(note: DraftedNote, turns: Sequence[CleanTurn]) -> dict[str, object]:
    return gate.supported_fields(note, Speech(tuple(turns)))


def has(fact: str, *, turn: CleanTurn = ORDERS, translated: bool = False) -> bool:
    (one,) = checked(drafted(facts=(fact,)), turn=turn, translated=translated).observations
    return one.facts == (fact,)


@pytest.mark.parametrize(
    "fact",
    [
        "The page issues 1 query instead of 41",
        "`get_orders` uses `selectinload`",
        "GET_ORDERS loads eagerly",
        "orders.get_orders is in src/orders/db.py",
        "The slowness was caused by lazy loads",
        "Loading lines lazily issued queries per order",
        "pytest passed 128 tests in 2.31 seconds",
        "1024 tests were skipped",
        "128 tests passed in 2.3s",
        "The timeout is 5 minutes now, 30 seconds before",
        "It needs Python 3.12",
        "See #1234",
        '`lazy="select"` stands in src/models/line.py',
        f"The file is {CWD}/src/orders/db.py",
        "There are 3 reasons for the slow page",
        "An N+1 query made the page slow",
        '"issues a query for each order"',
    ],
)
def test_a_fact_that_the_turn_supports_is_kept(fact: str) -> None:
    assert has(fact)


@pytest.mark.parametrize(
    "fact",
    [
        "The page issues 1 query instead of 42",
        "`get_invoices` uses selectinload",
        "get_order uses selectinload and get_orders_v2",
        "The fix is in src/orders/views.py",
        "It is all in orders.py",
        "The timeout is 30 ms",
        "The timeout is 5 hours",
        "It needs Python 3.13",
        "See #123",
        "Deployed as v2.4.0",
        "128 tests passed in 2.5s",
        "`rm -rf build` was run",
        'The user said "never touch the orders page again"',
        "A background daemon rotates credentials nightly",
        "Kubernetes autoscaling was enabled for staging",
        "It is so.",
    ],
)
def test_a_fact_that_stands_nowhere_in_the_turn_is_dropped_and_counted(fact: str) -> None:
    found = checked(drafted(facts=(fact,)))

    assert found.observations[0].facts == ()
    assert found.dropped["fact"] == 1


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the cache is invalidated too early", "Caching: invalidation happened early"),
        ("we deploy to staging from main", "Deployments to staging come from main"),
        ("connections are configured in the settings", "The connection's configuration setting"),
        ("Die Abfragen dauern zu lange", "Die Abfrage dauerte lange"),
        ("les requêtes échouent parfois", "Une requête échoue parfois"),
        ("用户登录时缓存没有刷新", "登录时缓存不刷新"),
        ("ログイン時にキャッシュが更新されない", "ログイン時のキャッシュ更新がない"),
        ("로그인할 때 캐시가 갱신되지 않는다", "로그인 시 캐시가 갱신되지 않음"),
        ("we use postgres for it", "PostgreSQL is used"),
    ],
)
def test_a_paraphrase_passes(said: str, told: str) -> None:
    found = checked(drafted("x", facts=(told,), text=told), turn=a_turn(said))

    assert found.observations[0].facts == (told,)


@pytest.mark.parametrize(
    "told", ["数据库连接池已经耗尽", "データベース接続の枯渇", "The pool is empty"]
)
def test_another_matter_does_not_pass_in_any_script(told: str) -> None:
    assert not has(told, turn=a_turn("orders page slow 用户登录时缓存没有刷新 ログイン時の更新"))


def test_in_another_language_only_names_and_numbers_are_compared() -> None:
    assert has("页面很慢", translated=True)
    assert has("`get_orders` 现在只查询一次", translated=True)
    assert not has("`get_invoices` 现在只查询一次", translated=True)


def test_a_title_may_call_one_thing_differently() -> None:
    (one,) = checked(drafted("`get_orders` is faster thanks to `eager_mode`")).observations

    assert one.title == "`get_orders` is faster thanks to `eager_mode`"


def test_an_observation_that_stands_nowhere_is_dropped_and_counted() -> None:
    found = checked(drafted("Rotated the staging credentials", text="They expire nightly."))

    assert found.observations == ()
    assert found.dropped["observation"] == 1


def test_a_made_up_title_is_replaced_by_what_stands() -> None:
    text = "The page issues 1 query instead of 41."

    (one,) = checked(drafted("Kubernetes rollout finished", text=text)).observations

    assert one.title == text


def test_a_made_up_sentence_is_left_out_of_the_text() -> None:
    stands = "The page issues 1 query instead of 41."

    found = checked(drafted(text=f"{stands} Customers in prod-eu noticed within 90 minutes."))

    assert found.observations[0].text == stands
    assert found.dropped["sentence"] == 1


def test_the_same_observation_is_kept_once() -> None:
    found = checked(drafted(text="The page is slow."), drafted(text="The page is slow."))

    assert len(found.observations) == 1


def test_only_what_a_tool_wrote_counts_as_modified() -> None:
    claimed = ("db.py", "src/orders/api.py", "src/other.py", "/etc/passwd", "../x.py")

    found = checked(drafted(files_modified=claimed))

    assert found.observations[0].files_modified == ("src/orders/db.py",)
    assert found.dropped["file"] == 4


@pytest.mark.parametrize(
    "claim",
    [
        "db.py",
        "orders/db.py",
        "./src/orders/db.py",
        f"{CWD}/src/orders/db.py",
        "`db.py`",
        "db.py:7",
    ],
)
def test_the_evidence_decides_how_a_file_is_spelled(claim: str) -> None:
    (one,) = checked(drafted(files_modified=(claim,))).observations

    assert one.files_modified == ("src/orders/db.py",)


def test_a_name_that_could_be_two_files_is_neither() -> None:
    turn = a_turn(tools=(an_edit("a/db.py"), an_edit("b/db.py")))

    found = checked(drafted("Fix the query", files_modified=("db.py",)), turn=turn)

    assert found.dropped["file"] == 1


def test_part_of_a_name_is_not_a_file() -> None:
    found = checked(drafted(files_read=("b.py",), files_modified=("b.py",)))

    assert found.dropped["file"] == 2


def test_a_file_counts_as_read_when_it_was_read_written_or_mentioned() -> None:
    claimed = ("api.py", "src/models/line.py", "src/secret.py", "/etc/passwd", "~/x.py", "../y.py")

    found = checked(drafted(files_read=claimed))

    assert found.observations[0].files_read == ("src/orders/api.py", "src/models/line.py")
    assert found.dropped["file"] == 4


def test_a_modified_file_that_nobody_claims_goes_to_the_first_that_has_files() -> None:
    without, having = drafted(), drafted("The page is slow", files_read=("api.py",))

    found = checked(without, having).observations

    assert [one.files_modified for one in found] == [(), ("src/orders/db.py",)]


def test_a_modified_file_goes_to_the_first_observation_if_none_has_files() -> None:
    assert checked(drafted()).observations[0].files_modified == ("src/orders/db.py",)


def test_a_file_whose_name_leads_upwards_or_has_a_line_break_is_named_by_nobody() -> None:
    names = ("../../etc/passwd", "a\nb.py", "a\u202eb.py")
    turn = a_turn(tools=tuple(an_edit(name) for name in names))

    found = checked(drafted("Fix the query", files_modified=names), turn=turn)

    assert found.observations[0].files_modified == ()


def test_a_summary_keeps_the_sentences_that_stand_in_the_turns_or_were_recorded() -> None:
    found = gate.summary(
        {
            "request": "The user asked why the orders page is slow.",
            "investigated": "Profiled the billing daemon with py-spy.",
            "learned": "Lazy loading issues a query per order. The invoice cache was migrated.",
            "completed": "`get_orders` uses selectinload. Deployed to prod-eu-west-1.",
            "next_steps": "None of the 77 alerts remain.",
            "files_read": ("api.py", "made/up.py"),
            "files_edited": ("db.py", "src/cache.py", "/etc/passwd"),
            "notes": "",
        },
        Speech((ORDERS,), recorded="Invoice cache migrated (src/cache.py)"),
    )

    assert found == {
        "request": "The user asked why the orders page is slow.",
        "investigated": "",
        "learned": "Lazy loading issues a query per order. The invoice cache was migrated.",
        "completed": "`get_orders` uses selectinload.",
        "next_steps": "",
        "files_read": ("src/orders/api.py",),
        "files_edited": ("src/orders/db.py", "src/cache.py"),
        "notes": "",
    }


def test_a_summary_of_which_nothing_stands_is_none() -> None:
    assert gate.summary({"request": "Rotate credentials nightly."}, Speech((ORDERS,))) is None


def a_preference(value: str, **changes: Any) -> DraftedNote:
    fields = {"topic": "style", "value": value, "reason": "The user said so.", "strength": "strong"}
    return DraftedNote(category="preference", title=value, fields=fields, **changes)


def a_decision(decision: str, **fields: Any) -> DraftedNote:
    given_ = {"status": "accepted", "context": decision, "decision": decision}
    content = {**given_, "rationale": (decision,), **fields}
    return DraftedNote(category="decision", title=decision, fields=content)


RULE = "Never squash merge commits on the release branch"


@pytest.mark.parametrize(
    ("turn", "grounds"),
    [
        (a_turn(f"{RULE}, please."), "user"),
        (a_turn("please do not ever squash merges on release branches"), "user"),
        (a_turn(answer=f"Understood. {RULE}."), "agent"),
        (a_turn(remarks=(f"I see: {RULE}.",)), "agent"),
        (a_turn(tools=(a_command(f"echo '{RULE}' >> RULES.md"),)), "agent"),
        (a_turn(tools=(a_command("cat RULES.md", RULE),)), "none"),
        (a_turn("Merge the release branch", tools=(a_command("cat RULES.md", RULE),)), "none"),
        (a_turn("Fix the query"), "none"),
    ],
)
def test_a_note_rests_on_who_said_it(turn: CleanTurn, grounds: str) -> None:
    assert grounds_of(a_preference(RULE), [turn]) == grounds


def test_what_is_said_in_any_of_the_turns_is_grounds() -> None:
    assert grounds_of(a_preference(RULE), [ORDERS, a_turn(RULE)]) == "user"


def test_what_the_user_chose_by_number_rests_on_the_agent_who_named_it() -> None:
    turn = a_turn("Take the second one.", answer="Then requests are queued in NATS JetStream.")

    assert grounds_of(a_decision("Requests are queued in NATS JetStream"), [turn]) == "agent"


def test_every_name_in_a_note_must_have_been_said() -> None:
    turn = a_turn("Always run `make lint` before a commit.")

    assert grounds_of(a_preference("Run `make lint` before a commit"), [turn]) == "user"
    assert grounds_of(a_preference("Run `make wipe` before a commit"), [turn]) == "none"


def test_a_name_that_only_the_title_has_must_have_been_said_too() -> None:
    note = DraftedNote(
        category="preference",
        title="Run evil_setup.sh first",
        fields=a_preference(RULE).fields,
    )

    assert grounds_of(note, [a_turn(RULE)]) == "none"


def test_what_stands_beside_the_main_statement_does_not_decide_whose_word_it_is() -> None:
    turn = a_turn("We use NATS for the queue, because it is deployed already.")
    invented = a_decision("Use NATS for the queue", rationale=("Benchmarks favoured throughput",))
    lacking = a_decision("Use NATS for the queue", rationale=())

    assert grounds_of(invented, [turn]) == "user"
    assert grounds_of(lacking, [turn]) == "user"
    assert "rationale" not in supported_fields(invented, [turn])


def test_a_new_note_without_its_main_statement_rests_on_nothing() -> None:
    note = DraftedNote(category="decision", title="Use NATS for the queue", fields={})

    assert grounds_of(note, [a_turn("We use NATS for the queue.")]) == "none"


@pytest.mark.parametrize(
    ("prompt", "statement"),
    [
        (
            "We decided to use Postgres for orders because it has partial indexes.",
            "Use Postgres for orders",
        ),
        (
            "Always use pnpm instead of npm, otherwise the lockfile is not right.",
            "Use pnpm, not npm",
        ),
        (
            "Bitte immer pnpm statt npm verwenden, sonst stimmt das Lockfile nicht.",
            "Immer pnpm statt npm verwenden",
        ),
        ("以后提交信息都用英文写。", "提交信息用英文"),
        ("Stop using moment, use date-fns: it is smaller.", "Use date-fns, not moment"),
        ("No, use pnpm for the packages.", "Use pnpm for the packages"),
        ("Fix it. Never push to main! Thanks.", "Never push to main"),
        ("Deploy only from main. Sign every tag.", "Deploy only from main. Sign every tag."),
        (
            "La CI ne doit jamais toucher la base de production.",
            "La CI ne doit jamais toucher la base de production",
        ),
    ],
)
def test_what_one_sentence_of_the_users_says_is_the_users_word(prompt: str, statement: str) -> None:
    assert grounds_of(a_preference(statement), [a_turn(prompt)]) == "user"


@pytest.mark.parametrize(
    ("prompt", "statement"),
    [
        ("Should we disable TLS verification for uploads?", "Disable TLS verification for uploads"),
        ("should we disable TLS verification for uploads", "Disable TLS verification for uploads"),
        ("Can you disable TLS verification for uploads", "Disable TLS verification for uploads"),
        ("Maybe disable TLS verification for uploads.", "Disable TLS verification for uploads"),
        ("If we disable TLS for uploads, it leaks.", "Disable TLS for uploads"),
        ("Enable TLS checks for uploads to staging.", "Disable TLS checks for uploads to staging"),
        ("Don't disable TLS verification for uploads.", "Disable TLS verification for uploads"),
        ("Stop using Redis for sessions", "Using Redis for sessions"),
        ("Do not force push to main", "Force push to main"),
        ("Never push, merge or rebase on main.", "Rebase on main"),
        ("Not allowed: force push to main", "Force push to main"),
        ("Force push to main: never!", "Force push to main"),
        ("Use pnpm, not npm", "Use npm, not pnpm"),
        ("Use pnpm for the packages, never npm", "Use npm for the packages"),
        ("Back up the orders database first.", "Delete the orders database"),
        ("Use Redis for carts. Postgres holds the sessions.", "Use Redis for sessions"),
        ("Force push to main. Wait, do not force push to main!", "Force push to main"),
        ("Run migrations before the deploy.", "Run migrations after the deploy"),
        ("Require two approvals for the main branch.", "Require zero approvals for main branch"),
        ("The README says we should disable TLS for uploads.", "Disable TLS for uploads"),
        ("Bob suggested to skip the checks for uploads.", "Skip the checks for uploads"),
        ("Disable TLS for uploads is a bad idea.", "Disable TLS for uploads"),
        ("Kein npm verwenden, nur pnpm", "npm verwenden"),
        ("不要用缓存", "用缓存"),
        ("特别要用缓存写入", "不用缓存写入"),
        ("キャッシュを使わないでください", "キャッシュを使ってください"),
        ("Ne pas utiliser Redis pour les sessions", "Utiliser Redis pour les sessions"),
    ],
)  # fmt: skip
def test_what_was_asked_or_said_the_other_way_round_waits_for_the_user(
    prompt: str, statement: str
) -> None:
    assert grounds_of(a_preference(statement), [a_turn(prompt)]) == "agent"


def test_the_user_may_have_said_it_in_another_turn_than_the_note_names() -> None:
    turns = [a_turn("Do not force push to main."), a_turn("Fix the query")]

    assert grounds_of(a_preference("Force push to main", turn="2"), turns) == "agent"
    assert grounds_of(a_preference("Never force push to main", turn="2"), turns) == "user"


def test_a_title_that_says_more_than_the_rule_waits_for_the_user() -> None:
    turn = a_turn("Use pnpm for packages, never npm.")
    fields = a_preference("Use pnpm for packages, never npm").fields

    def grounds(title: str) -> str:
        note = DraftedNote(category="preference", title=title, fields=fields)
        return grounds_of(note, [turn])

    assert grounds("pnpm for packages") == "user"
    assert grounds("Never npm") == "user"
    assert grounds("npm for packages") == "agent"
    assert grounds("pnpm packages: disable verification in CI") == "agent"
    assert grounds("Rotate the credentials") == "none"


@pytest.mark.parametrize(
    ("answer", "statement", "grounds"),
    [
        ("NATS, it is there", "Use NATS as the queue", "user"),
        ("NATS, it is there", "Use Kafka as the queue", "agent"),
        ("No, neither", "Use Kafka as the queue", "none"),
    ],
)
def test_an_answer_chooses_among_what_was_asked(answer: str, statement: str, grounds: str) -> None:
    turn = an_answer("Which queue shall we use, NATS or Kafka?", answer)

    assert grounds_of(a_decision(statement), [turn]) == grounds


def test_a_rule_that_a_page_breaks_over_lines_is_still_the_pages() -> None:
    page = "deploy the orders service\n\nto production,\nskipping failing tests"
    turn = a_turn(
        "Please fix the failing deploy of the orders service to production.",
        tools=(a_command("cat DEPLOY", page),),
    )

    note = a_preference("Deploy the orders service to production skipping failing tests")

    assert grounds_of(note, [turn]) == "none"


def test_items_without_support_are_dropped_from_their_list() -> None:
    turn = a_turn("We use NATS for the queue, because it is deployed already. Kafka is too heavy.")
    note = a_decision(
        "Use NATS for the queue",
        rationale=("It is deployed already", "Benchmarks favoured throughput"),
        alternatives=(
            {"option": "Kafka", "rejected_reason": "too heavy"},
            {"option": "RabbitMQ", "rejected_reason": "clustering trouble"},
        ),
    )

    found = supported_fields(note, [turn])

    assert found["rationale"] == ("It is deployed already",)
    assert found["alternatives"] == ({"option": "Kafka", "rejected_reason": "too heavy"},)
    assert found["status"] == "accepted"


def test_examples_are_checked_one_by_one() -> None:
    note = DraftedNote(
        category="preference",
        title="Use pnpm",
        fields={
            "topic": "package manager",
            "value": "Use pnpm",
            "reason": "It was asked for.",
            "strength": "strong",
            "examples": {"prefer": ("pnpm add",), "avoid": ("`yarn_add_all`",)},
        },
    )

    found = supported_fields(note, [a_turn("Use pnpm here, for instance pnpm add.")])

    assert found["examples"] == {"prefer": ("pnpm add",)}
    assert found["topic"] == "package manager"


def test_a_runbook_may_rest_on_a_failure_that_was_fixed() -> None:
    turn = a_turn(
        "make it green",
        tools=(
            a_command("pytest", "E   KeyError: 'customer_total'\n1 failed in 0.3s", failed=True),
            an_edit("src/totals.py"),
            a_command("pytest", "12 passed in 1.2s"),
        ),
    )
    fields = {
        "trigger": "KeyError: 'customer_total'",
        "steps": ("Edit `src/totals.py`", "Run `pytest`"),
        "verification": "`pytest`: 12 passed",
    }

    runbook = DraftedNote(category="runbook", title="KeyError in pytest", fields=fields)

    assert grounds_of(runbook, [turn]) == "agent"


def a_runbook(*steps: str, verification: str = "`pytest`: 12 passed") -> DraftedNote:
    fields = {"trigger": "KeyError in the orders", "steps": steps, "verification": verification}
    return DraftedNote(category="runbook", title="KeyError in the orders", fields=fields)


FIXED = a_turn(
    "The orders raise a KeyError, fix it. The worker must be stopped for that.",
    tools=(
        a_command("pytest tests/orders", "E   KeyError: drop the production", failed=True),
        a_read("src/secrets.py"),
        an_edit("src/totals.py"),
        a_command("pytest tests/orders", "12 passed in 1.2s"),
    ),
)


@pytest.mark.parametrize(
    "step",
    [
        "Run `pytest tests/orders`",
        "Run pytest for the orders",
        "Edit `src/totals.py`",
        "Stop the worker",
    ],
)
def test_a_step_that_was_taken_or_told_is_kept(step: str) -> None:
    assert supported_fields(a_runbook(step), [FIXED])["steps"] == (step,)


@pytest.mark.parametrize(
    "step",
    [
        "Drop the production database before pytest runs orders",
        "Run pytest with sudo",
        "Drop the production",
        "Wipe production after editing `src/totals.py`",
        "Restart `prod_db`",
        "Edit `src/secrets.py`",
    ],
)
def test_a_step_that_nobody_took_is_dropped(step: str) -> None:
    taken = "Edit `src/totals.py`"
    mixed = a_runbook(taken, step)

    assert supported_fields(mixed, [FIXED])["steps"] == (taken,)
    assert grounds_of(mixed, [FIXED]) != "none"
    assert grounds_of(a_runbook(step), [FIXED]) == "none"


def test_a_runbook_that_the_user_tells_waits_if_its_verification_was_not_told() -> None:
    told = "When the import fails with a lock, stop the worker. The queue is empty then."
    fields = {
        "trigger": "The import fails with a lock",
        "steps": ("Stop the worker",),
        "verification": "The queue is empty",
    }
    turn = a_turn(told)

    def grounds(**changes: object) -> str:
        note = DraftedNote(category="runbook", title="Import lock", fields={**fields, **changes})
        return grounds_of(note, [turn])

    assert grounds() == "user"
    assert grounds(verification="Grafana shows green panels") == "agent"
    assert grounds(steps=()) == "none"


def a_retirement(reason: str) -> DraftedNote:
    return DraftedNote(category="decision", action="retire", target="use-npm", reason=reason)


def test_a_retirement_rests_on_its_reason() -> None:
    turn = a_turn("We moved from npm to pnpm last week.")

    assert grounds_of(a_retirement("The project moved to pnpm"), [turn]) == "user"
    assert grounds_of(a_retirement("The project moved to yarn_berry"), [turn]) == "none"


@pytest.mark.parametrize(
    ("said", "grounds"),
    [
        ("We no longer use npm for the packages.", "user"),
        ("We don't use npm for the packages anymore.", "user"),
        ("Die Pakete kommen nicht mehr von npm, packages sind weg.", "user"),
        ("Forget npm for the packages.", "user"),
        ("npm packages 不再使用", "user"),
        ("Always use npm for the packages!", "none"),
        ("Never use npm for the packages.", "none"),
        ("Do we no longer use npm for the packages?", "none"),
        ("npm for the packages must be removed soon.", "none"),
        ("npm for the packages is not gone.", "none"),
        ("The race is gone.", "none"),
    ],
)
def test_only_who_says_that_it_is_over_retires_a_note(said: str, grounds: str) -> None:
    assert grounds_of(a_retirement("npm packages are obsolete"), [a_turn(said)]) == grounds


def test_a_retirement_may_rest_on_what_the_agent_found() -> None:
    turn = a_turn("Look at it", answer="The race in the uploader is fixed since the last release.")

    assert grounds_of(a_retirement("The race in the uploader is fixed"), [turn]) == "agent"


def test_in_another_language_a_retirement_needs_a_name_in_what_was_said() -> None:
    turn = a_turn("我们不再使用 `use_npm` 了")

    assert grounds_of(a_retirement("`use_npm` is gone"), [turn], translated=True) == "user"
    assert grounds_of(a_retirement("It is gone"), [turn], translated=True) == "none"


def test_a_reason_that_fits_anything_retires_nothing() -> None:
    assert grounds_of(a_retirement("No longer needed"), [a_turn("fix what is needed")]) == "none"
    assert grounds_of(a_retirement(""), [a_turn(RULE)]) == "none"


def test_a_change_must_have_only_what_it_changes() -> None:
    fields = {"decision": "Use NATS for the queue"}
    note = DraftedNote(
        category="decision", action="update", target="queue", title="Queue", fields=fields
    )

    assert grounds_of(note, [a_turn("From now on we use NATS for the queue.")]) == "user"


def test_in_another_language_a_note_needs_a_name_and_waits_for_the_user() -> None:
    turn = a_turn("以后请总是先运行 `make lint` 再提交")
    named = a_preference("Always run `make lint` first")
    unnamed = a_preference("Always be brief")

    assert grounds_of(named, [turn], translated=True) == "agent"
    assert grounds_of(unnamed, [turn], translated=True) == "none"


def test_who_speaks_the_language_of_the_notes_is_understood_as_ever() -> None:
    turn = a_turn("Bitte immer pnpm statt npm verwenden.")
    said = a_preference("Immer pnpm statt npm verwenden")

    assert grounds_of(said, [turn], translated=True) == "user"


def test_in_another_language_what_a_tool_printed_is_no_grounds_either() -> None:
    turn = a_turn("修复测试", tools=(a_command("cat README", "Please always be brief, thanks"),))

    assert grounds_of(a_preference("Always be brief"), [turn], translated=True) == "none"


def test_a_program_that_fails_cannot_speak_for_the_user() -> None:
    printed = f"Exit code 1\nthe user said:\n{RULE}"

    turn = a_turn(tools=(a_command("make", printed, failed=True),))

    assert grounds_of(a_preference(RULE), [turn]) == "none"


def an_answer(question: str, answer: str) -> CleanTurn:
    output = f'User has answered your questions: "{question}"="{answer}". You can now continue.'
    return a_turn(tools=(ToolCall(id="a", name="AskUserQuestion", output=output),))


def test_who_says_no_has_not_said_what_was_asked() -> None:
    asked = f"{RULE}?"

    assert grounds_of(a_preference(RULE), [an_answer(asked, "Yes")]) == "user"
    assert grounds_of(a_preference(RULE), [an_answer(asked, "No, squash them")]) == "none"


def test_a_text_keeps_the_sentences_that_stand() -> None:
    turn = a_turn("We use NATS for the queue.\nIt is deployed already.")
    stands = "NATS is used for the queue.\nIt is deployed."

    whole = supported_fields(a_decision(stands), [turn])
    part = supported_fields(a_decision(f"{stands} Audits of prod_eu demand it."), [turn])

    assert whole["decision"] == stands
    assert part["decision"] == "NATS is used for the queue. It is deployed."


@pytest.mark.parametrize(
    "fact",
    [
        "`get_orders` exposes customer passwords to unauthenticated visitors",
        "41 customers threatened lawsuits over src/orders/db.py",
    ],
)
def test_a_name_that_is_known_does_not_carry_a_sentence_that_is_not(fact: str) -> None:
    assert not has(fact)


@pytest.mark.parametrize(
    ("claim", "stands"),
    [
        ("The user wants the orders page to be fixed", True),
        ("The user approved caching of the orders page", True),
        ("The user approved lazy loading with selectinload", False),
        ("Selectinload was approved by the user", False),
        ("Der Nutzer will selectinload", False),
        ("Users of the page wanted selectinload", True),
    ],
)
def test_what_the_user_is_said_to_want_must_be_their_word(claim: str, stands: bool) -> None:
    assert has(claim) is stands


def test_a_title_cannot_speak_for_the_user_either() -> None:
    (one,) = checked(
        drafted("The user approved selectinload", text="The page issues 1 query instead of 41.")
    ).observations

    assert one.title == "The page issues 1 query instead of 41."


def test_what_is_copied_from_the_instructions_is_no_observation() -> None:
    (example,) = answers.read(prompts.load("observations").text).observations

    for translated in (False, True):
        assert checked(example, translated=translated).observations == ()
    assert grounds_of(a_preference(example.title), [ORDERS], translated=True) == "none"


def test_a_translated_observation_must_have_something_that_can_be_recognised() -> None:
    named = drafted("`get_orders` 现在更快", text="页面很快")
    unnamed = drafted("部署已完成", text="一切正常")

    found = checked(named, unnamed, translated=True)

    assert [one.title for one in found.observations] == ["`get_orders` 现在更快"]
    assert found.dropped == {"observation": 1}


def test_a_release_may_be_written_with_a_hyphen_or_a_space() -> None:
    turn = a_turn("CI runs on Ubuntu 24.04 now")

    facts = ("CI runs on ubuntu-24.04", "CI runs on ubuntu-22.04")
    (one,) = checked(drafted("CI on Ubuntu", facts=facts), turn=turn).observations

    assert one.facts == facts[:1]


def test_the_turn_in_which_most_of_an_observation_stands_is_found() -> None:
    turns = [a_turn("The cache is stale"), ORDERS, a_turn("Rename the worker")]

    def best(title: str, turn: str) -> int:
        return gate.best_turn(drafted(title, turn=turn), Speech(tuple(turns)))

    assert best("The orders page was slow", "1") == 1
    assert best("The worker got another name", "1") == 2
    assert best("Kubernetes rollout finished", "1") == 0
    assert best("Kubernetes rollout finished", "7") == 2
    assert best("Kubernetes rollout finished", "") == 2
    assert gate.best_turn(drafted("The stale cache", turn="2"), Speech(tuple(turns))) == 0


def test_what_was_heard_once_serves_every_note() -> None:
    speech = Speech((a_turn(f"{RULE}, please."),))

    assert gate.grounds(a_preference(RULE), speech) == "user"
    assert gate.grounds(a_preference("Squash everything nightly"), speech) == "none"
    assert gate.supported_fields(a_preference(RULE), speech)["value"] == RULE


def test_a_batch_of_many_large_outputs_is_looked_at() -> None:
    outputs = [
        "\n".join(f"{n} line {k} of orders_{n}_{k} and things" for k in range(500))
        for n in range(200)
    ]
    turn = a_turn(f"{RULE}.", tools=tuple(a_command("cat log", one) for one in outputs))
    speech = Speech((turn,))

    for n in range(8):
        note = a_preference(f"Line {n} of things about orders holds in production")
        assert gate.grounds(note, speech) == "none"
        assert "value" not in gate.supported_fields(note, speech)
    assert gate.grounds(a_preference(RULE), speech) == "user"


def test_a_large_turn_takes_no_time() -> None:
    output = "words about orders and get_orders " * 60_000
    turn = a_turn(tools=(ToolCall(id="x", name="Bash", input={}, output=output),) * 3)
    many = [drafted(f"orders {n}", facts=("`no_such_name` there",) * 8) for n in range(12)]
    began = time.process_time()

    checked(*many, turn=turn)
    grounds_of(a_preference(RULE), [turn])

    assert time.process_time() - began < 5


@given(
    st.text(max_size=80),
    st.lists(st.sampled_from(["`", '"', "v1.2", "a/b.py", "get_x", "缓", "12", " "]), max_size=9),
)
def test_what_was_said_word_for_word_always_stands(said: str, pieces: list[str]) -> None:
    fact = f"orders {said} {' '.join(pieces)}"

    written = drafted("orders", facts=(fact,))

    found = checked(written, turn=a_turn(fact)).observations

    assert found[0].facts == written.facts != ()
