"""Why parts of the status have no value: the missing field, and what holds up its node."""

from __future__ import annotations

import pytest

from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.scenario import Observed, Scenario
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.passes.reasons import MissingStatus, missing_status
from tests.fixtures.runtime import config_map, definition, instance, thing

FLAGGED = "      includeWhen: ['${schema.spec.flag}']\n"
RESOURCES = (
    thing("vpc", "v", "      readyWhen: ['${vpc.status.ready}']\n")
    + thing("subnet", "s", spec="{parent: '${vpc.status.id}'}")
    + config_map("flagged", "f", FLAGGED)
    + config_map("after", "'${flagged.metadata.name}-x'")
)
EMPTY = {"vpc": Observed(({"status": {}},), for_all=True)}
READY = {"vpc": Observed(({"status": {"ready": True}},), for_all=True)}


def missing(status: str, scenario: Scenario | None = None, number: int = -1) -> list[MissingStatus]:
    schema = f"    spec: {{name: string, flag: boolean | default=false}}\n    status:\n      {status}\n"
    rgd = definition(RESOURCES, schema=schema)
    steps = simulate(rgd, admit_instance(rgd, instance(name="n")).instance, scenario).steps
    return list(missing_status(steps[number].result))


HELD = Scenario(held=frozenset({"vpc"}))
BEHIND = "subnet is not there yet; subnet is pending: waits for vpc to be ready"
UNSET = "vpc.status.id is not there yet"


@pytest.mark.parametrize(
    ("status", "scenario", "reason"),
    [
        (
            "id: '${vpc.status.id}'",
            Scenario(EMPTY),
            f"{UNSET}; vpc is waiting: readyWhen needs data that is not there yet: vpc.status.ready",
        ),
        ("id: '${vpc.status.id}'", HELD, "vpc.status is not there yet; vpc is waiting: held back by the scenario"),
        ("id: '${vpc.status.id}'", Scenario(READY), f"{UNSET}, although vpc is ready"),
        ("id: '${vpc.metadata.name}-${subnet.status.id}'", HELD, BEHIND),
        ("id: '${[subnet].map(each, each.status.id)[0]}'", HELD, BEHIND),
        ("id: '${flagged.data.x}'", Scenario(), "flagged is left out: includeWhen is not true: schema.spec.flag"),
        ("id: '${after.metadata.name}'", Scenario(), "after is left out: depends on flagged, which is left out"),
    ],
)
def test_a_field_says_what_it_lacks_and_how_far_its_node_is(status: str, scenario: Scenario, reason: str) -> None:
    (found,) = missing(status, scenario)
    assert found.reason == reason
    assert found.path == "id"
    assert found.sentence == f"status.id has no value: {found.plain}"
    assert reason.startswith(found.plain)
    assert found.cause is not None
    assert found.text.startswith("eval ")


def test_each_pass_has_its_own() -> None:
    status = "id: '${subnet.metadata.name}'"
    assert [each.path for each in missing(status, number=0)] == ["id"]
    assert missing(status) == []


def test_what_is_no_single_field_says_what_it_is() -> None:
    (status,) = missing("n: '${1 / (size(vpc.metadata.name) - 1)}'\n      id: '${vpc.metadata.name}'")
    assert (status.path, status.sentence) == ("", status.reason)
    assert status.reason.startswith("kro writes no status: cannot evaluate '1 / (size(vpc.metadata.name) - 1)'")
    condition = "conditions: [\"${runtime.newCondition({type: 'Up', status: subnet.status.id})}\"]"
    (pending,) = missing(condition, HELD)
    assert (pending.path, pending.reason) == ("", f"a condition is missing: {BEHIND}")
    assert pending.sentence == "a condition is missing: subnet is not there yet"
