"""The build hook that makes the bundled schemas; it needs the build requirements, which the product does not."""

import importlib.util
from importlib.metadata import PackageNotFoundError, distribution
from types import ModuleType
from typing import Any

import pytest

from kro_ls.openapi.sources.bundled import DATA, MAGIC
from tests.paths import ROOT

pytest.importorskip("hatchling", reason="the build hook needs hatchling")

HOOK = ROOT / "hatch_build.py"


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", HOOK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_writer_and_reader_agree_on_the_format(hook: ModuleType) -> None:
    assert hook.MAGIC == MAGIC
    assert DATA.as_posix().endswith(hook.TARGET)


def test_rewrites_are_undone(hook: ModuleType) -> None:
    rewritten = {
        "type": ["object", "null"],
        "properties": {
            "type": {"type": ["string", "null"], "description": "a field called type"},
            "items": {"type": "array", "items": {"$ref": "#/$defs/io.k8s.A"}},
        },
        "additionalProperties": {"oneOf": [{"type": ["integer", "null"]}]},
    }
    assert hook.restore(rewritten) == {
        "type": "object",
        "properties": {
            "type": {"type": "string", "description": "a field called type"},
            "items": {"type": "array", "items": {"$ref": "io.k8s.A"}},
        },
        "additionalProperties": {"oneOf": [{"type": "integer"}]},
    }


def test_deprecations(hook: ModuleType) -> None:
    assert hook.deprecation("A thing. Deprecated: use B.\n\nMore.") == "use B."
    assert hook.deprecation("A thing that replaces deprecated ones.") is None


def test_definitions_that_minors_share_are_stored_once(hook: ModuleType) -> None:
    same, old, new = {"type": "string"}, {"type": "integer"}, {"type": "number"}
    blocks, places = hook.pack_definitions({2: {"a.v1.X": same, "a.v1.Y": new}, 1: {"a.v1.X": same, "a.v1.Y": old}})
    assert places[1]["a.v1"]["X"] == places[2]["a.v1"]["X"]

    def stored(minor: int, name: str) -> bytes:
        start, end = places[minor]["a.v1"][name]
        return bytes(blocks["a.v1"][start:end])

    assert (stored(1, "Y"), stored(2, "Y")) == (b'{"type":"integer"}', b'{"type":"number"}')


def test_a_kind_of_unknown_scope_stops_the_build(hook: ModuleType) -> None:
    definition: dict[str, Any] = {
        "x-kubernetes-group-version-kind": [{"group": "g", "version": "v2", "kind": "Thing"}],
        "properties": {"metadata": {"$ref": hook.OBJECT_META}},
    }
    with pytest.raises(ValueError, match="Thing"):
        hook.kind_index({"a.v2.Thing": definition}, {})
    # An older or newer version of a kind is served like the one that is known.
    resources = {hook.GroupVersionKind("g", "v1", "Thing"): hook.Resource("things", True, ("status",))}
    assert hook.kind_index({"a.v2.Thing": definition}, resources) == {
        "g/v2": {"Thing": ["a.v2.Thing", "things", True, ["status"], None]}
    }


def test_the_build_gives_the_file_that_is_installed(hook: ModuleType) -> None:
    try:
        distribution("kubernetes-validate")
        distribution("lightkube-models")
    except PackageNotFoundError as error:
        pytest.skip(f"build requirement not installed: {error}")
    assert hook.build() == hook.build() == DATA.read_bytes()
