"""The head of a column tells what stands below it."""

import pytest

from recollect.privacy import redact


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("name,password,city", "ada,Umzug4711,Bern"),
        ("name;password;city", "ada;Umzug4711;Bern"),
        ("name\tpassword\tcity", "ada\tUmzug4711\tBern"),
        ("| name | password |\n|---|---|", "| ada | Umzug4711 |"),
        (" name | password \n------+----------", " ada  | Umzug4711"),
    ],
)
def test_a_cell_below_a_telling_head_is_replaced(head: str, row: str) -> None:
    cleaned = redact.redact(f"{head}\n{row}\n")

    assert cleaned == f"{head}\n{row.replace('Umzug4711', '[secret:password]')}\n"


@pytest.mark.parametrize(
    "table",
    [
        "name,password_hint,city\nada,Umzug4711,Bern\n",
        "name,tokens,seconds\nada,4711,12.5\n",
        "| key | value |\n|---|---|\n| port | 5432 |\n",
        "name,password,city\n\nada4711 likes 2 things, not 3\n",
    ],
)
def test_other_tables_stay(table: str) -> None:
    assert redact.redact(table) == table
