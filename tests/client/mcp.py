"""A real client of the Model Context Protocol: the SDK's, talking to a server of its own."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import anyio.from_thread
from mcp import ClientSession
from mcp.client.context import ClientRequestContext
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, InitializeResult, ListRootsResult, Root
from pydantic import FileUrl


class McpClient:
    """The client of a server that runs *command* in *folder*, for as long as its `with` lasts.

    It says where it works, if it has *roots*.
    """

    def __init__(
        self,
        command: list[str],
        folder: Path,
        env: Mapping[str, str],
        *,
        roots: Sequence[Path] = (),
    ) -> None:
        self.roots = list(roots)
        self._server = StdioServerParameters(
            command=command[0], args=command[1:], env=dict(env), cwd=folder
        )
        self._opened = contextlib.ExitStack()

    def __enter__(self) -> Self:
        portal = self._opened.enter_context(anyio.from_thread.start_blocking_portal())
        self._call: Callable[..., Any] = portal.call
        streams = self._opened.enter_context(
            portal.wrap_async_context_manager(stdio_client(self._server))
        )
        self.session = self._opened.enter_context(
            portal.wrap_async_context_manager(
                ClientSession(*streams, list_roots_callback=self._tell if self.roots else None)
            )
        )
        self.server: InitializeResult = self._call(self.session.initialize)
        return self

    def __exit__(self, *error: object) -> None:
        self._opened.close()

    async def _tell(self, context: ClientRequestContext) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=FileUrl(path.as_uri())) for path in self.roots])

    def ask(self, method: str, *arguments: Any, **named: Any) -> Any:
        """Return what the server answers: `ask("list_tools")`. Raises `MCPError`."""
        return self._call(partial(getattr(self.session, method), *arguments, **named))

    def call(self, tool: str, /, **arguments: object) -> CallToolResult:
        """Return what *tool* answers."""
        answer: CallToolResult = self.ask("call_tool", tool, arguments)
        return answer
