"""The tool `check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.agents.agent_workspace import AgentWorkspace, GivenText
from kro_ls.agents.answers import CheckAnswer, Problem, problems_of
from kro_ls.agents.arguments import MOST_ITEMS, KroVersionArgument, PathArgument, TextArgument
from kro_ls.rules.diagnostics import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(
    workspace: AgentWorkspace, path: PathArgument = "", text: TextArgument = "", kro_version: KroVersionArgument = ""
) -> CheckAnswer:
    """Find everything that is wrong with ResourceGraphDefinitions, or their instances, with the place and fixes.

    An error means that kro would refuse the definition; warnings and hints report what fails or surprises later. The
    path may be that of a folder. Check each definition that you write, and again after each change.
    """
    problems: list[Problem] = []
    checked_files = left_out = 0
    for given in _given(workspace, path, text):
        checked = workspace.checked(given, kro_version)
        checked_files += checked.is_checked
        room = max(MOST_ITEMS - len(problems), 0)
        shown, more = problems_of(checked.document, checked.found.diagnostics, given.shown, room)
        problems += shown
        left_out += more
    counted = {severity: sum(each.severity == severity.value for each in problems) for severity in Severity}
    is_refused = counted[Severity.ERROR] > 0
    if not checked_files:
        return CheckAnswer("nothing to check", "no ResourceGraphDefinition, CRD or instance of one is in it", [], 0)
    counts = ", ".join(f"{severity.value}: {number}" for severity, number in counted.items() if number)
    return CheckAnswer("refused" if is_refused else "accepted", counts or "nothing is wrong", problems, left_out)


def _given(workspace: AgentWorkspace, path: str, text: str) -> Iterator[GivenText]:
    folder = workspace.path(path) if path and not text else None
    if folder and folder.is_dir():
        for file in workspace.files(folder):
            yield workspace.file(file)
    else:
        yield workspace.given(path, text)
