"""What is deployed: a definition, analysed with the kinds that the cluster serves, and an instance of it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.deploying.deployment_error import DeploymentError, RefusedRequestError
from kro_ls.kro.schema_index import schema_index
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.sources.bundled import OBJECT_META, UnknownMinorError, kubernetes
from kro_ls.openapi.sources.crds.served_kinds import API_VERSION, KIND, served_kinds
from kro_ls.render.yaml_text import to_yaml
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.refusals import refusals, refused_text
from kro_ls.runtime.cluster.instance import admit_instance, instance_kind
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.runtime.nodes.compiled import CompiledGraph

    class WritesYaml(Protocol):
        """Something that writes itself as the YAML of a definition, such as a composition."""

        def to_yaml(self) -> str:
            """Return the YAML."""

    Definition: TypeAlias = str | Path | Mapping[str, Any] | WritesYaml
    """A definition as YAML text, a file of it, an object, or what writes itself as YAML."""

_MOST_TOLD = 5


class Target(Struct, frozen=True):
    """A definition that kro accepts, and an instance as the API server would store it."""

    rgd: RgdAnalysis
    graph: CompiledGraph
    definition: JsonObject
    instance: JsonObject
    written: JsonObject
    """The instance as it was given, with what kind it is."""
    kinds: SchemaIndex

    @property
    def name(self) -> str:
        """The kind and name of the instance."""
        return f"{self.instance['kind']} {as_text(as_object(self.instance['metadata']).get('name'))}"

    @property
    def namespace(self) -> str:
        """The namespace of the instance; empty for a cluster-scoped one."""
        return as_text(as_object(self.instance["metadata"]).get("namespace"))


def read_target(
    definition: Definition, instance: Mapping[str, Any], api: ClusterApi, *, named_only: bool = False
) -> Target:
    """Return a definition and an instance, ready to be deployed.

    The instance need not say of which kind it is; without a namespace it gets that of the context. One that is
    `named_only` need not be complete. Raises DeploymentError where kro would refuse the definition, or the API server
    the instance.
    """
    text = Text(_text_of(definition))
    bundled = _kinds(api, ())
    first = diagnose_text(text, schemas=bundled)
    rgd = _chosen(first, instance)
    served = tuple(_served(api, rgd, bundled))
    kinds = _kinds(api, served)
    diagnosis = diagnose_text(text, schemas=kinds) if served else first
    rgd = _chosen(diagnosis, instance)
    errors = () if named_only else refusals(diagnosis, rgd)
    if errors:
        shown = [f"  line {text.position(each.span.start).line + 1}: {each.message} [{each.code}]" for each in errors]
        raise DeploymentError("\n".join([refused_text(errors), *islice(shown, _MOST_TOLD)]))
    kind = instance_kind(rgd)
    if kind is None:
        raise DeploymentError("the definition declares no kind; write spec.schema.kind and spec.schema.apiVersion")
    metadata = dict(as_object(instance.get("metadata")))
    if kind.namespaced:
        metadata.setdefault("namespace", api.namespace)
    written: JsonObject = {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        **{name: value for name, value in instance.items() if name != "status"},
        "metadata": metadata,
    }
    admission = admit_instance(rgd, written)
    if not as_text(metadata.get("name")):
        raise DeploymentError("the instance has no name; write metadata.name")
    if admission.errors and not named_only:
        told = "\n".join(f"  {each.placed_message}" for each in islice(admission.errors, _MOST_TOLD))
        raise DeploymentError(f"the API server would refuse the instance:\n{told}")
    definition_object = as_object(rgd.rgd.document.to_python())
    return Target(rgd, compile_graph(rgd), definition_object, admission.instance, written, kinds)


def _text_of(definition: Definition) -> str:
    if isinstance(definition, str):
        return definition
    if isinstance(definition, Path):
        try:
            return definition.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DeploymentError(f"{definition}: cannot be read: {error}") from error
    if hasattr(definition, "to_yaml"):
        return definition.to_yaml()
    return to_yaml(dict(definition))


def _chosen(diagnosis: Diagnosis, instance: Mapping[str, Any]) -> RgdAnalysis:
    """Return the definition that is deployed: that of the instance's kind, else the only one."""
    found = [each for each in diagnosis.analysis.rgds if each.rgd.form.declares_kind]
    kind = instance.get("kind")
    if kind:
        found = [each for each in found if (declared := instance_kind(each)) and declared.kind == kind] or found[:1]
    if not found:
        raise DeploymentError("there is no ResourceGraphDefinition in the text; it needs one that declares a kind")
    if len(found) > 1:
        raise DeploymentError("there are several definitions in the text; write the kind of the instance into it")
    return found[0]


def _kinds(api: ClusterApi, served: Iterable[KindSchema]) -> SchemaIndex:
    try:
        bundled = kubernetes(api.minor)
    except UnknownMinorError:
        bundled = kubernetes()
    return schema_index(bundled, (_ServedKinds(served),))


class _ServedKinds:
    """The kinds of a definition that only the cluster knows."""

    def __init__(self, kinds: Iterable[KindSchema]) -> None:
        self._kinds = {each.name: each for each in kinds}

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        """Return the kind, if the cluster serves it."""
        return self._kinds.get(name)

    def names(self) -> Iterable[GroupVersionKind]:
        """Return every kind."""
        return tuple(self._kinds)


def _served(api: ClusterApi, rgd: RgdAnalysis, known: SchemaIndex) -> Iterator[KindSchema]:
    """Yield the kinds that a definition uses and that are not Kubernetes' own, as the cluster has them."""
    seen = set()
    for resource in rgd.rgd.parts:
        named = kind_name(resource)
        if named is None or named in seen or known.find_api_version(*named) is not None:
            continue
        seen.add(named)
        served = api.kind(*named)
        if served is None:
            continue
        group, _, version = named[0].rpartition("/")
        crd = None
        try:
            name: JsonObject = {"name": f"{served.plural}.{group}"}
            crd = api.find({"apiVersion": API_VERSION, "kind": KIND, "metadata": name})
        except RefusedRequestError:  # who may not read it gets a kind of which any field may be there
            pass
        scope = "Namespaced" if served.namespaced else "Cluster"
        names: JsonObject = {"plural": served.plural, "kind": named[1]}
        spec: JsonObject = {"group": group, "names": names, "scope": scope, "versions": [_open(version)]}
        yield from served_kinds(
            crd or {"apiVersion": API_VERSION, "spec": spec}, api.context, kubernetes().definition(OBJECT_META)
        )


def _open(version: str) -> JsonObject:
    return {"name": version, "served": True}
