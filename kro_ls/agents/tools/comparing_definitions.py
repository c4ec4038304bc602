"""The tool `diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from kro_ls.agents.agent_workspace import AgentWorkspace, GivenText
from kro_ls.agents.answers import DiffAnswer, KindChange
from kro_ls.agents.arguments import UnusableArgumentsError, first, short
from kro_ls.analysis.crd.compatibility import CompatibilityError
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.workspace.evolution import declared_in, evolutions
from kro_ls.workspace.evolution_json import evolutions_json
from kro_ls.workspace.files import UnreadableFileError
from kro_ls.workspace.git import GitError, text_at

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.workspace.evolution import Declared

_MOST_KINDS = 10
_MOST_CHANGES = 10
_LISTS = ("breaking", "nonBreaking", "refused", "deleted", "instances")

OldPath = Annotated[str, Field(description="The file with the definition as it was.")]
OldText = Annotated[str, Field(description="The text of the definition as it was, in place of old_path.")]
OldCommit = Annotated[
    str,
    Field(description="A commit, such as HEAD, that has the file at new_path as it was, in place of old_path."),
]
NewPath = Annotated[str, Field(description="The file with the definition as it is to be.")]
NewText = Annotated[str, Field(description="The text of the definition as it is to be, in place of new_path.")]


def diff(
    workspace: AgentWorkspace,
    old_path: OldPath = "",
    old_text: OldText = "",
    old_commit: OldCommit = "",
    new_path: NewPath = "",
    new_text: NewText = "",
) -> DiffAnswer:
    """Report what a changed definition means for the instances that exist: what breaks, what kro deletes, whom it hits.

    kro applies no breaking change of a kind. The instances are those in the files of the workspace folder.
    """
    new = workspace.given(new_path, new_text, "new_path or new_text")
    if old_commit:
        old = _committed(new, old_commit)
    else:
        old = workspace.given(old_path, old_text, "old_path, old_text or old_commit")
    try:
        found = list(
            evolutions(_declared(workspace, old), _declared(workspace, new), workspace.kinds().instances.texts)
        )
    except CompatibilityError as error:
        raise UnusableArgumentsError(str(error)) from error
    shown, left_out = first(evolutions_json(found), _MOST_KINDS)
    left_out += sum(max(len(as_list(each[name])) - _MOST_CHANGES, 0) for each in shown for name in _LISTS)
    return DiffAnswer(any(each.is_refused for each in found), [_change(each) for each in shown], left_out)


def _committed(new: GivenText, commit: str) -> GivenText:
    try:
        text = text_at(commit, new.path)
    except (GitError, UnreadableFileError) as error:
        raise UnusableArgumentsError(str(error)) from error
    if text is None:
        raise UnusableArgumentsError(f"{new.shown} is not in {commit}")
    return GivenText(new.path, text, new.shown)


def _declared(workspace: AgentWorkspace, given: GivenText) -> list[Declared]:
    document = workspace.document(given)
    found = list(declared_in(given.shown, document.analysis))
    if not found:
        raise UnusableArgumentsError(f"{given.shown} has no ResourceGraphDefinition that declares a kind")
    return found


def _change(data: JsonObject) -> KindChange:
    lists = ([_short(as_object(each)) for each in as_list(data[name])[:_MOST_CHANGES]] for name in _LISTS)
    breaking, others, refused, deleted, instances = lists
    return KindChange(
        as_text(data["group"]),
        as_text(data["kind"]),
        as_text(data["what"]),
        as_text(data["summary"]),
        breaking,
        others,
        refused,
        deleted,
        instances,
    )


def _short(entry: JsonObject) -> dict[str, Any]:
    return {name: short(value) if isinstance(value, str) else value for name, value in entry.items()}
