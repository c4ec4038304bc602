"""Sample instances: laid out for people, and allowed by the CRD they are of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.crd.generated_crd import generated_crd
from kro_ls.analysis.types.variables import simple_schema
from kro_ls.openapi.validation.admission import admit
from kro_ls.render.sample_yaml import instance_yaml
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.fixtures.processes import GOOD, Invoke
from tests.paths import CONFORMANCE, EXAMPLES, needs_conformance

SCHEMA = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {{name: tour}}
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebAPIServer
    scope: {scope}
    types:
      Port:
        number: integer | required=true minimum=1024
        name: string
    spec:
{spec}
"""


def web_api(spec: str, scope: str = "Namespaced") -> str:
    return SCHEMA.format(spec="\n".join(f"      {line}" for line in spec.strip("\n").split("\n")), scope=scope)


def crd_of(text: str) -> dict[str, Any]:
    (definition,) = analyze(Text(text)).rgds
    crd = generated_crd(definition)
    assert crd is not None
    return crd


def problems(crd: dict[str, Any], *, everything: bool = False, only_required: bool = False) -> list[str]:
    """Return the errors in the sample instance of a CRD."""
    (document,) = parse_stream(
        Text(instance_yaml(crd, everything=everything, only_required=only_required)), ()
    ).documents
    value = document.to_python()
    assert isinstance(value, dict)
    assert document.errors == ()
    admission = admit(value, crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"])
    return [*map(str, admission.errors), *map(str, admission.unknown_fields)]


SPEC = """
# a comment of the author
size: string | enum="small,large"
name: string | required=true description="Who am I" pattern="^[a-z]{3}-[0-9]+$"
replicas: integer | default=3 minimum=1
nested:
  port: Port
  debug: boolean | default=false
more: Port
ports: '[]Port | minItems=2 listType=map listMapKey=number'
labels: map[string]string
secret: string | immutable=true validation="self.size() > 3"
"""


def test_required_fields_come_first_and_the_optional_are_comments(invoke: Invoke) -> None:
    result = invoke("instance", "-", stdin=web_api(SPEC))
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
apiVersion: kro.run/v1alpha1
kind: WebAPIServer
metadata:
  name: my-web-api-server
  namespace: default
spec:
  # Who am I
  # matches ^[a-z]{3}-[0-9]+$
  name: app-1
  # one of small, large
  # size: small
  replicas: 3
  nested:
    # port:
    #   number: 1024
    #   name: my-nested-port
    debug: false
  # more:
  #   number: 1024
  #   name: my-more
  # ports:
  # - number: 1024
  #   name: my-port
  # - number: 1025
  #   name: my-port-2
  # labels:
  #   app.kubernetes.io/part-of: shop
  # cannot be changed later
  # rule: self.size() > 3
  # secret: my-secret
"""
    )
    assert result.stderr == ""


def test_required_only(invoke: Invoke) -> None:
    result = invoke("instance", "--required", "-", stdin=web_api(SPEC, "Cluster"))
    assert (
        result.stdout
        == """\
apiVersion: kro.run/v1alpha1
kind: WebAPIServer
metadata:
  name: my-web-api-server
spec:
  # Who am I
  # matches ^[a-z]{3}-[0-9]+$
  name: app-1
"""
    )


def test_all_fields_are_set(invoke: Invoke) -> None:
    result = invoke("instance", "--all", "-", stdin=web_api(SPEC))
    assert "\n  more:\n    number: 1024\n    name: my-more\n" in result.stdout
    assert "\n  size: small\n" in result.stdout
    assert problems(crd_of(web_api(SPEC)), everything=True) == []


def test_an_object_with_nothing_but_comments_is_empty(invoke: Invoke) -> None:
    result = invoke("instance", "-", stdin=GOOD)
    assert result.stdout.endswith("spec: {}\n  # name: my-app\n")


def test_each_definition_has_its_instance(invoke: Invoke) -> None:
    result = invoke("instance", "-", stdin=f"{GOOD}---\n{web_api(SPEC)}")
    assert result.exit_code == 0
    assert [line for line in result.stdout.split("\n") if line.startswith(("---", "kind"))] == [
        "kind: App",
        "---",
        "kind: WebAPIServer",
    ]


def test_both_options_exclude_each_other(invoke: Invoke) -> None:
    assert invoke("instance", "--all", "--required", "-", stdin=GOOD).exit_code == 2


@pytest.mark.parametrize(
    "field",
    [
        "string | minLength=20 maxLength=22",
        "string | maxLength=3",
        "string | maxLength=0",
        'string | pattern="^(10|172)\\\\.[0-9]{1,3}$" minLength=5',
        "integer | minimum=5",
        "integer | maximum=-3",
        "float | minimum=0.2 maximum=0.4",
        "integer | enum=4,5",
        "'[]integer | uniqueItems=true minItems=4'",
        "'[]string | uniqueItems=true minItems=3'",
        "'[]string | maxItems=0'",
        "'[][]boolean'",
        "map[string]map[string]Port",
        "object",
        "object | default={}",
        "'[]Port | listType=map listMapKey=number minItems=3'",
        "{}",
        "{inner: {deep: string | required=true}}",
        '\'[]string | default=["a","b"]\'',
        "string | default=",
    ],
)
def test_values_are_within_their_bounds(field: str) -> None:
    for marker in ("", " required=true" if "|" in field else ""):
        written = field[:-1] + marker + "'" if field.startswith("'") and marker else field + marker
        crd = crd_of(web_api(f"field: {written}"))
        assert problems(crd) == []
        assert problems(crd, everything=True) == []
        assert problems(crd, only_required=True) == []


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_the_samples_of_the_examples_are_allowed(path: Path) -> None:
    crd = crd_of(path.read_text(encoding="utf-8"))
    assert problems(crd) == problems(crd, everything=True) == problems(crd, only_required=True) == []


@needs_conformance
def test_the_samples_of_accepted_definitions_are_allowed() -> None:
    found = {}
    count = 0
    for line in (CONFORMANCE / "rgds.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if not case["accepted"]:
            continue
        text = (CONFORMANCE / "rgds" / case["file"]).read_text(encoding="utf-8")
        for definition in analyze(Text(text)).rgds[:1]:
            crd = generated_crd(definition)
            schema = definition.rgd.schema
            assert crd is not None
            assert schema is not None
            count += 1
            refused = simple_schema(schema.section).warnings
            wrong = [each for mode in MODES for each in problems(crd, **mode)]
            if wrong and not refused:
                found[case["file"]] = wrong
    assert count > 0
    assert found == {}


MODES: tuple[dict[str, bool], ...] = ({}, {"everything": True}, {"only_required": True})
