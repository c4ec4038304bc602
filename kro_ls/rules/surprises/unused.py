"""Finds external references and instance fields that nothing uses.

An expression that cannot be read may use anything, so all of them must be readable.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.analysis.definition import RGD, SECTION, table
from kro_ls.analysis.facts import is_readable
from kro_ls.analysis.model.model import ResourceType
from kro_ls.analysis.model.sections import CutSection, in_section, key_span, outline
from kro_ls.analysis.names.references import foreign_names
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.kro.places import BOOL_PLACES
from kro_ls.queries.cells import cached
from kro_ls.queries.engine import OwnedQuery, Query
from kro_ls.rules.diagnostics import Finding, PartFindings, Section, Severity
from kro_ls.rules.rule import InTemplates, Repair, Rule, Tag
from kro_ls.yaml_positions.access import field, items, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.facts import Facts, FieldNames
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.model.sections import SectionEntry
    from kro_ls.analysis.simpleschema.results import SchemaResult
    from kro_ls.queries.engine import Reader
    from kro_ls.yaml_positions.blocks import Block


_EXTERNAL = (ResourceType.EXTERNAL, ResourceType.EXTERNAL_COLLECTION)


def check_external(rgd: RgdAnalysis) -> PartFindings:
    """Find external references that no expression uses and that have no conditions."""
    facts = enumerate(rgd.table.facts)
    external = [number for number, each in facts if each.type in _EXTERNAL and _only_serves_others(each)]
    if not external or not is_all_readable(rgd.reader):
        return
    used = frozenset[str]().union(*[block.names for block in rgd.table.blocks])
    used |= rgd.section_names
    for number in external:
        resource = rgd.parts[number]
        is_whole = resource.id_node is not None and rgd.kind(resource) is not None
        if is_whole and resource.id_node and resource.id not in used:
            message = f"'{resource.id}' is never referenced; kro only waits for it to exist"
            yield number, Finding(resource.id_node.span, message)


def _only_serves_others(facts: Facts) -> bool:
    return facts.conditions.isdisjoint(BOOL_PLACES)


Json: TypeAlias = dict[str, Any]

_JSON_PATH = re.compile(r"\.spec((?:\.\w+)*)")


def check_field(rgd: RgdAnalysis) -> PartFindings:
    """Find the outermost fields of `spec` that no expression and no printer column reads.

    An RGD whose expressions read nothing of `spec` is unfinished; otherwise every field would be marked.
    """
    section = rgd.section
    if section is None or simple_schema(section).errors or not is_all_readable(rgd.reader):
        return
    used = rgd.table.reads | rgd.section_reads
    for path in (
        _unused(simple_schema(section), used, _printed(section)) if any(path[:1] == ("spec",) for path in used) else ()
    ):
        span = key_span(section, path)
        if span:
            message = f"'{'.'.join(path)}' is never read, so its value has no effect"
            yield Section.SCHEMA, Finding(span, message)


@cached
def _unused(
    result: SchemaResult, used: frozenset[FieldNames], printed: frozenset[FieldNames]
) -> tuple[FieldNames, ...]:
    fields, outermost = _Fields(), result.recovered.get("properties") or {}
    read = {path[1] for path in used if len(path) == 2 and path[0] == "spec"}  # as are nearly all
    others = [path for path in used if len(path) != 2 or path[1] not in outermost or "__" in path[1]]
    if any(fields.lack(path[1:], result.recovered) for path in others if path[:1] == ("spec",)):
        return ()  # a misspelt read makes the field that is meant look unused
    used |= printed
    if not used.isdisjoint([(), ("spec",)]):
        return ()
    opened = frozenset(path[:length] for path in (*others, *printed) for length in range(2, len(path)))
    rest = {name: inner for name, inner in outermost.items() if name not in read}
    return tuple(_unused_below({"properties": rest}, (), ("spec",), used, opened))


class _Fields:
    """The fields of objects by their names in expressions, computed once for each object."""

    def __init__(self) -> None:
        self._by_schema: dict[int, Json] = {}

    def of(self, schema: Json) -> Json:
        found = self._by_schema.get(id(schema))
        if found is None:
            properties: Json = schema.get("properties") or {}
            found = self._by_schema[id(schema)] = {escape(name) or name: inner for name, inner in properties.items()}
        return found

    def lack(self, path: FieldNames, schema: Json) -> bool:
        """Whether a path leads to a field that an object does not have."""
        for step in path:
            fields = self.of(schema)
            found = fields.get(field_name(step))
            if found is None:
                return bool(fields)
            schema = found
        return False


def _unused_below(
    schema: Json, path: FieldNames, selected: FieldNames, used: frozenset[FieldNames], opened: frozenset[FieldNames]
) -> Iterator[FieldNames]:
    """Yield the unused fields of an object that is not used as a whole; `selected` is its path in expressions.

    `opened` are the paths of the objects with used fields.
    """
    for name, inner in (schema.get("properties") or {}).items():
        if (*selected, name) in used:
            continue
        ways = {(*selected, written) for written in (name, escape(name)) if written}
        if not ways.isdisjoint(used):
            continue
        way = next((way for way in ways if way in opened), None)
        if way is None:
            yield (*path, name)
        else:
            yield from _unused_below(inner, (*path, name), way, used, opened)


def _printed(section: SchemaSection) -> frozenset[FieldNames]:
    """Return the fields that the columns of `kubectl get` show."""
    written = items(field(outline(section).node, "additionalPrinterColumns"))
    columns = [text_of(field(item, "jsonPath")) or "" for item in written]
    return frozenset(
        ("spec", *found[1].split(".")[1:]) for column in columns for found in _JSON_PATH.finditer(column) if found[1]
    )


_NO_IDS = frozenset({"each", "runtime"})


@Query
def is_all_readable(reader: Reader) -> bool:
    """Whether every expression could be read and its names are declared."""
    if RGD(reader).document.damaged or not table(reader).is_readable:
        return False
    section, facts = SECTION(reader), table(reader)
    unknown = facts.undeclared | in_section(section, foreign_names).difference(facts.numbers)
    return unknown <= _NO_IDS and _is_section_readable(reader, section)


def _is_section_readable(reader: Reader, section: SchemaSection | None) -> bool:
    if isinstance(section, CutSection):
        outputs = all(_are_outputs_readable(reader, block) for block in section.outputs.blocks)
        return outputs and is_readable(section.head)
    return section is None or is_readable(section)


@OwnedQuery
def _are_outputs_readable(_reader: Reader, block: Block[SectionEntry]) -> bool:
    return all(map(is_readable, block))


RULES = (
    Rule(
        code="unused-resource",
        severity=Severity.HINT,
        summary="Nothing refers to an external reference.",
        explanation="""\
An external reference is there to be read by other resources or by the status. When nothing reads it, its only effect is
that the instance is not ready before the object exists. If that is what you want, say so with a `readyWhen`.

A resource with a template is never unused: it creates an object.""",
        wrong="""\
resources:
  - id: shared
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: shared
""",
        right="""\
resources:
  - id: shared
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: shared
  - id: copy
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}
      data: ${shared.data}
""",
        check_document=check_external,
        in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
        tag=Tag.UNNECESSARY,
    ),
    Rule(
        code="unused-schema-field",
        severity=Severity.HINT,
        summary="Nothing reads a field of the instance.",
        explanation="""\
Users can set a field of `spec.schema.spec`, but no expression in the resources or in the status reads it, and no
printer column shows it. It is left over, or a resource should have used it.

Fields of custom types are not looked at.""",
        wrong="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    image: string | default=nginx
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
""",
        right="""\
schema:
  apiVersion: v1alpha1
  kind: Example
  spec:
    name: string | required=true
    image: string | default=nginx
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.spec.name}
      data:
        image: ${schema.spec.image}
""",
        check_document=check_field,
        in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
        tag=Tag.UNNECESSARY,
        repairs=(Repair.REMOVED_FIELD,),
    ),
)
