"""What a command takes from the worker, and what it rather does itself."""

import json

import pytest

from recollect import line, paths, worker_client
from recollect.search.report import SearchRequest

ASKED = SearchRequest(
    question="storage",
    limit=3,
    min_score=None,
    project=None,
    all_projects=False,
    include_archived=False,
    explain=False,
    folder="/",
)


def replies(monkeypatch: pytest.MonkeyPatch, found: dict[str, object]) -> None:
    """Let the worker say that it *found* this."""
    monkeypatch.setattr(paths, "sets_something", lambda _: False)
    monkeypatch.setattr(line, "ask", lambda *_, **__: json.dumps(found).encode())


def test_what_the_worker_found_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, object] = {"results": [], "several_projects": False, "remarks": []}
    replies(monkeypatch, found)

    assert worker_client.search("/home", ASKED) == found


def test_a_worker_that_was_there_before_an_update_is_not_asked_to_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    replies(monkeypatch, {"results": [], "several_projects": False, "notes": []})

    assert worker_client.search("/home", ASKED) is None
