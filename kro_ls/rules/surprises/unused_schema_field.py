"""An instance field that nothing reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from kro_ls.analysis.model.sections import key_span, outline
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.cel.syntax.identifiers import escape, field_name
from kro_ls.queries.cells import cached
from kro_ls.rules.diagnostics import Finding, PartFindings, Section, Severity
from kro_ls.rules.rule import InTemplates, Repair, Rule, Tag
from kro_ls.rules.surprises.readable import is_all_readable
from kro_ls.yaml_positions.nodes import field, items, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.analysis.facts import FieldNames
    from kro_ls.analysis.model.model import SchemaSection
    from kro_ls.analysis.simpleschema.results import SchemaResult


Json: TypeAlias = dict[str, Any]

_JSON_PATH = r"\.spec((?:\.\w+)*)"


def check(rgd: RgdAnalysis) -> PartFindings:
    """Find the outermost fields of `spec` that no expression and no printer column reads.

    An RGD whose expressions read nothing of `spec` is unfinished; otherwise every field would be marked.
    """
    section = rgd.section
    if section is None or simple_schema(section).errors:
        return
    used = rgd.table.reads | rgd.section_reads
    if not any(path[:1] == ("spec",) for path in used):
        return
    unused = _unused(simple_schema(section), used, _printed(section))
    if not unused or not is_all_readable(rgd.reader):
        return
    for path in unused:
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
        ("spec", *path.split(".")[1:]) for column in columns for path in re.findall(_JSON_PATH, column) if path
    )


RULE = Rule(
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
    check_document=check,
    in_templates=InTemplates.UNLESS_TEXT_IS_ADDED,
    tag=Tag.UNNECESSARY,
    repairs=(Repair.REMOVED_FIELD,),
)
