"""Whether a changed CRD can replace the one in the cluster, by kro's rules and in kro's words (pkg/graph/crd/compat).

kro compares defaults and enum values as raw JSON text; here they are compared as JSON values, so that a mere change of
spelling is not a change. kro walks its maps in random order; here it is the order of the schemas.

Not compared, as in kro: value types of maps, preserve-unknown, CEL rules, list types and their keys, formats, an enum
that only one side has, printer columns, scope and metadata.
"""

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

Json = Mapping[str, Any]

MAX_DEPTH = 200
"""The deepest schema that is compared."""

_SUMMARIZED = 3


class ChangeType(StrEnum):
    """What has changed, in kro's names; those of the six bounds get the bound's name in front (`Change.kro_type`)."""

    PROPERTY_REMOVED = "PROPERTY_REMOVED"
    PROPERTY_ADDED = "PROPERTY_ADDED"
    TYPE_CHANGED = "TYPE_CHANGED"
    REQUIRED_ADDED = "REQUIRED_ADDED"
    REQUIRED_REMOVED = "REQUIRED_REMOVED"
    REQUIRED_DEFAULT_REMOVED = "REQUIRED_DEFAULT_REMOVED"
    ENUM_RESTRICTED = "ENUM_RESTRICTED"
    ENUM_EXPANDED = "ENUM_EXPANDED"
    PATTERN_CHANGED = "PATTERN_CHANGED"
    PATTERN_ADDED = "PATTERN_ADDED"
    PATTERN_REMOVED = "PATTERN_REMOVED"
    DESCRIPTION_CHANGED = "DESCRIPTION_CHANGED"
    DEFAULT_CHANGED = "DEFAULT_CHANGED"
    BOUND_ADDED = "ADDED"
    BOUND_REMOVED = "REMOVED"
    BOUND_INCREASED = "INCREASED"
    BOUND_DECREASED = "DECREASED"


# {name} is the last part of the path, as kro shows it; {label} that part with a capital letter.
_DESCRIPTIONS = {
    ChangeType.PROPERTY_REMOVED: "Property {name} was removed",
    # kro says "optional" of required properties too: the text for those needs a value that its comparison never gives.
    ChangeType.PROPERTY_ADDED: "Optional property {name} was added",
    ChangeType.TYPE_CHANGED: "Type changed from {old} to {new}",
    ChangeType.REQUIRED_ADDED: "Field {new} is newly required",
    ChangeType.REQUIRED_REMOVED: "Field {old} is no longer required",
    ChangeType.REQUIRED_DEFAULT_REMOVED: "Default value removed from required field {old}",
    ChangeType.ENUM_RESTRICTED: "Enum value {old} was removed",
    ChangeType.ENUM_EXPANDED: "Enum value {new} was added",
    ChangeType.PATTERN_CHANGED: "Validation pattern changed from {old} to {new}",
    ChangeType.PATTERN_ADDED: "Validation pattern {new} was added",
    ChangeType.PATTERN_REMOVED: "Validation pattern {old} was removed",
    ChangeType.DESCRIPTION_CHANGED: "Description field was changed from {old} to {new}",
    ChangeType.DEFAULT_CHANGED: "Default value was changed from {old} to {new}",
    ChangeType.BOUND_ADDED: "{label} constraint {new} was added",
    ChangeType.BOUND_REMOVED: "{label} constraint {old} was removed",
    ChangeType.BOUND_INCREASED: "{label} was increased from {old} to {new}",
    ChangeType.BOUND_DECREASED: "{label} was decreased from {old} to {new}",
}

_PLAIN = {
    ChangeType.PROPERTY_REMOVED: "'{name}' was removed",
    ChangeType.PROPERTY_ADDED: "'{name}' was added",
    ChangeType.TYPE_CHANGED: "the type changed from '{old}' to '{new}'",
    ChangeType.REQUIRED_ADDED: "'{new}' is newly required",
    ChangeType.REQUIRED_REMOVED: "'{old}' is no longer required",
    ChangeType.REQUIRED_DEFAULT_REMOVED: "the required field '{old}' lost its default",
    ChangeType.ENUM_RESTRICTED: "the enum lost '{old}'",
    ChangeType.ENUM_EXPANDED: "the enum gained '{new}'",
    ChangeType.PATTERN_CHANGED: "the pattern changed from '{old}' to '{new}'",
    ChangeType.PATTERN_ADDED: "the pattern '{new}' was added",
    ChangeType.PATTERN_REMOVED: "the pattern '{old}' was removed",
    ChangeType.DESCRIPTION_CHANGED: "the description changed from {old} to {new}",
    ChangeType.DEFAULT_CHANGED: "the default changed from {old} to {new}",
    ChangeType.BOUND_ADDED: "'{name}' {new} was added",
    ChangeType.BOUND_REMOVED: "'{name}' {old} was removed",
    ChangeType.BOUND_INCREASED: "'{name}' grew from {old} to {new}",
    ChangeType.BOUND_DECREASED: "'{name}' fell from {old} to {new}",
}
_CHANGED_TEXTS = {ChangeType.DESCRIPTION_CHANGED: "description", ChangeType.DEFAULT_CHANGED: "default"}
"""What may also be new or gone, where kro says that it changed from nothing or to nothing."""

_LOWER_BOUNDS = frozenset({"minimum", "minLength", "minItems"})
_BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")


class Change(Struct, frozen=True):
    """One difference. `path` is the way through the schema, `old` and `new` are texts as kro shows them."""

    path: tuple[str, ...]
    type: ChangeType
    old: str = ""
    new: str = ""

    @property
    def kro_path(self) -> str:
        """The path as kro writes it: `.properties.spec.properties.a.type`, or `version.served`."""
        path = "".join(f".{part}" for part in self.path)
        return path.removeprefix(".") if path.startswith(".version") else path

    @property
    def kro_type(self) -> str:
        """kro's name of the change, with the bound's name in it: `MIN_LENGTH_ADDED`."""
        if not self.type.name.startswith("BOUND_"):
            return self.type.value
        words = "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in self.path[-1])
        return f"{words}_{self.type.value}"

    @property
    def description(self) -> str:
        """kro's sentence about the change."""
        label = self._name[:1].upper() + self._name[1:]
        return _DESCRIPTIONS[self.type].format(name=self._name, label=label, old=self.old, new=self.new)

    @property
    def plain(self) -> str:
        """The change in plain words."""
        what = _CHANGED_TEXTS.get(self.type)
        if what and not self.old:
            return f"the {what} {self.new} was added"
        if what and not self.new:
            return f"the {what} {self.old} was removed"
        return _PLAIN[self.type].format(name=self._name, old=self.old, new=self.new)

    @property
    def _name(self) -> str:
        return self.path[-1].rpartition(".")[2] if self.path else ""


class CompatibilityReport(Struct):
    """All differences between two CRDs, divided by whether they break existing instances."""

    breaking: list[Change] = field(default_factory=list)
    non_breaking: list[Change] = field(default_factory=list)

    @property
    def has_changes(self) -> bool:
        """Whether kro would apply the new CRD at all: without a difference it writes nothing."""
        return bool(self.breaking or self.non_breaking)

    @property
    def summary(self) -> str:
        """kro's summary: the first three breaking changes."""
        if not self.breaking:
            return "no breaking changes"
        parts = [change.description for change in self.breaking[:_SUMMARIZED]]
        if len(self.breaking) > _SUMMARIZED:
            parts.append(f"and {len(self.breaking) - _SUMMARIZED} more changes")
        return "; ".join(parts)


class CompatibilityError(ValueError):
    """Two CRDs that cannot be compared; the text is kro's where kro has one."""


def compare_crds(old: Json, new: Json) -> CompatibilityReport:
    """Return the differences between two CRDs; raise CompatibilityError unless each has one version with a schema."""
    old_versions, new_versions = _versions(old), _versions(new)
    if len(old_versions) != 1 or len(new_versions) != 1:
        raise CompatibilityError(
            "expected exactly one version in each CRD, "
            f"got {len(old_versions)} old and {len(new_versions)} new versions"
        )
    old_version, new_version = old_versions[0], new_versions[0]
    old_name, new_name = str(old_version.get("name", "")), str(new_version.get("name", ""))
    if old_name != new_name:
        return CompatibilityReport([Change(("version",), ChangeType.TYPE_CHANGED, old_name, new_name)])
    report = compare_schemas(_schema(old_version, "old", old_name), _schema(new_version, "new", new_name))
    if old_version.get("served") and not new_version.get("served"):
        report.breaking.append(Change(("version", "served"), ChangeType.TYPE_CHANGED, "true", "false"))
    if _has_status(old_version) and not _has_status(new_version):
        report.breaking.append(Change(("version", "subresources", "status"), ChangeType.PROPERTY_REMOVED))
    return report


def compare_schemas(old: Json, new: Json) -> CompatibilityReport:
    """Return the differences between two OpenAPI schemas; raise CompatibilityError if they are nested too deeply."""
    report = CompatibilityReport()
    _compare(report, (), old, new)
    return report


def _versions(crd: Json) -> list[Json]:
    spec = crd.get("spec")
    versions = spec.get("versions") if isinstance(spec, Mapping) else None
    return [version for version in versions if isinstance(version, Mapping)] if isinstance(versions, list) else []


def _schema(version: Json, side: str, name: str) -> Json:
    validation = version.get("schema")
    schema = validation.get("openAPIV3Schema") if isinstance(validation, Mapping) else None
    if not isinstance(schema, Mapping):
        raise CompatibilityError(f"{side} version {name} has no schema")
    return schema


def _has_status(version: Json) -> bool:
    subresources = version.get("subresources")
    return isinstance(subresources, Mapping) and subresources.get("status") is not None


def _compare(report: CompatibilityReport, path: tuple[str, ...], old: Json, new: Json) -> None:
    if len(path) > 2 * MAX_DEPTH:
        raise CompatibilityError(f"the schema is nested more than {MAX_DEPTH} levels deep")
    before, after = _text(old, "description"), _text(new, "description")
    if before != after:
        report.non_breaking.append(Change((*path, "description"), ChangeType.DESCRIPTION_CHANGED, before, after))
    before, after = _default(old), _default(new)
    if before != after:
        report.non_breaking.append(Change((*path, "default"), ChangeType.DEFAULT_CHANGED, before, after))
    before, after = _text(old, "type"), _text(new, "type")
    if before != after:
        report.breaking.append(Change((*path, "type"), ChangeType.TYPE_CHANGED, before, after))
        return
    _compare_patterns(report, path, _text(old, "pattern"), _text(new, "pattern"))
    for bound in _BOUNDS:
        _compare_bound(report, (*path, bound), old.get(bound), new.get(bound), lower=bound in _LOWER_BOUNDS)
    _compare_properties(report, path, old, new)
    _compare_required(report, path, old, new)
    _compare_enums(report, path, old.get("enum"), new.get("enum"))
    if before == "array":
        _compare_items(report, (*path, "items"), old.get("items"), new.get("items"))


def _compare_patterns(report: CompatibilityReport, path: tuple[str, ...], old: str, new: str) -> None:
    path = (*path, "pattern")
    if old and new and old != new:
        report.breaking.append(Change(path, ChangeType.PATTERN_CHANGED, old, new))
    elif new and not old:
        report.breaking.append(Change(path, ChangeType.PATTERN_ADDED, new=new))
    elif old and not new:
        report.non_breaking.append(Change(path, ChangeType.PATTERN_REMOVED, old))


def _compare_bound(
    report: CompatibilityReport, path: tuple[str, ...], old: object, new: object, *, lower: bool
) -> None:
    before, after = _number(old), _number(new)
    if before is None and after is not None:
        report.breaking.append(Change(path, ChangeType.BOUND_ADDED, new=_decimal(after)))
    elif before is not None and after is None:
        report.non_breaking.append(Change(path, ChangeType.BOUND_REMOVED, _decimal(before)))
    elif before is not None and after is not None and before != after:
        increased = after > before
        kind = ChangeType.BOUND_INCREASED if increased else ChangeType.BOUND_DECREASED
        changes = report.breaking if increased == lower else report.non_breaking
        changes.append(Change(path, kind, _decimal(before), _decimal(after)))


def _compare_properties(report: CompatibilityReport, path: tuple[str, ...], old: Json, new: Json) -> None:
    before, after = _properties(old), _properties(new)
    for name, schema in before.items():
        member_path = (*path, "properties", name)
        if name in after:
            _compare(report, member_path, schema, after[name])
        else:
            report.breaking.append(Change(member_path, ChangeType.PROPERTY_REMOVED))
    required = set(_names(new))
    for name, schema in after.items():
        if name in before:
            continue
        member_path = (*path, "properties", name)
        if name in required and "default" not in schema:
            change = Change(member_path, ChangeType.PROPERTY_ADDED, "required=false", "required=true")
            report.breaking.append(change)
        else:
            report.non_breaking.append(Change(member_path, ChangeType.PROPERTY_ADDED))


def _compare_required(report: CompatibilityReport, path: tuple[str, ...], old: Json, new: Json) -> None:
    path = (*path, "required")
    before, after = dict.fromkeys(_names(old)), dict.fromkeys(_names(new))
    existing, current = _properties(old), _properties(new)
    for name in after:
        if name in existing and name not in before:
            report.breaking.append(Change(path, ChangeType.REQUIRED_ADDED, new=name))
    for name in before:
        if name not in after:
            report.non_breaking.append(Change(path, ChangeType.REQUIRED_REMOVED, name))
    for name in after:
        if name in before and "default" in existing.get(name, {}) and "default" not in current.get(name, {}):
            report.breaking.append(Change(path, ChangeType.REQUIRED_DEFAULT_REMOVED, name))


def _compare_enums(report: CompatibilityReport, path: tuple[str, ...], old: object, new: object) -> None:
    if not (isinstance(old, list) and old and isinstance(new, list) and new):
        return
    path = (*path, "enum")
    before, after = _raw_values(old), _raw_values(new)
    report.breaking += [Change(path, ChangeType.ENUM_RESTRICTED, value) for value in before if value not in after]
    report.non_breaking += [Change(path, ChangeType.ENUM_EXPANDED, new=value) for value in after if value not in before]


def _compare_items(report: CompatibilityReport, path: tuple[str, ...], old: object, new: object) -> None:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        _compare(report, path, old, new)
    elif isinstance(old, Mapping):
        report.breaking.append(Change(path, ChangeType.PROPERTY_REMOVED))
    elif isinstance(new, Mapping):
        report.non_breaking.append(Change(path, ChangeType.PROPERTY_ADDED))


def _properties(schema: Json) -> dict[str, Json]:
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return {}
    return {name: member for name, member in properties.items() if isinstance(member, Mapping)}


def _names(schema: Json) -> list[str]:
    required = schema.get("required")
    return [name for name in required if isinstance(name, str)] if isinstance(required, list) else []


def _text(schema: Json, keyword: str) -> str:
    value = schema.get(keyword)
    return value if isinstance(value, str) else ""


def _default(schema: Json) -> str:
    return _raw_value(schema["default"]) if "default" in schema else ""


def _raw_value(value: object) -> str:
    """Return a value as the API server stores it: compact JSON with sorted keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _raw_values(values: Iterable[object]) -> dict[str, None]:
    return dict.fromkeys(_raw_value(value) for value in values)


def _number(value: object) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _decimal(number: float) -> str:
    """Return the shortest decimal form without an exponent, as Go's FormatFloat(f, 'f', -1, 64)."""
    text = format(Decimal(repr(number)), "f")
    return text.removesuffix(".0")
