"""Diagnostics and completion in a test file by the nodes and kinds of the tested definition."""

from __future__ import annotations

from pathlib import Path

import pytest

from kro_ls.cli.testing import run_file
from kro_ls.cursor.cursor import Cursor
from kro_ls.features.completion.completion_list import completion
from kro_ls.rules.diagnostics import Severity
from kro_ls.runtime.nodes.budget import PREVIEW_STEPS, PreviewBudget
from kro_ls.workspace.check import check_document
from kro_ls.workspace.documents import Document
from kro_ls.workspace.files_of_tests import FilesOfTests
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.workspace.snapshot import AllDocuments
from kro_ls.workspace.test_runs import TestRuns, failures, runnable_tests
from kro_ls.workspace.tested import definitions_under_test
from kro_ls.yaml_positions.documents.stream import parse_stream
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture
from tests.fixtures.runtime import THING_CRD
from tests.paths import needs_pack

STEPS = PREVIEW_STEPS
FILE = "/shop/app.test.yaml"
DEFINITION = rgd(
    """
- id: deployment
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: "${schema.spec.name}"}
    spec:
      replicas: ${schema.spec.replicas}
      selector: {matchLabels: {app: a}}
      template:
        metadata: {labels: {app: a}}
        spec: {containers: [{name: a, image: a}]}
- id: ingress
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
""",
    spec="{name: string | required=true, replicas: integer | default=1 minimum=1}",
    status="available: ${deployment.status.availableReplicas}",
)
OTHER = rgd("- id: settings\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")
HEAD = "definition: app.yaml\ntests:\n  - name: a\n"
INSTANCE = "    instance:\n      apiVersion: kro.run/v1alpha1\n      kind: App\n      metadata: {name: a}\n"


def opened(source: str) -> tuple[Document, int]:
    """Return a test file beside its definition, and the place of its cursor."""
    files = {
        "/shop/app.yaml": DEFINITION,
        "/shop/other.yaml": OTHER,
        "/shop/one.yaml": "kind: App\n",
        "/shop/broken.yaml": "kind: [\n",
    }
    found = fixture(source)

    def at(path: str) -> Document | None:
        text = files.get(path)
        return None if text is None else Document(Path(path).as_uri(), None, Text(text))

    files_of_tests = FilesOfTests("/shop", at)
    runs = failures(found.document, files_of_tests, TestRuns(), PreviewBudget(STEPS))
    tested = definitions_under_test(found.document.text, files_of_tests, lambda: files, runs)
    document = Document(Path(FILE).as_uri(), 1, found.document.text).testing(tested)
    return document, found.cursor.offset if "$0" in source else 0


def faults(source: str, *, with_failures: bool = False) -> list[tuple[str, str]]:
    """Return the marked texts of a test file, each with its message."""
    document, _ = opened(source)
    content = document.text.content
    return [
        (content[each.span.start : each.span.end], each.message)
        for each in check_document(document).diagnostics
        if with_failures or each.code != "failing-test"
    ]


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("    expect: {nodes: {ingres: ready}}\n", "ingres", "unknown node 'ingres'; did you mean 'ingress'?"),
        ("    expect: {objects: {ingres: {}}}\n", "ingres", "did you mean 'ingress'?"),
        ("    notReady: [deploymnt]\n    expect: {}\n", "deploymnt", "did you mean 'deployment'?"),
        ("    observed: {deploymnt: {}}\n    expect: {}\n", "deploymnt", "did you mean 'deployment'?"),
        ("    observed: {deploymnt: null}\n    expect: {}\n", "deploymnt", "did you mean 'deployment'?"),
        (
            "    expect: {objects: {deployment: {spec: {replica: 2}}}}\n",
            "replica",
            "unknown field 'replica'; did you mean 'replicas'?",
        ),
        ("    expect: {objects: {deployment: {spec: {replicas: two}}}}\n", "two", "'replicas' must be an integer"),
        ("    expect: {objects: {deployment: {spec: {replicas: true}}}}\n", "true", "'replicas' must be an integer"),
        ("    expect: {objects: {ingress: [{dat: {}}]}}\n", "dat", "did you mean 'data'?"),
        (
            "    observed: {deployment: {status: {redyReplicas: 1}}}\n    expect: {}\n",
            "redyReplicas",
            "'readyReplicas'?",
        ),
        ("    expect: {status: {availabe: 1}}\n", "availabe", "did you mean 'available'?"),
        ("    expect: {status: {available: many}}\n", "many", "'available' must be an integer"),
        (f"{INSTANCE}      spec: {{nam: a, name: b}}\n    expect: {{}}\n", "nam", "unknown field 'nam'"),
        (f"{INSTANCE}      spec: {{name: b, replicas: 0}}\n    expect: {{}}\n", "0", "greater than or equal to 1"),
        (
            "    instance: {apiVersion: kro.run/v1alpha1, kind: Ap}\n    expect: {}\n",
            "Ap",
            "'kind' must be 'App', not 'Ap', as in all instances of this definition",
        ),
        ("    instance: two.yaml\n    expect: {}\n", "two.yaml", "there is no such file"),
        ("    expct: {}\n    expect: {}\n", "expct", "did you mean 'expect'?"),
    ],
)
def test_a_fault_is_marked_as_it_is_typed(source: str, text: str, message: str) -> None:
    ((marked, said),) = faults(HEAD + source)
    assert marked == text
    assert message in said


@pytest.mark.parametrize(
    "source",
    [
        "    notReady: [deployment]\n    expect: {state: ACTIVE, nodes: {ingress: {state: pending}}}\n",
        "    observed: {deployment: {status: {readyReplicas: 1}}, ingress: null}\n    expect: {}\n",
        "    expect: {objects: {deployment: {metadata: {namespace: null}, spec: {replicas: 2}}}}\n",
        "    expect: {status: {available: null, state: ACTIVE}}\n",
        f"{INSTANCE}      spec: {{name: b}}\n    expect: {{}}\n",
        f"{INSTANCE}      spec: {{name: b, replicas: 0}}\n    expect: {{errors: [replicas]}}\n",
        "    instance: one.yaml\n    expect: {}\n",
    ],
)
def test_what_is_right_shows_nothing(source: str) -> None:
    assert faults(HEAD + source) == []


def test_all_faults_are_reported_at_once() -> None:
    source = "    expct: {}\n    expect: {stat: ACTIVE, nodes: {ingres: redy}, objets: {}}\n"
    assert sorted(text for text, _ in faults(HEAD + source)) == ["expct", "ingres", "objets", "stat"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ap.yaml", "there is no file ap.yaml; did you mean app.yaml?"),
        ("one.yaml", "one.yaml holds no ResourceGraphDefinition"),
    ],
)
def test_a_definition_that_is_not_there(name: str, message: str) -> None:
    assert faults(f"definition: {name}\ntests: []\n") == [(name, message)]


def test_a_definition_that_kro_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.DEFINITION", DEFINITION.replace("schema.spec.name", "schema.spec.nam"))
    ((marked, said),) = faults("definition: app.yaml\ntests: []\n")
    assert (marked, said.startswith("kro refuses this")) == ("app.yaml", True)


@pytest.mark.parametrize(
    ("source", "labels"),
    [
        ("    expect: {nodes: {$0}}\n", {"deployment", "ingress"}),
        ("    notReady: [$0]\n    expect: {}\n", {"deployment", "ingress"}),
        (
            "    expect:\n      objects:\n        deployment:\n          spec:\n            $0\n",
            {"replicas", "selector"},
        ),
        ("    observed:\n      deployment:\n        $0\n    expect: {}\n", {"status", "spec", "metadata"}),
        ("    observed:\n      deployment:\n        status:\n          $0\n", {"readyReplicas", "conditions"}),
        ("    expect:\n      status:\n        $0\n", {"available"}),
        ("    instance:\n      $0\n    expect: {}\n", {"apiVersion", "kind", "metadata", "spec"}),
        (f"{INSTANCE}      spec:\n        $0\n    expect: {{}}\n", {"name", "replicas"}),
        ("    then:\n      spec:\n        $0\n    expect: {}\n", {"name", "replicas"}),
    ],
)
def test_what_the_definition_declares_is_completed(source: str, labels: set[str]) -> None:
    document, offset = opened(HEAD + source)
    found = completion(Cursor(document, offset), snippets=False)
    assert labels <= {each.label for each in found.items}


PASSING = "    expect: {state: ACTIVE, nodes: {ingress: ready}}\n"
"""What the sample of an instance becomes."""


@pytest.mark.parametrize(
    ("source", "text", "message"),
    [
        ("    expect: {state: ERROR}\n", "ERROR", "expected ERROR, found ACTIVE"),
        ("    expect: {nodes: {ingress: pending}}\n", "pending", "expected ingress to be pending, found ready"),
        ("    expect: {objects: {deployment: {spec: {replicas: 3}}}}\n", "3", "expected 3, found 1"),
        ("    expect: {objects: {ingress: {data: {a: b}}}}\n", "data", "expected data, found only these fields"),
        ("    expect: {errors: [too many]}\n", "too many", "expected an error that says 'too many', found no error"),
    ],
)
def test_an_expectation_that_is_not_met_is_marked(source: str, text: str, message: str) -> None:
    ((marked, said),) = faults(HEAD + source, with_failures=True)
    assert marked == text
    assert message in said
    document, _ = opened(HEAD + source)
    (found,) = check_document(document).diagnostics
    assert (found.code, found.severity) == ("failing-test", Severity.WARNING)


def test_a_test_that_passes_shows_nothing() -> None:
    assert faults(HEAD + PASSING, with_failures=True) == []


def test_a_failure_moves_with_its_test_and_goes_when_that_is_edited() -> None:
    failing = "  - name: b\n    expect: {state: ERROR}\n"
    document, _ = opened(HEAD + PASSING + failing)
    moved = Document(document.uri, 2, Text(f"definition: app.yaml\ntests:\n{failing}")).testing(document.tested)
    (found,) = check_document(moved).diagnostics
    assert moved.text.content[found.span.start : found.span.end] == "ERROR"
    mended = Document(document.uri, 3, Text(moved.text.content.replace("ERROR", "ACTIVE"))).testing(document.tested)
    assert check_document(mended).diagnostics == ()


def test_a_test_with_another_fault_does_not_fail_as_well() -> None:
    other = "  - name: b\n    expect: {state: ERROR}\n"
    unknown = f"{HEAD}    notReady: [ingres]\n    expect: {{state: ERROR}}\n{other}"
    assert [text for text, _ in faults(unknown, with_failures=True)] == ["ingres", "ERROR"]
    refused = f"{HEAD}{INSTANCE}      spec: {{name: b, replicas: 0}}\n    expect: {{state: ERROR}}\n{other}"
    assert [text for text, _ in faults(refused, with_failures=True)] == ["0", "ERROR"]


def test_no_test_fails_for_a_definition_that_kro_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.DEFINITION", DEFINITION.replace("schema.spec.name", "schema.spec.nam"))
    assert [text for text, _ in faults(HEAD + "    expect: {state: ERROR}\n", with_failures=True)] == ["app.yaml"]


def test_each_document_of_a_file_is_about_its_own_definition() -> None:
    wrong = "    expect: {state: ERROR, nodes: {settings: ready}}\n"
    other = f"---\n{HEAD.replace('app.yaml', 'other.yaml')}"
    ((marked, said),) = faults(f"{HEAD}{PASSING}{other}{wrong}", with_failures=True)
    assert (marked, said) == ("ERROR", "expected ERROR, found ACTIVE")
    ((marked, said),) = faults(f"{HEAD}{wrong}{other}{PASSING.replace('ingress', 'settings')}", with_failures=True)
    assert (marked, said.partition(";")[0]) == ("settings", "unknown node 'settings'")
    both = f"{HEAD}    expect: {{state: ERROR}}\n{other}    expect: {{state: ERROR}}\n"
    assert [text for text, _ in faults(both, with_failures=True)] == ["ERROR", "ERROR"]
    document, offset = opened(f"{HEAD}{PASSING}{other}    expect: {{objects: {{settings: {{$0}}}}}}\n")
    assert "data" in {each.label for each in completion(Cursor(document, offset), snippets=False).items}


THING = rgd(
    "- id: thing\n  template: {apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {parent: b}}",
    status="id: ${thing.status.id}",
)
WRONG_THING = "    expect: {objects: {thing: {spec: {prent: b}}}}\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "thing.yaml").write_text(THING_CRD)
    (tmp_path / "thing.yaml").write_text(THING)
    return tmp_path


def faults_on_disk(folder: Path, tests: str) -> list[str]:
    """Return the errors of a test file in a workspace folder."""
    path = folder / "thing.test.yaml"
    path.write_text(tests)
    schemas = load([folder], SchemaSettings())
    others = AllDocuments(
        {},
        schemas,
        lambda name, text: Document(Path(name).as_uri(), None, Text(text), schemas=schemas.index),
        (folder,),
    )
    document = others.at(str(path))
    assert document
    files = others.files_of_test(str(path))
    runs = failures(document, files, TestRuns(), PreviewBudget(STEPS))
    tested = definitions_under_test(document.text, files, lambda: (), runs)
    return [each.message for each in check_document(document.testing(tested)).diagnostics]


def test_tests_are_run_with_the_kinds_that_their_file_names(shop: Path) -> None:
    """As `kro-ls test` does it, which knows no workspace."""
    head = "definition: thing.yaml\ntests:\n  - name: a\n"
    expected = "    expect: {objects: {thing: {spec: {parent: b}}}, status: {id: 3}}\n"
    found = faults_on_disk(shop, f"crds: [crds]\n{head}{expected}")
    assert found == ["'id' must be a string"]
    assert [each.partition(",")[0] for each in faults_on_disk(shop, head + expected)] == ["expected 3"]
    assert "did you mean 'parent'?" in faults_on_disk(shop, head + WRONG_THING)[0]  # what the workspace knows
    (shop / "crds" / "thing.yaml").write_text(THING_CRD.replace("{type: string}}}", "{type: integer}}}"))
    found = faults_on_disk(shop, f"crds: [crds/thing.yaml]\n{head}{expected}")
    assert found[0] == "kro refuses this: 1 error"


def test_kinds_that_cannot_be_read_are_reported_where_they_are_named(shop: Path) -> None:
    tests = "definition: thing.yaml\ncrds: [crds, gone, ../elsewhere]\ntests: []\n"
    assert faults_on_disk(shop, tests) == [
        "there is no such file or folder",
        "outside of the workspace, so it is not read",
    ]
    (shop / "crds" / "wide.yaml").write_text("kind: CustomResourceDefinition\n", encoding="utf-16")
    assert ["UTF-16" in each for each in faults_on_disk(shop, tests)] == [True, False, False]


def test_a_snapshot_is_compared_and_never_written(shop: Path) -> None:
    test = "crds: [crds]\ndefinition: thing.yaml\ntests:\n  - name: a\n    expect: {snapshot: a.snapshot.yaml}\n"
    (missing,) = faults_on_disk(shop, test)
    assert "a.snapshot.yaml is not there; write it with kro-ls test --update" in missing
    assert not (shop / "a.snapshot.yaml").exists()
    assert next(run_file(shop / "thing.test.yaml", shop, update=True)).updated
    assert faults_on_disk(shop, test) == []
    snapshot = (shop / "a.snapshot.yaml").read_text()
    (shop / "thing.yaml").write_text(THING.replace("parent: b", "parent: c"))
    assert faults_on_disk(shop, test) == ["expected 'parent: b' in line 9 of a.snapshot.yaml, found 'parent: c'"]
    assert (shop / "a.snapshot.yaml").read_text() == snapshot
    assert faults_on_disk(shop, test.replace("a.snapshot", "thing")) == [
        "the name of a snapshot ends in .snapshot.yaml, such as thing.snapshot.yaml"
    ]


def test_a_test_that_costs_too_much_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.STEPS", 8_100)  # two nodes, and a few steps
    assert faults(HEAD + "    expect: {state: ERROR}\n", with_failures=True) == []


def test_true_is_not_taken_for_a_test_of_1() -> None:
    rgd = Document("file:///shop/app.yaml", 1, Text(DEFINITION)).analysis.rgds[0]
    one, true = (
        next(
            runnable_tests(
                parse_stream(Text(HEAD + f"    expect: {{status: {{available: {value}}}}}\n")).document_at(0)
            )
        )[0]
        for value in ("1", "true")
    )
    runs = TestRuns()
    files = FilesOfTests("/shop", lambda _: None)
    found = [runs.outcome(0, rgd, test, files) for test in (one, true)]
    assert [bool(each and each.problems) for each in found] == [False, True]


@needs_pack
def test_tests_know_the_kinds_of_a_preview_but_not_those_of_the_users_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "kro-ls/kinds/example.com").mkdir(parents=True)
    (tmp_path / "kro-ls/kinds/example.com/Thing.yaml").write_text(THING_CRD, encoding="utf-8")
    assert load([], SchemaSettings()).index.find("example.com", "v1", "Thing")
    index, problems = FilesOfTests("/shop", lambda _: None).kinds(())
    assert problems == {}
    assert index.find("iam.services.k8s.aws", "v1alpha1", "Role")
    assert index.find("example.com", "v1", "Thing") is None
