"""Which pieces of a question are names that must be found exactly, and which are only words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.text.identifiers import LONGEST, identifiers

MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "name",
    [
        *("get_orders", "MAX_SIZE", "__init__", "_private", "größe_max"),
        *("OrderService", "camelCase", "HTTPServer", "macOS", "GitHub"),
        *("std::vector", "Foo::Bar::baz", "a.b.c", "os.path.join", "models.Order"),
        *("db.py", ".gitignore", "Node.js", "order-service.yaml", "example.com", "me@example.com"),
        *("src/orders/db.py", "orders/db.py", "src/orders/models", "/etc/hosts", "/login"),
        *("~/notes", "./run", "../orders/db", ".github/workflows", "@scope/pkg"),
        *("ORD-1042", "CVE-2024-1234", "utf-8", "gpt-4", "us-east-1", "N+1", "p99", "E1101"),
        *("ECONNREFUSED", "ENOENT", "EPERM", "SIGKILL", "UNAUTHORIZED"),
        *("v2.3.1", "v2.3", "2.3.1", "2.3.1-rc1", "python3.11", "127.0.0.1", "HTTP/2", "TLS/1.3"),
        *("#7", "#1234", "owner/repo#12", "1042", "8080", "0x80070005", "4f2a91c", "4F2A91C"),
        *("123e4567-e89b-12d3-a456-426614174000", "e" * 39 + "1"),
        *("--no-verify", "--force"),
        *("https://x.io/docs?page=2#top", "http://localhost:8080", "https://x.io/a_(b)"),
    ],
)
def test_this_is_an_identifier(name: str) -> None:
    assert identifiers(name) == (name,)
    assert identifiers(f"Why is {name} slow?") == (name,)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "orders", "The orders", "Why is this slow?", "Größe", "für"),
        *("API", "JSON", "WHO", "APIs", "URLs", "IMPORTANT", "WARNING", "WHY IS THIS BROKEN"),
        *("well-known", "follow-up", "state-of-the-art", "order-service", "Jean-Pierre"),
        *("and/or", "read/write", "client/server", "w/o", "n/a", "y/n/q", "CI/CD", "TCP/IP", "I/O"),
        *("e.g.", "e.g", "i.e.,", "a.k.a.", "U.S.", "Ph.D.", "a.m.", "etc.", "vs.", "The end."),
        *("1", "12", "999", "3.5", "2.5GB", "1,000", "100%", "10k", "5min", "2nd", "10/day"),
        *("2026", "12:30", "12:30:45", "2026-11-01", "2026-11-01T12:30:00Z", "11/15/2026", "24/7"),
        *("20-30", "2-week", "defaced", "C++", "C#", "@alice", "#general", "key:value"),
        *("don't", "_really_", "**bold**", "wait...what", "so… yes", "word--word", "a -> b", "::"),
        *("-", "--", "---", "#", "@", "/", "//", ".", "..", "...", "_", "__", "~", "\\", "://"),
        *("为什么慢", "注文が遅い。", "주문이 느리다"),
    ],
)
def test_this_is_not(text: str) -> None:
    assert identifiers(text) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`get_orders`", "get_orders"),
        ("get_orders()", "get_orders"),
        ("“get_orders”, 'get_orders'", "get_orders"),
        ("**get_orders**", "get_orders"),
        ("_get_orders_", "get_orders"),
        ("Is it db.py?", "db.py"),
        ("It is db.py.", "db.py"),
        ("db.py's lock", "db.py"),
        ("(see #1234)", "#1234"),
        ("[#1234],", "#1234"),
        ("src/orders/db.py:42:7: error", "src/orders/db.py"),
        ("look at @src/orders/db.py", "src/orders/db.py"),
        ("src/orders/db.py/", "src/orders/db.py"),
        ("std::vector<int>", "std::vector"),
        ("-Xmx512m", "Xmx512m"),
        ("--log-level=debug", "--log-level"),
        ("(https://x.io/docs).", "https://x.io/docs"),
        ("https://x.io/docs, please", "https://x.io/docs"),
        ("<https://x.io/docs>", "https://x.io/docs"),
        ("为什么get_orders很慢?", "get_orders"),
        ("https://x.io/docs。", "https://x.io/docs"),
    ],
)
def test_what_stands_around_an_identifier_is_left_out(text: str, found: str) -> None:
    assert identifiers(text) == (found,)


def test_each_comes_once_in_the_order_of_the_question() -> None:
    question = "Does OrderService call get_orders? I think get_orders calls OrderService in db.py."

    assert identifiers(question) == ("OrderService", "get_orders", "db.py")


def test_a_run_that_nobody_would_type_is_none() -> None:
    assert identifiers("x_" * LONGEST) == ()
    assert identifiers("https://x.io/" + "a" * LONGEST) == ()


@pytest.mark.parametrize(
    "piece",
    ["a", "0", "a.", "a/", "a::", "::", ":", "_", "-", "--a", "#", "@a/", "a://", "://", ".", "税"],
)
def test_a_long_text_of_one_piece_is_read_once(piece: str) -> None:
    # Read again from every piece, it would take hours.
    text = piece * (MEGABYTE // len(piece))

    assert identifiers(f"{text} get_orders")[-1] == "get_orders"


def test_a_long_text_keeps_its_identifiers() -> None:
    text = "plain words, (get_orders) and more of them\n" * (MEGABYTE // 43)

    assert identifiers(text) == ("get_orders",)


@given(st.text())
def test_every_identifier_stands_in_its_text(text: str) -> None:
    found = identifiers(text)

    assert all(name and name in text for name in found)
    assert len(set(found)) == len(found)


@given(st.lists(st.from_regex(r"[a-z]{1,12}|[A-Z][a-z]{1,12}", fullmatch=True)))
def test_plain_words_are_never_identifiers(words: list[str]) -> None:
    assert identifiers(" ".join(words) + ".") == ()
