"""The language people type into a search, what it asks for, and what answers it."""

from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.journal.model import OBSERVATION_TYPES
from recollect.search.facts import FilterFacts
from recollect.search.query import CATEGORIES, KINDS, Filter, Query

# A Wednesday.
NOW = datetime(2026, 11, 18, 12, 30, tzinfo=timezone(timedelta(hours=1)))
MEGABYTE = 1_000_000

# What could pass for the language, or for half of it.
PIECES = st.sampled_from(
    [
        *("-", "--", '"', " ", ":", ",", "*", "/", "2", "weeks", "ago", "last", "orders", "税"),
        *("type:", "category:", "project:", "file:", "session:", "after:", "before:", "bugfix"),
    ]
)
nasty = st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join)


def read(text: str) -> Query:
    return Query.read(text, now=NOW)


def at(text: str) -> float:
    """The timestamp of *text* on the clock of `NOW`."""
    return datetime.fromisoformat(text).replace(tzinfo=NOW.tzinfo).timestamp()


ENTRY = FilterFacts(
    kind="entry",
    at=at("2026-11-05 12:00"),
    haystack="Fixed the N+1 query\n  in get_orders, with SelectInLoad. 消費税率のdbを直した",
    types=("bugfix", "decision"),
    project="shop-1f",
    files=("src/orders/db.py", "app/[id]/page.tsx"),
    session="9ee0ccc7-1b2f-4c1a",
)
NOTE = replace(ENTRY, kind="note", types=(), category="tech-debt")


class TestWords:
    @pytest.mark.parametrize(
        ("typed", "text"),
        [
            ("orders page", "orders page"),
            ("  orders \n page\t", "orders page"),
            ("Why is it slow?", "Why is it slow?"),
            ('slow "orders page" again', "slow orders page again"),
            ("orders type:bugfix page", "orders page"),
            ("orders -draft page", "orders page"),
            ("", ""),
            ('""', ""),
            ("type:bugfix", ""),
        ],
    )
    def test_the_text_is_what_is_to_be_found(self, typed: str, text: str) -> None:
        assert read(typed).text == text

    @pytest.mark.parametrize(
        ("typed", "phrases"),
        [
            ('"orders page"', ("orders page",)),
            ('"  orders \n page "', ("orders page",)),
            ('"orders" "page"', ("orders", "page")),
            ('"orders""page"', ("orders", "page")),
            ('"orders page", please', ("orders page",)),
            ('"orders" "orders"', ("orders",)),
            ('"type:bugfix"', ("type:bugfix",)),
            ('"-draft"', ("-draft",)),
            ('"" "  "', ()),
        ],
    )
    def test_a_phrase_stands_between_quotes(self, typed: str, phrases: tuple[str, ...]) -> None:
        assert read(typed).phrases == phrases

    @pytest.mark.parametrize(
        ("typed", "without"),
        [
            ("orders -draft", ("draft",)),
            ("-draft orders -test", ("draft", "test")),
            ('orders -"first draft"', ("first draft",)),
            ("orders -http://x", ("http://x",)),
            ("orders -key:value", ("key:value",)),
            ("orders -.env", (".env",)),
            ("orders -_private", ("_private",)),
            ("注文 -税", ("税",)),
        ],
    )
    def test_a_dash_says_what_is_not_wanted(self, typed: str, without: tuple[str, ...]) -> None:
        assert read(typed).without == without

    @pytest.mark.parametrize(
        "typed",
        [
            *("git commit --no-verify", "git log --", "a - b", "a -> b", "a --- b"),
            *("exit code -5", "nice -10 make", "gcc -O2", "tar -x -f", "make -j4", "order-service"),
        ],
    )
    def test_a_flag_or_a_number_is_a_word_to_find(self, typed: str) -> None:
        assert read(typed) == Query(text=typed)

    def test_in_quotes_a_flag_can_be_avoided(self) -> None:
        assert read('gcc -"O2" -"--fast"').without == ("O2", "--fast")

    @pytest.mark.parametrize("typed", ["-draft", "-rf", '-"first draft"', "-draft -test"])
    def test_if_nothing_but_words_to_avoid_is_asked_they_are_words_to_find(
        self, typed: str
    ) -> None:
        assert read(typed) == Query(text=typed)

    def test_beside_a_filter_there_are_words_to_avoid(self) -> None:
        assert read("type:bugfix -draft").without == ("draft",)
        assert read("type:bugfix -draft").text == ""


class TestFilters:
    @pytest.mark.parametrize("name", [*OBSERVATION_TYPES, *KINDS, *CATEGORIES])
    def test_every_type_kind_and_category_can_be_asked_for(self, name: str) -> None:
        assert read(f"type:{name}") == Query(types=Filter(any_of=(name,)))

    @pytest.mark.parametrize("name", CATEGORIES)
    def test_every_category_can_be_asked_for(self, name: str) -> None:
        assert read(f"category:{name}") == Query(categories=Filter(any_of=(name,)))

    @pytest.mark.parametrize(
        ("typed", "types"),
        [
            ("type:Bugfix", ("bugfix",)),
            ("Type:bugfix", ("bugfix",)),
            ("type:bugfixes", ("bugfix",)),
            ("type:discoveries", ("discovery",)),
            ("type:notes", ("note",)),
            ("type:tech_debt", ("tech-debt",)),
            ("type:session_summary", ("session",)),
            ('type:"bugfix"', ("bugfix",)),
            ("type:bugfix,decision", ("bugfix", "decision")),
            ('type:"bugfix, decision"', ("bugfix", "decision")),
            ("type:bugfix,", ("bugfix",)),
            ("type:bugfix type:decision", ("bugfix", "decision")),
            ("type:bugfix type:bugfix", ("bugfix",)),
        ],
    )
    def test_types_in_every_spelling(self, typed: str, types: tuple[str, ...]) -> None:
        assert read(typed).types == Filter(any_of=types)

    @pytest.mark.parametrize(
        ("typed", "categories"),
        [
            ("category:decisions", ("decision",)),
            ("category:tech_debt", ("tech-debt",)),
            ("category:tech-debts", ("tech-debt",)),
            ('category:"tech debt"', ("tech-debt",)),
            ("category:session_summary", ("session",)),
            ("category:session-summaries", ("session",)),
            ("category:runbooks,preferences", ("runbook", "preference")),
        ],
    )
    def test_categories_in_every_spelling(self, typed: str, categories: tuple[str, ...]) -> None:
        assert read(typed).categories == Filter(any_of=categories)

    @pytest.mark.parametrize(
        ("typed", "query"),
        [
            ("project:shop", Query(projects=Filter(any_of=("shop",)))),
            ('project:"my shop"', Query(projects=Filter(any_of=("my shop",)))),
            ("session:9ee0", Query(sessions=Filter(any_of=("9ee0",)))),
            ("file:src/db.py", Query(files=Filter(any_of=("src/db.py",)))),
            ('file:"my notes/a b.md"', Query(files=Filter(any_of=("my notes/a b.md",)))),
            ("file:a,b.py", Query(files=Filter(any_of=("a,b.py",)))),
            ("file:a.py file:b.py", Query(files=Filter(any_of=("a.py", "b.py")))),
            ("-file:tests/", Query(files=Filter(none_of=("tests/",)))),
            ('-file:"a b.md"', Query(files=Filter(none_of=("a b.md",)))),
            ("file:src/ -file:tests/", Query(files=Filter(any_of=("src/",), none_of=("tests/",)))),
            ("-type:change", Query(types=Filter(none_of=("change",)))),
            ("-type:change,entry", Query(types=Filter(none_of=("change", "entry")))),
            ("-category:session", Query(categories=Filter(none_of=("session",)))),
        ],
    )
    def test_values_are_named_repeated_and_excluded(self, typed: str, query: Query) -> None:
        assert read(typed) == query

    @pytest.mark.parametrize(
        ("typed", "after", "before"),
        [
            ("after:2026-11-01", "2026-11-01", None),
            ("before:2026-11", None, "2026-11-01"),
            ("after:2026-10 before:2026-11", "2026-10-01", "2026-11-01"),
            ("after:2026-11-01T14:30", "2026-11-01 14:30", None),
            ('after:"2026-11-01 14:30"', "2026-11-01 14:30", None),
            ("after:2w", "2026-11-04 12:30", None),
            ('after:"2 weeks"', "2026-11-04 12:30", None),
            ("After:2 weeks", "2026-11-04 12:30", None),
            ("before:2 weeks ago", None, "2026-11-04 12:30"),
            ("after:yesterday", "2026-11-17", None),
            ("after:last week", "2026-11-09", None),
            ("after:monday before:today", "2026-11-16", "2026-11-18"),
            ("-after:2026-11", None, "2026-11-01"),
            ('-before:"2 weeks"', "2026-11-04 12:30", None),
            ("after:2026-11 after:2026-10", "2026-10-01", None),
            ("before:2026-11 before:2026-10", None, "2026-11-01"),
        ],
    )
    def test_dates_bound_the_time(self, typed: str, after: str | None, before: str | None) -> None:
        assert read(typed) == Query(
            after=at(after) if after else None, before=at(before) if before else None
        )

    @pytest.mark.parametrize(
        ("typed", "text"),
        [
            ("after:2 weeks orders", "orders"),
            ("orders after:2 weeks ago page", "orders page"),
            ("after:2w weeks", "weeks"),
            ("after:2026 days off", "days off"),
            ("after:today 12:30", "12:30"),
            ('after:2w "2 weeks"', "2 weeks"),
        ],
    )
    def test_a_date_takes_only_the_words_that_belong_to_it(self, typed: str, text: str) -> None:
        query = read(typed)

        assert query.after is not None
        assert query.text == text
        assert query.unread == ()


class TestBrokenQueries:
    @pytest.mark.parametrize(
        "typed",
        [
            *('"orders page', 'orders "', 'orders page"', '-"orders', '5" disk', 'say "hi'),
            *("http://x", "see file:///etc/hosts", r"C:\path", "std::string", "session::get"),
            *("error: foo", "key:value", "12:30", "foo:bar -", "::", ":x", "a:b:c", "ſession:x"),
            *("filetype:pdf", "mytype:bugfix", 'print("hi there")'),
        ],
    )
    def test_what_is_not_ours_is_words_as_typed(self, typed: str) -> None:
        assert read(typed) == Query(text=typed)

    @pytest.mark.parametrize(
        "typed",
        [
            *("type:nonsense", "type:bugfix,nonsense", "type:", "type:,", 'type:"no such"'),
            *('type:""', 'type:"bugfix', "-type:nonsense", "category:nonsense", "category:turn"),
            *("after:garbage", 'after:"next century"', "after:", "after:5", "-after:x"),
            *("before:2026-13", "before:2026-02-30", 'before:"2'),
            *("file:", "file:/", "file:./", 'file:"my', "project:", 'project:""', "session:"),
        ],
    )
    def test_a_filter_that_cannot_be_read_is_a_word_and_is_named(self, typed: str) -> None:
        assert read(typed) == Query(text=typed, unread=(typed,))

    def test_the_rest_of_the_query_is_still_read(self) -> None:
        query = read('type:nonsense type:bugfix -draft after:garbage "orders page" "half')

        assert query.text == 'type:nonsense after:garbage orders page "half'
        assert query.phrases == ("orders page",)
        assert query.without == ("draft",)
        assert query.types == Filter(any_of=("bugfix",))
        assert query.unread == ("type:nonsense", "after:garbage")

    def test_a_date_that_is_none_leaves_its_words(self) -> None:
        assert read("after:2 orders").text == "after:2 orders"
        assert read('after:"2 weeks').text == 'after:"2 weeks'

    @given(nasty)
    def test_any_text_can_be_read_and_asked(self, text: str) -> None:
        query = read(text)

        assert query.allows(ENTRY) in (True, False)
        assert query.is_empty == (query == Query())
        assert query.is_filtered or query.allows(ENTRY)

    @given(st.text(st.characters(exclude_characters='":-')))
    def test_without_signs_every_word_is_looked_for(self, text: str) -> None:
        assert read(text) == Query(text=" ".join(text.split()))

    @pytest.mark.parametrize(
        "piece", ['"', '" ', '"a', '-"', '-"a ', 'type:"', 'a:"b ', "-", "- ", "after:2 ", "a"]
    )
    def test_a_long_text_of_one_piece_is_read_once(self, piece: str) -> None:
        # Read again from every piece, it would take hours.
        text = piece * (MEGABYTE // 10 // len(piece))

        assert "end" in read(f"{text} end").text


class TestPlainText:
    @given(nasty)
    def test_nothing_in_it_means_anything(self, text: str) -> None:
        assert Query.plain(text) == Query(text=text.strip())


class TestWhatIsAsked:
    @pytest.mark.parametrize("typed", ["", "  ", '""', '-""'])
    def test_nothing(self, typed: str) -> None:
        assert read(typed).is_empty
        assert not read(typed).is_filtered

    @pytest.mark.parametrize("typed", ["orders", "type:nonsense", "-draft"])
    def test_words_alone(self, typed: str) -> None:
        assert not read(typed).is_empty
        assert not read(typed).is_filtered

    @pytest.mark.parametrize(
        "typed",
        [
            *("type:bugfix", "category:runbook", "project:x", "file:x", "session:x"),
            *("-type:change", '"orders page"', "orders -draft"),
            *("after:1970-01-01T00:00Z", "before:1970-01-01T00:00Z"),
        ],
    )
    def test_what_narrows_the_answer(self, typed: str) -> None:
        assert not read(typed).is_empty
        assert read(typed).is_filtered


class TestAnswering:
    @pytest.mark.parametrize(
        "typed",
        [
            *("", "whatever", "type:bugfix", "type:decision", "type:change,bugfix", "-type:change"),
            *("project:shop", "project:SHOP", "project:shop-1f", "project:sh*", "-project:diary"),
            *("session:9ee0", "session:9EE0CCC7", "-session:8", "-category:runbook"),
            *("after:2026-11-05", "before:2026-11-06", "after:2026-11 before:2026-12"),
            *('"n+1 QUERY in get_orders"', '"get_ord"', '"消費税"', "-draft x", "-消費者 x"),
            *("type:bugfix file:db.py after:2026-11 -draft",),
        ],
    )
    def test_this_is_answered_by_the_entry(self, typed: str) -> None:
        assert read(typed).allows(ENTRY)

    @pytest.mark.parametrize(
        "typed",
        [
            *("type:change", "type:note", "-type:bugfix", "type:decision -type:bugfix"),
            *("project:sho", "project:shop-2e", "project:1f", "-project:shop"),
            *("session:ee0", "-session:9ee0", "category:tech-debt"),
            *("after:2026-11-06", "before:2026-11-05", "-after:2026-11-05"),
            *('"query orders"', '"消費者"', "x -query", "x -SELECTINLOAD", 'x -"query in"'),
            *("x -税", "x -db", "x -n+1"),
            *("type:bugfix file:other.py", "type:change file:db.py"),
        ],
    )
    def test_this_is_not(self, typed: str) -> None:
        assert not read(typed).allows(ENTRY)

    def test_a_note_answers_to_its_kind_and_its_category(self) -> None:
        assert read("type:note category:tech_debt").allows(NOTE)
        assert read("type:tech_debt").allows(NOTE)
        assert not read("-type:tech_debt").allows(NOTE)
        assert not read("category:decision").allows(NOTE)
        assert not read("-type:note").allows(NOTE)
        assert not read("-category:tech-debt").allows(NOTE)

    def test_an_instant_is_after_itself_and_not_before(self) -> None:
        instant = replace(ENTRY, at=at("2026-11-01"))

        assert read("after:2026-11").allows(instant)
        assert not read("before:2026-11").allows(instant)

    @pytest.mark.parametrize("word", ["orders", "selectin", "que", "get"])
    def test_part_of_a_word_is_not_the_word_to_avoid(self, word: str) -> None:
        assert read(f"x -{word}").allows(ENTRY)


class TestFiles:
    @pytest.mark.parametrize(
        "path",
        [
            *("src/orders/db.py", "orders/db.py", "db.py", "./src/orders/db.py"),
            *("orders", "orders/", "src", "src/", "src/orders/"),
            *("*.py", "db.*", "src/*.py", "src/*/db.py", "o*/", "*"),
            *("page.tsx", "[id]/page.tsx", "[id]/"),
            *("/home/me/shop/src/orders/db.py", "~/shop/src/orders/db.py"),
        ],
    )
    def test_a_path_is_found_by_its_steps(self, path: str) -> None:
        assert ENTRY.has_file(path)

    @pytest.mark.parametrize(
        "path",
        [
            *("b.py", "db", "DB.py", "order/", "rders/db.py", "src/db.py", "db.py/", "orders/src"),
            *("*.ts", "x*", "i/page.tsx", "[di]/page.tsx", "d?.py"),
            *("/home/me/shop/src/orders", "/home/me/shop/db.py"),
        ],
    )
    def test_but_not_by_parts_of_them(self, path: str) -> None:
        assert not ENTRY.has_file(path)

    def test_a_file_outside_of_its_project_is_found_as_well(self) -> None:
        facts = replace(ENTRY, files=("/etc/nginx/nginx.conf",))

        assert facts.has_file("/etc/nginx/nginx.conf")
        assert facts.has_file("/etc/nginx/")
        assert facts.has_file("nginx.conf")

    def test_without_files_there_is_nothing_to_find(self) -> None:
        assert not read("file:*").allows(replace(ENTRY, files=()))
        assert read("-file:*").allows(replace(ENTRY, files=()))

    def test_many_stars_cost_no_more_than_one(self) -> None:
        facts = replace(ENTRY, files=("a" * 5000,))

        assert not facts.has_file("*a" * 50 + "b")
