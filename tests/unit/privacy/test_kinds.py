"""Each row of the table finds what it describes, wherever that stands."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.privacy import kinds, redact, values
from recollect.privacy.kinds import PrefixedKind

TABLE = kinds.table()
PREFIXED = [
    kind for group in (*TABLE.by_letters.values(), *TABLE.by_text.values()) for kind in group
]
BY_TEXT = {kind for group in TABLE.by_text.values() for kind in group}


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
@given(kind=st.sampled_from(PREFIXED), data=st.data())
def test_what_has_the_shape_of_a_kind_is_replaced(kind: PrefixedKind, data: st.DataObject) -> None:
    rest = data.draw(st.from_regex(re.compile(kind.rest, re.ASCII), fullmatch=True))
    secret = kind.begins + rest
    # What repeats itself is a placeholder: `ghp_0000…`.
    if values.is_placeholder(secret) or len(set(rest)) < 4:
        return
    # Signs that a pattern allows at the end or in the middle stand at no token's beginning.
    if re.search(r"[=.+%/-]", rest[:10]) and kind not in BY_TEXT:
        return

    assert secret not in redact.redact(f"it is {secret} here")


def test_the_name_of_a_kind_is_a_word_for_people() -> None:
    strange = [name for name in kinds.names() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)]

    assert strange == []


def test_a_beginning_alone_is_no_secret() -> None:
    for begins in sorted({kind.begins for kind in PREFIXED}):
        assert redact.redact(f"see {begins} for more") == f"see {begins} for more"


def test_the_secret_that_stands_beside_the_id_of_a_key_goes_with_it() -> None:
    key_id, secret = "AKIA" + "Q3EGR7M2XKPLW5TZ", "h8Kd0vQ2" + "mZp4Lr7Tn1Xs6Wb3Yc9Gf5Ja0Ue8Io2P"

    assert secret not in redact.redact(f'New("{key_id}", "{secret}")')
