"""What editors offer and show for the chosen version of kro."""

from __future__ import annotations

import pytest
from lsprotocol import types
from msgspec.structs import replace

from kro_ls.cursor.cursor import Cursor
from kro_ls.features.actions.code_actions import fix_all
from kro_ls.features.completion.completion_list import completion
from kro_ls.kro.versions.version import parse_version
from kro_ls.rules.settings import Settings
from kro_ls.workspace.documents import Document
from tests.fixtures.definitions import rgd, rgd_around
from tests.fixtures.features import check_hover
from tests.fixtures.language import Fixture, fixture

CONFIG = "- id: config\n  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: VALUE}}\n"
FIELD = rgd_around("schema:\n  apiVersion: v1\n  kind: App\n  $0\n  spec: {}\n")


def document_of(found: Fixture, version: str) -> Document:
    return replace(found.document, settings=Settings(version=parse_version(version)))


def offered(source: str, version: str) -> set[str]:
    found = fixture(source)
    cursor = Cursor(document_of(found, version), found.cursor.offset)
    return {item.label for item in completion(cursor, snippets=False).items}


@pytest.mark.parametrize(
    ("source", "name", "first"),
    [
        (FIELD, "scope", "0.9.0"),
        (FIELD, "shortNames", "0.9.4"),
        (rgd("- id: a\n  $0\n  template: {}\n"), "forEach", "0.8.0"),
        (rgd(CONFIG.replace("VALUE", '"${hash.$0}"')), "md5", "0.9.1"),
        (rgd(CONFIG.replace("VALUE", '"${[1].$0}"')), "sortBy", "0.9.0"),
        (rgd(spec='{a: "[]string | $0"}'), "listType", "0.9.2"),
        (rgd(spec='{a: "$0"}'), "float", "0.9.2"),
        (rgd(CONFIG, status="name: ${$0}"), "schema", "0.9.3"),
        (rgd(CONFIG, status="name: $0"), "${schema.spec.name}", "0.9.3"),
    ],
)
def test_what_a_version_lacks_is_not_offered(source: str, name: str, first: str) -> None:
    before = {
        "0.8.0": "0.7.1",
        "0.9.0": "0.8.5",
        "0.9.1": "0.9.0",
        "0.9.2": "0.9.1",
        "0.9.3": "0.9.2",
        "0.9.4": "0.9.3",
    }[first]
    assert name in offered(source, first)
    assert name in offered(source, "0.10")
    assert name not in offered(source, before)


def test_hover_shows_since_when_something_is_there() -> None:
    check_hover(fixture(FIELD.replace("$0", "sc$0ope: Cluster")), "since kro 0.9.0")
    check_hover(fixture(rgd(CONFIG.replace("VALUE", "'${string(hash.m$0d5(\"a\"))}'"))), "Since kro 0.9.1.")
    check_hover(fixture(rgd(spec='{a: "[]string | list$0Type=set"}')), "since kro 0.9.2")


def test_all_upgrades_are_one_action() -> None:
    found = fixture(rgd(CONFIG.replace("VALUE", "'echo ${HOME $0'"), spec='{a: "string | required"}'))
    (action,) = fix_all(document_of(found, "0.10"))
    assert (action.kind, action.title) == (types.CodeActionKind.SourceFixAll, "Fix all that is certain")
    assert action.edit
    assert action.edit.changes
    (edit,) = action.edit.changes[found.document.uri]
    assert 'data: {a: \'echo ${"${HOME "}' in edit.new_text
    assert not fix_all(document_of(found, "0.8.5"))
