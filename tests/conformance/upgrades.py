"""The meanings in kro of the texts of the upgrade table, before and after.

`python -m tests.conformance.upgrades` records it in `recorded/upgrades.jsonl`, a text on each line, which
`test_upgrades.py` compares. Only recording needs Go.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from kro_ls.repairs.upgrade import Upgrade, upgrade
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.nodes import field, node_at, to_python
from kro_ls.yaml_positions.text import Text
from tests.conformance.comparison import Case
from tests.conformance.record import RECORDED, write
from tests.conformance.recorded import oracle_version
from tests.conformance.upgrade_rows import RowCase, digest, row_cases
from tests.oracle.oracle import ask

FILE = RECORDED / "upgrades.jsonl"
_INSTANCE = {
    "apiVersion": "kro.run/v1alpha1",
    "kind": "App",
    "metadata": {"name": "one", "namespace": "here"},
    "spec": {"name": "x"},
}


def upgraded(case: RowCase) -> Upgrade:
    """Return the upgrade of a text for the target of its row."""
    return upgrade(Document("", None, Text(case.text), settings=Settings(version=oracle_version(case.row.target))))


def answers(asked: Sequence[RowCase]) -> list[Case]:
    """Return the answers of the versions to the texts before and after; each version is asked once."""
    texts = [(case, (case.text, upgraded(case).text.content)) for case in asked]
    questions: dict[str, list[Case]] = defaultdict(list)
    places: list[list[tuple[str, int]]] = []
    for case, (old, new) in texts:
        row = case.row
        wanted = [(row.source or row.target, {"rgd": old}), (row.target, {"rgd": new})]
        if row.objects_in:
            wanted += [(row.objects_in, _rendering(row.objects_in, text)) for text in (old, new)]
        places.append([])
        for version, question in wanted:
            places[-1].append((version, len(questions[version])))
            questions[version].append(question)
    answered = {version: ask(version, each) for version, each in questions.items()}
    return [
        {
            "name": case.name,
            "digests": [digest(old), digest(new)],
            **dict(zip(("before", "after"), (meaning(answered[v][i]) for v, i in found[:2]), strict=True)),
            "objects": [_objects(answered[v][i]) for v, i in found[2:]],
        }
        for (case, (old, new)), found in zip(texts, places, strict=True)
    ]


def _rendering(version: str, text: str) -> Case:
    """Return the question for the objects of a definition; 0.10 is asked for the same values in a Graph."""
    if version != "0.10.dev":
        return {"rgd": text, "instance": _INSTANCE, "observed": {}}
    root = parse_stream(Text(text)).documents[0].frame.chunk.root
    data = to_python(field(node_at(root, ("spec", "resources", 0, "template")), "data"))
    head = {"apiVersion": "kro.run/v1alpha1", "kind": "Graph", "metadata": {"name": "x", "namespace": "here"}}
    nodes = [{"id": "values", "def": data}]
    return {"graph": json.dumps({**head, "spec": {"nodes": nodes}}), "cluster": []}


def _objects(answer: Case) -> Any:
    if "pass" in answer:
        return answer["pass"]
    return [node.get("desired") for node in answer["expected"]["nodes"]]


def meaning(answer: Case) -> Case:
    """Return the compared parts of an answer: the schema of the instances, and which objects wait for which."""
    if not answer["accepted"] or answer.get("crdErrors"):
        errors = [answer.get(each) or [] for each in ("errors", "admissionErrors", "unknownFields", "crdErrors")]
        return {"errors": [text for each in errors for text in each]}
    schema = answer["crd"]["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]
    status = schema.get("status", {}).get("properties", {})
    own = {name: each for name, each in status.items() if name not in ("conditions", "state")}
    return {
        "spec": ordered(schema["spec"]),
        "status": {name: _types(each) for name, each in own.items()},
        # A reserved id gets a longer name, and nothing else changes.
        "nodes": {
            _old(each["id"]): [each["resource"], each["namespaced"], sorted(map(_old, each["dependencies"]))]
            for each in answer.get("nodes") or ()
        },
        "order": [_old(each) for each in answer.get("topologicalOrder") or ()],
    }


def ordered(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    return {name: sorted(each) if name == "required" else ordered(each) for name, each in schema.items()}


def _types(schema: Case) -> Any:
    """Return the types of a schema, because some versions allow additional fields in any object."""
    fields = schema.get("properties")
    return {name: _types(each) for name, each in fields.items()} if fields else schema.get("type")


def _old(name: str) -> str:
    return name.removesuffix("Resource")


if __name__ == "__main__":
    write(FILE, answers(list(row_cases())))
