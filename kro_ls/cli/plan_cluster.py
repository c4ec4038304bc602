"""Plans what applying files to a cluster would do, and has the API server validate what kro would apply."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kro_ls.cli.plan_inputs import Sides
from kro_ls.kro import labels
from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.render.yaml_text import to_yaml
from kro_ls.runtime.cluster.scenario import Observed
from kro_ls.runtime.nodes.node_objects import metadata_text
from kro_ls.runtime.plans.applying import applied_again, asked_objects, with_answers
from kro_ls.workspace.editions import WrittenInstance, instances_in_text
from kro_ls.workspace.gathering.instance_objects import ExternalObjects, live_instances, live_objects
from kro_ls.workspace.planning import paired

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.cli.file_check import KindSources, Options
    from kro_ls.cli.progress import Progress
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.plans.applying import Place
    from kro_ls.runtime.plans.plan import Plan
    from kro_ls.workspace.gathering.kubectl import Kubectl
    from kro_ls.workspace.planning import InstanceChange

_IN_CLUSTER: Final = "in the cluster"
_OBJECTS_AT_ONCE: Final = 50
_REQUESTS_AT_ONCE: Final = 4
_ID = labels.INSTANCE_ID


def cluster_sides(definitions: list[JsonObject], now: KindSources, options: Options, *, with_values: bool) -> Sides:
    """Return the definitions of a cluster, and what they are after the files are applied."""
    live = {f"{metadata_text(each, 'name')} {_IN_CLUSTER}": each for each in definitions}
    texts = {path: to_yaml(each) for path, each in live.items()}
    applied = Sides(now, now, options).new
    written = {each.declared.name for path in applied.paths for each in applied.served_in(path)}
    others = {path: texts[path] for path, each in live.items() if metadata_text(each, "name") not in written}
    previous = replace(now, texts=texts, declared={})
    return Sides(previous, replace(now, texts=now.texts | others, declared={}), options, with_values)


def cluster_changes(kubectl: Kubectl, definitions: list[JsonObject], sides: Sides) -> list[InstanceChange]:
    """Return the instances of a cluster and those in the files, with what the cluster has of their objects.

    Raises UnusableError.
    """
    instances: list[WrittenInstance] = []
    manifests: dict[tuple[str, str, str, str], JsonObject] = {}
    made: defaultdict[str, list[JsonObject]] = defaultdict(list)
    for definition in definitions:
        for value, manifest in live_instances(kubectl, definition):
            instances.append(WrittenInstance(_IN_CLUSTER, value))
            manifests[instances[-1].key] = manifest
        for value in live_objects(kubectl, definition, sides.old.kinds.index):
            made[as_text(as_object(as_object(value.get("metadata")).get("labels")).get(_ID))].append(value)
    written = [
        each
        for path, text in sides.new_sources.texts.items()
        for each in instances_in_text(path, text, sides.planner.kinds)
    ]
    external = ExternalObjects(kubectl, sides.new.kinds.index)
    changes = []
    for change in paired(instances, written):
        old, new = change.old, change.new
        instance = new or old
        observed = dict(_external(external, sides, instance)) if instance else {}
        live: list[JsonObject] = []
        if old is not None:
            if new is None:
                new = old
            else:
                new = WrittenInstance(new.source, applied_again(old.value, manifests[old.key], new.value))
            live = made.get(metadata_text(old.value, "uid"), [])
            observed |= _observed(live)
        changes.append(replace(change, new=new, observed=observed, live=tuple(live)))
    return changes


def _external(external: ExternalObjects, sides: Sides, instance: WrittenInstance) -> Iterator[tuple[str, Observed]]:
    """Yield the external objects of an instance that exist, by its previous and its new definition."""
    namespace = metadata_text(instance.value, "namespace") or "default"
    for served in (
        sides.old.served(instance.source, instance.value),
        sides.new.served(instance.source, instance.value),
    ):
        for id_, value in external.of(served.value if served else {}, namespace):
            yield id_, Observed((value,) if value is not None else ())


def _observed(objects: Sequence[JsonObject]) -> Mapping[str, Observed]:
    """Return the statuses of the objects of an instance, by node; those of a collection in its order."""
    found: defaultdict[str, list[tuple[int, JsonObject]]] = defaultdict(list)
    for each in objects:
        marks = as_object(as_object(each.get("metadata")).get("labels"))
        index = as_text(marks.get(labels.COLLECTION_INDEX))
        status: JsonObject = {"status": each["status"]} if each.get("status") else {}
        found[as_text(marks.get(labels.NODE_ID))].append((int(index) if index.isdecimal() else 0, status))
    return {
        id_: Observed(tuple(status for _, status in sorted(each, key=lambda pair: pair[0])))
        for id_, each in found.items()
        if any(status for _, status in each)
    }


def dry_run(kubectl: Kubectl, plan: Plan, progress: Progress) -> Plan:
    """Return a plan with the API server's answer about each object that kro would apply. Raises UnusableError."""
    asked = list(asked_objects(plan))
    batches = [asked[start : start + _OBJECTS_AT_ONCE] for start in range(0, len(asked), _OBJECTS_AT_ONCE)]
    with ThreadPoolExecutor(_REQUESTS_AT_ONCE) as pool:
        found = chain.from_iterable(pool.map(lambda batch: _answers(kubectl, batch), batches))
        answers = dict(progress.of("Asking the API server about", found, len(asked), "object"))
    return with_answers(plan, {place: text for place, text in answers.items() if text}, len(asked))


def _answers(kubectl: Kubectl, batch: list[tuple[Place, JsonObject]]) -> list[tuple[Place, str]]:
    """Return the places of objects with why each is refused; a batch that is refused is asked again in halves."""
    text = kubectl.dry_run([value for _, value in batch])
    if not text or len(batch) == 1:
        return [(place, text) for place, _ in batch]
    half = len(batch) // 2
    return [*_answers(kubectl, batch[:half]), *_answers(kubectl, batch[half:])]
