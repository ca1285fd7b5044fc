import pytest

from recollect.privacy import redact

TOKEN = "aB3dE5gH" + "1jK2mN4pQ6rS7tU8"


@pytest.mark.parametrize(
    "header",
    [
        "Authorization: Bearer ¤",
        "authorization: token ¤",
        '"Authorization": "Basic ¤"',
        "-H 'Authorization: ApiKey ¤'",
        'headers["Authorization"] = "Bearer ¤"',
        "sent Bearer ¤ to the server",
    ],
)
def test_what_authorizes_is_replaced_and_the_scheme_stays(header: str) -> None:
    assert redact.redact(header.replace("¤", TOKEN)) == header.replace(
        "¤", "[secret:authorization]"
    )


def test_cookies_that_log_in_are_replaced_and_the_others_stay() -> None:
    cleaned = redact.redact(f"Cookie: theme=darkblue; session={TOKEN}; lang=german")

    assert cleaned == "Cookie: theme=darkblue; session=[secret:cookie]; lang=german"


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${TOKEN}",
        "Authorization header is required",
        "Bearer authentication is required",
        "Cookie: theme=darkblue; lang=german",
    ],
)
def test_what_only_speaks_of_them_stays(text: str) -> None:
    assert redact.redact(text) == text
