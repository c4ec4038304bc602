"""The effects of a changed definition on existing instances: kro's comparison of CRDs, and the place of each change.

kro compares the CRD that it generates with the one in the cluster, and applies a breaking change only if the RGD allows
it (kro pkg/graph/crd/compat and pkg/client/crd.go).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.crd.compatibility import ChangeType, CompatibilityError, CompatibilityReport, compare_crds
from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.analysis.model.sections import written_field
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.kro.identifiers import is_kind
from kro_ls.openapi.json_values import as_list, as_object, as_text
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.printable import unicode_text
from kro_ls.rules.files.breaking_change import RULE, check_change
from kro_ls.rules.files.reported_places import span_at
from kro_ls.workspace.existing_objects import FrozenChange, frozen_changes, pruned_objects
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.errors import ExcessiveAliasingError
from kro_ls.yaml_positions.nodes import entry_of, text_of
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.analysis.analysis import Analysis, RgdAnalysis
    from kro_ls.analysis.crd.compatibility import Change
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.field_errors import Path
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.rules.settings import Settings
    from kro_ls.workspace.existing_objects import PrunedObjects
    from kro_ls.yaml_positions.positions import Span

ALLOWING = "kro.run/allow-breaking-changes"

_ABOUT_CHILD = (ChangeType.REQUIRED_ADDED, ChangeType.REQUIRED_REMOVED, ChangeType.REQUIRED_DEFAULT_REMOVED)


class Declared(Struct, frozen=True, eq=False):
    """A definition in a file, and its CRD."""

    path: str
    text: Text
    rgd: RgdAnalysis
    crd: JsonObject

    @property
    def name(self) -> str:
        """The name of the definition, empty if it has none."""
        return self.rgd.rgd.name or ""

    @property
    def kind(self) -> tuple[str, str]:
        """The group and the kind of the CRD."""
        spec = as_object(self.crd.get("spec"))
        return as_text(spec.get("group")), as_text(as_object(spec.get("names")).get("kind"))


class HitInstance(Struct, frozen=True):
    """Why the new definition refuses an instance that the old one accepts, and the offset in its file."""

    path: str
    text: Text
    offset: int
    message: str


class Evolution(Struct, frozen=True, eq=False):
    """The change of a kind. `old` is None for a new kind, `new` for a removed one."""

    old: Declared | None
    new: Declared | None
    report: CompatibilityReport
    hits: tuple[HitInstance, ...] = ()
    frozen: tuple[FrozenChange, ...] = ()
    """Changes of the definition or of existing objects that the API server refuses."""
    pruned: tuple[PrunedObjects, ...] = ()
    """Existing objects that kro deletes."""

    @property
    def declared(self) -> Declared:
        """The new definition, else the old one."""
        found = self.new or self.old
        assert found is not None  # noqa: S101 # one of the two is there
        return found

    @property
    def is_allowed(self) -> bool:
        """Whether an annotation of the definition tells kro to apply breaking changes."""
        metadata = self.new.rgd.rgd.document.child(("metadata", "annotations", ALLOWING)) if self.new else None
        return metadata is not None and text_of(metadata.node) == "true"

    @property
    def summary(self) -> str:
        """A sentence about the change."""
        if self.old is None:
            return "a new kind"
        if self.new is None:
            return f"no definition declares it any more; {unicode_text(self.old.path)} did"
        is_allowed = self.report.breaking and self.is_allowed
        return f"{self.report.summary} (allowed by {ALLOWING})" if is_allowed else self.report.summary

    @property
    def is_breaking(self) -> bool:
        """Whether kro would not apply the change, or the kind is removed."""
        return self.new is None or (bool(self.report.breaking) and not self.is_allowed)

    @property
    def is_refused(self) -> bool:
        """Whether the change is refused, or breaks existing instances without permission."""
        return self.is_breaking or bool(self.frozen) or (bool(self.hits) and not self.is_allowed)


def declared_in(path: str, analysis: Analysis) -> Iterator[Declared]:
    """Yield the definitions of a file that declare a kind."""
    for rgd in analysis.rgds:
        section = rgd.rgd.schema.section if rgd.rgd.schema else None
        if section is None or not is_kind(section.kind or ""):
            continue
        crd = generated_crd(rgd)
        if crd is not None:
            yield Declared(path, analysis.text, rgd, crd)


def evolutions(old: Iterable[Declared], new: Iterable[Declared], instances: Mapping[str, str]) -> Iterator[Evolution]:
    """Yield the kinds that changed, the removed ones last.

    Of several definitions of a kind, the one in the same file is compared, else the first. `instances` are the texts by
    path that may hold instances. Raises CompatibilityError for CRDs that cannot be compared.
    """
    before: dict[tuple[str, str], list[Declared]] = {}
    by_name: dict[str, Declared] = {}
    for each in old:
        before.setdefault(each.kind, []).append(each)
        by_name.setdefault(each.name, each)
    kinds = set()
    for each in new:
        kinds.add(each.kind)
        candidates = before.get(each.kind, [])
        known = next((other for other in candidates if other.path == each.path), candidates[0] if candidates else None)
        report = compare_crds(known.crd, each.crd) if known else CompatibilityReport()
        former = by_name.get(each.name) if each.name else None
        frozen = (
            *(_immutable_fields(former, each) if former else ()),
            *(frozen_changes(known.rgd, each.rgd) if known else ()),
        )
        pruned = tuple(pruned_objects(known.rgd, each.rgd)) if known else ()
        if known is None or report.has_changes or frozen or pruned:
            hits = tuple(hit_instances(known, each, instances)) if known else ()
            yield Evolution(known, each, report, hits, frozen, pruned)
    for kind, gone in before.items():
        if kind not in kinds:
            yield Evolution(gone[0], None, CompatibilityReport())


def _immutable_fields(old: Declared, new: Declared) -> Iterator[FrozenChange]:
    """Yield the changed fields of `spec.schema` that kro's own CRD makes immutable."""
    schema = new.rgd.rgd.schema
    if schema is None:
        return
    for name, before, after in zip(_IMMUTABLE, _identity(old.crd), _identity(new.crd), strict=True):
        if before != after:
            entry = entry_of(schema.section.node, name) or entry_of(schema.section.node, "kind")
            start = schema.placed.document_span(entry.key.span).start if entry else new.rgd.rgd.document.start
            yield FrozenChange("", f"spec.schema.{name}", start, f"{name} is immutable")


_IMMUTABLE = ("group", "apiVersion", "kind", "scope")


def _identity(crd: JsonObject) -> tuple[str, ...]:
    spec = as_object(crd.get("spec"))
    kind = as_text(as_object(spec.get("names")).get("kind"))
    return as_text(spec.get("group")), as_text(_version(crd).get("name")), kind, as_text(spec.get("scope"))


def hit_instances(old: Declared, new: Declared, instances: Mapping[str, str]) -> Iterator[HitInstance]:
    """Yield what the new definition refuses or drops in instances that the old one accepts unchanged."""
    before, after = _version(old.crd), _version(new.crd)
    group, kind = new.kind
    for path, content in sorted(instances.items()):
        text = Text(content) if kind in content else None
        for document in parse_stream(text).documents if text else ():
            try:
                value = document.to_python()
            except (ExcessiveAliasingError, RecursionError):
                continue
            if document.errors or not isinstance(value, dict) or text is None:
                continue
            if (value.get("apiVersion"), value.get("kind")) != (f"{group}/{as_text(before.get('name'))}", kind):
                continue
            value.pop("status", None)
            known = {message for _, message in _faults(value, before)}
            for place, message in _faults(value, after):
                if message not in known:
                    yield HitInstance(path, text, span_at(document, place).start, message)


def _version(crd: JsonObject) -> JsonObject:
    return as_object(next(iter(as_list(as_object(crd.get("spec")).get("versions"))), None))


def _faults(value: JsonObject, version: JsonObject) -> Iterator[tuple[Path, str]]:
    admission = admit(value, as_object(as_object(version.get("schema")).get("openAPIV3Schema")), rule_errors)
    for path in admission.unknown_fields:
        yield path, f'unknown field "{place_of(path)}"'
    for error in admission.errors:
        yield error.path, error.text


def place_of_change(rgd: RgdAnalysis, change: Change) -> Span | None:
    """Return the key of the field that a change is about in a definition, else of the nearest parent.

    Offsets are those of the document. The result is None for a definition without a schema.
    """
    schema = rgd.rgd.schema
    if schema is None:
        return None
    section, names = schema.section, _value_path(change)
    if names[:1] == ("spec",):
        result = simple_schema(section)
        for length in range(len(names), 1, -1):
            definition = result.definition_of(names[1:length])
            written = written_field(section, definition.root, definition.path) if definition else None
            if written:
                return schema.placed.document_span(written.entry.key.span)
    entry = None
    node = section.node
    for name in names:
        inner = entry_of(node, str(name))
        if inner is None:
            break
        entry, node = inner, inner.value
    entry = entry or entry_of(section.node, "apiVersion" if change.path[:1] == ("version",) else "kind")
    return schema.placed.document_span(entry.key.span) if entry else None


def _value_path(change: Change) -> tuple[str | None, ...]:
    """Return the path in values of what a change is about; None stands for an item of a list or a value of a map."""
    found: list[str | None] = []
    steps = iter(change.path)
    for step in steps:
        if step == "properties":
            found.append(next(steps, None))
        elif step in ("items", "additionalProperties"):
            found.append(None)
    if change.type in _ABOUT_CHILD:
        found.append(change.new or change.old)
    return tuple(found)


def field_of(change: Change) -> str:
    """Return the field of a change as people write it, such as `spec.servers[].host`; empty for the whole kind."""
    return "".join("[]" if name is None else f".{name}" for name in _value_path(change)).removeprefix(".")


class Baseline(Struct, frozen=True, eq=False):
    """The definitions of a document in the commit `ref`."""

    ref: str
    declared: tuple[Declared, ...]


def check_evolution(analysis: Analysis, baseline: Baseline, settings: Settings) -> Iterator[Diagnostic]:
    """Yield the breaking changes of a document's definitions since a commit, each at its field."""
    if settings.severity_of(RULE) is None or not baseline.declared:
        return
    try:
        found = list(evolutions(baseline.declared, declared_in("", analysis), {}))
    except CompatibilityError:
        return
    for each in found:
        for change in each.report.breaking if each.new and each.is_breaking else ():
            span = place_of_change(each.new.rgd, change) if each.new else None
            if span:
                yield from check_change(change, field_of(change), span, baseline.ref, settings)
