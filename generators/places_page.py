"""The page of which feature answers where: the generator asks a running server for each at every kind of place."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

from tests.fixtures.client import Client

FILES: Final = {
    "app.yaml": """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1
    kind: App
    spec:
      name: string | required=true description="What it is called"
      replicas: integer | default=3 minimum=1
      mode: string | enum="fast,slow" default=fast
      servers: "[]Server | default=[]"
    types:
      Server:
        host: string | default=local
    status:
      key: ${config.metadata.name}
  resources:
    - id: config
      includeWhen:
        - ${schema.spec.replicas > 2}
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}-${schema.spec.mode}"}
        data: {a: "${schema.spec.servers.map(s, s.host).join(',')}"}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "x-${config.metadata.name}"}
        spec:
          type: ClusterIP
          ports: [{port: 80}]
""",
    "user.yaml": """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: user}
spec:
  schema:
    apiVersion: v1
    kind: User
    spec: {name: string | required=true}
    status: {at: "${app.status.key}"}
  resources:
    - id: app
      template:
        apiVersion: kro.run/v1
        kind: App
        metadata: {name: "${schema.spec.name}"}
        spec:
          name: a
          mode: slow
""",
    "instance.yaml": """\
apiVersion: kro.run/v1
kind: App
metadata:
  name: one
spec:
  name: abc
  replicas: 4
  mode: fast
  servers:
    - host: h
""",
    "app.test.yaml": """\
definition: app.yaml
tests:
  - name: works
    instance:
      apiVersion: kro.run/v1
      kind: App
      metadata: {name: tested}
      spec:
        name: abc
        mode: fast
    expect:
      state: ACTIVE
      status: {key: abc-fast}
      nodes: {config: ready}
""",
    ".kro-ls.yaml": "version: 0.9\nseverity:\n  unused-type: warning\n",
}

PLACES: Final = (
    ("a key of a definition", "app.yaml", "include|When:"),
    ("an id", "app.yaml", "id: con|fig"),
    ("the kind that a definition declares", "app.yaml", "kind: A|pp"),
    ("a field of SimpleSchema", "app.yaml", "      rep|licas: integer"),
    ("a type of SimpleSchema", "app.yaml", "[]Ser|ver"),
    ("a marker", "app.yaml", "mini|mum"),
    ("a field of the status", "app.yaml", "      k|ey: ${"),
    ("a key of a template", "app.yaml", "          ty|pe:"),
    ("a value of a template", "app.yaml", "Cluster|IP"),
    ("the kind of a template", "app.yaml", "kind: Serv|ice"),
    ("a key of a chained template", "user.yaml", "          mo|de:"),
    ("the kind of a chained template", "user.yaml", "kind: A|pp"),
    ("an id in an expression", "app.yaml", "x-${con|fig"),
    ("a field in an expression", "app.yaml", "${schema.spec.na|me"),
    ("a field of a chained status", "user.yaml", "app.status.k|ey"),
    ("a variable of a macro", "app.yaml", "map(s, s|.host"),
    ("a function", "app.yaml", ".jo|in("),
    ("the kind of an instance", "instance.yaml", "kind: A|pp"),
    ("a key of an instance", "instance.yaml", "  rep|licas"),
    ("a key in a list of an instance", "instance.yaml", "- ho|st"),
    ("a value of an instance", "instance.yaml", "replicas: |4"),
    ("an enum value of an instance", "instance.yaml", "mode: fa|st"),
    ("a key of a test file", "app.test.yaml", "exp|ect"),
    ("a value of a test file", "app.test.yaml", "ACT|IVE"),
    ("an id in a test file", "app.test.yaml", "nodes: {con|fig"),
    ("a field of the status in a test file", "app.test.yaml", "status: {k|ey"),
    ("a key of an instance in a test file", "app.test.yaml", "        mo|de"),
    ("a value of an instance in a test file", "app.test.yaml", "mode: fa|st"),
    ("a setting", ".kro-ls.yaml", "sever|ity"),
)
AT_A_PLACE: Final = (
    ("hover", "hover"),
    ("completion", "completion"),
    ("definition", "definition"),
    ("type definition", "typeDefinition"),
    ("references", "references"),
    ("highlight", "documentHighlight"),
    ("rename", "prepareRename"),
    ("linked editing", "linkedEditingRange"),
    ("selection", "selectionRange"),
)
OF_A_FILE: Final = (
    ("outline", "documentSymbol"),
    ("folds", "foldingRange"),
    ("tokens", "semanticTokens/full"),
    ("links", "documentLink"),
    ("lenses", "codeLens"),
)
HEAD: Final = """\
# Which feature answers where

Made by `scripts/generate`, which asks a running server at a place of each kind.

"""


def files(_root: Path) -> dict[str, str]:
    """Return the page by its path."""
    with tempfile.TemporaryDirectory() as name, Client() as client:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        capabilities = {"window": {"workDoneProgress": True}, "workspace": {"textDocumentContent": {}}}
        client.initialize(capabilities, rootUri=folder.as_uri())
        client.answer(client.wait(lambda each: each.get("method") == "window/workDoneProgress/create"), None)
        client.wait(lambda each: each.get("method") == "$/progress" and each["params"]["value"]["kind"] == "end")
        for file, text in FILES.items():
            client.open(text, (folder / file).as_uri())
        at_places = [[place, *_answers_at(client, folder, file, mark)] for place, file, mark in PLACES]
        of_files = [[f"`{file}`", *_answers_of(client, folder / file)] for file in FILES]
    tables = f"{_table('place', AT_A_PLACE, at_places)}\n{_table('file', OF_A_FILE, of_files)}"
    return {"docs/places.md": HEAD + tables}


def _answers_at(client: Client, folder: Path, file: str, mark: str) -> list[str]:
    before, after = mark.split("|")
    offset = FILES[file].index(before + after) + len(before)
    line = FILES[file].count("\n", 0, offset)
    position = {"line": line, "character": offset - FILES[file].rfind("\n", 0, offset) - 1}
    params: dict[str, Any] = {"textDocument": {"uri": (folder / file).as_uri()}, "position": position}
    more: dict[str, dict[str, Any]] = {
        "references": {"context": {"includeDeclaration": True}},
        "selectionRange": {"positions": [position]},
    }
    return [_sign(client.request(f"textDocument/{method}", params | more.get(method, {}))) for _, method in AT_A_PLACE]


def _answers_of(client: Client, path: Path) -> list[str]:
    return [
        _sign(client.request(f"textDocument/{method}", {"textDocument": {"uri": path.as_uri()}}))
        for _, method in OF_A_FILE
    ]


def _sign(answer: Any) -> str:
    if isinstance(answer, dict):
        answer = answer.get("items", answer.get("data", answer))
    return "yes" if answer else ""


def _table(first: str, methods: tuple[tuple[str, str], ...], rows: list[list[str]]) -> str:
    lines = [[first, *(title for title, _ in methods)], ["---"] * (len(methods) + 1), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
