"""The setting `kro.cluster`: the kinds of a cluster come into the user's store, beside the editing."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kro_ls.openapi.json_values import JsonValue
from kro_ls.openapi.sources.store import Store
from kro_ls.server.inputs import followed_cluster
from kro_ls.server.inputs.followed_cluster import ClusterKeeper
from tests.fixtures.crds import crd
from tests.fixtures.kubectl import FakeKubectl, config

CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=200"
REFUSED = "The connection to the server 127.0.0.1:6443 was refused - connection refused"


class Person:
    """Names a context in the settings, and answers questions."""

    def __init__(self, *, consents: bool = True) -> None:
        self.context = "test"
        self.consents = consents
        self.questions: list[str] = []
        self.warnings: list[str] = []
        self.changes = 0

    async def agrees(self, question: str, _yes: str) -> bool:
        self.questions.append(question)
        return self.consents

    def changed(self) -> None:
        self.changes += 1

    def keeper(self) -> ClusterKeeper:
        return ClusterKeeper(lambda: self.context, self.agrees, self.warnings.append, self.changed)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(followed_cluster, "START_SECONDS", 0.0)
    monkeypatch.setattr(followed_cluster, "CLUSTER_SECONDS", 0.0)
    definition = {name: value for name, value in crd().items() if name not in ("apiVersion", "kind")}
    answers: dict[str, JsonValue] = {"/openapi/v3": {"paths": {}}, CRDS: {"items": [definition], "metadata": {}}}
    return FakeKubectl(tmp_path / "bin", answers)


def follow(person: Person, until: Callable[[], object]) -> None:
    """Have the cluster followed until something holds."""

    async def run() -> None:
        keeper = person.keeper()
        keeper.follow()
        while not until():
            await asyncio.sleep(0.01)
        keeper.close()

    asyncio.run(asyncio.wait_for(run(), 60))


def pulls(fake: FakeKubectl) -> int:
    return fake.asked.count(CRDS)


def test_the_kinds_of_a_cluster_come_into_the_store_and_are_looked_at_again(fake: FakeKubectl, tmp_path: Path) -> None:
    person = Person()
    follow(person, lambda: pulls(fake) > 2)
    assert person.changes == 1, "the second time nothing was new"
    assert (person.questions, person.warnings) == ([], [])
    assert [name.kind for name in Store(tmp_path / "kro-ls" / "kinds", {}).names()] == ["Widget"]


def test_without_a_context_nothing_is_asked(fake: FakeKubectl) -> None:
    person = Person()
    person.context = ""

    async def run() -> None:
        keeper = person.keeper()
        keeper.follow()
        await asyncio.sleep(0)
        assert not keeper._due
        keeper.close()

    asyncio.run(run())
    assert fake.commands == []


def test_what_goes_wrong_is_reported_once(fake: FakeKubectl) -> None:
    fake.answers["/version"] = REFUSED
    fake.save()
    person = Person()
    follow(person, lambda: fake.asked.count("/version") > 2)
    (warning,) = person.warnings
    assert warning.startswith("context 'test': ")
    assert warning.endswith(". Your store stays as it is; 'kro.cluster' names this context.")
    assert person.changes == 0


@pytest.mark.parametrize("consents", [True, False])
def test_a_program_for_credentials_runs_only_with_consent(fake: FakeKubectl, *, consents: bool) -> None:
    fake.answers["config"] = config(exec={"command": "aws"})
    fake.save()
    person = Person(consents=consents)
    follow(person, lambda: len(fake.commands) > 3)
    assert person.questions == ["The context 'test' of 'kro.cluster' runs 'aws' for its credentials. Run it?"]
    assert bool(fake.asked) is consents
