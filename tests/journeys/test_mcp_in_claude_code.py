"""The real client finds our tools and looks deeper; what it is told is not kept again."""

import gzip
import json
from pathlib import Path

import pytest

from tests.client.claude import Claude
from tests.client.model_api import ModelApi, Say, Use
from tests.home import PLUGIN, Home, repository
from tests.remembering import ANSWER, remember

TOOLS = "mcp__plugin_recollect_recollect__"


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Path:
    folder = repository(tmp_path / "shop")
    remember(home, folder)
    return folder


def test_the_agent_searches_and_expands_through_tool_search(
    claude: Claude, home: Home, model_api: ModelApi, shop: Path
) -> None:
    (entry,) = home.kept()
    model_api.reply(
        to="look it up",
        steps=[
            Use("ToolSearch", {"query": f"select:{TOOLS}search,{TOOLS}expand", "max_results": 5}),
            Use(f"{TOOLS}search", {"query": "orders page slow"}),
            Use(f"{TOOLS}expand", {"ids": [entry.id]}),
            Say("It was an N+1 query."),
        ],
    )

    done = claude.run("Please look it up", cwd=shop, plugin_dir=PLUGIN, mcp=True)

    assert done.text == "It was an N+1 query.", done
    *_, found, whole = model_api.main_requests()
    assert "Recollect is the memory of earlier sessions" in json.dumps(whole.body)
    assert entry.id in found.tool_results[-1]
    assert "not instruction" in found.tool_results[-1]
    assert ANSWER.split(";")[0] in whole.tool_results[-1]
    home.settle()
    turn = home.kept()[-1]
    assert turn.session == done.session_id
    (archive,) = home.path.glob(f"projects/*/transcripts/{done.session_id}*")
    archived = gzip.decompress(archive.read_bytes()).decode()
    assert f"{TOOLS}expand" in archived
    assert "selectinload" not in archived + turn.body
