"""The kinds that RGDs declare, while their texts are edited."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from kro_ls.openapi.kinds import KindSchema
from kro_ls.rules.diagnosis import diagnose_text
from kro_ls.workspace import generated_kinds
from kro_ls.workspace.documents import Document
from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas, load
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

PATH, OTHER = "/app.yaml", "/far/app.yaml"
RGD = rgd(
    """\
- id: config
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: x}
""",
    status='key: "${config.metadata.name}"',
)
SECOND = RGD.replace("kind: App", "kind: Second")


def workspace(*texts: tuple[str, str]) -> WorkspaceSchemas:
    schemas = load([], SchemaSettings())
    for path, text in texts:
        schemas = schemas.with_file(path, text)
    return schemas


def opened(text: str, schemas: WorkspaceSchemas) -> Document:
    document = Document(f"file://{PATH}", 1, Text(text), schemas=schemas.index)
    _ = document.diagnosis
    return document


def keeps_kinds(schemas: WorkspaceSchemas, later: WorkspaceSchemas) -> bool:
    return schemas.followed_by(later).index is schemas.index


def type_of_name(schemas: WorkspaceSchemas, kind: str = "App") -> object:
    found = schemas.index.find("kro.run", "v1alpha1", kind)
    assert found is not None
    return found.schema["properties"]["spec"]["properties"]["name"]  # type: ignore[index, call-overload] # JSON


def test_an_edit_that_changes_no_kind_leaves_all_as_they_are() -> None:
    schemas = workspace((PATH, RGD), ("/second.yaml", SECOND))
    assert type_of_name(schemas) == {"type": "string"}
    edited = RGD.replace("{name: x}", "{name: other}")
    later = schemas.with_file(PATH, edited)
    assert schemas.generated.texts[PATH] is RGD, "until the later state is taken, this one is as it was"
    assert keeps_kinds(schemas, later)
    assert schemas.generated.texts[PATH] is edited


def test_a_kind_that_nobody_has_asked_for_is_that_of_the_latest_text() -> None:
    schemas = workspace((PATH, RGD))
    later = schemas.with_file(PATH, RGD.replace("name: string", "name: integer"))
    assert keeps_kinds(schemas, later)
    assert type_of_name(schemas) == {"type": "integer"}


def test_a_kind_that_was_made_of_a_text_no_longer_there_is_made_again() -> None:
    """As when one thread asks for it while another takes over a later text."""
    schemas, other = workspace((PATH, RGD)), workspace((PATH, RGD))
    assert type_of_name(other) == {"type": "string"}
    assert keeps_kinds(schemas, schemas.with_file(PATH, RGD.replace("name: string", "name: integer")))
    schemas.generated.made.update(other.generated.made)
    assert type_of_name(schemas) == {"type": "integer"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("name: string", "name: integer"),
        ("kind: App", "kind: Apple"),
        ("${config.metadata.name}", "${config.metadata.generation}"),
        ("id: config", "id: Config"),
        (RGD, ""),
        (RGD, f"{RGD}---\n{SECOND}"),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_an_edit_that_changes_a_kind_gives_others(old: str, new: str, *, is_open: bool) -> None:
    schemas = workspace((PATH, RGD), (OTHER, RGD))
    assert type_of_name(schemas) == {"type": "string"}
    edited = RGD.replace(old, new, 1)
    assert edited != RGD
    later = schemas.with_file(PATH, edited or None, opened(edited, schemas) if is_open else None)
    assert not keeps_kinds(schemas, later)
    assert schemas.generated.texts[PATH] is RGD


@pytest.mark.parametrize(
    "text",
    [
        RGD,
        f"{RGD}---\n{SECOND}",
        f"{RGD}...\n{SECOND}",
        RGD.replace("kind: App\n", ""),
        RGD.replace("kind: App\n", "kind: App\n    group: example.com\n"),
        RGD.replace("{name: x}", "{name: x"),
        RGD.replace("  resources:", "{{ if .Values.all }}\n  resources:") + "{{ end }}\n",
        RGD.replace("${config.metadata.name}", "${config.nothing}"),
        "apiVersion: v1\nkind: List\nitems:\n  - " + RGD.replace("\n", "\n    "),
    ],
)
def test_an_open_document_declares_what_its_text_does(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    schemas = workspace()
    by_text = schemas.with_file(PATH, text)
    names = by_text.generated.names()
    kinds = [by_text.generated.find_in(PATH, name) for name in names]
    before = schemas.with_file(PATH, RGD)
    for name in names:
        before.index.find(name.group, name.version, name.kind)
    document = opened(text, schemas)
    if not document.analysis.actions.spans and "..." not in text:
        monkeypatch.delattr(generated_kinds, "declared_kinds")  # what the document knows is not found again
        monkeypatch.delattr(generated_kinds, "diagnose_text")
    generated = before.with_file(PATH, text, document).generated
    assert generated.names() == names
    monkeypatch.undo()
    for name, expected in zip(names, kinds, strict=True):
        made = generated.find_in(PATH, name)
        assert (made.digest, made.is_accepted) == (expected.digest, expected.is_accepted)
        assert (made.kind and made.kind.schema) == (expected.kind and expected.kind.schema)


def test_a_kind_that_another_thread_is_making_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    schemas = workspace((PATH, RGD))
    is_begun, may_go_on = Event(), Event()

    def diagnose_slowly_once(*arguments: Any, **keywords: Any) -> Any:
        if not is_begun.is_set():
            is_begun.set()
            may_go_on.wait(10)
        return diagnose_text(*arguments, **keywords)

    def found() -> KindSchema | None:
        return schemas.index.find("kro.run", "v1alpha1", "App")

    monkeypatch.setattr(generated_kinds, "diagnose_text", diagnose_slowly_once)
    with ThreadPoolExecutor(1) as other:
        theirs = other.submit(found)
        is_begun.wait(10)
        ours = found()
        may_go_on.set()
        assert theirs.result() is ours
    assert ours is not None
    assert "key" in ours.schema["properties"]["status"]["properties"]  # type: ignore[index, call-overload, operator]
