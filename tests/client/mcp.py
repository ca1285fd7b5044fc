"""A real client of the Model Context Protocol: the SDK's, talking to a server of its own."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import anyio.from_thread
from mcp import ClientSession
from mcp.client.context import ClientRequestContext
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, InitializeResult, ListRootsResult, Root, TextContent
from pydantic import FileUrl

from recollect import mcp_server

SERVER = [sys.executable, "-P", "-m", "recollect", "mcp"]
"""How people start it."""
PIPE = [sys.executable, "-I", "-S", str(Path(mcp_server.__file__).with_name("__main__.py"))]
"""How hosts do."""


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

    def text(self, tool: str, /, **arguments: object) -> str:
        """Return the text that *tool* answers with."""
        block = self.call(tool, **arguments).content[0]
        assert isinstance(block, TextContent)
        return block.text

    def call(self, tool: str, /, **arguments: object) -> CallToolResult:
        """Return what *tool* answers."""
        answer: CallToolResult = self.ask("call_tool", tool, arguments)
        return answer


class Raw:
    """The server as a process, for what the client of the SDK does not do."""

    def __init__(
        self, folder: Path, env: Mapping[str, str], *, command: Sequence[str] = PIPE
    ) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def tell(self, message: object) -> None:
        """Send *message*, which is JSON or becomes it."""
        assert self.process.stdin
        text = message if isinstance(message, str) else json.dumps(message)
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """Return the next message from it."""
        assert self.process.stdout
        return json.loads(self.process.stdout.readline())

    def send(self, message: object) -> Any:
        """Send *message* and return the next one from it."""
        self.tell(message)
        return self.hear()

    def begin(self, version: str = "2025-11-25", **capabilities: object) -> Any:
        """Say hello; return what it says of itself."""
        about = {"clientInfo": {"name": "raw", "version": "1"}, "capabilities": capabilities}
        return self.ask("initialize", protocolVersion=version, **about)["result"]

    def ask(self, method: str, **params: object) -> Any:
        """Return the answer to a request."""
        return self.send({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def call(self, tool: str, **arguments: object) -> Any:
        """Return what *tool* answers."""
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

    def end(self) -> tuple[int, str, str]:
        """Wait for its end: exit code, the rest of what it said, and its complaints."""
        stdout, stderr = self.process.communicate(timeout=20)
        return self.process.returncode, stdout, stderr
