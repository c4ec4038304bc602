"""`kro.getDefinitions`: the definitions of a group, once the user agrees; here they come from a server on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types

from kro_ls.features.actions.code_actions import GET_DEFINITIONS, definition_actions
from kro_ls.openapi.sources.store import Store
from kro_ls.render.yaml_text import to_yaml
from kro_ls.server.connection.protocol import NoAnswerError
from kro_ls.server.requests.definitions_of_kinds import REGISTERED
from kro_ls.workspace.gathering import releases
from kro_ls.workspace.gathering.releases import Release
from tests.fixtures.crds import crd
from tests.fixtures.definitions import rgd
from tests.fixtures.language import fixture
from tests.fixtures.web import Web, web

GROUP = "iam.services.k8s.aws"
ROLE = to_yaml(crd("Role", GROUP)).encode()
PATH = "/aws/iam/0123abc/crds/roles.yaml"
(COMMAND,) = REGISTERED


class Person:
    """A client whose user answers each question in the same way."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.warnings: list[str] = []
        self.reloads = 0
        self.client_shows_progress = False
        self.work_done_progress = SimpleNamespace(tokens={})
        self.schema_keeper = SimpleNamespace(reload=self._reload)

    def _reload(self) -> None:
        self.reloads += 1

    async def agrees(self, question: str, yes: str) -> bool:
        self.asked.append(question)
        return self.answer == yes

    def warn_user(self, text: str) -> None:
        self.warnings.append(text)

    def run(self, arguments: Mapping[str, object]) -> object:
        return asyncio.run(cast("Any", COMMAND.run(cast("Any", self), arguments)))


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    file = ("crds/roles.yaml", sha256(ROLE).hexdigest(), GROUP)
    monkeypatch.setattr(
        releases, "releases", lambda: (Release("ack", "aws/iam", "1.6", "2026-08-13", "0123abc", (file,)),)
    )
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with web() as found:
        found.contents[PATH] = ROLE
        monkeypatch.setenv("KRO_LS_MIRROR", found.url)
        yield found


def test_who_agrees_gets_the_definitions(registry: Web, tmp_path: Path) -> None:
    person = Person("Download")
    assert person.run({"group": GROUP}) == {"kinds": 1}
    what = f"the definitions of {GROUP} (AWS Controllers for Kubernetes 1.6, 2026-08, 1 file)"
    assert person.asked == [f"Download {what} from {registry.url} into your store?"]
    assert (registry.asked, person.reloads, person.warnings) == ([PATH], 1, [])
    store = Store(tmp_path / "kro-ls" / "kinds", {})
    assert [str(name) for name in store.names()] == [f"{GROUP}/v1 Role"]


@pytest.mark.parametrize("answer", [None, "Cancel"])
def test_who_does_not_agree_connects_to_nothing(registry: Web, answer: str | None) -> None:
    person = Person(answer)
    assert person.run({"group": GROUP}) == {"kinds": 0}
    assert (registry.asked, person.reloads) == ([], 0)


def test_what_is_not_expected_is_not_taken(registry: Web, tmp_path: Path) -> None:
    registry.contents[PATH] = ROLE + b"#"
    person = Person("Download")
    assert person.run({"group": GROUP}) == {"kinds": 0}
    (warning,) = person.warnings
    assert "not what is expected: its SHA-256 is not" in warning
    assert warning.endswith(". No definition was taken.")
    assert not (tmp_path / "kro-ls").exists()
    assert person.reloads == 0


def test_a_group_that_nobody_publishes_is_refused(registry: Web) -> None:
    with pytest.raises(NoAnswerError, match=r"of 'example\.com' cannot be downloaded; 'kro-ls kinds add' takes a file"):
        Person("Download").run({"group": "example.com"})


def test_an_unknown_kind_has_an_action_where_its_group_is_published(registry: Web) -> None:
    kinds = (f"{GROUP}/v1alpha1", "example.com/v1")
    resources = "\n".join(
        f"- id: r{number}\n  template: {{apiVersion: {each}, kind: Role, metadata: {{name: x}}}}"
        for number, each in enumerate(kinds)
    )
    document = fixture(rgd(resources)).document
    everywhere = types.Range(types.Position(0, 0), types.Position(100, 0))
    (action,) = definition_actions(document, everywhere)
    assert action.title == f"Get the definitions of {GROUP}"
    assert action.command
    assert (action.command.command, action.command.arguments) == (COMMAND.name, [{"group": GROUP}])
    assert COMMAND.name == GET_DEFINITIONS
    assert [each.code for each in action.diagnostics or ()] == ["unknown-kind"]
