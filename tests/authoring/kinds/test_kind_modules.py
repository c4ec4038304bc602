"""Modules of kinds: what they are called, and the classes that they make."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from kro_ls.authoring import composition
from kro_ls.authoring.compositions.composition import Composition
from kro_ls.authoring.compositions.problems import CompositionError, UnknownFieldError
from kro_ls.authoring.compositions.reference import Reference
from kro_ls.authoring.kind_modules.module_names import group_module
from kro_ls.authoring.kind_modules.shapes import OwnShapes
from kro_ls.authoring.known_kinds import kinds_below, known_kinds, using_kinds
from kro_ls.authoring.python_fields import python_field, schema_field
from kro_ls.openapi.sources.bundled import kubernetes, minors
from kro_ls.render.yaml_text import to_yaml
from tests.fixtures.crds import crd


def module(name: str) -> ModuleType:
    return importlib.import_module(f"kro_ls.authoring.kinds.{name}")


@pytest.mark.parametrize(
    ("group", "name"),
    [
        ("", "core"),
        ("apps", "apps"),
        ("networking.k8s.io", "networking"),
        ("rbac.authorization.k8s.io", "rbac"),
        ("gateway.networking.k8s.io", "gateway_networking_k8s_io"),
        ("cert-manager.io", "cert_manager_io"),
        ("3scale.net", "_3scale_net"),
    ],
)
def test_a_group(group: str, name: str) -> None:
    assert group_module(group) == name


def test_no_two_groups_of_kubernetes_have_one_name() -> None:
    groups = {kind.group for minor in minors() for kind in kubernetes(minor).names()}
    assert len({group_module(group) for group in groups}) == len(groups)


@pytest.mark.parametrize("field", ["from", "continue", "spec", "type", "class_", "match"])
def test_a_field(field: str) -> None:
    name = python_field(field)
    assert name is not None
    assert name.isidentifier()
    assert schema_field(name) == field or field == "class_"


@pytest.mark.parametrize("field", ["$ref", "x-kubernetes-validations", "__private", "a.b"])
def test_a_field_that_python_cannot_name(field: str) -> None:
    assert python_field(field) is None


def test_a_kind() -> None:
    found = module("apps.v1").Deployment
    assert (found.__name__, found.__module__) == ("Deployment", "kro_ls.authoring.kinds.apps.v1")
    assert found.kind_schema.plural == "deployments"
    assert found is module("apps.v1").Deployment


def test_every_name_of_the_stubs_is_there() -> None:
    """With every kind and each object inside one."""
    kinds = 0
    for name, reader in OwnShapes(kubernetes()).read_all().items():
        made = module(f"{name.group}.{name.version}")
        for shape in reader.shapes.values():
            found = getattr(made, shape.name)
            kinds += shape.kind is not None
            assert (getattr(found, "kind_schema", None) is None) == (shape.kind is None)
    assert kinds == len(list(kubernetes().names()))


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(ImportError, match="did you mean 'Deployment'"):
        exec("from kro_ls.authoring.kinds.apps.v1 import Deploymen")
    with pytest.raises(ModuleNotFoundError, match="did you mean 'v1'"):
        module("apps.v11")
    with pytest.raises(ModuleNotFoundError, match="kro-ls kinds add"):
        module("nothing_like_it_example_com.v1")
    with pytest.raises(AttributeError):
        _ = module("apps.v1").deployment


def test_an_object_inside_a_kind_is_a_dict() -> None:
    container = module("core.v1").Container(name="web", image="nginx")
    assert container == {"name": "web", "image": "nginx"}
    assert container.image == "nginx"
    with pytest.raises(AttributeError, match="is made without 'command'"):
        _ = container.command


def test_a_field_that_is_a_word_of_python() -> None:
    rule = module("networking.v1").NetworkPolicyIngressRule(from_=[{"ipBlock": {"cidr": "10.0.0.0/8"}}])
    assert rule == {"from": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}
    assert rule.from_ == rule["from"]


def test_a_wrong_field_inside_a_kind() -> None:
    with pytest.raises(UnknownFieldError, match=r"Container has no field 'imag'; did you mean 'image'\?"):
        module("core.v1").Container(imag="nginx")
    with pytest.raises(UnknownFieldError, match=r"PodSpec.containers\[0\] has no field 'imag'"):
        module("core.v1").PodSpec(containers=[{"imag": "nginx"}])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"replica": 1}, r"Deployment.spec has no field 'replica'; did you mean 'replicas'\?"),
        ({"template": {"spec": {"containers": [{"name": "a"}, {"nam": "b"}]}}}, r"containers\[1\] has no field 'nam'"),
        ({"selector": {"matchLabels": {"any": "thing"}, "matchLabel": {}}}, "has no field 'matchLabel'"),
    ],
)
def test_a_wrong_field_is_reported_where_a_resource_is_made(spec: dict[str, Any], message: str) -> None:
    with pytest.raises(UnknownFieldError, match=message):
        composed(lambda: module("apps.v1").Deployment(metadata={"name": "web"}, spec=spec))


def test_a_field_that_the_kind_does_not_have() -> None:
    with pytest.raises(UnknownFieldError, match="ConfigMap has no field 'spec'"):
        composed(lambda: module("core.v1").ConfigMap(metadata={"name": "web"}, spec={}))


def composed(make: Any) -> Composition[Any, Any]:
    """Run a composition that creates a resource."""

    @composition(kind="Made")
    def made(spec) -> None:  # type: ignore[no-untyped-def]
        make()

    made.to_yaml()
    return made


@pytest.fixture
def widgets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crds.yaml").write_text(to_yaml(crd("Widget")))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("widgets")
def test_a_custom_kind_of_the_working_folder() -> None:
    widget = module("example_com.v1").Widget
    with pytest.raises(UnknownFieldError, match=r"Widget.spec has no field 'sice'; did you mean 'size'\?"):
        composed(lambda: widget(metadata={"name": "x"}, spec={"name": "x", "sice": 1}))
    assert module("example_com.v1").WidgetSpec(name="x") == {"name": "x"}
    assert module("example_com.v1").WidgetSpecReference is Reference
    assert dir(module("example_com.v1")) == ["Widget"]


def test_settings_that_cannot_be_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".kro-ls.yaml").write_text("crds: 1\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CompositionError, match="line 1"):
        known_kinds()


def test_kinds_in_use(tmp_path: Path) -> None:
    before = known_kinds()
    with using_kinds(kinds_below(tmp_path)):
        assert known_kinds() is kinds_below(tmp_path)
    assert known_kinds() is before
