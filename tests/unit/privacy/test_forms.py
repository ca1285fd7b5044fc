"""Files and lines of a known form."""

import tomllib
from importlib import resources
from pathlib import Path

import pytest

from recollect import privacy
from recollect.privacy import redact

SECRET = "Umzug" + "4711x"
HASH = "$6$" + "rounds5$" + "aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zZ"
WORDS = "legal winner thank year wave sausage worth useful legal winner thank yellow"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        (f"machine api.example login ada password {SECRET}", "password [secret:password]"),
        (f"db.example:5432:shop:ada:{SECRET}", "ada:[secret:password]"),
        (f"ada:{HASH}", "ada:[secret:password-hash]"),
        (f"mnemonic: {WORDS}", "mnemonic: [secret:seed-phrase]"),
        (f"echo {SECRET} | docker login --password-stdin", "echo [secret:password] |"),
        (f"echo 'ada:{SECRET}' | chpasswd", "echo '[secret:password]' |"),
        (f"CREATE USER ada IDENTIFIED BY '{SECRET}'", "BY '[secret:password]'"),
        (f'smtp.login("ada", "{SECRET}")', '"ada", "[secret:password]")'),
        (f"get(url, auth=('ada', '{SECRET}'))", "('ada', '[secret:password]')"),
        ("The door code is 4711#", "door code is [secret:pin]"),
        (f"/msg NickServ identify ada {SECRET}", "ada [secret:password]"),
    ],
)
def test_the_secret_of_a_form_is_replaced(text: str, cleaned: str) -> None:
    assert cleaned in redact.redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "listening on 127.0.0.1:5432: ready",
        "the phrase that the tests look for in the log is not there",
        "echo done | tee log.txt",
        "the exit code is 1",
        'page.login("ada", "the-second-user")',
        'login(user, "/after/login/2")',
    ],
)
def test_what_only_resembles_a_form_stays(text: str) -> None:
    assert redact.redact(text) == text


def test_the_kinds_of_forms_are_in_the_docs() -> None:
    rows = tomllib.loads(resources.files(privacy).joinpath("forms.toml").read_text("utf-8"))
    page = (Path(__file__).parents[3] / "docs/explanation/what-is-kept.md").read_text("utf-8")

    assert [
        kind for kind in {row["name"] for row in rows["forms"]} if f"`{kind}`" not in page
    ] == []
