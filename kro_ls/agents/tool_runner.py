"""Runs tools in a worker process: an analysis keeps a core busy, and one that hangs can only be ended from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kro_ls.agents.agent_workspace import AgentWorkspace
from kro_ls.agents.arguments import UnusableArgumentsError
from kro_ls.agents.tools.at_positions import complete, hover
from kro_ls.agents.tools.checking_texts import check
from kro_ls.agents.tools.comparing_definitions import diff
from kro_ls.agents.tools.describing_kinds import kind
from kro_ls.agents.tools.explaining_rules import explain
from kro_ls.agents.tools.previewing import preview
from kro_ls.agents.tools.starting_definitions import new
from kro_ls.agents.tools.upgrading import upgrade

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOOLS: Final[dict[str, Callable[..., object]]] = {
    "check": check,
    "explain": explain,
    "complete": complete,
    "hover": hover,
    "preview": preview,
    "diff": diff,
    "upgrade": upgrade,
    "kind": kind,
    "new": new,
}
"""The tools by their names, in the order in which they are listed."""

WRITING: Final = ("upgrade", "new")
"""Those that can write files."""


class Call(Struct, frozen=True):
    """The name of a tool, and its arguments by theirs."""

    tool: str
    arguments: dict[str, Any]


class Unanswered(Struct, frozen=True):
    """Why a call has no answer, and what to do."""

    reason: str


class ToolRunner:
    """Answers calls about a folder, one after the other."""

    def __init__(self, root: Path, *, may_write: bool) -> None:
        self._root = root
        self._may_write = may_write
        self._workspace = AgentWorkspace(root, may_write=may_write)

    def __reduce__(self) -> tuple[object, tuple[Path, bool]]:
        return _runner, (self._root, self._may_write)

    def __call__(self, call: Call) -> object:
        """Return the answer, or why there is none."""
        try:
            return TOOLS[call.tool](self._workspace, **call.arguments)
        except UnusableArgumentsError as error:
            return Unanswered(str(error))
        except Exception as error:  # whatever it is must not end the conversation
            return Unanswered(f"kro-ls failed on this, please report it: {type(error).__name__}: {error}")


def _runner(root: Path, may_write: bool) -> ToolRunner:
    return ToolRunner(root, may_write=may_write)
