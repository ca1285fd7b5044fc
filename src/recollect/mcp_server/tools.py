"""What an agent is told of the tools, read from the files that the pipe sends as they are.

Every word there is paid for in each of an agent's sessions. How a session went is told by itself,
so it is none of the categories.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.mcp_server import listings


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: what it is for, what it takes, and whether it changes anything."""

    name: str
    description: str
    schema: Mapping[str, Any]
    writes: bool


def _tool(told: Mapping[str, Any]) -> Tool:
    return Tool(
        name=told["name"],
        description=told["description"],
        schema=told["inputSchema"],
        writes=not told.get("annotations", {}).get("readOnlyHint", False),
    )


LISTED: list[dict[str, Any]] = json.loads(listings.listed("tools/list"))["tools"]
TOOLS = tuple(map(_tool, LISTED))
BY_NAME = {tool.name: tool for tool in TOOLS}
PROMPTS: list[dict[str, Any]] = json.loads(listings.listed("prompts/list"))["prompts"]
TEMPLATES: list[dict[str, Any]] = json.loads(listings.listed("resources/templates/list"))[
    "resourceTemplates"
]
INSTRUCTIONS: str = json.loads(listings.hello(listings.VERSIONS[-1]))["instructions"]
