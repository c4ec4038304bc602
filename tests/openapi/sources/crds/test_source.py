"""Custom kinds from files."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.openapi.json_values import JsonObject, JsonValue, as_object
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.crds.parsing import (
    LARGEST_FILE,
    CrdProblem,
    crd_problems,
    forget_problems,
    parse_definitions,
    parse_values,
)
from kro_ls.openapi.sources.crds.served_kinds import served_kinds
from kro_ls.openapi.sources.crds.source import CrdFile, CrdSource
from kro_ls.openapi.sources.disk_cache import SMALLEST_TEXT, DiskCache
from tests.fixtures.examples import FEW
from tests.openapi.sources.crds.fixtures import CRDS, WIDGET
from tests.paths import needs_conformance

OBJECT_META: JsonObject = {"type": "object", "properties": {"name": {"type": "string"}, "labels": {"type": "object"}}}
NAME = GroupVersionKind("example.com", "v1", "Widget")


def source(*texts: str) -> CrdSource:
    return CrdSource([(f"{number}.yaml", text) for number, text in enumerate(texts)], OBJECT_META)


def reported(text: str) -> list[tuple[str, str]]:
    """The problems in `text`: the marked text and the message."""
    return [(text[problem.start : problem.end], problem.message) for problem in crd_problems(text)]


def edited(old: str, new: str) -> str:
    assert old in WIDGET
    return WIDGET.replace(old, new, 1)


def test_served_versions_are_kinds() -> None:
    found = source(WIDGET).find(NAME)
    assert found is not None
    assert (found.plural, found.namespaced, found.subresources) == ("widgets", True, ("scale", "status"))
    assert (found.source, found.deprecation) == ("0.yaml", None)
    assert [name.version for name in source(WIDGET).names()] == ["v1", "v1beta1"]
    beta = source(WIDGET).find(GroupVersionKind("example.com", "v1beta1", "Widget"))
    assert beta is not None
    assert beta.deprecation == "use v1"
    assert reported(WIDGET) == []


def test_the_schema_is_the_published_one() -> None:
    found = source(WIDGET).find(NAME)
    assert found is not None
    properties = as_object(found.schema["properties"])
    assert list(properties) == ["metadata", "spec", "apiVersion", "kind"]
    assert as_object(properties["metadata"])["properties"] == OBJECT_META["properties"]
    assert as_object(properties["kind"])["type"] == "string"
    spec = as_object(as_object(properties["spec"])["properties"])
    assert spec["size"] == {"type": "integer"}
    assert spec["port"] == {
        "x-kubernetes-int-or-string": True,
        "anyOf": [{"type": "integer"}, {"type": "string"}],
    }
    template = as_object(spec["template"])
    assert template["required"] == ["kind", "apiVersion"]
    assert "labels" in as_object(as_object(as_object(template["properties"])["metadata"])["properties"])
    assert found.declared_schema is not None
    assert "required" not in str(found.declared_schema)
    assert found.schema is found.schema


def test_files_with_several_documents_lists_and_other_objects() -> None:
    other = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n"
    assert source(f"{other}---\n{WIDGET}").find(NAME) is not None
    listed = "apiVersion: v1\nkind: List\nitems:\n- " + WIDGET.rstrip().replace("\n", "\n  ") + "\n"
    assert source(listed).find(NAME) is not None
    assert reported(listed) == []


def test_the_first_of_two_files_counts() -> None:
    found = source(edited("scope: Namespaced", "scope: Cluster"), WIDGET).find(NAME)
    assert found is not None
    assert (found.source, found.namespaced) == ("0.yaml", False)


def test_files_without_definitions_are_left_alone() -> None:
    broken_other = "kind: [CustomResourceDefinition\nfoo: }"
    assert source("a: 1\n", "", broken_other, "[]", "kind: CustomResourceDefinitionList\nitems: 3").names() == ()
    assert reported(broken_other) == []


def test_a_kind_stays_the_same_while_its_own_text_does() -> None:
    before = source(WIDGET)
    beta = GroupVersionKind("example.com", "v1beta1", "Widget")
    assert before.find(NAME) is not None
    assert before.find(beta) is not None
    changed = before.with_file("0.yaml", edited("deprecationWarning: use v1", "deprecationWarning: please use v1"))
    assert changed.find(NAME) is before.find(NAME)
    assert changed.find(beta) is not before.find(beta)


def test_a_file_changes() -> None:
    gadget = WIDGET.replace("Widget", "Gadget").replace("widgets", "gadgets")
    before = source(WIDGET, gadget)
    broken = before.with_file("1.yaml", "kind: CustomResourceDefinition")
    assert broken.find(NAME) is before.find(NAME)
    assert broken.find(GroupVersionKind("example.com", "v1", "Gadget")) is None
    assert broken.with_file("1.yaml", gadget).names() == before.names()
    assert before.with_file("0.yaml", None).names() == source(gadget).names()
    assert before.with_file("none.yaml", None).names() == before.names()
    assert before.with_file("2.yaml", "").paths() == ("0.yaml", "1.yaml", "2.yaml")
    assert before.with_file("0.yaml", None).paths() == ("1.yaml",)


def test_a_definition_in_memory() -> None:
    spec: JsonObject = {"group": "kro.run", "names": {"kind": "App", "plural": "apps"}, "scope": "Cluster"}
    version: JsonObject = {"name": "v1", "served": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
    definition: JsonObject = {"apiVersion": "apiextensions.k8s.io/v1", "spec": {**spec, "versions": [version]}}
    (found,) = served_kinds(definition, "rgd.yaml", OBJECT_META)
    assert (str(found.name), found.plural, found.namespaced) == ("kro.run/v1 App", "apps", False)
    assert found.schema["properties"]
    assert list(served_kinds({"spec": spec}, "rgd.yaml", OBJECT_META)) == []


@pytest.mark.parametrize(
    ("old", "new", "marked", "message"),
    [
        ("  group: example.com\n", "", "spec", "'group' is missing; a definition needs spec.group"),
        ("  group: example.com", "  group: [a]", "[a]", "'group' must be a string"),
        ("    kind: Widget\n", "", "names", "'kind' is missing; a definition needs spec.names.kind"),
        ("    plural: widgets\n", "", "names", "'plural' is missing; a definition needs spec.names.plural"),
        (
            "scope: Namespaced",
            "scope: namespaced",
            "namespaced",
            "'namespaced' is not a scope; expected 'Cluster' or 'Namespaced'",
        ),
        (
            "name: widgets.example.com",
            "name: widget",
            "widget",
            "'metadata.name' must be 'widgets.example.com', the plural and the group",
        ),
        (
            "    - name: v1\n      served",
            "    - served",
            None,
            "'name' is missing; a definition needs spec.versions[0].name",
        ),
        (
            "apiextensions.k8s.io/v1",
            "apiextensions.k8s.io/v1beta1",
            "apiVersion",
            "'apiextensions.k8s.io/v1beta1' is no longer served; use",
        ),
        (
            "      storage: true\n",
            "      storage: false\n",
            "versions",
            "exactly one version needs 'storage: true'; none has it",
        ),
        (
            "                  type: integer",
            "                  type: int",
            "int",
            "'int' is not a type of schemas; expected 'array', 'boolean', 'integer'",
        ),
        ("                  type: integer", "                  $ref: '#/a'", "$ref", "'$ref' is not supported"),
        ("                  type: integer", "                  minimum: 1", "size", "'size' has no type"),
        ("                  type: integer", "                  type: array", "size", "an array needs 'items'"),
        ("                size:\n                  type: integer", "                size: 3", "size", "not a number"),
        ("                size:\n                  type: integer", "                size:", "size", "not nothing"),
    ],
)
def test_broken_definitions_are_reported_at_their_place(old: str, new: str, marked: str | None, message: str) -> None:
    text = edited(old, new)
    found = reported(text)
    assert any((marked is None or place == marked) and message in what for place, what in found), found


@pytest.mark.parametrize("spec", ["", " 3", " []", " {}"])
def test_a_definition_without_a_usable_spec(spec: str) -> None:
    found = reported(f"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:{spec}\n")
    assert found
    assert all(message.startswith(("'spec' ", "'group' is missing")) for _, message in found[:1])


def test_missing_versions() -> None:
    text = WIDGET[: WIDGET.index("  versions:")]
    assert reported(text) == [("spec", "'versions' must be a list of at least one version")]


def test_a_version_without_a_schema_is_open() -> None:
    text = edited(
        "      schema:\n        openAPIV3Schema:\n          type: object\n    - name: v1alpha1", "    - name: v1alpha1"
    )
    assert any(message.startswith("this version has no schema") for _, message in reported(text))
    beta = source(text).find(GroupVersionKind("example.com", "v1beta1", "Widget"))
    assert beta is not None
    assert beta.schema["x-kubernetes-preserve-unknown-fields"] is True


def test_a_truncated_file_keeps_what_is_there() -> None:
    text = WIDGET[: WIDGET.index("port:") + 3] + "\n"
    files = source(text, WIDGET.replace("Widget", "Gadget").replace("widgets", "gadgets"))
    assert reported(text)
    assert all(0 <= problem.start <= problem.end <= len(text) for problem in crd_problems(text))
    assert files.find(NAME) is not None
    assert files.find(GroupVersionKind("example.com", "v1", "Gadget")) is not None


def test_syntax_errors_do_not_hide_the_rest_of_the_schema() -> None:
    text = edited("type: integer", "type: integer: 3")
    assert any("cannot stand in a plain value" in message for _, message in reported(text))
    assert source(text).find(NAME) is not None


def test_aliases_and_bombs() -> None:
    recursive = edited(
        "                size:\n                  type: integer",
        "                size: &s\n                  items: *s",
    )
    assert reported(recursive)
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
    )
    assert any("the aliases make the document too large" in message for _, message in reported(bomb + WIDGET))


@pytest.mark.parametrize("kept", [None, 3, [3], [["example.com", "v1"]], [[1, "x", 2]]])
def test_what_is_slow_to_find_is_kept_on_disk(tmp_path: Path, kept: JsonValue) -> None:
    flow = json.dumps(next(parse_definitions(WIDGET))).replace("Namespaced", "Everywhere") + "\n#" + "x" * SMALLEST_TEXT
    content = flow.encode()
    cache = DiskCache(tmp_path)
    for name in ("crd names", "crd problems"):
        cache.put(name, content, kept)  # nothing of use
    names = CrdFile("a.json", content, OBJECT_META, lambda: content, cache=cache).names
    assert names == source(WIDGET).names()
    assert [problem.message[:12] for problem in crd_problems(flow + str(kept), cache)] == ["'Everywhere'"]
    cache.put("crd names", content, [["example.com", "v3", "Widget"]])
    cache.put("crd problems", content, [[1, 2, "kept", "printed", "meant"]])
    names = CrdFile("a.json", content, OBJECT_META, lambda: content, cache=cache).names
    assert names == (GroupVersionKind("example.com", "v3", "Widget"),)
    forget_problems()
    assert crd_problems(flow, cache) == (CrdProblem(1, 2, "kept", "printed", "meant"),)


def test_a_kind_is_gone_when_its_file_is() -> None:
    file = CrdFile("a.yaml", WIDGET.encode(), OBJECT_META, lambda: None)
    assert file.names
    assert file.find(NAME) is None


def test_a_huge_file_is_refused_with_a_message() -> None:
    text = WIDGET + "# " + "x" * LARGEST_FILE
    (problem,) = crd_problems(text)
    assert source(text).names() == ()
    assert "10 million" in problem.message
    assert text[problem.start : problem.end] == "apiVersion: apiextensions.k8s.io/v1"


def test_a_long_list_is_read_item_by_item() -> None:
    item = "".join(f"{'- ' if not number else '  '}{line}\n" for number, line in enumerate(WIDGET.splitlines()))
    filler = f"- kind: ConfigMap\n  data:\n    text: |\n      - {'x' * 1000}\n" * (LARGEST_FILE // 1000)
    text = f"apiVersion: v1\nitems:\n{filler}{item}kind: List\nmetadata: {{}}\n"
    assert len(text) > LARGEST_FILE
    whole, alone = source(text), source(WIDGET)
    assert whole.names() == alone.names()
    found, expected = whole.find(NAME), alone.find(NAME)
    assert found is not None
    assert expected is not None
    assert found.schema == expected.schema


def test_a_long_list_in_json_is_read_item_by_item() -> None:
    (widget,) = parse_values(WIDGET)
    filler = [{"kind": "ConfigMap", "data": {"text": "x" * 1000}}] * (LARGEST_FILE // 1000)
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [*filler, widget]})
    assert len(text) > LARGEST_FILE
    whole, alone = source(text), source(WIDGET)
    assert whole.names() == alone.names()
    found, expected = whole.find(NAME), alone.find(NAME)
    assert found is not None
    assert expected is not None
    assert found.schema == expected.schema
    assert source(text[:-2]).names() == (), "a damaged one is not read, and does not take long"


def test_deep_nesting_is_a_problem_not_an_exception() -> None:
    deep = edited("                  type: integer", "                  " + "{items: " * 3000 + "1" + "}" * 3000)
    assert reported(deep)


@FEW
@given(
    st.integers(0, len(WIDGET)),
    st.integers(0, 30),
    st.sampled_from(["", ":", "- ", "{", "\t", "'", "[]", "&a ", "\x00", "null"]),
)
def test_any_damage_is_survived(start: int, length: int, inserted: str) -> None:
    text = WIDGET[:start] + inserted + WIDGET[start + length :]
    files = source(text)
    for problem in crd_problems(text):
        assert 0 <= problem.start <= problem.end <= len(text)
        assert problem.message
    for name in files.names():
        found = files.find(name)
        assert found is not None
        assert found.schema["properties"]


@needs_conformance
def test_definitions_of_well_known_projects() -> None:
    texts = [(str(path), path.read_text()) for path in sorted(CRDS.glob("*.yaml"))]
    files = CrdSource(texts, OBJECT_META)
    assert [problem for _, text in texts for problem in crd_problems(text)] == []
    assert len(files.names()) > 80
    assert all(files.find(name).schema["properties"] for name in files.names())  # type: ignore[union-attr]  # named by it
