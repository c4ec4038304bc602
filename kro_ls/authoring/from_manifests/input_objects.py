"""The objects of an input: without what the API server wrote, and with the few fields that are asked of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from kro_ls.kro.identifiers import is_lower_camel_case
from kro_ls.openapi.json_values import as_object, as_text, value_at
from kro_ls.openapi.written_fields import LAST_APPLIED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue

Path: TypeAlias = "tuple[str | int, ...]"

_SERVER_METADATA: Final = frozenset(
    "managedFields uid resourceVersion creationTimestamp generation selfLink deletionTimestamp "
    "deletionGracePeriodSeconds".split()
)
_SERVER_ANNOTATIONS: Final = frozenset(
    {
        LAST_APPLIED,
        "deployment.kubernetes.io/revision",
        "pv.kubernetes.io/bind-completed",
        "pv.kubernetes.io/bound-by-controller",
    }
)

_HOOK: Final = ("metadata", "annotations", "helm.sh/hook")
"""An object that Helm makes only for `helm test` has a hook such as `test`."""


class UnusableObjectsError(ValueError):
    """The objects cannot become one definition; the text gives the reason and the remedy."""


class Key(Struct, frozen=True, order=True):
    """The identity of an object among those of an input."""

    api_version: str
    kind: str
    namespace: str
    name: str

    @property
    def group(self) -> str:
        """The API group, empty for the core one."""
        return self.api_version.rpartition("/")[0]

    def __str__(self) -> str:
        return f"{self.kind} '{self.name}'"


def key_of(value: JsonObject) -> Key:
    """Return the identity of an object as it is written."""
    metadata = as_object(value.get("metadata"))
    return Key(
        as_text(value.get("apiVersion")),
        as_text(value.get("kind")),
        as_text(metadata.get("namespace")),
        as_text(metadata.get("name")),
    )


def read_input(values: Iterable[JsonObject]) -> dict[Key, JsonObject]:
    """Return the objects of one input without server-side noise. Raises UnusableObjectsError."""
    cleaned = [without_noise(each) for each in values if not as_text(value_at(each, _HOOK)).startswith("test")]
    found: dict[Key, JsonObject] = {}
    for value in cleaned:
        key = key_of(value)
        if not is_lower_camel_case(key.kind[:1].lower() + key.kind[1:]):
            raise UnusableObjectsError(f"{key.kind!r} is no kind; a kind is a word such as Deployment")
        if not key.name:
            raise UnusableObjectsError(f"a {key.kind} has no metadata.name: kro needs the name of each object")
        if key in found and found[key] != value:
            raise UnusableObjectsError(f"{key} is there twice; give each variant with a --from of its own")
        found[key] = value
    owned = {key for key, value in found.items() if _has_controller(value, found)}
    scaled = {scaled_by(value) for key, value in found.items() if key.kind == "HorizontalPodAutoscaler"}
    return {
        key: _without_replicas(value) if (key.kind, key.name) in scaled else value
        for key, value in ((key, _with_owners(value, found)) for key, value in found.items() if key not in owned)
    }


def scaled_by(autoscaler: JsonObject) -> tuple[JsonValue, JsonValue]:
    """Return the kind and the name of what an autoscaler scales."""
    target = as_object(value_at(autoscaler, ("spec", "scaleTargetRef")))
    return target.get("kind"), target.get("name")


def _without_replicas(value: JsonObject) -> JsonObject:
    """Return an object without the field that an autoscaler writes, too: kro would put it back for ever."""
    spec = {name: inner for name, inner in as_object(value.get("spec")).items() if name != "replicas"}
    return {**value, "spec": spec}


def without_noise(value: JsonObject) -> JsonObject:
    """Return a copy of an object without its status, what the API server wrote into its metadata, and nulls."""
    made = {name: _without_nulls(inner) for name, inner in value.items() if name != "status" and inner is not None}
    metadata = as_object(made.get("metadata"))
    metadata = {name: inner for name, inner in metadata.items() if name not in _SERVER_METADATA}
    annotations = metadata.pop("annotations", None)
    kept = {name: text for name, text in as_object(annotations).items() if name not in _SERVER_ANNOTATIONS}
    return {**made, "metadata": {**metadata, **({"annotations": kept} if kept else {})}}


def _without_nulls(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def _owners(value: JsonObject) -> list[JsonObject]:
    owners = as_object(value.get("metadata")).get("ownerReferences")
    return [as_object(each) for each in owners] if isinstance(owners, list) else []


def _is_owner(key: Key, owner: JsonObject) -> bool:
    return (key.api_version, key.kind, key.name) == (owner.get("apiVersion"), owner.get("kind"), owner.get("name"))


def _has_controller(value: JsonObject, found: Iterable[Key]) -> bool:
    """Whether a controller makes the object for another one of the input, like a Deployment's ReplicaSet."""
    return any(each.get("controller") is True and any(_is_owner(key, each) for key in found) for each in _owners(value))


def _with_owners(value: JsonObject, found: Iterable[Key]) -> JsonObject:
    """Return the object with only those owners that are in the input: others have a uid of one cluster."""
    owners = _owners(value)
    if not owners:
        return value
    kept: list[JsonValue] = [each for each in owners if any(_is_owner(key, each) for key in found)]
    metadata = {**as_object(value.get("metadata")), "ownerReferences": kept}
    if not kept:
        del metadata["ownerReferences"]
    return {**value, "metadata": metadata}


def leaves(value: JsonValue, path: Path = ()) -> Iterator[tuple[Path, JsonValue]]:
    """Yield each scalar with its path."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path, value


def last_name(path: Path) -> str:
    """Return the innermost name on a path, without the indices of list items after it."""
    return next(each for each in reversed(path) if isinstance(each, str))


def pod_path(value: JsonObject) -> Path | None:
    """Return the path of the pod in a workload, None where the object makes no pods."""
    if value.get("kind") == "Pod":
        return ()
    for path in (("spec", "template"), ("spec", "jobTemplate", "spec", "template")):
        if isinstance(value_at(value, (*path, "spec", "containers")), list):
            return path
    return None
