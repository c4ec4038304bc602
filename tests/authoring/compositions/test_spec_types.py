"""The types of a spec and a status: dataclasses, Structs, TypedDicts and Pydantic models, as SimpleSchema."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict

import pytest
from msgspec import Meta, Struct
from pydantic import BaseModel, Field

from kro_ls.authoring import CompositionError, composition
from kro_ls.authoring.compositions.spec_fields import spec_fields


class Stage(Enum):
    DEV = "dev"
    PROD = "prod"


@dataclass
class Port:
    name: str
    number: Annotated[int, Meta(ge=1, le=65535)] = 80


@dataclass
class Dataclass:
    image: Annotated[str, Meta(pattern="^[a-z]+$", min_length=1, max_length=9, description='its "image"')]
    ports: list[Port]
    stage: Stage = Stage.DEV
    size: Literal["small", "large"] = "small"
    count: Annotated[int, Meta(extra_json_schema={"immutable": True})] = 1
    ratio: float = 0.5
    maybe: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    anything: Any = None


def test_a_dataclass_becomes_simple_schema() -> None:
    found = spec_fields(Dataclass)

    assert found.spec == {
        "image": 'string | required=true minLength=1 maxLength=9 pattern="^[a-z]+$" description="its \\"image\\""',
        "ports": "[]Port | required=true",
        "stage": 'string | default="dev" enum="dev,prod"',
        "size": 'string | default="small" enum="large,small"',
        "count": "integer | default=1 immutable=true",
        "ratio": "float | default=0.5",
        "maybe": "string",
        "labels": "map[string]string | default={}",
        "anything": "object",
    }
    number = "integer | default=80 minimum=1 maximum=65535"
    assert found.types == {"Port": {"name": "string | required=true", "number": number}}


class Spec(Struct):
    image: str
    ports: list[Port] = []


class Typed(TypedDict):
    image: str
    ports: list[Port]


class Model(BaseModel):
    image: str = Field(description="x", pattern="^a")
    replicas: int = Field(default=2, ge=1)


class ModelStatus(BaseModel):
    ready: int


def test_a_struct_a_typed_dict_and_a_model_become_simple_schema() -> None:
    assert spec_fields(Spec).spec == {"image": "string | required=true", "ports": "[]Port | default=[]"}
    assert spec_fields(Typed).spec == {"image": "string | required=true", "ports": "[]Port | required=true"}
    assert spec_fields(Model).spec == {
        "image": 'string | required=true pattern="^a" description="x"',
        "replicas": "integer | default=2 minimum=1",
    }


def test_a_model_may_be_the_status() -> None:
    @composition(kind="Modelled")
    def modelled(spec: Model) -> ModelStatus:
        return ModelStatus(ready=spec.replicas + 1)

    assert "ready: ${schema.spec.replicas + 1}" in modelled.to_yaml()


def test_fields_of_a_typed_dict_and_those_without_a_name_are_indexed() -> None:
    @composition(kind="Indexed")
    def indexed(spec: Typed) -> dict[str, object]:
        return {"image": spec["image"], "port": spec["ports"][0].number}

    @composition(kind="Raw", schema={"spec": {"my-field": "string", "for": "integer"}, "scope": "Cluster"})
    def raw(spec: Any) -> dict[str, object]:
        return {"a": spec["my-field"], "b": spec.for_}

    assert "image: ${schema.spec.image}\n      port: ${schema.spec.ports[0].number}" in indexed.to_yaml()
    assert "a: ${schema.spec.my__dash__field}\n      b: ${schema.spec.for}" in raw.to_yaml()
    assert "    scope: Cluster\n" in raw.to_yaml()


@dataclass
class Union:
    either: int | str


@pytest.mark.parametrize(("type_", "message"), [(Union, "Union.either is a union"), (int, "no class with fields")])
def test_what_simple_schema_lacks_says_so(type_: Any, message: str) -> None:
    with pytest.raises(CompositionError, match=message):
        spec_fields(type_)
