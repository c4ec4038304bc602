"""The server of the Model Context Protocol: tools, and the page that teaches the language, on standard streams."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp.server.mcpserver.resources import FunctionResource
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from kro_ls import __version__
from kro_ls.agents.calls import Calls
from kro_ls.agents.language_page import language_page
from kro_ls.agents.tool_runner import TOOLS, WRITING, Call, ToolRunner, Unanswered

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

LANGUAGE: Final = "kro-ls://language"
"""The resource that teaches the language."""

_INSTRUCTIONS: Final = f"""\
kro-ls checks and previews kro ResourceGraphDefinitions (kro.run/v1alpha1) offline; nothing is contacted.
Read the resource {LANGUAGE} (or the prompt 'write-definition') before you write a definition for the first time.
Then: 'new' for a first definition from manifests, 'kind' for the fields of a kind, 'check' after each change until
nothing is wrong, 'explain' for a code that you do not know, 'preview' to see which objects come out, 'diff' before you
change a definition that has instances. An error means that kro would refuse the definition."""


def serve(root: Path, seconds: float, *, may_write: bool) -> None:
    """Answer a client on standard input and output until it goes. `seconds` are how long a request may take."""
    calls = Calls(ToolRunner(root, may_write=may_write), seconds)
    try:
        new_server(calls, may_write=may_write).run("stdio")
    finally:
        calls.close()


def new_server(calls: Calls, *, may_write: bool) -> MCPServer[Any]:
    """Return a server whose tools are answered by `calls`."""
    server: MCPServer[Any] = MCPServer(
        "kro-ls", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING", subscriptions=False
    )
    for name, tool in TOOLS.items():
        writes = may_write and name in WRITING
        hints = ToolAnnotations(read_only_hint=not writes, destructive_hint=writes, open_world_hint=False)
        server.add_tool(_answered_by(calls, name, tool), name=name, annotations=hints, structured_output=True)
    title = "The language of kro's ResourceGraphDefinitions"
    server.add_resource(
        FunctionResource.from_function(language_page, LANGUAGE, name="language", title=title, mime_type="text/markdown")
    )
    server.add_prompt(Prompt.from_function(_write_definition, name="write-definition"))
    return server


def _answered_by(calls: Calls, name: str, tool: Callable[..., object]) -> Callable[..., Awaitable[object]]:
    """Return a function with the arguments and the answer of a tool, which is run in another process."""

    async def run(**arguments: object) -> CallToolResult:
        answer = await calls.answer(Call(name, arguments))
        if isinstance(answer, Unanswered):
            raise ToolError(answer.reason)
        text = msgspec.json.encode(answer).decode()  # the SDK would write each bracket on a line of its own
        return CallToolResult(content=[TextContent(text=text)], structured_content=msgspec.to_builtins(answer))

    signature = inspect.signature(tool, eval_str=True)
    parameters = list(signature.parameters.values())[1:]  # without the workspace, which the other process has
    result = Annotated[CallToolResult, signature.return_annotation]  # from which the SDK takes the type of the answer
    run.__signature__ = inspect.Signature(parameters, return_annotation=result)  # type: ignore[attr-defined] # PEP 362
    run.__annotations__ = {each.name: each.annotation for each in parameters} | {"return": result}
    run.__doc__ = inspect.getdoc(tool)
    return run


def _write_definition(task: str = "") -> str:
    """Teach the language, and how to work with the tools; `task` is what the definition is to do."""
    asked = f"\n\nYour task: {task}" if task else ""
    return f"{language_page()}\n\n{_INSTRUCTIONS}{asked}"
