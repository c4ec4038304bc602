"""What keeps the API server from accepting a CustomResourceDefinition, as far as the definition alone tells.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.golang.quoting import go_quoted
from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.sources.crds.structural import StructuralProblem, structural_problems
from kro_ls.openapi.validation.field_errors import go_value, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.sources.crds.structural import Path

_MOST_OF_ONE_SCHEMA = 100


def definition_problems(definition: JsonObject) -> Iterator[StructuralProblem]:
    """Everything wrong with a definition, each with the path of the field that is wrong or missing."""
    api_version = definition.get("apiVersion")
    if api_version != "apiextensions.k8s.io/v1":
        wrong = f"'{api_version}' is no longer served" if api_version else "'apiVersion' is missing"
        yield StructuralProblem(("apiVersion",), f"{wrong}; use apiextensions.k8s.io/v1")
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
        yield StructuralProblem(("spec", "scope"), message, printed)
    expected = f"{names.get('plural')}.{spec.get('group')}"
    name = as_object(definition.get("metadata")).get("name")
    if names.get("plural") and spec.get("group") and name != expected:
        message = f"'metadata.name' must be '{expected}', the plural and the group"
        printed = f'metadata.name: Invalid value: {go_value(name or "")}: must be spec.names.plural+"."+spec.group'
        yield StructuralProblem(("metadata", "name"), message, printed)
    yield from _versions_problems(spec.get("versions"))


def _text_problems(path: Path, holder: JsonValue) -> Iterator[StructuralProblem]:
    """A field that has to be a string that is not empty."""
    name = path[-1]
    value = as_object(holder).get(str(name))
    if value is None or value == "":
        place = place_of(path)
        wrong = "is missing" if value is None else "is empty"
        yield StructuralProblem(path, f"'{name}' {wrong}; a definition needs {place}", f"{place}: Required value")
    elif not isinstance(value, str):
        yield StructuralProblem(path, f"'{name}' must be a string")


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
        for problem in islice(structural_problems(schema), _MOST_OF_ONE_SCHEMA):
            whole = (*schema_path, *problem.path)
            printed = f"{place_of(schema_path)}.{problem.printed}" if problem.printed else ""
            yield StructuralProblem(whole, problem.message, printed)
    stored = sum(as_object(version).get("storage") is True for version in versions)
    if stored != 1:
        printed = "spec.versions: Invalid value: must have exactly one version marked as storage version"
        message = f"exactly one version needs 'storage: true'; {stored or 'none'} {'have' if stored > 1 else 'has'} it"
        yield StructuralProblem(path, message, printed)
