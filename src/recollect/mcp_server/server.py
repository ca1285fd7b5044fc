"""The protocol: the official SDK on stdin and stdout, with everything else in a thread.

Nothing of ours that is heavy is loaded before the first call, because clients wait for
`initialize`. Only the protocol is written to stdout: the SDK points the descriptor elsewhere
while it serves.
"""

import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

import recollect
from recollect.errors import RecollectError
from recollect.mcp_server.tools import BY_NAME, INSTRUCTIONS, TOOLS, Tool

if TYPE_CHECKING:
    from recollect.mcp_server.calls import Answer

# A client that was told to leave is gone soon; a call that writes is let finish.
SECONDS_TO_FINISH = 1.0
SECONDS_FOR_ROOTS = 1.0
LONGEST_CURSOR = 9

RECALL = types.Prompt(
    name="recall",
    description="What is remembered about a topic",
    arguments=[types.PromptArgument(name="topic", description="What it is about", required=True)],
)

Context = ServerRequestContext[Any]
T = TypeVar("T")


class Door:
    """One client's way to the memory."""

    def __init__(self) -> None:
        self._at_work = threading.Lock()
        self._folder = ""

    async def serve(self) -> None:
        """Serve until the client hangs up."""
        with _roots_are_heard():
            server: Server[Any] = Server(
                "recollect",
                version=recollect.__version__,
                title="Recollect",
                instructions=INSTRUCTIONS,
                on_list_tools=self._tools,
                on_call_tool=self._call,
                on_list_resources=self._pages,
                on_list_resource_templates=self._templates,
                on_read_resource=self._page,
                on_list_prompts=self._prompts,
                on_get_prompt=self._prompt,
                on_roots_list_changed=self._moved,
            )
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    def leave(self) -> None:
        """End this process, after the call at hand."""
        self._at_work.acquire(timeout=SECONDS_TO_FINISH)
        os._exit(0)

    async def _tools(self, _: Context, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def _call(
        self, context: Context, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if asked.name not in BY_NAME:
            known = ", ".join(BY_NAME)
            raise MCPError(types.INVALID_PARAMS, f"no tool {asked.name!r}; there are {known}")
        folder = await self._where(context)
        answer = await anyio.to_thread.run_sync(
            self._answered, asked.name, asked.arguments or {}, folder
        )
        return types.CallToolResult(
            content=[types.TextContent(text=answer.text)],
            structured_content=answer.data or None,
            is_error=answer.failed,
        )

    def _answered(self, name: str, arguments: dict[str, Any], folder: str) -> "Answer":
        from recollect.mcp_server import calls  # noqa: PLC0415 - the heavy part of it all

        if not BY_NAME[name].writes:
            return calls.answer(name, arguments, folder=folder)
        with self._at_work:
            return calls.answer(name, arguments, folder=folder)

    async def _pages(
        self, context: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        from recollect.mcp_server import pages  # noqa: PLC0415

        start = _place(asked.cursor) if asked and asked.cursor else 0
        folder = await self._where(context)
        work = partial(pages.listed, folder=folder, start=start)
        found, following = await _done(work, "resources/list")
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=one.uri, name=one.name, title=one.title, mime_type="text/markdown"
                )
                for one in found
            ],
            next_cursor=str(following) if following else None,
        )

    async def _templates(self, _: Context, __: object) -> types.ListResourceTemplatesResult:
        from recollect.mcp_server import pages  # noqa: PLC0415

        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(
                    uri_template=template,
                    name=template.split("/")[2],
                    description=what,
                    mime_type="text/markdown",
                )
                for template, what in pages.TEMPLATES.items()
            ]
        )

    async def _page(
        self, context: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from recollect.mcp_server import pages  # noqa: PLC0415

        uri = str(asked.uri)
        folder = await self._where(context)
        text = await _done(partial(pages.read, uri, folder=folder), "resources/read")
        content = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[content])

    async def _prompts(self, _: Context, __: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[RECALL])

    async def _prompt(
        self, _: Context, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        if asked.name != RECALL.name:
            raise MCPError(types.INVALID_PARAMS, f"no prompt {asked.name!r}; there is recall")
        topic = (asked.arguments or {}).get("topic", "").replace("<", "&lt;").strip()
        if not topic:
            raise MCPError(types.INVALID_PARAMS, "recall needs a topic")
        text = (
            "What do we know from earlier sessions about the topic between the tags?\n"
            f"<topic>\n{topic}\n</topic>\n"
            "Use recollect: search, expand what may matter, transcript only if that is not enough."
            " Answer shortly, with dates and ids, and say plainly what is not remembered."
        )
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=RECALL.description, messages=[message])

    async def _moved(self, _: Context, __: object) -> None:
        """Ask the client again where it works, the next time that matters."""
        self._folder = ""

    async def _where(self, context: Context) -> str:
        """Return the folder that the client works in: it says so, or started us there.

        A client that took too long to say so is asked again the next time.
        """
        if not self._folder:
            able = context.session.client_capabilities
            if able is None or able.roots is None:
                self._folder = _started_in()
            else:
                self._folder = await _first_root(context)
        return self._folder or _started_in()


async def _done(work: Callable[[], T], where: str) -> T:
    """Return what came of *work*, done in a thread. Raises `MCPError` that says what to do."""
    from recollect.mcp_server import calls  # noqa: PLC0415

    try:
        return await anyio.to_thread.run_sync(work)
    except RecollectError as error:
        raise MCPError(types.INVALID_PARAMS, calls.explained(error)) from None
    except Exception as error:  # The edge of a request: the server goes on.
        raise MCPError(types.INTERNAL_ERROR, calls.trouble(where, error)) from None


def _place(cursor: str) -> int:
    """Return where the pages begin that *cursor* names. Raises `MCPError` if it is none of ours."""
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= LONGEST_CURSOR):
        raise MCPError(types.INVALID_PARAMS, "no such cursor; leave it out for the first pages")
    return int(cursor)


def _started_in() -> str:
    """Return the folder that this process was started in, or its user's own if that is gone."""
    try:
        return os.environ.get("CLAUDE_PROJECT_DIR") or os.getcwd()
    except FileNotFoundError:
        return os.path.expanduser("~")


async def _first_root(context: Context) -> str:
    """Return the first folder that the client names; empty if it names none, or not in time."""
    with anyio.move_on_after(SECONDS_FOR_ROOTS), _roots_are_heard():
        try:
            found = await context.session.list_roots()
        except MCPError:
            return ""
        paths = [unquote(urlsplit(str(root.uri)).path) for root in found.roots]
        return next((path for path in paths if os.path.isdir(path)), "")
    return ""


@contextmanager
def _roots_are_heard() -> Iterator[None]:
    """Let nobody warn of roots: the protocol gives them up, and many clients have nothing else."""
    with warnings.catch_warnings(action="ignore"):
        yield


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.schema,
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.takes_away if tool.writes else None,
        ),
    )


def listed_tools() -> list[dict[str, Any]]:
    """Return the tools as a client is told of them."""
    return [_described(tool).model_dump(by_alias=True, exclude_none=True) for tool in TOOLS]


def run() -> None:
    """Serve the client that started this process."""
    door = Door()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: threading.Thread(target=door.leave).start())
    anyio.run(door.serve)
    # A thread may still wait for a line from the client that is gone.
    os._exit(0)
