"""The kinds that RGDs declare, while their texts are edited."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kro_ls.openapi.kind_schema import GroupVersionKind, KindSchema
from kro_ls.workspace import generated_kinds, kind_making
from kro_ls.workspace.documents import Document
from kro_ls.workspace.kind_making import Making
from kro_ls.workspace.schemas import SchemaSettings, WorkspaceSchemas, load
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd
from tests.fixtures.examples import FEW

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


def answer(schemas: WorkspaceSchemas, path: str, name: GroupVersionKind) -> object:
    """Return all that is said of a kind in a text."""
    kind = schemas.generated.find_in(path, name)
    return kind and kind.schema, schemas.generated.is_accepted(path)


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
    kinds = [answer(by_text, PATH, name) for name in names]
    before = schemas.with_file(PATH, RGD)
    for name in names:
        before.index.find(name.group, name.version, name.kind)
    document = opened(text, schemas)
    if not document.analysis.actions.spans and "..." not in text:
        monkeypatch.delattr(generated_kinds, "declared_kinds")  # what the document knows is not found again
        monkeypatch.delattr(kind_making, "Text")
    generated = before.with_file(PATH, text, document).generated
    assert generated.names() == names
    monkeypatch.undo()
    assert [answer(before.with_file(PATH, text, document), PATH, name) for name in names] == kinds


def test_a_kind_that_another_thread_is_making_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    schemas = workspace((PATH, RGD))
    is_begun, may_go_on, make = Event(), Event(), Making.made

    def make_slowly_once(*arguments: Any) -> Any:
        if not is_begun.is_set():
            is_begun.set()
            may_go_on.wait(10)
        return make(*arguments)

    def found() -> KindSchema | None:
        return schemas.index.find("kro.run", "v1alpha1", "App")

    monkeypatch.setattr(Making, "made", make_slowly_once)
    with ThreadPoolExecutor(1) as other:
        theirs = other.submit(found)
        is_begun.wait(10)
        ours = found()
        may_go_on.set()
        assert theirs.result() is ours
    assert ours is not None
    assert "key" in ours.schema["properties"]["status"]["properties"]  # type: ignore[index, call-overload, operator]


def test_kinds_that_were_being_made_of_an_older_text_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer text is used while a thread computes a kind that was not requested before."""
    schemas = workspace((PATH, RGD))
    is_begun, may_go_on, make = Event(), Event(), Making.made

    def make_slowly_once(*arguments: Any) -> Any:
        made = make(*arguments)
        if not is_begun.is_set():
            is_begun.set()
            may_go_on.wait(10)
        return made

    later = schemas.with_file(PATH, RGD.replace("name: string", "name: integer"))
    monkeypatch.setattr(Making, "made", make_slowly_once)
    with ThreadPoolExecutor(1) as other:
        theirs = other.submit(type_of_name, schemas)
        is_begun.wait(10)
        assert keeps_kinds(schemas, later)
        may_go_on.set()
        assert theirs.result() == {"type": "integer"}
    assert type_of_name(schemas) == {"type": "integer"}


def test_a_text_is_parsed_once_for_its_kind_and_for_whether_kro_accepts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Text] = []

    def text_of(content: str) -> Text:
        made.append(Text(content))
        return made[-1]

    monkeypatch.setattr(kind_making, "Text", text_of)
    schemas = workspace((PATH, RGD), (OTHER, RGD))
    kind = schemas.index.find("kro.run", "v1alpha1", "App")
    assert kind is not None
    assert kind.source == PATH
    assert len(made) == 1, "and nobody asks the other one, which is farther away"


def test_a_chain_may_be_long() -> None:
    count = 200
    texts = [user(number, [number + 1] if number + 1 < count else []) for number in range(count)]
    schemas = workspace()
    generated = schemas.generated.changed(dict(zip(map(path_of, range(count)), texts, strict=True)), schemas.crds)
    kind = generated.find_in(path_of(0), name_of(0))
    assert kind is not None
    assert kind.schema["properties"]["status"]["properties"]["key"] == {"type": "integer"}  # type: ignore[index, call-overload]


def name_of(number: int) -> GroupVersionKind:
    return GroupVersionKind("kro.run", "v1alpha1", f"Kind{number}")


def path_of(number: int, folder: int = 0) -> str:
    return f"/{folder}/kind{number}.yaml"


def user(number: int, used: list[int], own: str = "${schema.spec.size}", id_: str = "one") -> str:
    """Return an RGD whose kind has the size of an instance, or that which others have, in its status."""
    resources = "".join(
        f"- id: {id_}{each}\n  template: {{apiVersion: kro.run/v1alpha1, kind: Kind{each}, metadata: {{name: x}},"
        " spec: {size: 1}}\n"
        for each in used
    )
    key = f"${{{id_}{used[0]}.status.key}}" if used else own
    text = rgd(resources or "[]", status=f'key: "{key}"', spec="{size: integer}")
    return text.replace("kind: App", f"kind: Kind{number}")


TEXTS = st.builds(
    user,
    st.integers(0, 3),
    st.lists(st.integers(0, 3), max_size=2),
    st.sampled_from(["${schema.spec.size}", "${string(schema.spec.size)}", "${nothing}"]),
    st.sampled_from(["one", "other", "Refused"]),
)
STEPS = st.tuples(
    st.integers(0, 3),
    st.integers(0, 1),
    st.one_of(st.none(), TEXTS, st.lists(TEXTS, min_size=2, max_size=2).map("---\n".join)),
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=2),
    st.booleans(),
)


@FEW
@given(st.lists(STEPS, min_size=1, max_size=8), st.permutations(range(4)))
def test_kinds_are_those_of_the_texts_whatever_was_asked_and_edited_before(
    steps: list[tuple[int, int, str | None, list[tuple[int, bool]], bool]], order: list[int]
) -> None:
    """Also where they use each other in a circle, and where several files declare one."""
    edited = workspace()
    texts: dict[str, str] = {}
    for number, folder, text, asked, is_open in steps:
        path = path_of(number, folder)
        texts.pop(path, None)
        if text:
            texts[path] = text
        document = opened(text, edited) if text and is_open else None
        edited = edited.followed_by(edited.with_file(path, text, document))
        for each, is_near in asked:
            index = edited.index_for(path if is_near else "/elsewhere/a.yaml")
            index.find("kro.run", "v1alpha1", f"Kind{each}")
    fresh = workspace(*texts.items())
    assert set(edited.generated.names()) == set(fresh.generated.names())
    for number in order:
        name = name_of(number)
        homes = sorted(fresh.generated.homes(name))
        assert sorted(edited.generated.homes(name)) == homes
        assert [answer(edited, path, name) for path in homes] == [answer(fresh, path, name) for path in homes]
        for path in texts:
            found = [
                schemas.index_for(path).find_api_version(name.api_version, name.kind) for schemas in (edited, fresh)
            ]
            assert (found[0] and (found[0].source, found[0].schema)) == (
                found[1] and (found[1].source, found[1].schema)
            )
