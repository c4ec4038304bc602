"""What keeps the API server from accepting a CustomResourceDefinition, as far as the definition alone tells.

Source: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go. Messages keep its words.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.sources.crds.structural import StructuralProblem, structural_problems

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kro_ls.openapi.sources.crds.structural import Path

_MOST_OF_ONE_SCHEMA = 100


def definition_problems(definition: JsonObject) -> Iterator[StructuralProblem]:
    """Everything wrong with a definition, each with the path of the field that is wrong or missing."""
    api_version = definition.get("apiVersion")
    if api_version != "apiextensions.k8s.io/v1":
        wrong = f"{api_version} is not served any more" if api_version else "apiVersion: Required value"
        message = f"{wrong}: use apiextensions.k8s.io/v1"
        yield StructuralProblem(("apiVersion",), message)
        return
    spec = definition.get("spec")
    if not isinstance(spec, dict):
        yield StructuralProblem(("spec",), "spec: Required value: a CustomResourceDefinition needs a mapping `spec`")
        return
    names = as_object(spec.get("names"))
    for path, holder in ((("spec", "group"), spec), (("spec", "names", "kind"), names), (("spec", "scope"), spec)):
        yield from _text_problems(path, holder)
    yield from _text_problems(("spec", "names", "plural"), names)
    scope = spec.get("scope")
    if isinstance(scope, str) and scope not in ("", "Namespaced", "Cluster"):
        message = f'Unsupported value: "{scope}": supported values: "Cluster", "Namespaced"'
        yield StructuralProblem(("spec", "scope"), message)
    expected = f"{names.get('plural')}.{spec.get('group')}"
    if names.get("plural") and spec.get("group") and as_object(definition.get("metadata")).get("name") != expected:
        message = f'must be spec.names.plural+"."+spec.group, which is {expected}'
        yield StructuralProblem(("metadata", "name"), message)
    yield from _versions_problems(spec.get("versions"))


def _text_problems(path: Path, holder: JsonValue) -> Iterator[StructuralProblem]:
    """A field that has to be a string that is not empty."""
    name = path[-1]
    value = as_object(holder).get(str(name))
    if value is None or value == "":
        needed = ".".join(map(str, path))
        yield StructuralProblem(path, f"{name}: Required value: a CustomResourceDefinition needs {needed}")
    elif not isinstance(value, str):
        yield StructuralProblem(path, f"{name} has to be a string")


def _versions_problems(versions: JsonValue) -> Iterator[StructuralProblem]:
    path: Path = ("spec", "versions")
    if not isinstance(versions, list) or not versions:
        message = "versions: Required value: a CustomResourceDefinition needs a list of at least one version"
        yield StructuralProblem(path, message)
        return
    for position, version in enumerate(versions):
        yield from _text_problems((*path, position, "name"), version)
        schema = as_object(as_object(version).get("schema")).get("openAPIV3Schema")
        schema_path = (*path, position, "schema", "openAPIV3Schema")
        if schema is None:
            message = "Required value: schemas are required: this version has no schema.openAPIV3Schema"
            yield StructuralProblem(schema_path, message)
            continue
        for problem in islice(structural_problems(schema), _MOST_OF_ONE_SCHEMA):
            yield StructuralProblem((*schema_path, *problem.path), problem.message)
    if sum(as_object(version).get("storage") is True for version in versions) != 1:
        yield StructuralProblem(path, "must have exactly one version marked as storage version")
