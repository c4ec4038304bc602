"""The queries that run again after an edit: only those that read what it changed."""

from __future__ import annotations

import gc
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from kro_ls.queries.engine import OwnedQuery, Query
from kro_ls.workspace.documents import Document, Edit
from kro_ls.yaml_positions.positions import PositionEncoding
from kro_ls.yaml_positions.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: shop
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec:
      name: string | required=true
      image: string | default=nginx
    status:
      ready: ${string(deployment.status.readyReplicas)}
  resources:
    - id: deployment
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: ${schema.spec.name}
        spec:
          selector: {matchLabels: {app: shop}}
          template:
            metadata: {labels: {app: shop}}
            spec:
              containers:
                - name: main
                  image: ${schema.spec.image}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: ${deployment.metadata.name}
        spec:
          ports: [{port: 80}]
    - id: settings
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: settings
"""


def _runs(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> Counter[str]:
    """Count the runs of each query after an edit."""
    before = Document("file:///shop.yaml", 1, Text(SOURCE), PositionEncoding.UTF32)
    assert not before.diagnosis.diagnostics
    runs: Counter[str] = Counter()
    gc.unfreeze()  # a command that ran in this process may have hidden the queries from the collector
    # by their type: a dead proxy has no class
    for query in [each for each in gc.get_objects() if issubclass(type(each), Query | OwnedQuery)]:
        monkeypatch.setattr(query, "function", _counted(query.function, runs))
    assert SOURCE.count(old) == 1
    start = SOURCE.index(old)
    first, last = before.text.position(start), before.text.position(start + len(old))
    edit = Edit(new, (first.line, first.column), (last.line, last.column))
    assert before.edited(2, (edit,)).diagnosis is not None
    return runs


def _counted(function: Callable[..., Any], runs: Counter[str]) -> Callable[..., Any]:
    def counted(*arguments: Any) -> Any:
        runs[function.__name__] += 1
        return function(*arguments)

    counted.__name__ = function.__name__
    return counted


_PARTS = {"table": 1, "of_all": 3, "of_block": 2, "in_whole": 1, "_all_identities": 1}
"""What reads all resources or the whole definition, in one block: findings, unguarded reads, absent fields, objects."""

_RESOURCE = {"_in_resource": 1, "_reads": 1, "scope_of": 1}
"""The queries about one resource."""

_FACTS = {"declarations": 1, "cycles": 1, "_inherited": 1, "kinds": 1}
"""What reads the facts of all resources."""

_SCHEMA = {"instance": 1, "is_cluster_scoped": 1, "_in_section": 1}
"""The queries that read the schema section."""


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("name: settings\n", "name: setting\n", _PARTS | _RESOURCE | {"in_whole": 2}, id="template value"),
        pytest.param("name: settings\n", "name: settings # all\n", _PARTS | _RESOURCE, id="comment"),
        pytest.param(
            "${schema.spec.image}",
            "${schema.spec.name}",
            _PARTS | _RESOURCE | _FACTS | {"in_whole": 8, "is_all_readable": 1},
            id="expression that leaves a field unused",
        ),
        pytest.param(
            "default=nginx",
            "default=httpd",
            {**_SCHEMA, "instance_fields": 1, "open_fields": 1, "of_all": 1, "of_block": 1}
            | {"_in_resource": 1, "scope_of": 1, "in_whole": 8},
            id="field that one resource reads",
        ),
        pytest.param(
            "id: settings",
            "id: setting",
            _PARTS | _RESOURCE | _FACTS | {"in_whole": 8},
            id="id that nothing reads",
        ),
        pytest.param(
            "kind: Shop\n",
            "kind: Shop # all\n",
            _SCHEMA | {"scope_of": 1, "in_whole": 8},
            id="comment in the schema",
        ),
    ],
)
def test_an_edit_runs_what_read_what_it_changed(
    monkeypatch: pytest.MonkeyPatch, old: str, new: str, expected: dict[str, int]
) -> None:
    """`in_whole` are checks of the whole definition, of which there are 20."""
    assert dict(_runs(monkeypatch, old, new)) == expected
