"""Asks kro and kro-ls about generated Graphs: `python -m tests.differential.graphs --cases N --seed S`. Needs Go.

Compared are: whether it is accepted, and the order and dependencies of its nodes and those of child graphs.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

from kro_ls.analysis.analysis import RgdAnalysis
from kro_ls.graphs import child_graphs
from kro_ls.kro.versions.version import NEXT
from kro_ls.openapi.json_values import copy_json
from kro_ls.rules.diagnosis import Diagnosis, diagnose_text
from kro_ls.rules.diagnostics import Severity
from kro_ls.rules.settings import Settings
from kro_ls.runtime.graphs.simulation import graph_object
from kro_ls.runtime.graphs.walk import GraphCluster, SoftReason, Walk
from kro_ls.runtime.nodes.budget import PreviewBudget
from kro_ls.runtime.nodes.compiled import CompiledNode
from kro_ls.runtime.nodes.node_objects import identity
from kro_ls.runtime.passes.results import NodeState
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import to_python
from kro_ls.yaml_positions.text import Text
from tests.oracle.oracle import ROOT, Case, ask
from tests.rules.graphs import ACCEPTED, REFUSED, graph

VERSION = "0.10.dev"
RECORDED = ROOT / "tests" / "conformance" / "recorded" / VERSION / "graphs.jsonl"

Object: TypeAlias = dict[str, Any]

_TEXTS = (
    "x",
    "a-b",
    "${{{0}.metadata.name}}",
    "${{{0}.metadata.name + '-x'}}",
    "p-${{{0}.metadata.name}}",
    "${{string(size({1}))}}",
    "${{{0}.metadata.namespace}}",
    "${{{2}.text}}",
    "${{{2}.inner.text}}",
    "${{string({2}.number)}}",
    "${{{2}.list[0]}}",
    "${{has({0}.metadata.labels) ? 'a' : 'b'}}",
    "${{{3}.{0}.metadata.name}}",
    "${{{1}.map(e, e.metadata.name).join('-')}}",
    "${{{0}.?data.?x.orValue('none')}}",
)
_BAD = (
    "${{{0}.metadata.nam}}",
    "${{{2}.tex}}",
    "${{{2}.number}}",
    "${{nobody.x}}",
    "${{{0}.}}",
    "${{size({0})}}",
    "${{{1}.metadata.name}}",
    "${{",
    "${{schema.spec.x}}",
    "${{len({0})}}",
    "${{{4}.metadata.name}}",
    "${{{0}.metadata.name + {5}.metadata.name}}",
    "${{1}}",
    "${{each.metadata.name}}",
    "${{{3}}}",
    "${{{5}}}",
    "${{string({0})}}",
    "${{{2}.list[0] + 1}}",
    "${{omit()}}",
)
_CONDITIONS = (
    "${{{0}.metadata.name != ''}}",
    "${{{2}.flag}}",
    "${{true}}",
    "${{size({1}) > 0}}",
    "${{{0}.?data.?x.hasValue()}}",
)
_BAD_CONDITIONS = (
    "${{{3}}}",
    "${{{5}.metadata}}",
    "${{{0}.metadata.name}}",
    "${{1}}",
    "x",
    "${{{0}.?data.?x.optMap(v, v == 'a')}}",
    "${{{2}.text}}",
    "a-${{true}}",
)
_LISTS = (
    "${{['a', 'b']}}",
    "${{{2}.list}}",
    "${{{1}.map(e, e.metadata.name)}}",
    "${{lists.range(2).map(n, string(n))}}",
    "${{{2}.rows}}",
)
_BAD_LISTS = (
    "${{{3}}}",
    "${{{5}}}",
    "${{{2}}}",
    "${{'a'}}",
    "${{{0}.metadata.name}}",
    "${{{2}.text}}",
    "x",
)
_FIRST: tuple[Object, ...] = (
    {
        "id": "one",
        "template": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"x": "a"}},
    },
    {
        "id": "many",
        "ref": {"apiVersion": "v1", "kind": "Secret", "metadata": {"selector": {"matchLabels": {"tier": "web"}}}},
    },
    {"id": "data", "def": {"text": "word", "number": 3, "flag": True, "list": ["a", "b"], "inner": {"text": "in"}}},
    {"id": "below", "graph": {"nodes": [{"id": "one", "def": {"metadata": {"name": "deep"}}}]}},
)
_IDS = "alpha beta Gamma delta omega kappa sigma".split()


class _Frame:
    """The names that expressions of one graph can use, by what they are; more of them outside of a child graph."""

    def __init__(self, random: Random, outer: _Frame | None) -> None:
        self.random = random
        self.outer = outer
        self.names: dict[str, list[str]] = {"object": [], "list": [], "def": [], "graph": [], "patch": []}

    def pick(self, kind: str) -> str:
        known = self.names[kind]
        if self.outer and (not known or self.random.random() < 0.35):
            return self.outer.pick(kind)
        if not known or self.random.random() < 0.03:
            known = [name for each in self.names.values() for name in each] or ["nobody"]
        return self.random.choice(known)

    def text(self, good: tuple[str, ...], bad: tuple[str, ...], share: float = 0.015) -> str:
        chosen = self.random.choice(bad if self.random.random() < share else good)
        other = self.outer.pick("object") if self.outer else self.pick("object")
        kinds = ("object", "list", "def", "graph", "patch")
        return chosen.format(*map(self.pick, kinds), other)


def generate(random: Random) -> Object:
    """Return a Graph."""
    spec: Object = {"nodes": _nodes(random, None, 0)}
    if random.random() < 0.1:
        spec["serviceAccountName"] = random.choice(["robot", "robot", "Robot"])
    metadata = {"name": "made", "namespace": "space"}
    return {"apiVersion": "kro.run/v1alpha1", "kind": "Graph", "metadata": metadata, "spec": spec}


def _nodes(random: Random, outer: _Frame | None, depth: int) -> list[Object]:
    frame = _Frame(random, outer)
    nodes = []
    if depth == 0 and random.random() < 0.9:
        nodes = [*json.loads(json.dumps(_FIRST))]
        for each, kind in zip(_FIRST, ("object", "list", "def", "graph"), strict=True):
            frame.names[kind].append(str(each["id"]))
    for number in range(random.randint(1, 5 if depth == 0 else 3)):
        used = [name for each in frame.names.values() for name in each]
        free = [name for name in _IDS if name not in used] or ["more"]
        id_ = random.choice(free if random.random() < 0.99 else _IDS)
        if random.random() < 0.01:
            id_ = random.choice(["self", "a-b", "schema", "graph", "resource", "instance"])
        nodes.append(_node(random, frame, id_, depth, number))
    if random.random() < 0.4:
        random.shuffle(nodes)
    return nodes


def _node(random: Random, frame: _Frame, id_: str, depth: int, number: int) -> Object:
    forms = ["template"] * 5 + ["def"] * 3 + ["ref"] * 2 + ["patch"] + ["graph"] * (2 if depth < 2 else 0)
    form = random.choice(forms)
    node: Object = {"id": id_}
    iterators: list[str] = []
    if form in ("template", "def", "patch") and random.random() < 0.25:
        iterators = random.sample(["item1", "each2", "row"], random.choice([1, 1, 2]))
        if random.random() < 0.02:
            iterators = [random.choice([*_IDS, "each", "a b"])]
        node["forEach"] = [{name: frame.text(_LISTS, _BAD_LISTS)} for name in iterators]
    if (form != "graph" and random.random() < 0.25) or random.random() < 0.01:
        node["includeWhen"] = [frame.text(_CONDITIONS, _BAD_CONDITIONS)]
    own = "list" if iterators else "object"
    if form == "ref":
        node["ref"], own = _reference(random, frame)
    elif form == "graph":
        node["graph"] = {"nodes": _nodes(random, frame, depth + 1)}
        own = "graph"
    elif form == "def":
        node["def"] = _data(random, frame, iterators)
        own = "list" if iterators else "def"
    else:
        node[form] = _object(random, frame, f"{id_.lower()}-{number}-{depth}", iterators, is_patch=form == "patch")
        own = "patch" if form == "patch" else own
    if form not in ("graph", "patch") and random.random() < 0.2:
        value = "each" if own == "list" and random.random() < 0.8 else id_
        conditions = {"def": ["has({0}.flag)", "{0}.number > 1"]}.get(
            form, ["{0}.metadata.name != ''", "has({0}.metadata.labels)"]
        )
        if random.random() < 0.03:
            value = frame.pick("object")
        node["readyWhen"] = [f"${{{random.choice(conditions).format(value)}}}"]
    frame.names[own].append(id_)
    if random.random() < 0.01:
        node[random.choice(["patch", "unknown", "def"])] = {"x": "y"}
    return node


def _name(random: Random, frame: _Frame, base: str, iterators: list[str]) -> str:
    if iterators:
        used = iterators if random.random() < 0.98 else iterators[1:]
        return "-".join([base, *(f"${{string({name})}}" for name in used)])
    if random.random() < 0.3:
        return f"{base}-{frame.text(_TEXTS, _BAD)}"
    return base


def _object(random: Random, frame: _Frame, name: str, iterators: list[str], *, is_patch: bool) -> Object:
    metadata: Object = {"name": _name(random, frame, name, iterators)}
    value: Object = {
        "apiVersion": "v1",
        "kind": random.choice(["ConfigMap", "ConfigMap", "Secret", "Service"]),
        "metadata": metadata,
    }
    field = {"ConfigMap": "data", "Secret": "stringData", "Service": "spec"}[value["kind"]]
    keys = {"Service": ["clusterIP", "type"]}.get(value["kind"], ["x", "y"])
    if random.random() < 0.8 or is_patch:
        value[field] = {key: frame.text(_TEXTS, _BAD) for key in random.sample(keys, random.randint(1, 2))}
        if iterators and random.random() < 0.5:
            value[field][keys[0]] = f"${{string({random.choice(iterators)})}}"
    if random.random() < 0.2:
        metadata["labels"] = {"l": frame.text(_TEXTS, _BAD)}
    if random.random() < 0.1:
        metadata["namespace"] = random.choice(["space", "other", "${'oth' + 'er'}"])
    if is_patch and random.random() < 0.3:
        value.pop(field)
        value["status"] = {"phase": "x"}
        value["kind"] = "Namespace"
        metadata.pop("namespace", None)
        metadata.pop("labels", None)
    if is_patch and not iterators and random.random() < 0.5:
        metadata["name"] = "there"
    if is_patch and iterators and random.random() < 0.5:
        chosen = random.sample(["ConfigMap", "Secret", "Nothing", ""], 2)
        value["kind"] = f"${{string({iterators[0]}) in ['a', '0'] ? '{chosen[0]}' : '{chosen[1]}'}}"
        value.pop(field, None)
        metadata["labels"] = {"l": "x"}
    elif random.random() < 0.05:
        value["kind"] = "${" + f"{frame.pick('def')}.kind" + "}"
    if random.random() < 0.015:
        value.pop(random.choice(["kind", "apiVersion", "metadata"]))
    if random.random() < 0.015:
        value[random.choice(["dat", "spec"])] = {"x": 1}
    if random.random() < 0.01:
        value.update(kind="Namespace", metadata={**metadata, "namespace": "x"})
    return value


def _reference(random: Random, frame: _Frame) -> tuple[Object, str]:
    named = random.random() < 0.6
    metadata: Object = {"name": random.choice(["there", "there", "absent", "t${'here'}", frame.text(_TEXTS, _BAD)])}
    if not named:
        metadata = {"selector": {"matchLabels": {"tier": random.choice(["web", "${'we' + 'b'}", "none"])}}}
    if random.random() < 0.2:
        metadata["namespace"] = random.choice(["space", "other"])
    if random.random() < 0.02:
        metadata = random.choice([{}, {"name": "x", "selector": {}}, {"name": ""}])
    kind = random.choice(["ConfigMap", "Secret", "Nothing"] if random.random() < 0.03 else ["ConfigMap", "Secret"])
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata}, "object" if named else "list"


def _data(random: Random, frame: _Frame, iterators: list[str]) -> Object:
    value: Object = {
        "text": "word",
        "number": 3,
        "flag": True,
        "list": ["a", "b"],
        "inner": {"text": "in"},
        "kind": "ConfigMap",
    }
    for key in random.sample(list(value), random.randint(0, 2)):
        value[key] = random.choice(
            [frame.text(_TEXTS, _BAD), {"text": "z"}, ["q"], 1.5, None, [], [1, "a"], [{"a": 1}, {"a": 2}], {}]
        )
    if random.random() < 0.3:
        value["rows"] = [{"name": "r1"}, {"name": "r2"}]
    if iterators and random.random() < 0.7:
        value["text"] = f"${{string({iterators[0]})}}"
    return value


def cluster() -> list[Object]:
    """Return the objects that a cluster has before."""
    found = []
    for kind in ("ConfigMap", "Secret"):
        for namespace in ("space", "other"):
            for name, labels in (("there", {}), ("web1", {"tier": "web"}), ("web2", {"tier": "web"})):
                metadata = {"name": name, "namespace": namespace, **({"labels": labels} if labels else {})}
                found.append({"apiVersion": "v1", "kind": kind, "metadata": metadata})
    return found


def differences(case: Object, answer: Case) -> Iterator[tuple[str, str]]:
    """Yield what differs: a word for it, and the details."""
    found = diagnosed(case)
    errors = [f"{each.code}: {each.message}" for each in found.diagnostics if each.severity is Severity.ERROR]
    if answer["accepted"] is bool(errors):
        theirs = [answer.get(name) for name in ("admissionErrors", "unknownFields", "errors") if answer.get(name)]
        yield "accepted", f"ours {errors}, theirs {theirs}"
    elif answer["accepted"]:
        ours = dict(_frames("", found.analysis.rgds[0]))
        theirs_by_path = answer["frames"]
        for path in {*ours, *theirs_by_path}:
            if ours.get(path) != theirs_by_path.get(path):
                yield "order", f"{path!r}: ours {ours.get(path)}, theirs {theirs_by_path.get(path)}"
        if "pass" in answer:
            mine, theirs = one_pass(found.analysis.rgds[0]), answer["pass"]
            one, other = comparable(mine), comparable(theirs)
            for name in (name for name in one if one[name] != other[name]):
                yield name, f"ours {one[name]} ({mine['error']})\n  theirs {other[name]} ({theirs.get('error')})"
            if one == other and (mine["error"] or "") != (theirs.get("error") or ""):
                yield "error", f"ours   {mine['error']}\n  theirs {theirs.get('error')}"


def diagnosed(case: Object) -> Diagnosis:
    """Return what kro-ls finds in a Graph."""
    return diagnose_text(Text(json.dumps(case, indent=1)), Settings(version=NEXT))


class ObservedCluster(GraphCluster):
    """A cluster with some objects, which accepts every apply and records it."""

    def __init__(self, objects: list[Object]) -> None:
        self._objects = {identity(each): each for each in objects}
        self.applied: list[Object] = []
        self.patched: list[Object] = []

    def apply(self, path: str, index: int, desired: Object, node: CompiledNode) -> Object:
        """See `GraphCluster`."""
        self.applied.append({"node": path, "index": index, "object": copy_json(desired)})
        self._objects[identity(desired)] = copy_json(desired)
        return desired

    def read(self, path: str, reference: Object, node: CompiledNode) -> list[Object] | None:
        """See `GraphCluster`."""
        if not node.is_list:
            found = self._objects.get(identity(reference))
            return None if found is None else [found]
        wanted = reference["metadata"]["selector"].get("matchLabels") or {}
        namespace = reference["metadata"].get("namespace")
        return [
            each
            for _, each in sorted(self._objects.items())
            if all(each.get(name) == reference.get(name) for name in ("apiVersion", "kind"))
            and namespace in (None, each["metadata"].get("namespace"))
            and wanted.items() <= each["metadata"].get("labels", {}).items()
        ]

    def patch(self, path: str, desired: Object) -> bool:
        """See `GraphCluster`."""
        if identity(desired) not in self._objects:
            return False
        self.patched.append(copy_json(desired))
        return True


def one_pass(root: RgdAnalysis) -> Case:
    """Return the result of one pass over a Graph in the oracle's form."""
    value: Object = graph_object(root)
    value["metadata"]["uid"] = "11111111-1111-1111-1111-111111111111"
    found = ObservedCluster(cluster())
    walk = Walk(value, found, frozenset(), PreviewBudget())
    hard, soft = walk.run(root)
    answer: Case = {"applied": found.applied, "patched": found.patched}
    states = {each.id: each for each in walk.results}
    answer["unresolved"] = sorted(id_ for id_, each in states.items() if each.state is NodeState.PENDING)
    answer["ignored"] = sorted(
        id_ for id_, each in states.items() if each.state is NodeState.IGNORED and "/" not in id_
    )
    answer["error"], reason = ("\n".join(hard), SoftReason.FAILED) if hard else soft[0] if soft else ("", None)
    answer["reason"] = reason and reason.value
    return answer


def comparable(answer: Case) -> Case:
    """Return what of a pass must be equal: the order of simultaneous applies does not count, nor that of maps."""
    found = {name: answer.get(name) or [] for name in ("applied", "patched", "unresolved", "ignored")}
    found |= {
        name: sorted(found[name], key=lambda each: json.dumps(each, sort_keys=True)) for name in ("applied", "patched")
    }
    return {**found, "ignored": sorted(found["ignored"]), "reason": answer.get("reason") or ""}


def _frames(path: str, frame: RgdAnalysis) -> Iterator[tuple[str, Object]]:
    dependencies = {id_: sorted(needs) for id_, needs in frame.graph.dependencies}
    yield path, {"topologicalOrder": list(frame.graph.order), "dependencies": dependencies}
    owners = [each for each in frame.rgd.parts if each.form.has_nodes]
    for owner, each in zip(owners, child_graphs(frame), strict=True):
        yield from _frames(f"{path}{owner.id}/", each)


def recorded_cases() -> list[Object]:
    """Return the Graphs whose answers are recorded: those of the tests, and some generated ones."""
    own = [yaml_documents(graph(nodes)) for nodes in (*ACCEPTED.values(), *REFUSED.values())]
    random = Random(2026)
    return [*own, *(generate(random) for _ in range(150))]


def yaml_documents(text: str) -> Object:
    """Return the only object of a YAML text."""
    found = to_python(parse_stream(Text(text)).documents[0].frame.chunk.root)
    assert isinstance(found, dict)
    return found


def record() -> None:
    """Write kro's answers to the recorded cases."""
    cases = recorded_cases()
    answers = ask(VERSION, [{"graph": json.dumps(case), "cluster": cluster()} for case in cases])
    lines = (json.dumps({"graph": case, "answer": answer}) for case, answer in zip(cases, answers, strict=True))
    RECORDED.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def main() -> int:
    """Compare, and return 1 where something differs."""
    parser = argparse.ArgumentParser(description="Compare kro-ls with kro on generated Graphs.")
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--record", action="store_true", help=f"write kro's answers to {RECORDED.name}, and no more")
    options = parser.parse_args()
    if options.record:
        record()
        return 0
    random = Random(options.seed)
    cases = [generate(random) for _ in range(options.cases)]
    answers = ask(VERSION, [{"graph": json.dumps(case), "cluster": cluster()} for case in cases])
    counts: Counter[str] = Counter()
    for case, answer in zip(cases, answers, strict=True):
        found = list(differences(case, answer))
        counts.update(word for word, _ in found)
        for word, detail in found:
            if counts.total() <= options.show:
                print(f"{word}: {detail}\n{json.dumps(case)}\n")
    accepted = sum(answer["accepted"] for answer in answers)
    print(
        f"{len(cases)} Graphs with seed {options.seed}, {accepted} accepted by kro: {dict(counts) or 'no difference'}"
    )
    return 1 if counts else 0


if __name__ == "__main__":
    raise SystemExit(main())
