"""Why the API server does not accept a CustomResourceDefinition, as far as the definition alone shows.

Server-side apply, with which kro creates it, refuses undeclared fields and values of a wrong type as well
(sigs.k8s.io/structured-merge-diff, typed), and so does kubectl. Below `items` and `additionalProperties`, which
Kubernetes does not read as schemas only, both drop unknown fields.
Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.kind_schema import CRD
from kro_ls.openapi.rules.rule_places import rule_places
from kro_ls.openapi.schema import Schema
from kro_ls.openapi.sources.crds.constraints import StructuralProblem
from kro_ls.openapi.sources.crds.definition_schema import JSON_TYPES, OPEN, SCHEMA
from kro_ls.openapi.sources.crds.structural import structural_problems
from kro_ls.openapi.validation.field_errors import go_value, place_of
from kro_ls.openapi.validation.plain import TYPE_WORDS
from kro_ls.spelling import closest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.validation.field_errors import Path


def _undeclared_fields(value: JsonValue, schema: JsonObject) -> tuple[StructuralProblem, ...]:
    """Return the fields of a value that the schema lacks, and the values that have none of its types."""
    found: list[StructuralProblem] = []
    _find(value, schema, (), found)
    return tuple(found)


def _find(value: JsonValue, schema: JsonObject, path: Path, found: list[StructuralProblem]) -> None:
    """Add the problems of a value to a list: a generator for each value would take twice as long."""
    types = _types_of(schema)
    if value is None or not types:
        return
    if not any(each in types for each in JSON_TYPES[type(value)]):
        found.append(_wrong_type(value, types, path))
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _find(item, as_object(schema.get("items")), (*path, position), found)
    elif isinstance(value, dict):
        properties, others = as_object(schema.get("properties")), as_object(schema.get("additionalProperties"))
        for name, child in value.items():
            inner = properties.get(name, others)
            if isinstance(inner, dict) and (inner or name in properties):
                if not isinstance(child, str) or inner.get("type") != "string":
                    _find(child, inner, (*path, name), found)
            elif schema.get(OPEN) is not True:
                found.append(_unknown(name, value, properties, path))


def _types_of(schema: JsonObject) -> tuple[str, ...]:
    own = schema.get("type")
    return (own,) if isinstance(own, str) else Schema(schema).types


def _unknown(name: str, holder: JsonObject, known: JsonObject, path: Path) -> StructuralProblem:
    meant = closest(name, tuple(each for each in known if each not in holder))
    is_dropped = _is_dropped(path)
    advice = (
        f"did you mean '{meant}'?" if meant else "Kubernetes ignores it" if is_dropped else "there is no such field"
    )
    whole = (*path, name)
    printed = "" if is_dropped else f".{place_of(whole)}: field not declared in schema"
    return StructuralProblem(whole, f"unknown field '{name}'; {advice}", printed, meant=meant or "")


def _is_dropped(path: Path) -> bool:
    steps = iter(path[path.index(SCHEMA) + 1 :] if SCHEMA in path else ())
    for step in steps:
        if step in ("items", "additionalProperties"):
            return True
        if step == "properties":
            next(steps, None)
    return False


def _wrong_type(value: JsonValue, types: tuple[str, ...], path: Path) -> StructuralProblem:
    name = f"'{path[-1]}'" if path and isinstance(path[-1], str) else "this"
    expected = " or ".join(TYPE_WORDS.get(each, each) for each in types)
    given = JSON_TYPES[type(value)][0]
    return StructuralProblem(path, f"{name} must be {expected}, not {TYPE_WORDS.get(given, given)}", at_value=True)


_MOST_OF_ONE_SCHEMA = 100


def definition_problems(definition: JsonObject, schema: JsonObject) -> Iterator[StructuralProblem]:
    """Yield all problems of a definition, each with the path of the field that is wrong or missing.

    `schema` is that of CustomResourceDefinitions. A field that is missing because it is misspelt is reported once.
    """
    found = list(_refusals(definition))
    if definition.get("apiVersion") == CRD.api_version:
        undeclared = _undeclared_fields(definition, schema)
        misspelt = {(*each.path[:-1], each.meant) for each in undeclared if each.meant and not each.at_value}
        found = [each for each in found if not _is_misspelt(each, misspelt)]
        reported = {each.path for each in found}
        found += (each for each in undeclared if each.path not in reported)
    yield from found


def _is_misspelt(problem: StructuralProblem, misspelt: set[Path]) -> bool:
    """Whether the missing field of a problem is there under a misspelt name."""
    path, length = problem.path, len(problem.path)
    if not problem.absent:
        return path in misspelt
    return any(each[:length] == path and each[-1] == problem.absent and len(each) <= length + 2 for each in misspelt)


def _refusals(definition: JsonObject) -> Iterator[StructuralProblem]:
    api_version = definition.get("apiVersion")
    if api_version != CRD.api_version:
        wrong = f"'{api_version}' is no longer served" if api_version else "'apiVersion' is missing"
        yield StructuralProblem(("apiVersion",), f"{wrong}; use {CRD.api_version}")
        return
    spec = definition.get("spec")
    if not isinstance(spec, dict):
        wrong = "is missing" if spec is None else "must be a mapping"
        message = f"'spec' {wrong}; it names the group, the kind and its versions"
        yield StructuralProblem(("spec",), message, "spec: Required value" if spec is None else "")
        return
    names = as_object(spec.get("names"))
    for path, holder in ((("spec", "group"), spec), (("spec", "names", "kind"), names), (("spec", "scope"), spec)):
        yield from _text_problems(path, holder)
    yield from _text_problems(("spec", "names", "plural"), names)
    scope = spec.get("scope")
    if isinstance(scope, str) and scope not in ("", "Namespaced", "Cluster"):
        message = f"'{scope}' is not a scope; expected 'Cluster' or 'Namespaced'"
        printed = f'spec.scope: Unsupported value: {go_quoted(scope)}: supported values: "Cluster", "Namespaced"'
        meant = closest(scope, ("Namespaced", "Cluster")) or ""
        yield StructuralProblem(("spec", "scope"), message, printed, meant=meant, at_value=True)
    expected = f"{names.get('plural')}.{spec.get('group')}"
    name = as_object(definition.get("metadata")).get("name")
    if names.get("plural") and spec.get("group") and name != expected:
        message = f"'metadata.name' must be '{expected}', the plural and the group"
        printed = f'metadata.name: Invalid value: {go_value(name or "")}: must be spec.names.plural+"."+spec.group'
        is_there = isinstance(name, str)
        yield StructuralProblem(
            ("metadata", "name"), message, printed, meant=expected if is_there else "", at_value=True
        )
    yield from _versions_problems(spec.get("versions"))


def _text_problems(path: Path, holder: JsonValue) -> Iterator[StructuralProblem]:
    """Check that a field is a string and not empty."""
    name = path[-1]
    value = as_object(holder).get(str(name))
    if value is None or value == "":
        place = place_of(path)
        wrong = "is missing" if value is None else "is empty"
        yield StructuralProblem(path, f"'{name}' {wrong}; a definition needs {place}", f"{place}: Required value")
    elif not isinstance(value, str):
        yield StructuralProblem(path, f"'{name}' must be a string", at_value=True)


def _versions_problems(versions: JsonValue) -> Iterator[StructuralProblem]:
    path: Path = ("spec", "versions")
    if not isinstance(versions, list) or not versions:
        message = "'versions' must be a list of at least one version"
        yield StructuralProblem(path, message, "spec.versions: Required value")
        return
    for position, version in enumerate(versions):
        yield from _text_problems((*path, position, "name"), version)
        schema = as_object(as_object(version).get("schema")).get("openAPIV3Schema")
        schema_path = (*path, position, "schema", "openAPIV3Schema")
        if schema is None:
            printed = f"{place_of(schema_path)}: Required value"
            yield StructuralProblem(schema_path, "this version has no schema; it needs schema.openAPIV3Schema", printed)
            continue
        for problem in islice(_schema_problems(schema), _MOST_OF_ONE_SCHEMA):
            whole = (*schema_path, *problem.path)
            printed = _answer(schema_path, problem.printed)
            yield replace(problem, path=whole, printed=printed)
    stored = sum(as_object(version).get("storage") is True for version in versions)
    if stored != 1:
        printed = "spec.versions: Invalid value: must have exactly one version marked as storage version"
        message = f"exactly one version needs 'storage: true'; {stored or 'none'} {'have' if stored > 1 else 'has'} it"
        yield StructuralProblem(path, message, printed, absent="storage")


def _schema_problems(schema: JsonValue) -> Iterator[StructuralProblem]:
    """Yield all problems of a schema. Rules are checked where nothing else is wrong, as in a cluster."""
    problem = None
    for problem in structural_problems(schema):
        yield problem
    if problem is None and next(rule_places(as_object(schema)), None):
        from kro_ls.openapi.sources.crds.rule_problems import rule_problems  # few definitions have rules

        yield from rule_problems(as_object(schema))


def _answer(schema: Path, printed: str) -> str:
    """Return the API server's answer about a schema; its warnings name no place."""
    return f"{place_of(schema)}.{printed}" if printed and not printed.startswith("unrecognized") else printed
