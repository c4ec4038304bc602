"""The status fields of definitions that read what the API server and controllers write, beside those of a cluster.

status_fields.json has the values that were recorded; a field of null was not there.
"""

from __future__ import annotations

import json

from kro_ls.cli.definitions import read_definition
from kro_ls.cli.known_kinds import folder_kinds
from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.simulation import simulate
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.paths import CLUSTER, ROOT, needs_cluster

RECORDED = ROOT / "tests" / "fixtures" / "api_server" / "status_fields.json"

KNOWN = {
    ("micro/collection-empty", "false"): "the definition was read by YAML 1.1 here, where `n` is false",
    ("micro/collection-empty", "n"): "the same",
    ("micro/collection-wait", "false"): "the same",
    ("micro/collection-wait", "n"): "the same",
    ("micro/external-optional", "v"): "a value of an object that somebody else wrote",
    ("micro/random", "r"): "kro's random text depends on the uid of the instance",
}


@needs_cluster
def test_status_fields_are_as_in_a_cluster() -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    wrong: dict[tuple[str, str], object] = {}
    for name, fields in recorded.items():
        file = CLUSTER / name / "definition.yaml"
        rgd = read_definition(file, folder_kinds(file, ())).rgd
        status = simulate(rgd, admit_instance(rgd, sample_instance(rgd)).instance).status
        wrong |= {(name, field): status.get(field) for field, value in fields.items() if status.get(field) != value}
    assert sum(map(len, recorded.values())) == 106
    assert wrong.keys() == KNOWN.keys(), wrong
