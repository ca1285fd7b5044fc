import pytest

from recollect.privacy.names import Strength, strength


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("password", Strength.PASSWORD),
        ("DB_PASSWORD_PROD", Strength.PASSWORD),
        ("spring.datasource.password", Strength.PASSWORD),
        ("adminPassword2", Strength.PASSWORD),
        ("pw", Strength.PASSWORD),
        ("clientSecret", Strength.KEY),
        ("x-api-key", Strength.KEY),
        ("GITHUB_TOKEN", Strength.KEY),
        ("myapitoken", Strength.KEY),
        ("token", Strength.RANDOM),
        ("sessionId", Strength.OPAQUE),
    ],
)
def test_a_name_tells_of_a_secret(name: str, expected: Strength) -> None:
    assert strength(name) is expected


@pytest.mark.parametrize(
    "name",
    """
    password_length token_url next_token max_tokens primary_key foreignKey publicKeyToken cache_key
    public_key
    keyboard passenger compass bypass password.service.ts resetPassword tests_pass key tokenizer
    secret_name author
    """.split(),
)
def test_a_name_of_something_else_does_not(name: str) -> None:
    assert strength(name) is None
