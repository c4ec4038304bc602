"""A hover shows the types by which the rules judge: one text in one place has the same types for both."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.types.checking import check_part
from kro_ls.cel.types.types import DYN
from kro_ls.cursor.parts import PlacedPart, parts
from kro_ls.cursor.typed_expression import expected_in_place, typed_expression
from kro_ls.kro.places import Place
from kro_ls.kro.versions.dialect import features_of
from kro_ls.kro.versions.version import KREP_2, NEWEST, VERSIONS, Version
from kro_ls.rules.registry import RULES
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd, rgd_around

_ROOT = Path(__file__).parents[3]
_FILES = sorted((*_ROOT.glob("examples/**/*.yaml"), *_ROOT.glob("tests/fixtures/**/*.yaml")))
_REPEATED = """\
- id: web
  template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}
- id: web
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
- id: use
  readyWhen: ["${use.metadata.name == web.metadata.name}"]
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${web.spec.replicas}"}
    data: {a: "${web.spec.template.spec.containers[0].image}-${web.metadata.name}"}
"""
_ITERATORS = """\
- id: web
  template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}
- id: each
  forEach:
    - container: ${web.spec.template.spec.containers}
    - broken: ${web.spec.(}
    - self: ${each}
    - lonely: text
  readyWhen: ["${each.metadata.name == 'a'}"]
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${container.name}-${broken.x}-${self.y}-${lonely}"}
    data: {a: "${container.ports.map(p, p.containerPort)[0]}"}
- id: workers
  forEach: ${web.spec.template.spec.containers}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${each.item.name}-${string(each.index)}"}
- id: last
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: "${workers.items[0].metadata.name}"}
"""
_GRAPH = """\
apiVersion: kro.run/v1alpha1
kind: Graph
metadata: {name: g}
spec:
  nodes:
    - id: config
      def: {size: 3, zones: [a, b], name: "${'a' + 'b'}"}
    - id: web
      template: {apiVersion: apps/v1, kind: Deployment, metadata: {name: "${config.name}"}}
    - id: inner
      graph:
        nodes:
          - id: note
            template:
              apiVersion: v1
              kind: ConfigMap
              metadata: {name: "${web.metadata.name}", labels: {zone: "${config.zones[0]}"}}
            readyWhen: ["${note.data.a == string(config.size)}"]
    - id: last
      patch:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${inner.note.metadata.name}"}
        data: {a: "${string(web.spec.replicas)}"}
"""


def assert_same_types(text: str, version: Version = NEWEST) -> int:
    """Compare the types of every expression of a text, and return how many there are."""
    count = 0
    for each in analyze(Text(text), features=features_of(version)).rgds:
        for owner in parts(each):
            scope = owner.rgd.scope(owner.part)
            for checked in check_part(owner.part, scope.bindings, scope.kind):
                expression = checked.expression
                typed = typed_expression(owner, expression.place, expression.text)
                assert typed.inspection is expression.inspection
                assert typed.result.type == checked.result.type, expression.text
                assert typed.result.types == checked.result.types, expression.text
                assert typed.result.variables == checked.result.variables, expression.text
                assert [error.message for error in typed.result.errors] == [
                    error.message for error in checked.result.errors
                ]
                if expression.place is Place.TEMPLATE and expression.compiled.standalone and checked.expected:
                    wanted = expected_in_place(owner, expression.place, expression.path, standalone=True)
                    assert wanted == checked.expected
                count += 1
    return count


@pytest.mark.parametrize("file", _FILES, ids=lambda file: str(file.relative_to(_ROOT)))
def test_files(file: Path) -> None:
    assert_same_types(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("version", [VERSIONS[0], NEWEST, VERSIONS[-1], KREP_2], ids=str)
def test_examples_of_rules(version: Version) -> None:
    texts = {text for rule in RULES for text in (rule.wrong, rule.right) if text}
    assert sum(assert_same_types(rgd_around(text), version) for text in texts) > 200


@pytest.mark.parametrize("text", [rgd(_REPEATED), rgd(_ITERATORS), _GRAPH], ids=["ids", "iterators", "graph"])
def test_names_of_which_kro_knows_no_type(text: str) -> None:
    assert assert_same_types(text)


def test_the_shape_of_a_repeated_id_is_that_of_its_first_resource() -> None:
    (analysis,) = analyze(Text(rgd(_REPEATED))).rgds
    owner: PlacedPart = list(parts(analysis))[-1]
    typed = typed_expression(owner, Place.TEMPLATE, "web.spec.replicas")
    assert (typed.result.type, str(typed.type_of(typed.root))) == (DYN, "int")
