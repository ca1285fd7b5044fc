"""What people tell in a sentence, in several languages; what they only speak of stays."""

import pytest

from recollect.privacy import redact

SECRET = "Umzug" + "#4711x"


@pytest.mark.parametrize(
    "sentence",
    [
        "The password is ¤, please use it.",
        "the password for the staging database is still `¤`",
        "I changed the pw to ¤ today",
        'Use "¤" as the new password',
        "log in as ada / ¤",
        "Das Passwort lautet ¤ und gilt heute",
        "le mot de passe est ¤ pour l'instant",
        "la contraseña es ¤ por ahora",
        "hasło to: ¤",
        "пароль: ¤",
        "パスワードは「¤」です",
        "密码是 ¤",
        "Mật khẩu: ¤",
        "basic auth is ada:¤ there",
        "비밀번호: ¤",
    ],
)
def test_a_password_that_is_told_is_replaced(sentence: str) -> None:
    cleaned = redact.redact(sentence.replace("¤", SECRET))

    assert cleaned == sentence.replace("¤", "[secret:password]")


@pytest.mark.parametrize(
    "sentence",
    [
        "The password is wrong, please reset it.",
        "the token is expired since 2026-11-01",
        "Passwords must be at least 12 characters",
        "the cache key is build-linux-x64-2026",
        "the primary key is user_id",
        "log in as ada and look at /var/log/app.log",
        "Das Passwort ist falsch",
        "パスワードを忘れた場合",
        "the secret of good tests is isolation",
        "the API key is in the vault",
    ],
)
def test_what_is_only_spoken_of_stays(sentence: str) -> None:
    assert redact.redact(sentence) == sentence


def test_a_pin_is_replaced() -> None:
    assert redact.redact("my PIN is 4711") == "my PIN is [secret:pin]"
