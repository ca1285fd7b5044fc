"""A rule that a user states is recognised; what only looks like one is not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.embedders.minilm import MiniLM
from recollect.notes import rules, stated
from recollect.text import spoken

# What makes a note that waits for the user's word.
LIKELY = 0.6


@pytest.fixture(scope="module")
def encoder() -> MiniLM:
    return MiniLM()


def found(prompt: str, encoder: MiniLM) -> list[str]:
    told = stated.stated(prompt, embed=encoder.question)
    return [rule.text for rule in told if rule.score >= LIKELY]


@pytest.mark.parametrize(
    "prompt",
    [
        "Please remember that the staging database is read-only",
        "From now on invoices are printed once, please fix that",
        "never force-push",
        "always squash merge",
        "Never round prices.",
        "let's go with tabs everywhere",
        "Let's switch from yarn to pnpm",
        "we agreed that deploys need two people",
        "only stop for questions",
        "And from now on always use Decimal",
        "Actually, let's use httpx instead of requests from now on",
        "never push straight to main",
        "No new dependencies without asking me first.",
        "Every bug fix comes with a test that fails without it.",
        "i prefer small functions over comments",
        "Commit messages are in English, always.",
        "can you remember that Gwen is away every August?",
        "Bitte niemals direkt auf main pushen, grundsätzlich.",
        "A partir de ahora usa siempre pnpm.",
        "On ne pousse jamais sur main sans relecture.",
        "Always use pnpm, never npm 🙂",
        "rule from the postmortem: what moves money is never retried by the transport",
        "no more vendored libraries in the firmware, the last one cost me a weekend",
        "No print debugging in the main branch please, the log is 40 MB already.",
        "from now on squash merges only, the history looks like a christmas tree",
        "Migrations are tried on a restored copy first, without exception.",
        "could prices on the invoices always be shown with tax?",
        "Would you mind, when you finish something, telling me the risks before the rest?",
        "I'd be grateful if every diagram came as text.",
        "A report isn't done until the totals add up on paper.",
        "wildcard imports are banned as of today, name what you use",
        "whenever a build fails tell me which test it was, in one line",
        "(side note: raw pointers are a no, use the handles we have.)",
        "Right, we sat together and agreed on the money: amounts are cents in an integer",
        "Two reviewers for each change, one of them from the other team.",
        "no new dependencies without asking me first, okay?",
    ],
)
def test_a_rule_is_recognised(prompt: str, encoder: MiniLM) -> None:
    assert found(prompt, encoder)


@pytest.mark.parametrize(
    "prompt",
    [
        "Do not commit this yet, I want to look at the diff.",
        "Invoices are printed twice at midnight, please stop that",
        "Logs are written to stdout twice, stop that please",
        "Reports get generated in the wrong timezone at night, get rid of that",
        "The prices are rounded up at checkout. Please stop that.",
        "Let's move the constants to the top of the file",
        "never mind",
        "Never do that",
        "always fails on the second try",
        "no open invoices found in the archive's march folder",
        "we could store the session in a cookie, then every server may answer",
        "ok but we really don't need a queue in our little shop",
        "Using the small model and one request, so it's quick",
        "ugh why does the bundler always rebuild everything, it takes a minute each time",
        "Every time I open the grid on my phone it scrolls to January, always.",
        "we always had problems with that hub, at least it is gone",
        "if i run the importer without a flag, it never asks for the region",
        "I can't see any usage of that helper in our code.",
        "let's move to #91",
        "rule no-unused-vars fails in ci: have a look at the log",
        "the rule in the linter says: drop the semicolon",
        "- keep all the colours\n- drop the vertical line\n- never wrap the title",
        "The parser lacks tests for empty input. Consider adding one for each branch. "
        "This could allow a caller to pass anything.",
        "use port 9000 for this run",
        "Should we always pin the base image?",
        "the label printer dies whenever somebody opens the gate",
        "Every time a truck passes the sensor jumps by two degrees",
        "could the prices in this one file be with tax? just for tonight",
        "trains are back, all fine!!",
        "I moved the long queries to a file and kept the short ones inline",
        "What we have: members pay at the desk, and every booking is a line in a book.",
        "The shop writes that every parcel must have a label by ten.",
        "don't just raise the limit, I want to know what eats the memory",
        "only in old browsers it seems",
        "Add a blank line before the table and do not touch anything else in that file.",
        "upgrade the driver in one pull request and everything else in a second",
        "The manual says 'clients must never poll more than once per minute'. Do we?",
        "at my last job we never deployed without a ticket",
        "if we ever had a second server we'd have to keep the cache in postgres",
        "you always forget the newline at the end of the file",
        "it never works on the first attempt",
        "also if you type jalapeno it doesnt find jalapeño",
        "skip the slow tests this time",
        "I guess we never close that connection 😭",
        "(we always use the raw client elsewhere, so that no checkout is needed)",
        "leave the second button out for now",
        "fix the failing test and then commit",
        "People are asking for a configuration file",
        "Writing the changelog by hand took me four hours again and I have had enough",
        "why is the orders page slow?",
        "> we always use tabs\nis that so?",
        "```\nnever use tabs\n```\nwhat is this?",
        "<task-notification>\n<task-id>a7</task-id>\nAlways use tabs.\n</task-notification>",
    ],
)
def test_what_only_looks_like_a_rule_is_not(prompt: str, encoder: MiniLM) -> None:
    assert found(prompt, encoder) == []


def test_the_rule_is_found_among_what_else_is_said(encoder: MiniLM) -> None:
    prompt = "The writer's test passes but staging fails. Never mock the database. Now redo it."

    assert found(prompt, encoder) == ["Never mock the database."]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("One more thing for the future: never use tabs.", "never use tabs."),
        ("and from now on always use Decimal", "always use Decimal"),
        ("Please remember that staging is read-only", "staging is read-only"),
        ("ok btw, no ORMs here", "no ORMs here"),
        ("No new dependencies", "No new dependencies"),
        ("Please use tabs", "Please use tabs"),
    ],
)
def test_what_announces_a_rule_is_left_out_of_it(said: str, rule: str) -> None:
    assert stated.without_lead(said) == rule


def test_a_specification_is_not_a_list_of_rules(encoder: MiniLM) -> None:
    specification = " ".join(
        f"The page number {number} must always show a table." for number in range(20)
    )

    assert found(specification, encoder) == []
    assert found(f"{specification} From now on never use tabs.", encoder) == ["never use tabs."]


def test_a_wish_that_is_put_as_a_question_is_not_sure_to_hold(encoder: MiniLM) -> None:
    (wish,) = stated.stated("Can we stop supporting the old phones?", embed=encoder.question)

    assert not wish.is_pointed


def test_what_others_say_is_not_sure_to_hold(encoder: MiniLM) -> None:
    said = stated.stated("The forum recommends to always replace both.", embed=encoder.question)

    assert not any(rule.is_pointed for rule in said)


def test_what_is_to_be_kept_in_mind_for_the_work_at_hand_is_not_sure_to_hold(
    encoder: MiniLM,
) -> None:
    (alone,) = stated.stated("Keep in mind that staging is shared.", embed=encoder.question)
    (aside,) = stated.stated(
        "Can you restore the dump? Keep in mind that staging is shared.", embed=encoder.question
    )

    assert (alone.is_pointed, aside.is_pointed) == (True, False)
    assert not found(
        "Can you sum up the import? Keep in mind that somebody could have edited it.", encoder
    )


@pytest.mark.parametrize(
    "prompt",
    [
        "never touch the migrations in this PR",
        "for this ticket always use mocks",
        "Ok but never rename files during this migration.",
        "for this session always answer in one line",
        "In diesem PR niemals die Migrationen anfassen",
    ],
)
def test_what_holds_for_one_piece_of_work_is_neither_kept_nor_quoted(
    encoder: MiniLM, prompt: str
) -> None:
    assert not found(prompt, encoder)
    assert not rules.lasts(spoken.sentence(prompt).heard)
    assert found("never say that tests pass unless you ran them in this session", encoder)


def test_without_a_vector_the_signs_decide_alone() -> None:
    (rule,) = stated.stated("From now on always use Decimal.", embed=lambda _: None)

    assert rule.score >= LIKELY


def test_every_sign_has_a_weight() -> None:
    weights = rules._weights()

    assert len(weights["signs"]) == len(rules.names()) + 1
    assert len(weights["both"]) == MiniLM.dimensions + len(rules.names()) + 1
    assert all(np.isfinite(row).all() for row in weights.values())


@given(st.text(max_size=300))
def test_any_prompt_can_be_read(prompt: str) -> None:
    for rule in stated.stated(prompt, embed=lambda _: None):
        assert 0 <= rule.score <= 1
        assert rule.text


@pytest.mark.parametrize(
    "hostile", ["and " * 5_000, "please " * 5_000, "remember that " * 3_000, "x, no " * 4_000]
)
def test_hostile_text_is_read_quickly(hostile: str) -> None:
    stated.stated(hostile, embed=lambda _: None)
    stated.without_lead(hostile)


def test_a_command_in_front_of_a_rule_is_none_of_it() -> None:
    assert (
        stated.without_lead("/plan keep each commit green please")
        == "keep each commit green please"
    )
