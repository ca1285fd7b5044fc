import pytest

from recollect.privacy import redact

TOKEN = "aB3dE5gH" + "1jK2mN4pQ6rS7tU8vW9xY0zZ"


@pytest.mark.parametrize(
    ("address", "secret"),
    [
        ("postgres://ada:Umzug4711@db:5432/shop", "Umzug4711"),
        ("redis://:Umzug4711@cache:6379", "Umzug4711"),
        ("amqp://ada:p@ss@4711@queue/", "p@ss@4711"),
        (f"https://{TOKEN}@git.example/a.git", TOKEN),
        (f"https://files.example/a?sig={TOKEN}&x=1", TOKEN),
        (f"https://app.example/reset-password/{TOKEN}", TOKEN),
        ("ada:Umzug4711@tcp(db:3306)/shop", "Umzug4711"),
    ],
)
def test_what_lets_in_goes_and_the_address_stays(address: str, secret: str) -> None:
    before, after = address.split(secret)
    cleaned = redact.redact(f"at {address} it is")

    assert cleaned.startswith(f"at {before}[secret:url-")
    assert cleaned.endswith(f"]{after} it is")


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/a@b/c:d?page=2",
        "ssh://git@github.com/a/b.git",
        "https://$USER:$PASSWORD@host/",
        "https://{user}:{password}@host/",
        "https://search.example/?q=password&page_token=12",
        "http://localhost:8080/callback?code=abcdefgh",
    ],
)
def test_other_addresses_stay(address: str) -> None:
    assert redact.redact(address) == address
