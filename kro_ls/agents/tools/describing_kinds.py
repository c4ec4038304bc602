"""The tool `kind`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from kro_ls.agents.agent_workspace import AgentWorkspace
from kro_ls.agents.answers import KindAnswer, KindField
from kro_ls.agents.arguments import UnusableArgumentsError, first
from kro_ls.openapi.named_kind import UnknownKindError, named_field, named_kind
from kro_ls.openapi.schema import schema_facts, type_text
from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from kro_ls.openapi.named_kind import NamedField
    from kro_ls.openapi.schema import Schema

_MOST_DESCRIPTION = 200
_MOST_FIELDS = 80
_MOST_FACTS = 5

KindName = Annotated[
    str, Field(description="A kind or its plural, with group or version where it takes one: Role.iam.services.k8s.aws.")
]
FieldPath = Annotated[
    str, Field(description="The path of a field, such as spec.template.spec.containers; lists need no word.")
]


def kind(workspace: AgentWorkspace, kind: KindName, field: FieldPath = "") -> KindAnswer:
    """Look up a kind of Kubernetes, of a well-known project or of the workspace, and its fields, as kubectl explain."""
    try:
        named = named_kind(workspace.kinds().index, kind)
        found = named_field(named, tuple(part for part in field.split(".") if part) or named.rest)
    except UnknownKindError as error:
        raise UnusableArgumentsError(str(error)) from error
    fields, left_out = first([_field(each) for each in found.fields], _MOST_FIELDS)
    return KindAnswer(
        named.kind.name.api_version,
        named.kind.name.kind,
        named.kind.plural,
        named.scope,
        [each for each in named.versions if each != named.kind.name.version],
        list(named.other_names),
        ".".join(found.names),
        type_text(found.schema),
        _description(found.schema, 4 * _MOST_DESCRIPTION),
        _facts(found.schema),
        fields,
        left_out,
    )


def _field(field: NamedField) -> KindField:
    schema = field.schema
    description = _description(schema, _MOST_DESCRIPTION)
    return KindField(field.names[-1], type_text(schema), field.is_required, description, _facts(schema))


def _description(schema: Schema, most: int) -> str:
    return shortened(" ".join(schema.description.split()), most)


def _facts(schema: Schema) -> list[str]:
    return [shortened(each, _MOST_DESCRIPTION) for each in schema_facts(schema, str, str)][:_MOST_FACTS]
