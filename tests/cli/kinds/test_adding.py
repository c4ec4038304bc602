"""`kro-ls kinds add`."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from kro_ls.openapi.json_values import JsonObject
from kro_ls.openapi.kind_schema import GroupVersionKind
from kro_ls.openapi.sources.store import Store, origin_in
from kro_ls.render.yaml_text import to_yaml
from tests.fixtures.crds import archive, crd, write_layout
from tests.fixtures.processes import Invoke

WIDGET, GADGET = crd(), crd("Gadget")
CHART = "name: widget-operator\nversion: 0.1.0\nappVersion: v1.6\n"
BOTH = ["example.com/Gadget.yaml", "example.com/Widget.yaml"]


def listed(*definitions: JsonObject, **more: str) -> JsonObject:
    return {"apiVersion": "v1", "kind": "List", "items": [*definitions], **more}


def kept(store: Path) -> list[str]:
    return sorted(str(path.relative_to(store)) for path in store.rglob("*") if path.is_file())


def origin(store: Path, home: str = "example.com/Widget.yaml") -> str:
    return re.sub(r", \d{4}-\d\d$", ", today", str(origin_in((store / home).read_text())))


@pytest.mark.parametrize(
    "text",
    [
        f"{to_yaml(WIDGET)}---\n{to_yaml(GADGET)}",
        f"---\n# two\n---\n{to_yaml(WIDGET)}...\n---\nkind: Other\n---\n{to_yaml(GADGET)}",
        to_yaml(listed(WIDGET, GADGET)),
        to_yaml({"kind": "List", "apiVersion": "v1", "items": [WIDGET, GADGET]}).replace("\n", "\r\n"),
        json.dumps(listed(WIDGET, GADGET), indent=2),
        json.dumps([WIDGET, GADGET]),
        f"a: &a 1\n---\n{to_yaml(WIDGET)}---\n{to_yaml(GADGET)}",
    ],
)
def test_texts_of_every_form(invoke: Invoke, store: Path, text: str) -> None:
    Path("crds.yaml").write_bytes(text.encode())
    result = invoke("kinds", "add", "crds.yaml")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith(f"2 added in {store}\n")
    assert kept(store) == BOTH


def test_a_large_list_is_cut_into_its_items(invoke: Invoke, store: Path) -> None:
    many = [crd(f"Kind{number}", description_of="-\n- kind: List\nitems:\n- x: |\n  - y") for number in range(300)]
    result = invoke("kinds", "add", "-", stdin=to_yaml(listed(*many, metadata="of the list")))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith(f"300 added in {store}\n")


def test_what_is_kept_can_be_used_and_says_where_it_is_from(invoke: Invoke, store: Path) -> None:
    labels: JsonObject = {"app.kubernetes.io/name": "widgets", "app.kubernetes.io/version": "v1.2.3"}
    invoke("kinds", "add", "-", stdin=to_yaml(crd(labels=labels)))
    assert origin(store) == "widgets 1.2.3, today"
    found = Store(store, {}).find(GroupVersionKind("example.com", "v1", "Widget"))
    assert found is not None
    assert found.schema["description"] == "A Widget."


def test_a_known_project_is_called_by_its_title(invoke: Invoke, store: Path) -> None:
    Path("iam.tgz").write_bytes(
        archive({"iam-chart/Chart.yaml": CHART, "iam-chart/crds/a.yaml": to_yaml(crd("Role", "iam.services.k8s.aws"))})
    )
    result = invoke("kinds", "add", "iam.tgz")
    assert re.sub(r"\d{4}-\d\d", "today", result.stdout) == (
        f"iam.services.k8s.aws     1 kind   AWS Controllers for Kubernetes 1.6, today\n1 added in {store}\n"
    )


def test_charts(invoke: Invoke, store: Path) -> None:
    template = f"{{{{- if .Values.crds }}}}\n{to_yaml(GADGET)}{{{{- end }}}}\n"
    files = {
        "widgets/Chart.yaml": CHART,
        "widgets/crds/widgets.yaml": to_yaml(WIDGET),
        "widgets/templates/gadgets.yaml": template,
        "widgets/templates/deployment.yaml": "kind: {{ .Values.kind }}\n",
        "widgets/charts/other/Chart.yaml": "name: other\nversion: 3.0.0\n",
        "widgets/charts/other/crds/thing.yaml": to_yaml(crd("Thing")),
    }
    Path("widgets.tgz").write_bytes(archive({**files}))
    result = invoke("kinds", "add", "widgets.tgz")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [origin(store, home) for home in kept(store)] == [
        "widget-operator 1.6, today",
        "other 3.0.0, today",
        "widget-operator 1.6, today",
    ]
    for name, text in files.items():
        Path("unpacked", name).parent.mkdir(parents=True, exist_ok=True)
        Path("unpacked", name).write_text(text)
    result = invoke("kinds", "add", "unpacked")
    assert (result.exit_code, result.stderr, result.stdout.splitlines()[-1]) == (0, "", f"3 unchanged in {store}")


def test_a_layout_of_an_artifact(invoke: Invoke, store: Path) -> None:
    chart = archive({"widgets/crds/widgets.yaml": to_yaml(WIDGET)})
    write_layout(
        Path("layout"),
        chart,
        **{"org.opencontainers.image.title": "widgets", "org.opencontainers.image.version": "2.0"},
    )
    result = invoke("kinds", "add", "layout")
    assert (result.exit_code, result.stderr, origin(store)) == (0, "", "widgets 2.0, today")
    (blob,) = (path for path in Path("layout/blobs/sha256").iterdir() if path.read_bytes() == chart)
    blob.write_bytes(chart + b"x")
    result = invoke("kinds", "add", "layout")
    assert (result.exit_code, result.stderr) == (
        2,
        f"error: layout: a damaged OCI layout: blob {blob.name[:12]} has another content\n",
    )


def test_into_a_repository(invoke: Invoke, store: Path) -> None:
    Path("all.yaml").write_text(f"{to_yaml(WIDGET)}---\n{to_yaml(GADGET)}")
    result = invoke("kinds", "add", "all.yaml", "-o", "crds")
    assert result.stdout.endswith("2 added in crds\n")
    assert kept(Path("crds")) == BOTH
    assert not store.exists()
    assert invoke("check", "crds").exit_code == 0, "nothing is wrong with what was written"
    invoke("kinds", "add", "crds")
    assert origin(store) == origin(Path("crds")) == "all.yaml, today", "who adds them again learns where they are from"


def test_a_second_time_only_what_changed_is_written(invoke: Invoke, store: Path) -> None:
    Path("all.yaml").write_text(f"{to_yaml(WIDGET)}---\n{to_yaml(GADGET)}")
    invoke("kinds", "add", "all.yaml")
    path = store / "example.com" / "Widget.yaml"
    path.write_text(re.sub(r"kro-ls/date: .*", 'kro-ls/date: "2020-01-01"', path.read_text()))
    before = path.read_text()
    Path("all.yaml").write_text(f"{to_yaml(WIDGET)}---\n{to_yaml(crd('Gadget', 'example.com', 'v1', 'v2'))}")
    assert invoke("kinds", "add", "all.yaml").stdout.endswith(f"1 updated, 1 unchanged in {store}\n")
    assert path.read_text() == before


def test_of_several_definitions_the_one_with_most_versions_is_kept(invoke: Invoke, store: Path) -> None:
    more = crd("Widget", "example.com", "v1", "v2")
    invoke("kinds", "add", "-", stdin=f"{to_yaml(WIDGET)}---\n{to_yaml(more)}---\n{to_yaml(WIDGET)}")
    assert [name.version for name in Store(store, {}).names()] == ["v1", "v2"]


BROKEN = to_yaml(WIDGET).replace("  scope: Namespaced\n", "  scope: [\n")


def altered(old: str, new: str) -> bytes:
    return to_yaml(WIDGET).replace(old, new).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad: no CustomResourceDefinition in it"),
        (b"kind: ConfigMap\n", "bad: no CustomResourceDefinition in it"),
        (to_yaml(WIDGET).encode() + b"# \xff\n", "bad: not UTF-8 (line 29); save it as UTF-8"),
        (to_yaml(WIDGET).encode("utf-16"), "bad: UTF-16 or UTF-32; save it as UTF-8"),
        (f"a: 1\n---\n{BROKEN}".encode(), "bad:12: YAML cannot read this: "),
        (altered("name: widgets", "name: {{ .x }}"), "bad: a template that only Helm can read; "),
        (altered("k8s.io/v1", "k8s.io/v1beta1"), "bad: widgets.example.com is of apiextensions.k8s.io/v1beta1; only "),
        (altered("served: true", "served: false"), "bad: widgets.example.com serves no kind"),
        (altered("group: example.com", "group: ../.."), "bad: widgets.example.com has a group or a kind that no "),
        (archive({"a.yaml": to_yaml(WIDGET)})[:-30], "bad: a damaged archive ("),
        (archive({"a.yaml": BROKEN}), "bad: a.yaml:10: YAML cannot read this: "),
        (b'{"kind": "CustomResourceDefinition", "spec": ' + b"[" * 200_000, "bad: nested too deeply"),
    ],
)  # fmt: skip
def test_what_cannot_be_used(invoke: Invoke, store: Path, content: bytes, message: str) -> None:
    Path("bad").write_bytes(content)
    result = invoke("kinds", "add", "bad")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: {message}")
    assert result.stderr.count("\n") == 1
    assert not store.exists()


def test_the_others_are_still_added(invoke: Invoke, store: Path) -> None:
    Path("good.yaml").write_text(to_yaml(WIDGET))
    result = invoke("kinds", "add", "none.yaml", "oci://example.com/a", "good.yaml")
    assert result.exit_code == 2
    assert result.stderr == (
        "error: none.yaml: no such file or folder; check the path\n"
        "error: oci://example.com/a: a registry; use 'helm pull oci://example.com/a' and add the file that it writes\n"
    )
    assert kept(store) == ["example.com/Widget.yaml"]


def test_a_store_that_cannot_be_written_to(invoke: Invoke, store: Path) -> None:
    store.parent.mkdir(parents=True)
    store.write_text("a file")
    result = invoke("kinds", "add", "-", stdin=to_yaml(WIDGET))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error: {store}/example.com: cannot be made: not a directory\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_that_is_not_utf_8(invoke: Invoke, store: Path) -> None:
    Path(os.fsdecode(b"w\xff.yaml")).write_text(to_yaml(WIDGET))
    assert invoke("kinds", "add", os.fsdecode(b"w\xff.yaml")).exit_code == 0
    assert origin(store) == r"w\xff.yaml, today"


def test_quiet(invoke: Invoke, store: Path) -> None:
    assert invoke("kinds", "add", "-q", "-", stdin=to_yaml(WIDGET)).output == ""
    assert kept(store) == ["example.com/Widget.yaml"]
