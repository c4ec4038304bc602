"""`kro-ls kinds show`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.openapi.named_kind import named_kind
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.render.yaml_text import to_yaml
from tests.fixtures.crds import crd
from tests.fixtures.processes import Invoke

DEFINITIONS = (crd("Widget", "example.com", "v1", "v2beta1"), crd("ConfigMap"), crd("Cog"), crd("Cog", "other.org"))


@pytest.fixture(autouse=True)
def known(store: Path, invoke: Invoke) -> None:
    Path("crds.yaml").write_text("---\n".join(map(to_yaml, DEFINITIONS)))
    Path(".kro-ls.yaml").write_text("crds: [crds.yaml]\n")


@pytest.mark.parametrize("name", ["Widget", "WIDGETS", "Widget.example.com", "widgets.v1.example.com", "widget.v1"])
def test_a_kind(invoke: Invoke, name: str) -> None:
    result = invoke("kinds", "show", name)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(
        "KIND:        Widget\nVERSION:     example.com/v1 (also v2beta1)\nSCOPE:       Namespaced\nSOURCE:      "
    )
    assert "\n\nA Widget. It has more to say.\n\nFIELDS\n  spec <object>\n" in result.stdout


def test_a_version(invoke: Invoke) -> None:
    for name in ("widgets.v2beta1.example.com", "widgets.v2beta1"):
        assert "VERSION:     example.com/v2beta1 (also v1)\n" in invoke("kinds", "show", name).stdout


@pytest.mark.parametrize("arguments", [("Widget", "spec"), ("Widget.spec",), ("widgets.example.com", "spec")])
def test_a_field(invoke: Invoke, arguments: tuple[str, ...]) -> None:
    result = invoke("kinds", "show", *arguments)
    assert "\nFIELD:       spec <object>\n" in result.stdout
    assert result.stdout.endswith("FIELDS\n  name <string> required\n  size <integer>\n")


def test_lists_on_the_way_need_no_word(invoke: Invoke) -> None:
    result = invoke("kinds", "show", "deployments", "spec.template.spec.containers.image")
    assert "FIELD:       spec.template.spec.containers.image <string>\n" in result.stdout


def test_of_several_groups_kubernetes_own_counts(invoke: Invoke) -> None:
    result = invoke("kinds", "show", "ConfigMap")
    assert "VERSION:     v1\n" in result.stdout
    assert "SEE ALSO:    ConfigMap.example.com\n" in result.stdout
    assert "VERSION:     example.com/v1\n" in invoke("kinds", "show", "ConfigMap.example.com").stdout


class Removing:
    """A source that knows a version of Widget which is not served any more, as the pack does."""

    def find(self, name: GroupVersionKind) -> KindSchema | None:
        is_known = name in (*self.names(), GroupVersionKind("example.com", "v1alpha1", "Widget"))
        return KindSchema(name, "widgets", True, (), "removing", dict) if is_known else None

    def names(self) -> tuple[GroupVersionKind, ...]:
        return (GroupVersionKind("example.com", "v1", "Widget"),)


def test_a_version_that_is_not_served_any_more() -> None:
    index = SchemaIndex(kubernetes(), (Removing(),))
    named = named_kind(index, "widget.v1alpha1.example.com")
    assert (named.kind.name.version, named.versions) == ("v1alpha1", ("v1",))


def test_for_programs(invoke: Invoke) -> None:
    shown = json.loads(invoke("kinds", "show", "Widget", "spec.name", "--format", "json").stdout)
    assert shown == {
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "plural": "widgets",
        "scope": "Namespaced",
        "source": shown["source"],
        "deprecation": None,
        "versions": ["v1", "v2beta1"],
        "field": "spec.name",
        "required": True,
        "schema": {"type": "string"},
    }
    assert shown["source"].endswith("crds.yaml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Wigdet",), "no kind 'Wigdet' is known; did you mean 'Widget'?"),
        (("Nothing",), "no kind 'Nothing' is known; 'kro-ls kinds add' adds definitions"),
        (("",), "no kind '' is known; 'kro-ls kinds add' adds definitions"),
        (("Widget.other.org",), "no Widget is known in 'other.org'; it is in example.com"),
        (("Cog",), "several groups have a kind 'Cog': example.com, other.org; name one: Cog.example.com"),
        (("Widget", "spec.nmae"), "example.com/v1 Widget spec has no field 'nmae'; did you mean 'name'?"),
        (("Widget.spc",), "example.com/v1 Widget has no field 'spc'; did you mean 'spec'?"),
        (("ConfigMap", "spec"), "v1 ConfigMap has no field 'spec'; there is also ConfigMap.example.com"),
        (("Widget", "spec.name.more"), "example.com/v1 Widget spec.name has no field 'more'"),
        (("Widget", "--crds", "none"), "--crds none: nothing is there; check the path"),
    ],
)
def test_what_is_not_there(invoke: Invoke, arguments: tuple[str, ...], message: str) -> None:
    result = invoke("kinds", "show", *arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"Error: {message}\n")
