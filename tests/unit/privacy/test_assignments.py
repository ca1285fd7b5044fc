import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.privacy import assignments
from recollect.privacy.assignments import MARK


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("password=hunter2", f"password={MARK}"),
        ("password: hunter2", f"password: {MARK}"),
        ("DB_PASSWORD=opensesame", f"DB_PASSWORD={MARK}"),
        ("export SECRET_TOKEN=abcdefghijkl", f"export SECRET_TOKEN={MARK}"),
        ("password=p@ssword!", f"password={MARK}"),
        ("api_key: a1b2c3d4e5f6", f"api_key: {MARK}"),
        ('const apiKey = "a1b2c3d4";', f'const apiKey = "{MARK}";'),
        ("'client_secret': 'swordfish'", f"'client_secret': '{MARK}'"),
        ('{\\"password\\": \\"hunter2\\"}', f'{{\\"password\\": \\"{MARK}\\"}}'),
        ('PASSPHRASE="correct horse battery"', f'PASSPHRASE="{MARK}"'),
        ("?access_token=v2.local.abcd1234EFGH&x=1", f"?access_token={MARK}&x=1"),
        ("--token=abc123def", f"--token={MARK}"),
        ("token: db_password=hunter2", f"token: db_password={MARK}"),
    ],
)
def test_the_value_of_a_name_that_sounds_secret_is_replaced(text: str, redacted: str) -> None:
    assert assignments.redact(text) == redacted


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
    assert assignments.redact(code) == code


NAMES = st.sampled_from(
    "password PassWord passwd passphrase db_pwd pwd secret clientſecret SECRET_KEY token toKen"
    " api_key apıKey access-key private_key signing_key encryption_key accessecret apassword"
    " keys pass".split()
)
ASSIGNED = st.lists(
    NAMES | st.sampled_from(["=", ":", " = ", '"', "hunter2!", "x9-aB3kLq", "\n", "İ", "é", " "]),
    max_size=12,
).map("".join)


@given(ASSIGNED)
def test_looking_for_the_beginning_of_a_name_first_misses_nothing(text: str) -> None:
    whole = assignments._ASSIGNMENT.sub(assignments._replacement, text)

    assert assignments.redact(text) == whole
