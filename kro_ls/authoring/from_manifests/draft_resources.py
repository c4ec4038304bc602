"""The resources of a draft: the same object in each input, its id, how it differs between the inputs, and its entry.

An object that only some of the inputs have depends on a field; those that belong together share it. A workload that an
autoscaler scales in some of the inputs becomes two variants: one with `replicas`, and one without.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError, last_name, scaled_by
from kro_ls.authoring.from_manifests.naming import aligned_names, replaced, without_hash
from kro_ls.authoring.from_manifests.template_text import Written
from kro_ls.kro.identifiers import is_resource_id, to_lower_camel_case
from kro_ls.openapi.json_values import value_at
from kro_ls.openapi.readiness import signs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kro_ls.authoring.from_manifests.input_objects import Key, Path
    from kro_ls.authoring.from_manifests.naming import InstanceNames
    from kro_ls.authoring.from_manifests.template_text import Template
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.openapi.kind_schema import KindSchema


_SHORT: Final = {
    "HorizontalPodAutoscaler": "autoscaler",
    "PersistentVolumeClaim": "claim",
    "PersistentVolume": "volume",
    "PodDisruptionBudget": "disruptionBudget",
    "CustomResourceDefinition": "crd",
    "Namespace": "appNamespace",
    "MutatingWebhookConfiguration": "mutatingWebhook",
    "ValidatingWebhookConfiguration": "validatingWebhook",
}
"""Ids of kinds whose name is long or reserved."""


class Variant(Struct, frozen=True):
    """A field that one of two variants of a resource has: its path, the inputs that have it, and those of both.

    `instead` is the resource that the other variant comes with, which decides about both.
    """

    path: Path
    has_field: bool
    having: tuple[bool, ...]
    among: tuple[bool, ...]
    instead: DraftResource | None = None


class DraftResource(Struct, frozen=True, eq=False):
    """One object in each of the inputs, None in those that lack it, and its id in the definition."""

    id: str
    key: Key
    """The identity in the first input that has it."""
    given: tuple[JsonObject | None, ...]
    namespaced: bool
    word: str
    """What the name adds to that of the instance, in lower camel case."""
    variants: tuple[Variant, ...] = ()
    """By which fields it differs from resources that are the same object in other inputs."""

    @property
    def presence(self) -> tuple[bool, ...]:
        """Which inputs have it."""
        return tuple(each is not None for each in self.given)

    @property
    def whole_presence(self) -> tuple[bool, ...]:
        """Which inputs have it or another variant of it."""
        return self.variants[0].among if self.variants else self.presence

    @property
    def first(self) -> JsonObject:
        """The object in the first input that has it."""
        return next(each for each in self.given if each is not None)

    def is_there_with(self, other: DraftResource) -> bool:
        """Whether each input that has the other one has this one, too."""
        return all(mine or not theirs for mine, theirs in zip(self.presence, other.presence, strict=True))


def divided(
    resource: DraftResource, path: Path, instead: DraftResource | None = None
) -> tuple[DraftResource, DraftResource]:
    """Return two variants of a resource: for the inputs that have a field, and for those that lack it.

    `instead` is the resource that these have instead, if there is one.
    """
    having = tuple(each is not None and value_at(each, path) is not None for each in resource.given)
    word = to_lower_camel_case(last_name(path)) or "field"
    made = []
    for has_field in (True, False):
        given = tuple(each if has is has_field else None for each, has in zip(resource.given, having, strict=True))
        variant = Variant(path, has_field, having, resource.presence, instead)
        suffix = "With" if has_field else "Without"
        id_ = f"{resource.id}{suffix}{word[0].upper()}{word[1:]}"
        made.append(replace(resource, id=id_, given=given, variants=(*resource.variants, variant)))
    return made[0], made[1]


def aligned(
    inputs: Sequence[Mapping[Key, JsonObject]], names: InstanceNames, namespaced: Mapping[Key, bool]
) -> tuple[DraftResource, ...]:
    """Return the resources in the order of the inputs. Raises UnusableObjectsError for two with one identity."""
    found: dict[tuple[str, str, str], list[tuple[Key, JsonObject] | None]] = {}
    for number, objects in enumerate(inputs):
        for key, value in objects.items():
            own = key.namespace not in ("", names.namespaces[number])
            place = f"{key.group}/{key.kind}", aligned_names(key, names.names[number]), (own and key.namespace) or ""
            row = found.setdefault(place, [None] * len(inputs))
            if row[number] is not None:
                raise UnusableObjectsError(f"{key} is there twice; give each variant with a --from of its own")
            row[number] = key, value
    rows = [next(each for each in row if each)[0] for row in found.values()]
    ids = _ids(rows, names.names[0])
    return tuple(
        DraftResource(
            id_,
            key,
            tuple(each[1] if each else None for each in row),
            namespaced[key],
            _word(key, names.names[0]),
        )
        for id_, key, row in zip(ids, rows, found.values(), strict=True)
    )


def _ids(keys: Sequence[Key], instance: str) -> list[str]:
    """Return an id for each object: its kind, and what its name adds where there are several of the kind."""
    kinds = Counter(key.kind for key in keys)
    taken: set[str] = set()
    found = []
    for key in keys:
        kind = id_of_kind(key.kind)
        word = _word(key, instance)
        if kinds[key.kind] > 1 and word:
            kind = joined(word, kind)
        number, base = 1, kind if is_resource_id(kind) else f"{kind}Object"
        while (id_ := base if number == 1 else f"{base}{number}") in taken or not is_resource_id(id_):
            number += 1
        taken.add(id_)
        found.append(id_)
    return found


def id_of_kind(kind: str) -> str:
    """Return the id of the only resource of a kind."""
    return _SHORT.get(kind) or _lower_first(kind)


def _word(key: Key, instance: str) -> str:
    own = replaced(without_hash(key), instance, "") if instance else without_hash(key)
    return to_lower_camel_case(own) or ""


def joined(word: str, kind: str) -> str:
    """Return `redisService` for `redis` and `service`, and for `redisService` and `service`."""
    return word if word.lower().endswith(kind.lower()) else word + kind[0].upper() + kind[1:]


def _lower_first(kind: str) -> str:
    """Return a kind in lower camel case: `APIService` is `apiService`."""
    upper = len(kind) - len(kind.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    cut = upper if upper in (1, len(kind)) else upper - 1
    return kind[:cut].lower() + kind[cut:]


_REPLICAS: Final = ("spec", "replicas")


def with_scaled_apart(resources: Sequence[DraftResource]) -> list[DraftResource]:
    """Return resources of which those are two variants that are scaled where they have no replicas of their own.

    A template with the replicas would put them back for ever in the instances that have the autoscaler.
    """
    scalers = [each for each in resources if each.key.kind == "HorizontalPodAutoscaler"]
    return [part for each in resources for part in _parts(each, scalers)]


def _parts(resource: DraftResource, scalers: Sequence[DraftResource]) -> Iterator[DraftResource]:
    for scaler in scalers:
        scaled = [_scales(one, other) for one, other in zip(scaler.given, resource.given, strict=True)]
        own = [value_at(each, _REPLICAS) is not None for each in resource.given]
        is_either = all(one != other for one, other in zip(scaled, own, strict=True))
        if any(scaled) and any(own) and is_either and tuple(scaled) == scaler.presence:
            yield from divided(resource, _REPLICAS, scaler)
            return
    yield resource


def _scales(scaler: object, other: object) -> bool:
    """Whether an autoscaler of an input scales an object of it; each is None where the input lacks it."""
    if not isinstance(scaler, dict) or not isinstance(other, dict):
        return False
    return scaled_by(scaler) == (other.get("kind"), value_at(other, ("metadata", "name")))


def condition_groups(resources: Sequence[DraftResource], links: Mapping[tuple[str, Path], Written]) -> dict[str, str]:
    """Return the name of the group of each conditional resource, by its id.

    Resources belong together if the same inputs have them, and one refers to the other or they share a word in their
    names: a cache with its Service.
    """
    reads = {(id_, used) for (id_, _), written in links.items() for used in written.uses}
    groups: list[list[DraftResource]] = []
    for each in (one for one in resources if not all(one.whole_presence)):
        near = [group for group in groups if any(_belong_together(each, other, reads) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(one for group in near for one in group), each])
    names: dict[str, list[DraftResource]] = {}
    for group in groups:
        name = _name(group)
        names[name if name not in names else f"{group[0].id}{len(names) + 1}"] = group
    return {each.id: name for name, group in names.items() for each in group}


def _belong_together(one: DraftResource, other: DraftResource, reads: set[tuple[str, str]]) -> bool:
    if one.whole_presence != other.whole_presence:
        return False
    if one.key == other.key:
        return True
    has_same_word = bool(one.word) and one.word == other.word
    return has_same_word or (one.id, other.id) in reads or (other.id, one.id) in reads


def _name(group: Sequence[DraftResource]) -> str:
    """Return the word that their names share, else the id of the first."""
    words = {each.word for each in group}
    return words.pop() if len(words) == 1 and len(group) > 1 and words != {""} else group[0].id


_MOUNTED: Final = "PersistentVolumeClaim"
"""A claim is often bound only when a pod uses it: what waits for it would wait for ever."""


class DraftNode(Struct, frozen=True):
    """An entry of `spec.resources`; `why` explains it. `for_each` has the iterator and what it goes over."""

    id: str
    template: Template
    why: str = ""
    for_each: tuple[str, Written] | None = None
    include_when: tuple[Written, ...] = ()
    ready_when: Written | None = None


def readiness(resource: DraftResource, schema: KindSchema | None, variable: str) -> Written | None:
    """Return the condition under which an object of the kind is ready, None where there is nothing to wait for."""
    key = resource.key
    if key.kind == _MOUNTED:
        return None
    given = [each for each in resource.given if each is not None]
    for sign in signs_of(key.group, key.kind, schema):
        if sign.only_with and any(value_at(each, sign.only_with[:-1]) != sign.only_with[-1] for each in given):
            continue
        if "eplicas" in sign.expression and any(value_at(each, _REPLICAS) == 0 for each in given):
            continue  # Kubernetes leaves out counts of zero, so it never comes
        article = "an" if key.kind[0] in "AEIO" else "a"
        why = f"{article} {key.kind} is ready when it {sign.means}"
        return Written(f"${{{sign.expression.replace('{x}', variable)}}}", why)
    return None


def written_in(template: Template, path: Path = ()) -> Iterator[tuple[Path, Written]]:
    """Yield the texts with expressions in a template."""
    if isinstance(template, dict):
        for name, inner in template.items():
            yield from written_in(inner, (*path, name))
    elif isinstance(template, list):
        for index, inner in enumerate(template):
            yield from written_in(inner, (*path, index))
    elif isinstance(template, Written):
        yield path, template


def mapped(template: Template, change: Callable[[Template], Template]) -> Template:
    """Return a template with another value for each of its scalars."""
    if isinstance(template, dict):
        return {name: mapped(inner, change) for name, inner in template.items()}
    if isinstance(template, list):
        return [mapped(inner, change) for inner in template]
    return change(template)
