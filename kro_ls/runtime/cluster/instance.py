"""What the API server makes of an instance: it is pruned, defaulted and checked by the CRD that kro generates."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct

from kro_ls.analysis.crd.generated_crd import admitting_crd
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.rules.evaluation import rule_errors
from kro_ls.openapi.validation.admission import admit
from kro_ls.openapi.validation.field_errors import place_of
from kro_ls.openapi.validation.object_meta import metadata_errors
from kro_ls.openapi.validation.plain import plain
from kro_ls.queries.cells import cached

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.cel.evaluation.costs import Budget
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.validation.field_errors import Path


_NO_KIND = "the definition declares no kind"


class InstanceKind(Struct, frozen=True):
    """The kind that an RGD declares: its names, and the schema by which the API server checks instances."""

    api_version: str
    kind: str
    namespaced: bool
    schema: JsonObject


class InstanceError(Struct, frozen=True):
    """Why an instance is refused: the path of the field, and the API server's text; `message` is in plain words.

    An error that `is_about_others` only reports that rules were not checked because of them.
    """

    path: Path
    text: str
    message: str
    is_about_others: bool = False

    @property
    def placed_message(self) -> str:
        """The message with the place that it is about."""
        return f"{place_of(self.path)}: {self.message}" if self.path else self.message


class AdmittedInstance(Struct, frozen=True):
    """An instance as it would be stored. `unknown_fields` are the paths that were pruned from it."""

    instance: JsonObject
    unknown_fields: tuple[Path, ...] = ()
    errors: tuple[InstanceError, ...] = ()


class AmbiguousDefinitionError(ValueError):
    """None of several definitions declares the kind of the instance; the text continues after a file's name."""


def definition_for(rgds: Sequence[RgdAnalysis], kind: object) -> RgdAnalysis:
    """Return the definition that instances of a kind are of; a single one is returned whatever the kind is.

    Raises AmbiguousDefinitionError.
    """
    if len(rgds) == 1:
        return rgds[0]
    declared = {found.kind: rgd for rgd in rgds if (found := instance_kind(rgd)) is not None}
    if not isinstance(kind, str) or kind not in declared:
        raise AmbiguousDefinitionError(f"declares {', '.join(declared)}; say which by an instance of it")
    return declared[kind]


@cached
def instance_kind(rgd: RgdAnalysis) -> InstanceKind | None:
    """Return the kind of an RGD's instances, None where the RGD declares no usable one."""
    crd = admitting_crd(rgd)
    if crd is None:
        return None
    spec = crd["spec"]
    version = spec["versions"][0]
    return InstanceKind(
        f"{spec['group']}/{version['name']}",
        spec["names"]["kind"],
        spec["scope"] == "Namespaced",
        version["schema"]["openAPIV3Schema"],
    )


def admit_instance(
    rgd: RgdAnalysis, instance: JsonObject, budget: Budget | None = None, old: JsonObject | None = None
) -> AdmittedInstance:
    """Return the instance, or the edit of an `old` one, as the API server would store it, and why it would be refused.

    A namespaced instance without a namespace is in `default`. Its `uid` and the like are not filled in. A `budget` is
    what its rules may take.
    """
    kind = instance_kind(rgd)
    if kind is None:
        return AdmittedInstance(instance, (), (InstanceError((), _NO_KIND, _NO_KIND),))
    refusals = _identity_errors(instance, kind)
    if refusals:
        return AdmittedInstance(instance, (), refusals)
    admission = admit(instance, kind.schema, partial(rule_errors, budget=budget), old)
    stored = admission.defaulted
    found = (*admission.errors, *metadata_errors(stored, namespaced=kind.namespaced))
    errors = [InstanceError(each.path, each.text, plain(each), each.is_about_others) for each in found]
    metadata = as_object(stored.get("metadata"))
    if kind.namespaced and not as_text(metadata.get("namespace")):
        stored["metadata"] = {**metadata, "namespace": "default"}
    return AdmittedInstance(stored, admission.unknown_fields, tuple(errors))


def _identity_errors(instance: JsonObject, kind: InstanceKind) -> tuple[InstanceError, ...]:
    """Return why this is not an instance of the kind at all."""
    found = []
    for name, wanted in (("apiVersion", kind.api_version), ("kind", kind.kind)):
        value = instance.get(name)
        if value != wanted:
            wrong = f"must be '{wanted}'" + (f", not '{value}'" if isinstance(value, str) else "")
            message = f"'{name}' {wrong}, as in all instances of this definition"
            found.append(InstanceError((name,), message, message))
    return tuple(found)
