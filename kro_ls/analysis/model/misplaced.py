"""Whether resources are written where kro does not look for them, so that references to their ids fail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kro_ls.analysis.model.keys import misspelling, unknown_entries
from kro_ls.analysis.model.sections import outline
from kro_ls.kro.definition_form import RESOURCE_FORMS
from kro_ls.kro.rgd_schema import ROOT_FIELDS, SCHEMA_FIELDS, SPEC_FIELDS
from kro_ls.yaml_positions.access import entry_of, field, items

if TYPE_CHECKING:
    from kro_ls.analysis.model.model import ResourceGraphDefinition
    from kro_ls.yaml_positions.nodes import Node

_ITEM = re.compile(r"[ \t]*-[ \t]+id:")
"""The line with which a resource begins: YAML ends what it can read at one whose indentation does not fit."""


def misplaces_resources(rgd: ResourceGraphDefinition) -> bool:
    """Whether a name that nothing declares may be the id of a resource that is misplaced, which is reported."""
    root = rgd.frame.chunk.root
    spec = field(root, "spec")
    if not rgd.parts and misspelling(spec, "resources", SPEC_FIELDS) is not None:
        return True
    if not rgd.form.declares_kind:
        return False  # it lists its resources elsewhere
    schema = outline(rgd.schema.section).node if rgd.schema else None
    known = ((root, ROOT_FIELDS), (spec, SPEC_FIELDS), (schema, SCHEMA_FIELDS))
    if any(_holds_resource(entry.value) for node, fields in known for entry in unknown_entries(node, fields)):
        return True
    return any(_ITEM.match(line) for line in _damaged_lines(rgd))


def _holds_resource(value: Node) -> bool:
    """Whether a value is a resource, or a list with one."""
    return any(
        entry_of(each, "id") is not None and any(entry_of(each, form) is not None for form in RESOURCE_FORMS)
        for each in (value, *items(value))
    )


def _damaged_lines(rgd: ResourceGraphDefinition) -> list[str]:
    """Return the lines of the document in which YAML has errors."""
    return [
        placed.chunk.text[placed.chunk.text.rfind("\n", 0, error.start) + 1 :].partition("\n")[0]
        for placed in rgd.document.damaged
        for error in placed.chunk.errors
    ]
