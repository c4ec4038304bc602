# ruff: noqa: E501 - each case on its line
"""Graphs, each by the nodes of its `spec`, and whether the commits before kro 0.10 take it."""

from __future__ import annotations

import textwrap

_HEAD = """\
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: graph, namespace: default}
spec:
  nodes:
"""
_A = "- {id: a, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: v}}}\n"
_B = "- {id: b, template: {apiVersion: v1, kind: ConfigMap, metadata: {name: 'b-${a.metadata.name}'}}}\n"
_PATCH = "- {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: z}, data: {x: '${a.metadata.name}'}}}\n"


def _named(name: str, expression: str, more: str = "") -> str:
    metadata = f'{{name: "{expression}"}}'
    return f"- {{id: {name}, template: {{apiVersion: v1, kind: ConfigMap, metadata: {metadata}}}{more}}}\n"


def _patch_of_each(values: str, kind: str, name: str) -> str:
    target = f'apiVersion: v1, kind: "{kind}", metadata: {{name: "{name}", namespace: space, labels: {{x: v}}}}'
    return f'- {{id: p, forEach: [{{s: "${{{values}}}"}}], patch: {{{target}}}}}\n'


ACCEPTED = {
    "one": _A,
    "two": _A + _B,
    "written before what it needs": _B + _A,
    "a chain against the order": _named("c", "${b.metadata.name}") + _B + _A,
    "upper case": _A.replace("id: a", "id: A") + _named("b", "${A.metadata.name}x"),
    "def": "- {id: d, def: {prefix: 'x', list: ['a', 'b']}}\n" + _named("b", "${d.prefix}"),
    "def of nodes": _A + "- {id: d, def: {name: '${a.metadata.name}'}}\n" + _named("b", "${d.name}-b"),
    "ref": "- {id: r, ref: {apiVersion: v1, kind: Secret, metadata: {name: s}}}\n" + _named("b", "${r.metadata.name}"),
    "refs": "- {id: r, ref: {apiVersion: v1, kind: Namespace, metadata: {selector: {matchLabels: {a: b}}}}}\n"
    + _named("b", "${s.metadata.name}", ", forEach: [{s: '${r}'}]"),
    "forEach": _named("b", "b-${s}", ", forEach: [{s: \"${['x', 'y']}\"}]"),
    "readyWhen": _named("b", "b", ", readyWhen: [\"${b.metadata.name == 'b'}\"]"),
    "readyWhen of each": _named(
        "b", "b-${s}", ", forEach: [{s: \"${['x']}\"}], readyWhen: [\"${each.metadata.name != ''}\"]"
    ),
    "includeWhen": _A + _named("b", "b", ", includeWhen: [\"${a.metadata.name == 'a'}\"]"),
    "patch": _A + _PATCH,
    "patch of status": "- {id: p, patch: {apiVersion: v1, kind: Pod, metadata: {name: z}, status: {message: x}}}\n",
    "patch of each": "- {id: p, forEach: [{s: \"${['x']}\"}], "
    "patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: '${s}'}, data: {x: v}}}\n",
    "patches of absent objects": _patch_of_each("['there', 'c', 'd']", "ConfigMap", "${s}"),
    "patches of unknown kinds": _patch_of_each(
        "['ConfigMap', 'Nothing', 'Other']", "${s}", "${s == 'ConfigMap' ? 'there' : s}"
    ),
    "patches of unknown kinds and absent objects": _patch_of_each(
        "['ConfigMap', 'Nothing', 'Secret']", "${s}", "${s == 'Secret' ? 'there' : s}"
    ),
    "patches of incomplete kinds": _patch_of_each(
        "['ConfigMap', 'Nothing', '']", "${s}", "${s == 'ConfigMap' ? 'there' : s}"
    ),
    "child with patches of unknown kinds": "- {id: g, graph: {nodes: ["
    + _patch_of_each("['Nothing']", "${s}", "${s == 'ConfigMap' ? 'there' : s}")[2:-1]
    + "]}}\n",
    "child": _A + "- {id: g, graph: {nodes: [" + _A[2:-1].replace("id: a", "id: c") + "]}}\n",
    "child captures": _B.replace("id: b", "id: last").replace("${a.metadata.name}", "x")
    + "- {id: g, graph: {nodes: ["
    + _named("c", "c-${a.metadata.name}")[2:-1]
    + "]}}\n"
    + _A,
    "value of a child": "- {id: g, graph: {nodes: [" + _A[2:-1] + "]}}\n" + _named("b", "b-${g.a.metadata.name}"),
    "kind by expression": "- {id: d, def: {k: ConfigMap}}\n"
    "- {id: b, template: {apiVersion: v1, kind: '${d.k}', metadata: {name: b}}}\n",
}
REFUSED = {
    "no form": "- {id: a}\n",
    "two forms": "- {id: a, def: {x: v}, ref: {apiVersion: v1, kind: Secret, metadata: {name: s}}}\n",
    "unknown field": "- {id: a, def: {x: v}, forEvery: []}\n",
    "same id": _A + _A,
    "reserved id": _A.replace("id: a", "id: item"),
    "id with a dash": _A.replace("id: a", "id: a-b"),
    "unknown name": _named("b", "${c.metadata.name}"),
    "schema": _named("b", "${schema.metadata.name}"),
    "cycle": _named("a", "${b.metadata.name}") + _named("b", "${a.metadata.name}"),
    "itself": _named("a", "${a.metadata.uid}"),
    "wrong type": _A + _named("b", "${size(a.data)}"),
    "unknown field of a node": _A + _named("b", "${a.metadata.nam}"),
    "unknown function": _A + _named("b", "${len(a.metadata.name)}"),
    "syntax": _A + _named("b", "${a.}"),
    "condition that is no bool": _named("b", "b", ", includeWhen: ['${1}']"),
    "condition with text": _named("b", "b", ", includeWhen: ['x${true}']"),
    "readyWhen of another": _A + _named("b", "b", ", readyWhen: [\"${a.metadata.name == 'a'}\"]"),
    "iterator that is not in the name": _named("b", "b", ", forEach: [{s: \"${['x']}\"}]"),
    "iterator over a text": _named("b", "${s}", ", forEach: [{s: \"${'x'}\"}]"),
    "iterator with the id": _named("b", "${b}", ", forEach: [{b: \"${['x']}\"}]"),
    "reference with forEach": "- {id: r, forEach: [{s: \"${['x']}\"}], ref: {apiVersion: v1, kind: Secret, metadata: {name: s}}}\n",
    "name of a patch": _A + _PATCH + _named("b", "${p.metadata.name}"),
    "patch of both": "- {id: p, patch: {apiVersion: v1, kind: Pod, metadata: {name: z}, spec: {nodeName: v}, status: {message: x}}}\n",
    "patch of nothing": "- {id: p, patch: {apiVersion: v1, kind: Pod, metadata: {name: z}}}\n",
    "patch without name": "- {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {namespace: z}, data: {x: v}}}\n",
    "patch of an owner": "- {id: p, patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: z, finalizers: []}, data: {x: v}}}\n",
    "child with forEach": "- {id: g, forEach: [{s: \"${['x']}\"}], graph: {nodes: [" + _A[2:-1] + "]}}\n",
    "child without nodes": "- {id: g, graph: {nodes: []}}\n",
    "child with a reserved id": "- {id: g, graph: {nodes: [" + _A[2:-1].replace("id: a", "id: kro") + "]}}\n",
    "namespace of a cluster-scoped kind": "- {id: ns, template: {apiVersion: v1, kind: Namespace, metadata: {name: ns, namespace: x}}}\n",
    "unknown kind": "- {id: ns, template: {apiVersion: v1, kind: Nothing, metadata: {name: ns}}}\n",
    "unterminated": _A.replace("x: v", "x: '${a'"),
}

CODES = {
    "no form": "graph-node",
    "two forms": "graph-node",
    "unknown field": "graph-node",
    "same id": "duplicate-resource-id",
    "reserved id": "graph-node",
    "id with a dash": "graph-node",
    "unknown name": "unresolved-reference",
    "schema": "unresolved-reference",
    "cycle": "dependency-cycle",
    "itself": "self-reference",
    "wrong type": "type-mismatch",
    "unknown field of a node": "undefined-field",
    "unknown function": "unknown-function",
    "syntax": "cel-syntax",
    "condition that is no bool": "condition-type",
    "condition with text": "not-standalone-expression",
    "readyWhen of another": "misplaced-reference",
    "iterator that is not in the name": "unused-iterator",
    "iterator over a text": "for-each-type",
    "iterator with the id": "graph-node",
    "reference with forEach": "graph-node",
    "name of a patch": "graph-node",
    "patch of both": "graph-node",
    "patch of nothing": "graph-node",
    "patch without name": "graph-node",
    "patch of an owner": "graph-node",
    "child with forEach": "graph-node",
    "child without nodes": "graph-node",
    "child with a reserved id": "graph-node",
    "namespace of a cluster-scoped kind": "cluster-scoped-namespace",
    "unknown kind": "unknown-kubernetes-kind",
    "unterminated": "unterminated-expression",
}
"""The rule that reports each of those that are refused."""


def graph(nodes: str) -> str:
    """Return the Graph with these nodes."""
    return _HEAD + textwrap.indent(nodes, "    ")
