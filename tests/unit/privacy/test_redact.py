import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.privacy import redact

# Put together here, so that nobody's scanner takes this file for a leak.
LETTERS = "aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zZ"
SECRETS = {
    "aws-key-id": "AKIA" + "Q3EGR7M2XKPLW5TZ",
    "github-token": "ghp" + "_" + LETTERS + "abcd",
    "gitlab-token": "glpat" + "-" + LETTERS[:20],
    "slack-token": "xoxb" + "-123456789012-" + LETTERS,
    "stripe-key": "sk" + "_live_" + LETTERS,
    "openai-key": "sk" + "-proj-" + LETTERS,
    "anthropic-key": "sk" + "-ant-api03-" + LETTERS,
    "google-api-key": "AIza" + LETTERS + "abc",
    "npm-token": "npm" + "_" + LETTERS + "abcd",
    "pypi-token": "pypi" + "-" + LETTERS + LETTERS,
    "hugging-face-token": "hf" + "_" + LETTERS,
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxIn0" + "." + LETTERS,
    "private-key": "\n".join(
        [
            "-----BEGIN RSA " + "PRIVATE KEY-----",
            LETTERS * 2,
            LETTERS,
            "-----END RSA " + "PRIVATE KEY-----",
        ]
    ),
}
SURROUNDINGS = st.text(
    alphabet=st.characters(exclude_categories=["L", "N", "Cs"]), max_size=20
).filter(lambda text: not text.endswith(("_", "-")) and not text.startswith(("_", "-")))
SCRAPS = [
    "password",
    "token",
    "=",
    ":",
    " ",
    '"',
    "'",
    "hunter2",
    "://",
    "@",
    "Bearer ",
    "\n",
    "\\",
]
SCRAPS += [
    "Authorization: ",
    "[redacted:x]",
    "[secret:x]",
    "{",
    "<",
    "/",
    "secret",
    "api_key",
    "a1b2c3d4",
    ".",
]
SCRAPS += ["-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", *SECRETS.values()]
LIKELY = st.lists(st.sampled_from(SCRAPS), max_size=12).map("".join)


@pytest.mark.parametrize("kind", SECRETS)
def test_a_well_known_secret_is_replaced_by_its_kind(kind: str) -> None:
    assert redact.redact(f"here: {SECRETS[kind]} end") == f"here: [secret:{kind}] end"


@given(SURROUNDINGS, st.sampled_from(sorted(SECRETS)), SURROUNDINGS)
def test_no_secret_survives_whatever_stands_around_it(before: str, kind: str, after: str) -> None:
    assert SECRETS[kind] not in redact.redact(f"{before}{SECRETS[kind]}{after}")


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Authorization: Bearer abc123def456", "Authorization: Bearer [secret:authorization]"),
        (
            '"Authorization": "Basic dXNlcjpwdzE="',
            '"Authorization": "Basic [secret:authorization]"',
        ),
        ("postgres://app:p@ss@db:5432/x", "postgres://app:[secret:url-credentials]@db:5432/x"),
        ("redis://:s3cret@cache", "redis://:[secret:url-credentials]@cache"),
        (
            "https://t0ken:x-oauth-basic@github.com",
            "https://t0ken:[secret:url-credentials]@github.com",
        ),
    ],
)
def test_credentials_go_and_what_they_are_for_stays(text: str, redacted: str) -> None:
    assert redact.redact(text) == redacted


def test_a_key_in_a_listing_with_line_numbers_is_replaced() -> None:
    listing = f"  1\t-----BEGIN PRIVATE KEY-----\n  2\t{LETTERS}\n  3\t{LETTERS}\nthe rest was cut"

    assert redact.redact(listing) == "  1\t[secret:private-key]\nthe rest was cut"


@pytest.mark.parametrize(
    "code",
    [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "session b73dcd93-90d0-4576-bd94-725981c2eb06",
        'if text.startswith("-----BEGIN PRIVATE KEY-----"): return',
        "git clone ssh://git@github.com/a/b && curl http://localhost:8080/a@b",
        "https://$USER:$PASSWORD@host and https://{user}:{password}@host",
        "Authorization: Bearer <token>; Bearer authentication is required",
        ".sk-fading-circle-container-wrapper { sk: 1 }",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ],
)
def test_ordinary_code_stays_as_it_is(code: str) -> None:
    assert redact.redact(code) == code


@given(st.text() | LIKELY)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact.redact(text)

    assert redact.redact(once) == once


def test_clean_cuts_first_and_then_redacts() -> None:
    text = (
        f"<private>mine</private>use {SECRETS['github-token']}<system-reminder>x</system-reminder>"
    )

    assert redact.clean(text) == "use [secret:github-token]"


PILES = """
    a = A - / token= token=" password: eyJ- eyJaaaaaa. a: -----BEGIN·PRIVATE·KEY----- Bearer·
    authorization:·bearer· AKIA sk- x@ a://b: _a pass· curl·-u· cookie:·a= password·is·
    the·key·is· https://a@ ' key,secret↵ {"token":{ mysql·-p echo·a·|· insert·into·users·
    -----END·PRIVATE·KEY----- kind:·Secret↵data:↵ login:· pw· key· $6$ assword machine·
""".split()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", PILES)
def test_twice_as_much_of_anything_takes_hardly_more_than_twice_the_time(piece: str) -> None:
    piece = piece.replace("·", " ").replace("↵", "\n")
    redact.redact(piece)  # Tables are read and patterns compiled once.

    once, twice = (min(_cpu(piece, size) for _ in range(2)) for size in (100_000, 200_000))

    assert twice < 3 * once + 0.05


def _cpu(piece: str, size: int) -> float:
    text = piece * (size // len(piece))
    before = time.process_time()
    redact.redact(text)
    return time.process_time() - before


def test_a_secret_that_was_recognised_once_goes_from_all_texts_that_belong_together() -> None:
    redactor = redact.Redactor()
    before = redactor.clean("deploy with Umzug-4711x")
    output = redactor.clean("PASSWORD=Umzug-4711x")
    after = redactor.clean_again(before)

    assert before == "deploy with Umzug-4711x"
    assert output == "PASSWORD=[secret:password]"
    assert after == "deploy with [secret:password]"


def test_a_secret_that_was_recognised_once_goes_from_its_own_text_too() -> None:
    text = "PASSWORD=Umzug-4711x\nthen I typed Umzug-4711x"

    assert redact.redact(text).endswith("then I typed [secret:password]")


def test_marks_of_older_homes_stay_as_they_are() -> None:
    text = "password=[redacted:assignment] token: [redacted] ghp [redacted:github]"

    assert redact.redact(text) == text


def test_the_name_in_a_mark_gives_nothing_away() -> None:
    text = "[secret:github-token]=a1b2c3d4e5f6 [secret:authorization]: a1b2c3d4e5f6"

    assert redact.redact(text) == text
