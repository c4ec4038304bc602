"""All labels or annotations of the instance are copied, with those of kro."""

from __future__ import annotations

import pytest

from tests.fixtures.diagnostics import check_diagnostics, check_fixed


def config(labels: str) -> str:
    return f"""
resources:
  - id: config
    template:
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: ${{schema.metadata.name}}
        {labels}
"""


@pytest.mark.parametrize(
    ("before", "copied", "after"),
    [
        ("labels: ${", "schema.metadata.labels", "}"),
        ("labels: ${", "schema.metadata.?labels", ".orValue({})}"),
        ('labels: \'${{"team": "web"}.merge(', "schema.metadata.labels", ")}'"),
        ("labels: '${has(schema.metadata.labels) ? ", "schema.metadata.labels", " : {}}'"),
        ("labels: ${dyn(", "schema.metadata.labels", ").deepMerge({})}"),
        ("annotations: ${", "schema.metadata.annotations", "}"),
    ],
)
def test_whole_maps_of_the_instance(before: str, copied: str, after: str) -> None:
    line = f"{before}{copied}{after}"
    mark = f"#{' ' * (7 + len(before))}{'^' * len(copied)} copied-instance-labels: of kro, too"
    check_diagnostics(config(f"{line}\n{mark}"))


@pytest.mark.parametrize(
    "labels",
    [
        'labels: {team: "${schema.metadata.labels.team}"}',
        'labels: {team: "${schema.metadata.?labels["team"].orValue("")}"}',
        "labels: ${schema.metadata.labels.transformMap(k, v, k == 'team', v)}",
        'annotations: {count: "${string(size(schema.metadata.labels))}"}',
        'labels: \'${size(schema.metadata.labels) > 3 ? {"many": "yes"} : {}}\'',
    ],
)
def test_single_labels_are_fine(labels: str) -> None:
    check_diagnostics(config(labels.replace('"${', "'${").replace('}"}', "}'}")))


def test_one_label_beside_the_copied_ones() -> None:
    check_diagnostics(
        config("""labels: {team: '${schema.metadata.labels["team"]}'}
#                         ~~~~~~~~~~~~~~~~~~~~~~ copied-instance-labels""")
    )


def test_a_selector_changes_with_kro() -> None:
    check_diagnostics("""
resources:
  - id: web
    template:
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec:
        selector: ${schema.metadata.labels}
                    ^^^^^^^^^^^^^^^^^^^^^^ copied-instance-labels: 'kro.run/kro-version' changes when kro does
        ports: [{port: 80}]
""")


def test_the_fix_leaves_out_the_keys_of_kro() -> None:
    written = "schema.metadata.?labels.orValue({})"
    source = config(f"labels: ${{{written}}}\n#                 {'^' * 23} copied-instance-labels: of kro, too")
    condition = "!key.startsWith('kro.run/') && !key.startsWith('applyset.kubernetes.io/')"
    fixed = check_fixed(source, "Leave out the labels of kro")
    assert f"labels: ${{{written}.transformMap(key, value, {condition}, value)}}" in fixed
