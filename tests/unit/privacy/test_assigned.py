"""Secrets that a name gives away, in every notation; code that only has the name."""

import pytest

from recollect.privacy import redact


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("password=hunter2", "password=[secret:password]"),
        ("password: hunter2", "password: [secret:password]"),
        ("DB_PASSWORD=opensesame", "DB_PASSWORD=[secret:password]"),
        ("export SECRET_TOKEN=abcdefghijkl", "export SECRET_TOKEN=[secret:key]"),
        ("password=p@ssword!", "password=[secret:password]"),
        ("api_key: a1b2c3d4e5f6", "api_key: [secret:key]"),
        ('const apiKey = "a1b2c3d4";', 'const apiKey = "[secret:key]";'),
        ("'client_secret': 'swordfish'", "'client_secret': '[secret:key]'"),
        ('{\\"password\\": \\"hunter2\\"}', '{\\"password\\": \\"[secret:password]\\"}'),
        ('PASSPHRASE="correct horse battery"', 'PASSPHRASE="[secret:password]"'),
        ("?access_token=v2.local.abcd1234EFGH&x=1", "?access_token=[secret:url-token]&x=1"),
        ("--token=abc123def", "--token=[secret:key]"),
        ("token: db_password=hunter2", "token: db_password=[secret:password]"),
    ],
)
def test_the_value_of_a_name_that_sounds_secret_is_replaced(text: str, redacted: str) -> None:
    assert redact.redact(text) == redacted


@pytest.mark.parametrize(
    "code",
    [
        "password = getpass()",
        "token: str",
        "token: Optional[str] = None",
        'api_key=os.environ["X"]',
        "token = self.next_token",
        "connect(password=password, token=access_token)",
        "apiKey: process.env.OPENAI_API_KEY,",
        "password: string;",
        "secret: Uint8Array",
        "secret: Base64String?",
        "token = tokens[0]",
        "max_tokens: 4096",
        "token_count = 12345678",
        "token=token2",
        "secret = sha256_hex",
        "token=${TOKEN} PASSWORD=$OTHER",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        'token = f"{prefix}-{token}"',
        '"password": "Please enter your password"',
        "private_key: /etc/ssl/server.pem",
        "PWD=/home/dev/project1",
        'if token == "abcdefgh":',
        "password: !vault db",
        'api_key="your-api-key"',
    ],
)
def test_code_that_only_names_a_secret_stays_as_it_is(code: str) -> None:
    assert redact.redact(code) == code
