"""Private keys, whole and cut."""

import pytest

from recollect.privacy import redact

LETTERS = "aB3dE5gH1jK2mN4pQ6rS7tU8vW9xY0zZ"
BEGIN, END = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----"
LINES = [LETTERS * 2, LETTERS[::-1] * 2, LETTERS[5:] + LETTERS[:5] + LETTERS]


@pytest.mark.parametrize("joint", ["\n", "\\n", "\n    ", "\n> ", "\n  12\t", "\n+"])
def test_a_whole_key_is_replaced_however_its_lines_are_joined(joint: str) -> None:
    cleaned = redact.redact(f"it is {joint.join([BEGIN, *LINES, END])} there")

    assert not any(line in cleaned for line in LINES)
    assert cleaned.endswith(" there")


def test_what_is_left_of_a_key_whose_end_was_cut_is_replaced() -> None:
    cleaned = redact.redact("\n".join([BEGIN, *LINES[:2]]))

    assert cleaned == "[secret:private-key]"


def test_what_is_left_of_a_key_whose_beginning_was_cut_is_replaced() -> None:
    cleaned = redact.redact("\n".join(["tail -4 key.pem", *LINES, END]))

    assert not any(line in cleaned for line in LINES)


def test_the_middle_of_a_key_is_replaced() -> None:
    cleaned = redact.redact("\n".join(["sed -n 2,4p key.pem", *LINES, ""]))

    assert not any(line in cleaned for line in LINES)


@pytest.mark.parametrize("what", ["CERTIFICATE", "PUBLIC KEY"])
def test_what_is_public_stays(what: str) -> None:
    block = "\n".join([f"-----BEGIN {what}-----", *LINES, f"-----END {what}-----"])

    assert redact.redact(block) == block


def test_code_that_speaks_of_keys_stays() -> None:
    code = f'if text.startswith("{BEGIN}") and text.endswith("{END}"):'

    assert redact.redact(code) == code
