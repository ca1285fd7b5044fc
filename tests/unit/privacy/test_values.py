import pytest

from recollect.privacy import values


@pytest.mark.parametrize(
    "value",
    ["hunter2", "Tr0ub4dor&3", "4711471147", "k3Jd-9LqZ", "Umzug-2024!", "correct-Horse-battery"],
)
def test_a_password_is_one_without_quotes(value: str) -> None:
    assert values.is_password(value, quoted=False)


@pytest.mark.parametrize(
    "value",
    ["getpass()", "os.environ", "nextToken", "/etc/passwd", "string", "key.pem", "v2.11.0", "true"],
)
def test_code_a_path_and_a_word_are_none(value: str) -> None:
    assert not values.is_password(value, quoted=False)


@pytest.mark.parametrize(
    "value",
    [
        "${TOKEN}",
        "$TOKEN",
        "{{ token }}",
        "{{ lookup('env', 'DB_PASSWORD') }}",
        "@Microsoft.KeyVault(SecretUri=https://kv.vault.azure.net/secrets/smtp-pass/)",
        "<token>",
        "%s",
        "********",
        "your-api-key",
        "changeme",
        "xxxxxxxx",
        "[secret:key]",
        "[redacted:github]",
        "ENC[PKCS7,abc]",
        "!vault",
        "arn:aws:iam::1:role/a",
    ],
)
def test_a_placeholder_is_known(value: str) -> None:
    assert values.is_placeholder(value)


def test_a_key_of_the_documentation_is_a_placeholder() -> None:
    assert values.is_placeholder("sk_" + "test_4eC39HqLyjWDarjtT1zdp7dc")


@pytest.mark.parametrize("value", ["k3J9dLq0ZpX7vB2m", "3f786850e387550fdab836ed7e6dc881"])
def test_what_nobody_made_up_looks_random(value: str) -> None:
    assert values.is_random(value)


@pytest.mark.parametrize("value", ["internationalization", "short1", "build-release-candidate"])
def test_words_do_not(value: str) -> None:
    assert not values.is_random(value)
