"""Compositions as a whole: what a function of a typed spec becomes."""

from dataclasses import dataclass, field
from typing import Annotated

import pytest
from msgspec import Meta

from kro_ls.authoring import CompositionError, NotInCelError, ObjectMeta, Resource, composition, each, external, when
from kro_ls.authoring.cel.calling import call, expression
from kro_ls.authoring.compositions.composition import Composition
from kro_ls.authoring.compositions.problems import UnknownFieldError, WrongTypeError
from kro_ls.workspace.documents import Document
from kro_ls.yaml_positions.text import Text


@dataclass
class Spec:
    image: str
    replicas: Annotated[int, Meta(ge=1, le=10)] = 2
    ratio: float = 0.5
    public: bool = False
    regions: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


@dataclass
class Status:
    ready: int
    address: str


@composition(kind="Shop")
def shop(spec: Spec, metadata: ObjectMeta) -> Status:
    app = Resource(
        "apps/v1",
        "Deployment",
        metadata={"name": metadata.name},
        spec={
            "replicas": when(spec.public).then(3).otherwise(spec.replicas),
            "selector": {"matchLabels": {"app": metadata.name}},
            "template": {
                "metadata": {"labels": {"app": metadata.name}},
                "spec": {"containers": [{"name": "shop", "image": f"{spec.image}:{spec.replicas}"}]},
            },
        },
        include_when=[spec.public & ~(spec.image == "none")],
        ready_when=lambda self: self.status.readyReplicas == self.spec.replicas,
    )
    region = each(spec.regions)
    Resource("v1", "ConfigMap", metadata={"name": f"{metadata.name}-{region.item}"}, for_each=[region])
    settings = external("v1", "ConfigMap", name="settings", namespace="shared")
    return Status(ready=app.status.readyReplicas, address=f"http://{settings.data['host']}")


SHOP = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: shop
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec:
      image: string | required=true
      replicas: integer | default=2 minimum=1 maximum=10
      ratio: float | default=0.5
      public: boolean | default=false
      regions: "[]string | default=[]"
      labels: map[string]string | default={}
    status:
      ready: ${deployment.status.readyReplicas}
      address: http://${configMapSettings.data["host"]}
  resources:
  - id: deployment
    includeWhen:
    - ${schema.spec.public && !(schema.spec.image == "none")}
    template:
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: ${schema.metadata.name}
      spec:
        replicas: "${schema.spec.public ? 3 : schema.spec.replicas}"
        selector:
          matchLabels:
            app: ${schema.metadata.name}
        template:
          metadata:
            labels:
              app: ${schema.metadata.name}
          spec:
            containers:
            - name: shop
              image: ${schema.spec.image}:${string(schema.spec.replicas)}
    readyWhen:
    - ${deployment.status.readyReplicas == deployment.spec.replicas}

  - id: configMap
    forEach:
    - region: ${schema.spec.regions}
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${schema.metadata.name}-${region}

  - id: configMapSettings
    externalRef:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: settings
        namespace: shared
"""


def test_a_function_becomes_a_definition_without_errors() -> None:
    text = shop.to_yaml()

    assert text.partition("# kro-ls map:")[0] == SHOP
    found = Document("shop.yaml", None, Text(text)).diagnosis.diagnostics
    assert {each.code for each in found} == {"unused-schema-field"}


def test_a_composition_uses_another_one_by_its_spec_and_status() -> None:
    @composition(kind="Mall")
    def mall(spec: Spec, metadata: ObjectMeta) -> dict[str, object]:
        inner = shop(Spec(image=spec.image), metadata={"name": f"{metadata.name}-shop"})
        return {"ready": inner.status.ready, "wrong": _message(lambda: inner.status.addres)}  # type: ignore[attr-defined]

    text = mall.to_yaml()

    assert "ready: ${shop.status.ready}" in text
    assert "apiVersion: kro.run/v1alpha1\n      kind: Shop\n" in text
    assert "did you mean 'address'?" in text


def _message(run: object) -> str:
    with pytest.raises(CompositionError) as raised:
        run()  # type: ignore[operator]
    return str(raised.value)


def built(expression: object) -> object:
    """Return what a function of the spec gives as the only field of a status."""

    @composition(kind="Shop")
    def made(spec: Spec) -> dict[str, object]:
        return {"found": expression(spec)}  # type: ignore[operator]

    return made.to_yaml().partition("found: ")[2].partition("\n")[0]


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (lambda spec: spec.replicas + 1 * 2, "${schema.spec.replicas + 2}"),
        (lambda spec: 2 * (spec.replicas + 1), "${2 * (schema.spec.replicas + 1)}"),
        (lambda spec: spec.replicas - (spec.replicas - 1), "${schema.spec.replicas - (schema.spec.replicas - 1)}"),
        (lambda spec: spec.replicas // 2, "${schema.spec.replicas / 2}"),
        (lambda spec: spec.replicas / 2, "${double(schema.spec.replicas) / 2.0}"),
        (lambda spec: spec.ratio * 2, "${schema.spec.ratio * 2.0}"),
        (lambda spec: -spec.replicas, "${-schema.spec.replicas}"),
        (lambda spec: spec.public | (spec.replicas >= 2), "${schema.spec.public || schema.spec.replicas >= 2}"),
        (lambda spec: spec.public & True, "${schema.spec.public}"),
        (lambda spec: spec.regions[0] + "-a", '${schema.spec.regions[0] + "-a"}'),
        (
            lambda spec: spec.labels["a-b"] == f"{spec.image}!",
            '${schema.spec.labels["a-b"] == schema.spec.image + "!"}',
        ),
        (lambda spec: call("lowerAscii", spec.image), "${schema.spec.image.lowerAscii()}"),
        (lambda spec: expression("schema.spec.replicas>1"), "${schema.spec.replicas>1}"),
        (lambda spec: expression("1+2") * 3, "${(1+2) * 3}"),
        (lambda spec: spec.image + call("upperAscii", "ab"), '${schema.spec.image + "AB"}'),
        (lambda spec: spec.replicas + call("size", None, [[1, 2]]), "${schema.spec.replicas + 2}"),
        (lambda spec: when(True).then(spec.image).otherwise("x"), "${schema.spec.image}"),
        (lambda spec: "${literal}", '${"${literal}"}'),
    ],
)
def test_operators_build_canonical_cel(expression: object, text: str) -> None:
    assert str(built(expression)).strip("'\"") == text.strip("'\"")


@pytest.mark.parametrize(
    ("expression", "error", "message"),
    [
        (lambda spec: 1 if spec.public else 2, NotInCelError, "when(...).then(...).otherwise(...)"),
        (lambda spec: spec.public and spec.public, NotInCelError, "write '&'"),
        (lambda spec: len(spec.regions), NotInCelError, "cel.size(x)"),
        (lambda spec: list(spec.regions), NotInCelError, "each(x)"),
        (lambda spec: f"{spec.image}".upper(), NotInCelError, "cel.upperAscii(...)"),
        (lambda spec: spec.replica, UnknownFieldError, "did you mean 'replicas'?"),
        (lambda spec: spec.image + 1, WrongTypeError, "'+' does not work on string and int"),
        (lambda spec: spec.image.lower(), UnknownFieldError, "write cel.lowerAscii(x)"),
        (lambda spec: [each(spec.regions)], NotInCelError, "each(...).item"),
        (lambda spec: call("int", None, ["x"]), WrongTypeError, "has no value"),
        (lambda spec: call("lowerAscii", spec.replicas), WrongTypeError, "lowerAscii"),
        (lambda spec: expression("1 +"), CompositionError, "1 +"),
        (lambda spec: when(spec.public).then(1), NotInCelError, "lacks .otherwise(...)"),
        (lambda spec: object(), NotInCelError, "no value that CEL or YAML have"),
    ],
)
def test_what_cel_lacks_says_what_to_write(expression: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        built(expression)

    assert message in str(raised.value)


def test_ids_are_kinds_names_and_numbers_or_given() -> None:
    @composition(kind="Ids")
    def ids(spec: Spec) -> None:
        Resource("v1", "ConfigMap", metadata={"name": "first"})
        Resource("v1", "ConfigMap", metadata={"name": "second-one"})
        Resource("v1", "ConfigMap", metadata={"name": "second-one"})
        Resource("v1", "ConfigMap", metadata={"name": "given"}, id="given")

    assert _ids(ids) == ["configMap", "configMapSecondOne", "configMap2", "given"]


def _ids(made: "Composition[Spec, None]") -> list[str]:
    return [line.partition("id: ")[2] for line in made.to_yaml().splitlines() if "- id: " in line]
