"""What is deployed: a definition, analysed with the kinds that the cluster serves, and an instance of it."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from msgspec import Struct

from kro_ls.analysis.facts import kind_name
from kro_ls.deploying.deployment_error import DeploymentError, RefusedRequestError
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.sources.bundled import UnknownMinorError, kubernetes
from kro_ls.openapi.sources.crds.served_kinds import API_VERSION, KIND
from kro_ls.render.yaml_text import to_yaml
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.rules.refusals import refusals, refused_text
from kro_ls.runtime.cluster.instance import admit_instance, instance_kind
from kro_ls.runtime.nodes.compiled import compile_graph
from kro_ls.workspace.schemas import read_kinds
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from kro_ls.analysis.analysis import RgdAnalysis
    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.openapi.index import SchemaIndex
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.rules.diagnosis import Diagnosis
    from kro_ls.runtime.cluster.instance import InstanceKind
    from kro_ls.runtime.nodes.compiled import CompiledGraph

    class WritesYaml(Protocol):
        """Something that writes itself as the YAML of a definition, such as a composition."""

        def to_yaml(self) -> str:
            """Return the YAML."""

    Definition: TypeAlias = str | Path | Mapping[str, Any] | WritesYaml
    """A definition as YAML text, a file of it, an object, or what writes itself as YAML.

    A text may have several definitions, of which the others are used by the one that is deployed.
    """


def text_of(definition: Definition) -> str:
    """Return a definition, and those that a composition uses before it, as YAML. Raises DeploymentError."""
    return "---\n".join(dict.fromkeys(_texts(definition)))


def _texts(definition: Definition) -> Iterator[str]:
    if isinstance(definition, str):
        yield definition
    elif isinstance(definition, Path):
        try:
            yield definition.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DeploymentError(f"{definition}: cannot be read: {error}") from error
    elif hasattr(definition, "to_yaml"):
        built: Any = getattr(definition, "definition", None)
        for used in getattr(built, "uses", ()):
            yield from _texts(used)
        yield definition.to_yaml()
    else:
        yield to_yaml(dict(definition))


_MOST_SHOWN: Final = 5
_TEXT: Final = "the definition"


class Declared(Struct, frozen=True):
    """A definition, and the kind that it declares."""

    rgd: RgdAnalysis
    kind: InstanceKind

    @property
    def definition(self) -> JsonObject:
        """Its object."""
        return as_object(self.rgd.rgd.document.to_python())

    @property
    def named(self) -> tuple[str, str]:
        """The apiVersion and the name of the kind."""
        return self.kind.api_version, self.kind.kind

    def uses(self, other: Declared) -> bool:
        """Whether it makes instances of another definition, or reads them."""
        return any(kind_name(each) == other.named for each in self.rgd.rgd.parts)


class Target(Struct, frozen=True):
    """A definition that kro accepts, and an instance as the API server would store it."""

    declared: Declared
    used: tuple[Declared, ...]
    """The definitions whose instances it makes, each before those that use it."""
    instance: JsonObject
    written: JsonObject
    """The instance as it was given, with what kind it is."""
    kinds: SchemaIndex

    @property
    def rgd(self) -> RgdAnalysis:
        """The definition."""
        return self.declared.rgd

    @property
    def graph(self) -> CompiledGraph:
        """The definition, ready to run."""
        return compile_graph(self.declared.rgd)

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
    text = Text(text_of(definition))
    kinds = _kinds(api, text)
    diagnosis = diagnose_text(text, schemas=kinds)
    found = [Declared(each, kind) for each in diagnosis.analysis.rgds if (kind := instance_kind(each)) is not None]
    chosen = _chosen(found, instance)
    used = tuple(_used(chosen, found, []))
    if not named_only:
        _check(diagnosis, text, (*used, chosen))
    metadata = dict(as_object(instance.get("metadata")))
    if chosen.kind.namespaced:
        metadata.setdefault("namespace", api.namespace)
    written: JsonObject = {
        "apiVersion": chosen.kind.api_version,
        "kind": chosen.kind.kind,
        **{name: value for name, value in instance.items() if name != "status"},
        "metadata": metadata,
    }
    return Target(chosen, used, _admitted(chosen, written, named_only=named_only), written, kinds)


def inner_target(target: Target, declared: Declared, instance: JsonObject) -> Target:
    """Return an instance of a definition that another one makes. Raises DeploymentError."""
    used = tuple(each for each in target.used if each is not declared)
    return Target(
        declared, used, _admitted(declared, instance, named_only=not instance.get("spec")), instance, target.kinds
    )


def _check(diagnosis: Diagnosis, text: Text, definitions: tuple[Declared, ...]) -> None:
    """Raise DeploymentError where kro would refuse one of some definitions."""
    errors = tuple(dict.fromkeys(error for each in definitions for error in refusals(diagnosis, each.rgd)))
    if errors:
        shown = [f"  line {text.position(each.span.start).line + 1}: {each.message} [{each.code}]" for each in errors]
        raise DeploymentError("\n".join([refused_text(errors), *islice(shown, _MOST_SHOWN)]))


def _admitted(declared: Declared, written: JsonObject, *, named_only: bool) -> JsonObject:
    """Return an instance as the API server would store it. Raises DeploymentError where it would not."""
    admission = admit_instance(declared.rgd, written)
    if not as_text(as_object(written["metadata"]).get("name")):
        raise DeploymentError("the instance has no name; write metadata.name")
    if admission.errors and not named_only:
        errors = "\n".join(f"  {each.placed_message}" for each in islice(admission.errors, _MOST_SHOWN))
        raise DeploymentError(f"the API server would refuse the instance:\n{errors}")
    return admission.instance


def _chosen(found: list[Declared], instance: Mapping[str, Any]) -> Declared:
    """Return the definition that is deployed: that of the instance's kind, else the one that no other uses."""
    if not found:
        raise DeploymentError("there is no ResourceGraphDefinition in the text; it needs one that declares a kind")
    kind = instance.get("kind")
    if kind:
        return next((each for each in found if each.kind.kind == kind), found[-1])
    free = [each for each in found if not any(other.uses(each) for other in found if other is not each)]
    if len(free) != 1:
        raise DeploymentError("there are several definitions in the text; write the kind of the instance into it")
    return free[0]


def _used(declared: Declared, found: list[Declared], seen: list[Declared]) -> Iterator[Declared]:
    """Yield the definitions that one uses, perhaps through others, each after those that it uses itself."""
    for each in found:
        if each is not declared and each not in seen and declared.uses(each):
            seen.append(each)
            yield from _used(each, found, seen)
            yield each


def _kinds(api: ClusterApi, text: Text) -> SchemaIndex:
    """Return the kinds of the cluster's Kubernetes, those of the text, and others in it as the cluster has them."""
    try:
        bundled = kubernetes(api.minor)
    except UnknownMinorError:
        bundled = kubernetes()
    texts = {_TEXT: text.content}
    known = read_kinds(bundled, texts.items(), (), _refuse).index
    for definition in _served(api, text, known):
        texts[as_text(as_object(definition["metadata"]).get("name"))] = json.dumps(definition)
    return read_kinds(bundled, texts.items(), (), _refuse).index if len(texts) > 1 else known


def _refuse(error: Exception) -> None:
    raise error


def _served(api: ClusterApi, text: Text, known: SchemaIndex) -> Iterator[JsonObject]:
    """Yield the definitions of kinds that only the cluster knows; without a schema where it cannot be read."""
    seen = set()
    for resource in (each for rgd in diagnose_text(text, schemas=known).analysis.rgds for each in rgd.rgd.parts):
        named = kind_name(resource)
        if named is None or named in seen or known.find_api_version(*named) is not None:
            continue
        seen.add(named)
        served = api.kind(*named)
        if served is None:
            continue
        group, _, version = named[0].rpartition("/")
        metadata: JsonObject = {"name": f"{served.plural}.{group}"}
        try:
            found = api.find({"apiVersion": API_VERSION, "kind": KIND, "metadata": metadata})
        except RefusedRequestError:
            found = None
        spec: JsonObject = {
            "group": group,
            "names": {"plural": served.plural, "kind": named[1]},
            "scope": "Namespaced" if served.namespaced else "Cluster",
            "versions": [{"name": version, "served": True}],
        }
        yield found or {"apiVersion": API_VERSION, "kind": KIND, "metadata": metadata, "spec": spec}
