"""The fields that a definition declares as symbols: definition, references, rename, in all files of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol.types import MarkupContent
from msgspec.structs import replace

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.rename import RenameError, prepare_rename, rename
from kro_ls.features.completion.completion_list import completion
from kro_ls.features.convert import to_offset
from kro_ls.features.hover.hover import hover
from kro_ls.features.navigation.definition import definition, type_definition
from kro_ls.features.navigation.reference_search import document_highlights, references
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.yaml_positions.text import Text
from tests.conformance.schemas import chained_schemas
from tests.features.field_renaming import applied, round_trips
from tests.fixtures.definitions import rgd
from tests.fixtures.features import check_definition, check_references, check_rename
from tests.fixtures.language import fixture
from tests.paths import CONFORMANCE, EXAMPLES, needs_conformance

DEFINITION = """
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    types:
      Port:
        number: integer | default=80
        ^^^^^^ number
    spec:
      name: string | required=true
      ^^^^ name
      "ports": '[]Port | default=[{"number": 1}]'
       ^^^^^ ports
                                    ^^^^^^ number
    status:
      where: ${config.metadata.name}
      ^^^^^ where
    additionalPrinterColumns:
      - {name: Name, type: string, jsonPath: .spec.name}
                                                   ^^^^ name
      - {name: Where, type: string, jsonPath: .status.where}
                                                      ^^^^^ where
  resources:
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}-${schema.metadata.name}"}
                                        ^^^^ name
        data:
          a: ${schema.spec.ports.filter(p, p.number > 1).map(p, string(p.number)).join(",")}
                           ^^^^^ ports
                                             ^^^^^^ number
                                                                         ^^^^^^ number
          b: ${has(schema.spec.name) ? schema.spec.?name.orValue("") : string(schema.spec.ports[0].number)}
                               ^^^^ name
                                                    ^^^^ name
                                                                                          ^^^^^ ports
                                                                                                   ^^^^^^ number
"""


@pytest.mark.parametrize("label", ["name", "ports", "number", "where"])
@pytest.mark.parametrize("place", [0, 1, -1])
def test_all_uses_are_found_and_renamed_from_each_of_them(label: str, place: int) -> None:
    plain = fixture(DEFINITION)
    marks = plain.marks[label]
    mark = marks[min(place, len(marks) - 1)]
    found = plain.__class__(Cursor(plain.document, to_offset(plain.document, mark.start) + 2), plain.marks)
    check_definition(found, label)
    check_references(found, declaration=label)
    check_rename(found, "fresh", label)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ports", "another field"),
        ("on", "YAML reads"),
        ("a b", "not a name"),
        ("1st", "not a name"),
        ("", "not a name"),
    ],
)
def test_a_field_is_not_renamed_to_what_would_break(name: str, reason: str) -> None:
    found = fixture(DEFINITION.replace("      name: string", "      na$0me: string"))
    with pytest.raises(RenameError, match=reason):
        rename(found.cursor, name)


def test_a_name_that_the_api_prescribes_is_kept() -> None:
    found = fixture("""
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: App
    types:
      Box: {na$0me: string, image: string}
    spec: {boxes: "[]Box"}
  resources:
    - id: pod
      template:
        apiVersion: v1
        kind: Pod
        metadata: {name: "${schema.metadata.name}"}
        spec: {containers: "${schema.spec.boxes}"}
""")
    with pytest.raises(RenameError, match=r"kro would refuse rgd.yaml:17: unknown field 'fresh'"):
        rename(found.cursor, "fresh")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_every_field_of_the_examples_is_renamed_and_back(path: Path) -> None:
    assert [each for each in round_trips(path.read_text(encoding="utf-8")) if each.problem] == []


@needs_conformance
@pytest.mark.parametrize("path", sorted((CONFORMANCE / "rgds").glob("*.yaml"))[::12], ids=lambda path: path.name)
def test_every_field_of_recorded_definitions_is_renamed_and_back(path: Path) -> None:
    trips = round_trips(path.read_text(encoding="utf-8"), chained_schemas(CONFORMANCE))
    problems = [each for each in trips if each.problem]
    # What the schema of a Kubernetes kind prescribes is refused with the reason.
    assert all("kro would refuse rgd.yaml:" in each.problem for each in problems), problems


USER = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {name: user}
spec:
  schema:
    apiVersion: v1alpha1
    kind: User
    status:
      at: ${app.status.where}
  resources:
    - id: app
      template:
        apiVersion: kro.run/v1alpha1
        kind: App
        metadata: {name: "${schema.metadata.name}"}
        spec:
          name: a
          ports: [{number: 2}]
"""
INSTANCE = """\
apiVersion: kro.run/v1alpha1
kind: App
metadata: {name: small}
spec:
  name: small
  ports:
    - number: 1
"""
TEST = """\
definition: app.yaml
tests:
  - name: a test
    instance:
      apiVersion: kro.run/v1alpha1
      kind: App
      metadata: {name: small}
      spec: {name: small}
    observed: {config: {}}
    notReady: [config]
    expect:
      nodes: {config: waiting}
      objects: {"config": {kind: ConfigMap}}
      status: {where: small}
"""
TEXTS = {"app.yaml": fixture(DEFINITION).content, "user.yaml": USER, "instance.yaml": INSTANCE, "app.test.yaml": TEST}


@pytest.fixture
def workspace(tmp_path: Path) -> AllDocuments:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    schemas = load([tmp_path], SchemaSettings())

    def make(path: str, text: str) -> Document:
        return Document(Path(path).as_uri(), None, Text(text), schemas=schemas.index)

    test = tmp_path / "app.test.yaml"
    return AllDocuments({str(test): make(str(test), TEST)}, schemas, make, (tmp_path,))


def cursor_in(workspace: AllDocuments, name: str, after: str) -> Cursor:
    document = workspace.at(str(workspace.folders[0] / name))
    assert document
    return Cursor(document, document.text.content.index(after) + len(after), workspace)


@pytest.mark.parametrize(
    ("name", "after", "field", "files"),
    [
        ("app.yaml", "na", "name", {"app.yaml", "user.yaml", "instance.yaml", "app.test.yaml"}),
        ("instance.yaml", "spec:\n  na", "name", {"app.yaml", "user.yaml", "instance.yaml", "app.test.yaml"}),
        ("user.yaml", "[{num", "number", {"app.yaml", "user.yaml", "instance.yaml"}),
        ("user.yaml", "app.status.wh", "where", {"app.yaml", "user.yaml", "app.test.yaml"}),
        ("app.test.yaml", "{wh", "where", {"app.yaml", "user.yaml", "app.test.yaml"}),
        ("app.test.yaml", "spec: {na", "name", {"app.yaml", "user.yaml", "instance.yaml", "app.test.yaml"}),
        ("app.yaml", "id: con", "config", {"app.yaml", "app.test.yaml"}),
        ("app.test.yaml", "notReady: [con", "config", {"app.yaml", "app.test.yaml"}),
    ],
)
def test_a_name_is_renamed_in_all_files(
    workspace: AllDocuments, name: str, after: str, field: str, files: set[str]
) -> None:
    after = "spec:\n      na" if after == "na" else after
    cursor = cursor_in(workspace, name, after)
    offered = prepare_rename(cursor)
    assert offered
    assert offered.placeholder == field
    location = definition(cursor)
    assert location
    assert location.uri.endswith("app.yaml")
    edit = rename(cursor, "fresh")
    assert edit
    assert edit.changes
    assert {uri.rpartition("/")[2] for uri in edit.changes} == files
    places = references(cursor, include_declaration=True)
    assert sorted((each.uri, str(each.range)) for each in places) == sorted(
        (uri, str(each.range)) for uri, edits in edit.changes.items() for each in edits
    )
    for uri, edits in edit.changes.items():
        document = workspace.at(str(workspace.folders[0] / uri.rpartition("/")[2]))
        assert document
        assert applied(document, edits).count("fresh") == len(edits)


def test_the_status_of_an_object_leads_to_that_of_its_definition(workspace: AllDocuments) -> None:
    location = definition(cursor_in(workspace, "user.yaml", "app.stat"))
    assert location
    assert location.uri.endswith("app.yaml")
    line = TEXTS["app.yaml"].splitlines()[location.range.start.line]
    assert line.strip().startswith("status:")


@pytest.mark.parametrize(
    ("after", "text"),
    [
        ("notReady: [con", "**config**: resource"),
        ('objects: {"con', "**config**: resource"),
        ("status: {wh", "**where**: `string`, field of the status"),
        ("spec: {na", "**name**: `string`"),
        ("expe", "**expect**: `object`"),
    ],
)
def test_a_test_file_says_what_the_definition_declares(workspace: AllDocuments, after: str, text: str) -> None:
    found = hover(cursor_in(workspace, "app.test.yaml", after))
    assert found
    assert isinstance(found.contents, MarkupContent)
    assert text in found.contents.value


@pytest.mark.parametrize(
    ("after", "labels"),
    [
        ("notReady: [con", ["config"]),
        ("nodes: {con", ["config"]),
        ("status: {wh", ["where"]),
        ("name: a te", []),
        ("nodes: {config: ", ["ready", "waiting", "pending", "ignored", "error"]),
        ("instance:\n      apiVersion: kr", ["kro.run/v1alpha1"]),
        ("kind: A", ["App"]),
        ("definition: ap", ["app.yaml", "user.yaml"]),
    ],
)
def test_a_test_file_is_completed_with_what_the_definition_declares(
    workspace: AllDocuments, after: str, labels: list[str]
) -> None:
    found = completion(cursor_in(workspace, "app.test.yaml", after), snippets=False)
    assert [item.label for item in found.items] == labels


def test_each_document_of_a_test_file_names_what_its_own_definition_declares(workspace: AllDocuments) -> None:
    other = "definition: user.yaml\ntests:\n  - name: b\n    notReady: [app]\n    expect: {status: {at: a}}\n"
    path = workspace.folders[0] / "app.test.yaml"
    document = replace(workspace.opened[str(path)], text=Text(f"{other}---\n{TEST}"))
    both = replace(workspace, opened={str(path): document})
    for after, target in (("[app", "user.yaml"), ("{at", "user.yaml"), ("[conf", "app.yaml"), ("{whe", "app.yaml")):
        location = definition(cursor_in(both, "app.test.yaml", after))
        assert location
        assert location.uri.endswith(target)
    edit = rename(cursor_in(both, "app.test.yaml", "nodes: {con"), "fresh")
    assert edit
    assert edit.changes
    renamed = applied(document, edit.changes[document.uri])
    assert (renamed.startswith(other), renamed.count("fresh")) == (True, 4)
    found = completion(cursor_in(both, "app.test.yaml", "[a"), snippets=False)
    assert [each.label for each in found.items] == ["app"]


@pytest.mark.parametrize(
    ("name", "after"), [("app.yaml", "kind: Ap"), ("instance.yaml", "kind: Ap"), ("user.yaml", "kind: Ap")]
)
def test_a_kind_is_found_in_all_files(workspace: AllDocuments, name: str, after: str) -> None:
    cursor = cursor_in(workspace, name, after)
    places = references(cursor, include_declaration=True)
    assert places[0].uri.endswith("app.yaml")
    assert {each.uri.rpartition("/")[2] for each in places} == set(TEXTS)
    assert len(document_highlights(cursor)) == 1


def test_the_type_of_a_bundled_kind_is_described_in_a_virtual_document() -> None:
    found = fixture(DEFINITION.replace("config.metadata.name}", "config.metadata.na$0me}"))
    location = type_definition(found.cursor)
    assert location
    assert location.uri == "kro-preview:/kind/v1/ConfigMap.yaml"
    assert location.range.start.line > 0
    assert definition(found.cursor) == location


def test_the_type_of_a_field_is_its_custom_type() -> None:
    found = fixture(DEFINITION.replace("schema.spec.ports[0]", "schema.spec.po$0rts[0]"))
    location = type_definition(found.cursor)
    assert location
    assert found.text_at(location.range) == "Port"


def test_of_several_definitions_the_nearest_is_meant(tmp_path: Path) -> None:
    for folder, name in (("one", "count"), ("two", "number")):
        (tmp_path / folder).mkdir()
        text = rgd("- id: a\n  template: {}\n", spec=f"{{{name}: integer}}")
        (tmp_path / folder / "app.yaml").write_text(text, encoding="utf-8")
        instance = f"apiVersion: kro.run/v1alpha1\nkind: App\nmetadata: {{name: x}}\nspec: {{{name}: 1, count: 2}}\n"
        (tmp_path / folder / "instance.yaml").write_text(instance, encoding="utf-8")
    schemas = load([tmp_path], SchemaSettings())

    def make(path: str, text: str) -> Document:
        return Document(Path(path).as_uri(), None, Text(text), schemas=schemas.index_for(path))

    workspace = AllDocuments({}, schemas, make, (tmp_path,))
    location = definition(cursor_in(workspace, "two/instance.yaml", "{num"))
    assert location
    assert location.uri.endswith("two/app.yaml")
    edit = rename(cursor_in(workspace, "one/app.yaml", "{cou"), "total")
    assert edit
    assert edit.changes
    assert {"/".join(uri.split("/")[-2:]) for uri in edit.changes} == {"one/app.yaml", "one/instance.yaml"}
