"""Where one object's text stands in another: names in fields of references, selectors, ports, addresses in texts.

A reference makes kro wait for what it reads, so links must not form a cycle. The sure ones come first; a guess that
would close a cycle is left as text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kro_ls.authoring.from_manifests.input_objects import leaves, pod_path
from kro_ls.authoring.from_manifests.template_text import Written, escaped, expression, member
from kro_ls.openapi.json_values import as_list, as_object, as_text, value_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kro_ls.authoring.from_manifests.draft_resources import DraftResource
    from kro_ls.authoring.from_manifests.input_objects import Path
    from kro_ls.authoring.from_manifests.naming import InstanceNames
    from kro_ls.openapi.json_values import JsonObject

_ALIASES: Final = {
    "claim": "persistentvolumeclaim",
    "volume": "persistentvolume",
    "backend": "service",
    "parent": "gateway",
    "issuer": "issuer",
    "pvc": "persistentvolumeclaim",
}
"""What words in the names of fields stand for, beside the kinds themselves."""
_SUFFIX: Final = re.compile(r"(?:Key)?(?:Names?|Refs?|Reference|Selector|Source)$")
_TEXT_FIELDS: Final = frozenset({"value", "args", "command", "data", "stringData", "url", "host", "address"})
_NOT_FOR_NAMES: Final = frozenset({"image", "kind", "apiVersion", "mountPath", "path", "labels", "matchLabels"})


class Linker:
    """Finds links between resources, without cycles."""

    def __init__(
        self, resources: Sequence[DraftResource], names: InstanceNames, known: Sequence[DraftResource] = ()
    ) -> None:
        """Start with resources that may link to each other and to `known` ones, which stay as they are."""
        self.found: dict[tuple[str, Path], Written] = {}
        """By the id of a resource and the path in its object."""
        self._resources = (*known, *resources)
        self._linking = resources
        self._names = names
        self._reads: dict[str, set[str]] = {each.id: set() for each in self._resources}

    def link(self) -> None:
        """Find all links, the sure ones first."""
        for find in (self._references, self._selectors, self._ports, self._addresses):
            for resource in self._linking:
                for path, written in find(resource):
                    key = resource.id, path
                    if key not in self.found and self._takes(resource.id, written.uses):
                        self.found[key] = written

    def order(self) -> list[DraftResource]:
        """Return the linking resources so that each stands after those that it reads, else in their own order."""
        by_id = {each.id: each for each in self._linking}
        done: dict[str, DraftResource] = {}

        def visit(id_: str) -> None:
            if id_ not in done:
                for each in sorted(self._reads[id_] & by_id.keys(), key=list(by_id).index):
                    visit(each)
                done[id_] = by_id[id_]

        for each in self._linking:
            visit(each.id)
        return list(done.values())

    def _takes(self, id_: str, uses: frozenset[str]) -> bool:
        """Add what a resource reads, unless that would close a circle."""
        waiting, seen = list(uses), set[str]()
        while waiting:
            each = waiting.pop()
            if each == id_:
                return False
            if each not in seen:
                seen.add(each)
                waiting.extend(self._reads[each])
        self._reads[id_] |= uses
        return True

    def _references(self, resource: DraftResource) -> Iterator[tuple[Path, Written]]:
        """Yield the names of other objects in fields that hold the name of an object of some kind."""
        for path, value in leaves(resource.first):
            if not isinstance(value, str) or not value or path == ("metadata", "name"):
                continue
            for kind in _kinds_named(resource.first, path):
                target = self._named(resource, path, kind)
                if target is not None:
                    yield path, expression(f"{target.id}.metadata.name", f"names {target.key}", frozenset({target.id}))
                    break
        for index, owner in enumerate(as_list(value_at(resource.first, ("metadata", "ownerReferences")))):
            kind = as_text(as_object(owner).get("kind")).lower()
            place: Path = "metadata", "ownerReferences", index
            target = self._named(resource, (*place, "name"), kind)
            if target is not None:
                code = f"{target.id}.metadata.uid"
                yield (*place, "uid"), expression(code, f"the owner is {target.key}", frozenset({target.id}))

    def _named(self, resource: DraftResource, path: Path, kind: str) -> DraftResource | None:
        """Return the resource of a kind whose name stands at a path in each input."""
        for target in self._resources:
            if (
                target is resource
                or not target.is_there_with(resource)
                or not _is_of_kind(target.key.kind, kind)
                or not self._equal(resource, path, target, ("metadata", "name"))
            ):
                continue
            if self._is_in_reach(resource, path, target):
                return target
        return None

    def _is_in_reach(self, resource: DraftResource, path: Path, target: DraftResource) -> bool:
        """Whether a name at a path is looked up in the target's namespace."""
        if not target.namespaced or path[-1] == "namespace":
            return True
        number = resource.presence.index(True)
        said = as_object(value_at(resource.first, path[:-1])).get("namespace") if len(path) > 1 else None
        where = as_text(said) or self._namespace(resource, number)
        return where == self._namespace(target, number)

    def _namespace(self, resource: DraftResource, number: int) -> str:
        own = as_text(value_at(resource.given[number], ("metadata", "namespace")))
        return own or self._names.namespaces[number]

    def _selectors(self, resource: DraftResource) -> Iterator[tuple[Path, Written]]:
        """Yield selectors that are those of one workload."""
        for path in _selector_paths(resource.first):
            wanted = as_object(value_at(resource.first, path))
            matching = [each for each in self._workloads(resource) if _selects(wanted, each.first)]
            exact = [each for each in matching if value_at(each.first, ("spec", "selector", "matchLabels")) == wanted]
            matching = exact or matching
            if not wanted or len(matching) != 1 or not self._same_in_each(resource, path, matching[0]):
                continue
            (target,) = matching
            pod = pod_path(target.first)
            # kro labels what it makes, so a Pod of its own has more labels than the template.
            labels: tuple[Path, ...] = ((*pod, "metadata", "labels"),) if pod else ()
            for place in (("spec", "selector", "matchLabels"), *labels):
                if self._equal(resource, path, target, place):
                    why = f"selects the pods of {target.key}"
                    yield path, expression(member(target.id, place), why, frozenset({target.id}))
                    break

    def _workloads(self, resource: DraftResource) -> Iterator[DraftResource]:
        number = resource.presence.index(True)
        return (
            each
            for each in self._resources
            if each is not resource
            and pod_path(each.first) is not None
            and each.is_there_with(resource)
            and self._namespace(each, number) == self._namespace(resource, number)
        )

    def _same_in_each(self, resource: DraftResource, path: Path, target: DraftResource) -> bool:
        pairs = zip(resource.given, target.given, strict=True)
        return all(
            given is None or _selects(as_object(value_at(given, path)), as_object(other)) for given, other in pairs
        )

    def _equal(self, resource: DraftResource, path: Path, target: DraftResource, place: Path) -> bool:
        pairs = zip(resource.given, target.given, strict=True)
        return all(given is None or value_at(given, path) == value_at(other, place) for given, other in pairs)

    def _ports(self, resource: DraftResource) -> Iterator[tuple[Path, Written]]:
        """Yield the ports of Services where a backend beside the Service's name repeats them."""
        for (id_, path), written in list(self.found.items()):
            targets = [each for each in self._resources if each.id in written.uses and each.key.kind == "Service"]
            if id_ != resource.id or not targets or path[-1] != "name":
                continue
            for own, field in ((("port", "number"), "port"), (("port", "name"), "name"), (("port",), "port")):
                place = (*path[:-1], *own)
                for index, port in enumerate(as_list(value_at(targets[0].first, ("spec", "ports")))):
                    source: Path = "spec", "ports", index, field
                    value = as_object(port).get(field)
                    if value and self._equal(resource, place, targets[0], source):
                        why = f"the port of {targets[0].key}"
                        yield place, expression(member(targets[0].id, source), why, written.uses)

    def _addresses(self, resource: DraftResource) -> Iterator[tuple[Path, Written]]:
        """Yield texts with the address of a Service in them."""
        services = [
            each
            for each in self._resources
            if each.key.kind == "Service" and each is not resource and each.is_there_with(resource)
        ]
        for path, value in leaves(resource.first):
            if not isinstance(value, str) or not _TEXT_FIELDS.intersection(
                each for each in path if each.__class__ is str
            ):
                continue
            for service in sorted(services, key=lambda each: -len(each.key.name)):
                written = self._address(resource, path, service)
                if written is not None:
                    yield path, written
                    break

    def _address(self, resource: DraftResource, path: Path, service: DraftResource) -> Written | None:
        texts = []
        for given, other in zip(resource.given, service.given, strict=True):
            if given is None:
                continue
            text, name = value_at(given, path), as_text(as_object(as_object(other)["metadata"]).get("name"))
            if not isinstance(text, str):
                return None
            parts = _address_in(name, is_whole=text == name).split(text)
            if len(parts) == 1:
                return None
            texts.append(parts)
        if any(each != texts[0] for each in texts):
            return None
        code = f"${{{service.id}.metadata.name}}"
        why = f"the address of {service.key}"
        return Written(code.join(map(escaped, texts[0])), why, frozenset({service.id}))


def _address_in(name: str, *, is_whole: bool) -> re.Pattern[str]:
    """Return the pattern of a host name in a text, which its surroundings identify."""
    if is_whole:
        return re.compile(re.escape(name))
    host = re.escape(name)
    return re.compile(rf"(?:(?<=://)|(?<=@)){host}(?![\w-])|(?<![\w./-]){host}(?=:\d|\.[\w-]+\.svc\b|\.svc\b)")


def _kinds_named(value: JsonObject, path: Path) -> Iterator[str]:
    """Yield the kinds, in lower case, of which a field may hold the name of an object."""
    words = [each for each in path if isinstance(each, str)]
    key = words[-1]
    if _NOT_FOR_NAMES.intersection(words[-2:]):
        return
    holder = as_object(value_at(value, path[:-1]))
    if key == "namespace":
        yield "namespace"
        return
    if key == "name" and isinstance(holder.get("kind"), str):
        yield as_text(holder["kind"]).lower()
        return
    if isinstance(path[-1], int) or key == "name":
        word = words[-1] if isinstance(path[-1], int) else words[-2] if len(words) > 1 else ""
    else:
        word = key
    stem = _SUFFIX.sub("", word).lower()
    for each in filter(None, (stem, stem.removesuffix("s"))):
        yield _ALIASES.get(each, each)


def _is_of_kind(kind: str, wanted: str) -> bool:
    return wanted == kind.lower() or (len(kind) > 5 and wanted.endswith(kind.lower()))


def _selector_paths(value: JsonObject) -> Iterator[Path]:
    kind = value.get("kind")
    if kind == "Service":
        yield ("spec", "selector")
    elif kind in ("PodDisruptionBudget", "PodMonitor"):
        yield ("spec", "selector", "matchLabels")
    elif kind == "NetworkPolicy":
        yield ("spec", "podSelector", "matchLabels")


def _selects(wanted: JsonObject, workload: JsonObject) -> bool:
    place = pod_path(workload)
    labels = as_object(value_at(workload, (*(place or ()), "metadata", "labels")))
    return place is not None and wanted.items() <= labels.items()
