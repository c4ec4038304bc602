"""Proves a definition: nothing is wrong with it, and it renders the objects of each input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.authoring.from_manifests.input_objects import key_of, leaves
from kro_ls.openapi.json_values import as_list, as_object, copy_json
from kro_ls.rules.diagnostics import Severity
from kro_ls.runtime.apiserver.storing import stored
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.preview_data import objects_of
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.passes.results import InstanceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.authoring.from_manifests.input_objects import Key
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.diagnostics import Diagnostic
    from kro_ls.workspace.documents import Document


class Proof(Struct, frozen=True):
    """What is wrong with a definition, and how what it renders differs from the inputs; empty where all is well."""

    diagnostics: tuple[Diagnostic, ...]
    differences: tuple[str, ...]


def proved(
    document: Document, inputs: tuple[Mapping[Key, JsonObject], ...], instances: list[JsonObject], kinds: SchemaIndex
) -> Proof:
    """Return what a definition gives for the instance of each input, compared with the input."""
    found = tuple(
        each for each in document.diagnosis.diagnostics if each.severity in (Severity.ERROR, Severity.WARNING)
    )
    refused = any(each.severity is Severity.ERROR for each in found)
    if refused or not document.analysis.rgds:
        return Proof(found, ())
    rgd = document.analysis.rgds[0]
    differences = [
        each if len(inputs) == 1 else f"input {number}: {each}"
        for number, (objects, instance) in enumerate(zip(inputs, instances, strict=True), 1)
        for each in _differences(rgd, objects, instance, kinds)
    ]
    return Proof(found, tuple(differences))


def _differences(
    rgd: RgdAnalysis, objects: Mapping[Key, JsonObject], instance: JsonObject, kinds: SchemaIndex
) -> Iterator[str]:
    admission = admit_instance(rgd, instance)
    if admission.errors:
        yield f"the API server would refuse the instance: {admission.errors[0].placed_message}"
        return
    simulation = simulate(rgd, admission.instance)
    namespace = str(as_object(instance["metadata"])["namespace"])
    rendered = [value for _, value in objects_of(rgd, simulation, with_metadata=False)]
    yield from differences(objects.values(), rendered, namespace, kinds)
    if simulation.state is not InstanceState.ACTIVE:
        yield f"the preview stays {simulation.state.value}; see it with 'kro-ls preview'"


def differences(
    expected: Iterable[JsonObject], rendered: Iterable[JsonObject], namespace: str, kinds: SchemaIndex
) -> Iterator[str]:
    """Yield how rendered objects differ from expected ones, both as the API server stores them in a namespace."""
    made, wanted = _by_key(rendered, namespace, kinds), _by_key(expected, namespace, kinds)
    for key in sorted(wanted.keys() | made.keys()):
        if key not in made:
            yield f"{key} is not rendered"
        elif key not in wanted:
            yield f"{key} is rendered, and the input has none"
        elif made[key] != wanted[key]:
            yield f"{key}: {_first_difference(wanted[key], made[key])}"


def _by_key(objects: Iterable[JsonObject], namespace: str, kinds: SchemaIndex) -> dict[Key, JsonObject]:
    found = {}
    for value in objects:
        schema = kinds.find_api_version(str(value.get("apiVersion")), str(value.get("kind")))
        made = copy_json(value)
        metadata = made["metadata"]
        if schema is None or schema.namespaced:
            metadata.setdefault("namespace", namespace)
        for owner in as_list(metadata.get("ownerReferences")):
            as_object(owner).pop("uid", None)
        found[key_of(made)] = stored(made, schema)
    return found


def _first_difference(wanted: JsonObject, made: JsonObject) -> str:
    before, after = dict(leaves(wanted)), dict(leaves(made))
    for path in [*before, *after]:
        if before.get(path) != after.get(path) or (path in before) != (path in after):
            place = ".".join(map(str, path))
            return f"{place} is {after.get(path)!r}, not {before.get(path)!r}"
    return "an empty list or object differs"
