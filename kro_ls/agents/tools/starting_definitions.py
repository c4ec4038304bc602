"""The tool `new`."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from kro_ls.agents.agent_workspace import AgentWorkspace, objects_in
from kro_ls.agents.answers import NewAnswer, problems_of
from kro_ls.agents.arguments import MOST_CHARACTERS, UnusableArgumentsError, first, short
from kro_ls.authoring.from_manifests.drafting import draft
from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError
from kro_ls.authoring.from_manifests.proof import proved
from kro_ls.authoring.from_manifests.writing import definition_yaml
from kro_ls.authoring.from_template import TEMPLATES, template_text
from kro_ls.kro.identifiers import is_kind
from kro_ls.render.yaml_text import to_yaml
from kro_ls.workspace.check import file_document
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.openapi.json_values import JsonObject

Paths = Annotated[
    tuple[str, ...],
    Field(description="Files or folders of manifests; of several, each has one variant of all of them."),
]
Texts = Annotated[
    tuple[str, ...],
    Field(description="The manifests themselves: one text, or several where what varies between them becomes fields."),
]
Template = Annotated[str, Field(description=f"Start from a definition of ours instead: {', '.join(TEMPLATES)}.")]
KindArgument = Annotated[str, Field(description="The kind that the definition declares, such as WebApp.")]
Plain = Annotated[bool, Field(description="Leave out the comments that explain each guess.")]
Output = Annotated[
    str, Field(description="A new file to write it to. Refused unless the server was started with --write.")
]


def new(
    workspace: AgentWorkspace,
    paths: Paths = (),
    texts: Texts = (),
    template: Template = "",
    kind: KindArgument = "",
    plain: Plain = True,
    output: Output = "",
) -> NewAnswer:
    """Create a first definition from manifests: names become references, what varies becomes the schema.

    The result is checked and previewed: it must give the same objects. Also starts from templates.
    """
    if kind and not is_kind(kind):
        raise UnusableArgumentsError(f"kind {kind!r}: a kind is a word such as WebApp")
    if bool(template) + bool(paths) + bool(texts) != 1:
        raise UnusableArgumentsError("give one of paths, texts or template")
    target = workspace.path(output) if output else None
    if target:
        workspace.require_write()
    answer = _from_template(template, kind) if template else _from_manifests(workspace, paths, texts, kind, plain=plain)
    if target:
        workspace.create(target, answer.text)
    return _bounded(answer, workspace.shown(target) if target else "")


def _from_template(template: str, kind: str) -> NewAnswer:
    if template not in TEMPLATES:
        raise UnusableArgumentsError(f"there is no template {template!r}; there are {', '.join(TEMPLATES)}")
    return NewAnswer(template_text(template, kind), "", [], [], "", 0)


def _from_manifests(
    workspace: AgentWorkspace, paths: Sequence[str], texts: Sequence[str], kind: str, *, plain: bool
) -> NewAnswer:
    inputs = [_objects(workspace, path) for path in paths] + [objects_in(workspace.given("", each)) for each in texts]
    kinds = workspace.kinds()
    name = Path(paths[0]).stem if paths else "app"
    try:
        made = draft(inputs, kinds.index, name, None, kind)
    except UnusableObjectsError as error:
        raise UnusableArgumentsError(str(error)) from error
    text = definition_yaml(made, plain=plain)
    path = workspace.root / "new.yaml"
    document = file_document(str(path), Text(text), workspace.settings(path), kinds)
    proof = proved(document, made.inputs, made.instances(), kinds.index)
    instances = "---\n".join(map(to_yaml, made.instances()))
    problems, more = problems_of(document, proof.diagnostics, "the new definition")
    differences, more_differences = first([short(each) for each in proof.differences])
    return NewAnswer(text, instances, problems, differences, "", more + more_differences)


def _objects(workspace: AgentWorkspace, name: str) -> list[JsonObject]:
    path = workspace.path(name)
    files = workspace.files(path) if path.is_dir() else [path]
    return list(chain.from_iterable(objects_in(workspace.file(each)) for each in files))


def _bounded(answer: NewAnswer, written_to: str) -> NewAnswer:
    """Return an answer without the texts that are too long for it, of which the definition is then in the file."""
    if len(answer.text) > MOST_CHARACTERS and not written_to:
        advice = "give fewer manifests, or an output file to a server that was started with --write"
        raise UnusableArgumentsError(f"the definition has {len(answer.text)} characters, too many to show; {advice}")
    return replace(
        answer,
        text=answer.text if len(answer.text) <= MOST_CHARACTERS else "",
        instances=answer.instances if len(answer.instances) <= MOST_CHARACTERS else "",
        written_to=written_to,
    )
