"""Generated values of simulated objects and of instances, as the expressions of a definition use them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kro_ls.runtime.cluster.instance import admit_instance
from kro_ls.runtime.cluster.simulation import Simulation, simulate
from kro_ls.runtime.values.sample_instance import sample_instance
from tests.fixtures.runtime import config_map, definition, instance, node


def unknown(id_: str, more: str = "", api_version: str = "unknown.example.com/v1") -> str:
    """Return a resource of a kind that has no schema."""
    template = f"{{apiVersion: {api_version}, kind: Unknown, metadata: {{name: {id_}}}}}"
    return f"    - id: {id_}\n{more}      template: {template}\n"


def run(resources: str, schema: str = "    spec: {}\n", **spec: Any) -> Simulation:
    rgd = definition(resources, schema=schema)
    return simulate(rgd, admit_instance(rgd, instance(**spec)).instance)


def run_sample(resources: str, spec: str) -> Simulation:
    rgd = definition(resources, schema=f"    spec:\n{spec}")
    admission = admit_instance(rgd, sample_instance(rgd))
    assert admission.errors == ()
    return simulate(rgd, admission.instance)


@pytest.mark.parametrize(
    "condition",
    [
        'db.status.conditions.exists(c, c.type == "Ready" && c.status == "True")',
        'db.status.?conditions.orValue([]).exists(c, c.type == "Synced" && c.status == "True")',
        'has(db.status.conditions) && db.status.conditions.filter(c, c.type == "Up")[0].status == "True"',
        'db.status.conditions[0].status == "True"',
        'db.status.conditions.all(c, c.status == "True") && db.status.conditions.size() > 1',
        'db.status.conditions.exists_one(c, c.type == "Ready" && c.reason.startsWith("All"))',
        '!db.status.conditions.exists(c, c.type == "Stalled")',
        'db.status.phase in ["available", "backing-up"]',
        'db.status.phase != "" && db.status.phase != "phase"',
        "db.status.ready",
        "!db.status.deleting",
        "db.status.?a.?b.orValue(0) == 3",
        "db.status.a.b + 1 == 5 || db.status.count > 0",
        "db.status.used * 2 <= 100 && db.status.used >= 7",
        "size(db.status.subnets) >= 3 && db.status.subnets.map(s, s.id).exists(i, i != '')",
        "'primary' in db.status.endpoints.map(e, e.role)",
        "int(db.status.version.split('.')[0]) >= 14",
        "db.status.arn.split(':').size() == 6",
        "db.status.arn.startsWith('arn:') && db.status.arn.endsWith('/x')",
        "db.status.url.matches('^https://[a-z]+$')",
        "duration(db.status.age) > duration('0s') && quantity(db.status.size).isGreaterThan(quantity('0'))",
        "json.unmarshal(db.status.text).deep.ok == true",
        "string(base64.decode(db.status.secret)) == 'open'",
        "cel.bind(s, db.status.nested, s.done == true && s.left == 0)",
        "db.status.?replicas.hasValue() && db.status.replicas == db.status.readyReplicas",
        "(has(db.status.a) ? db.status.a : 'x') == 'y'",
        "db.status.nested.optMap(n, n.x).orValue(1) == 1 || true",
    ],
)
def test_a_status_without_a_schema_has_the_form_that_expressions_read(condition: str) -> None:
    escaped = condition.replace("'", "''")
    found = run(unknown("db", f"      readyWhen: ['${{{escaped}}}']\n"))
    assert [each.unready for each in found.final.result.nodes] == [None]
    assert found.state.value == "ACTIVE"


def test_values_are_of_the_type_of_the_field_that_they_go_to() -> None:
    service = """\
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: s}
        spec: {ports: [{port: "${db.status.port}", name: "${db.status.endpoint.name}"}]}
"""
    found = run(unknown("db") + service)
    made: Any = found.final.result.nodes[-1].desired[0]
    assert made["spec"]["ports"] == [{"port": 8080, "name": "ns-db-endpoint"}]


def test_a_controller_fills_in_what_is_read_of_the_spec_of_a_custom_kind() -> None:
    found = run(unknown("db") + config_map("a", "a", data="{v: '${db.spec.azureName}'}"))
    assert found.final.result.nodes[-1].desired[0]["data"] == {"v": "ns-db-azure"}


def test_no_object_holds_itself() -> None:
    ready = "      readyWhen: ['${db.status.copy == db || db.status.other == db.status}']\n"
    (db,) = node(run(unknown("db", ready)).final.result, "db").observed or []
    assert json.loads(json.dumps(db)) == db


def test_each_object_of_a_collection_is_as_asked() -> None:
    zones = unknown("zones", "      forEach: [{zone: '${schema.spec.zones}'}]\n").replace(
        "name: zones", "name: '${zone}'"
    )
    ready = config_map("a", "a", data="{v: '${zones.map(z, z.status.id).join(\",\")}', w: '${zones[1].status.name}'}")
    found = run(zones + ready, "    spec: {zones: '[]string'}\n", zones=["x", "y"])
    assert found.state.value == "ACTIVE"
    assert found.final.result.nodes[-1].desired[0]["data"] == {
        "v": "unknown-79a3dd465d,unknown-adf769cd29",
        "w": "ns-y",
    }


def test_values_of_made_up_instances_differ() -> None:
    found = run_sample(
        config_map("a", "'${schema.spec.source.name}'") + config_map("b", "'${schema.spec.target.name}'"),
        "      source: {name: string}\n      target: {name: string}\n",
    )
    assert found.state.value == "ACTIVE"
    assert found.final.result.instance["spec"] == {
        "source": {"name": "my-source"},
        "target": {"name": "my-target"},
    }


@pytest.mark.parametrize(
    ("field", "use", "value"),
    [
        ("string", "f.split('/')[1]", "my-field/my-field-2"),
        ("string", "string(int(f) + 1)", "1"),
        ("string", "string(int(f.split('.')[1]) * 2)", "my-field.1"),
        ("string", "f == 'prod' ? 'yes' : 'no'", "prod"),
        ("string", "f.startsWith('ami-') ? f : ''", "ami-my-field"),
        ("string | maxLength=8", "f.split('/')[0]", "field/fi"),
        ("string", "string(cidr(f).prefixLength())", "10.0.0.0/16"),
        ("'[]string'", "f[2]", None),
        ("map[string]string", "f['tier']", {"tier": "web"}),
        ("object", "string(f.deep.list[0].port + 1)", {"deep": {"list": [{"port": 8080}]}}),
        ("integer | maximum=5", "string(f > 3)", 4),
        ("boolean", "string(f)", False),
    ],
)
def test_values_of_made_up_instances_parse(field: str, use: str, value: object) -> None:
    text = (
        use.replace("f.", "schema.spec.field.")
        .replace("f[", "schema.spec.field[")
        .replace("(f)", "(schema.spec.field)")
    )
    text = text.replace("f ", "schema.spec.field ")
    found = run_sample(config_map("a", "a", data='{v: "${' + text.replace('"', "'") + '}"}'), f"      field: {field}\n")
    if value is not None and "maxLength" not in field:
        assert found.final.result.instance["spec"] == {"field": value}
    assert found.state.value == "ACTIVE", found.final.outcome.text
