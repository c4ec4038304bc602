"""Moves a text that several templates repeat into a ConfigMap, from which they read it.

Values of the schema are fixed and templates cannot read the status, so a resource is the only place that can hold an
expression once for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from kro_ls.analysis.model.model import Resource
from kro_ls.authoring.from_manifests.template_text import member
from kro_ls.cel.syntax import ast
from kro_ls.cel.types.types import Kind
from kro_ls.cursor.parts import parts
from kro_ls.cursor.types.typed_expression import unwrapped
from kro_ls.features.actions.new_config_maps import new_config_map
from kro_ls.features.actions.refactorings import Refactoring
from kro_ls.kro.identifiers import to_lower_camel_case
from kro_ls.kro.places import Place
from kro_ls.repairs.same_objects import objects_before_and_after
from kro_ls.runtime.cluster.instance import instance_kind
from kro_ls.yaml_positions.writing import Replacement, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.model.expressions import Expression
    from kro_ls.cursor.cursor import Cursor
    from kro_ls.cursor.parts import PlacedPart

_ID: Final = "values"
_IDENTITY: Final = (("apiVersion",), ("kind",))


def shared_text_refactorings(cursor: Cursor) -> Iterator[Refactoring]:
    """Yield that the text with expressions at the cursor, which stands elsewhere too, is read from a ConfigMap."""
    located, rgd = cursor.expression, cursor.rgd
    kind = instance_kind(rgd) if rgd else None
    if rgd is None or located is None or located.expression.place is not Place.TEMPLATE:
        return
    text = located.expression.scalar.text
    places = list(_places(rgd, text))
    if located.expression.compiled.standalone:  # a field that is read is held already
        is_text = unwrapped(located.typed.result.type).kind is Kind.STRING and not isinstance(located.root, ast.Select)
    else:
        is_text = True
    if len(places) < 2 or not is_text or "\n" in text or kind is None or not kind.namespaced:
        return
    key = next((str(step) for step in reversed(located.expression.path) if isinstance(step, str)), "")
    name = to_lower_camel_case(key) or "value"
    config = new_config_map(rgd, _ID, f"${{schema.metadata.name}}-{_ID}", None, {name: text})
    added = config.added_above(cursor.document.text.content, places[0][0])
    if added is None:
        return
    read = quoted(f"${{{member(config.id, ('data', name))}}}")
    edits = (added, *(Replacement(part.span(each.scalar.span), read) for part, each in places))
    found = objects_before_and_after(cursor.document, rgd, edits)
    if found and found[0].items() <= found[1].items() and len(found[1]) == len(found[0]) + 1:
        title = f"Extract to a ConfigMap that {len(places)} places read"
        yield Refactoring(types.CodeActionKind.RefactorExtract, title, edits)


def _places(rgd: RgdAnalysis, text: str) -> Iterator[tuple[PlacedPart, Expression]]:
    """Yield where a text stands in templates, as far as it is about nothing that only its resource knows."""
    for part in parts(rgd):
        if not isinstance(part.part, Resource):
            continue
        found: dict[int, Expression] = {}  # older versions see an expression for each part of a text
        for each in part.part.expressions:
            if each.place is Place.TEMPLATE and each.scalar.text == text and each.path not in _IDENTITY:
                found.setdefault(each.scalar.start, each)
        if not {use.name for each in found.values() for use in each.inspection.names} & part.part.iterators:
            yield from ((part, each) for each in found.values())
