"""Permissions that kro needs for a definition and that the ClusterRoles of the workspace do not grant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kro_ls.rules.diagnosis import DEFAULT_SETTINGS
from kro_ls.workspace.check import check_file
from kro_ls.workspace.schemas import SchemaSettings, load
from kro_ls.yaml_positions.text import Text
from tests.fixtures.diagnostics import check_workspace

if TYPE_CHECKING:
    from pathlib import Path

CODE = "missing-permission"

DEFINITION = """\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: shop
spec:
  schema:
    apiVersion: v1alpha1
    kind: Shop
    spec: {name: string | required=true}
  resources:
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata: {name: "${schema.spec.name}"}
        spec: {selector: {app: shop}, ports: [{port: 80}]}
    - id: config
      template:
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${schema.spec.name}"}
"""

INSTANCES = "{apiGroups: [kro.run], resources: [shops], verbs: [get, list, watch, patch]}"
STATUS = "{apiGroups: [kro.run], resources: [shops/status], verbs: [update]}"
SERVICES = '{apiGroups: [""], resources: [services], verbs: [get, list, watch, create, patch, delete]}'


def role(*rules: str, label: str = "rbac.kro.run/aggregate-to-controller", name: str = "kro-shop") -> str:
    listed = "".join(f"  - {each}\n" for each in rules)
    return (
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n"
        f'metadata:\n  name: {name}\n  labels: {{{label}: "true"}}\nrules:\n{listed}'
    )


def test_what_a_role_lacks_and_what_it_grants(tmp_path: Path) -> None:
    own = role(INSTANCES, '{apiGroups: [""], resources: [services], verbs: [get, list, watch, create]}')
    definition = DEFINITION.replace(
        "kind: Shop\n",
        "kind: Shop\n    #     ^^^^ missing-permission: kro may not update shops.kro.run/status\n",
    ).replace(
        "id: service\n",
        "id: service\n    #     ^^^^^^^ missing-permission: kro may not patch/delete services\n",
    )
    near_miss = definition.replace("id: config\n", "id: config\n    #     ~~~~~~ missing-permission\n")
    check_workspace(tmp_path, f"//- shop.yaml\n{near_miss}//- role.yaml\n{own}")


def found(folder: Path, **roles: str) -> list[str]:
    for name, text in {"shop": DEFINITION, **roles}.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    kinds = load([folder], SchemaSettings())
    checked = check_file(str(folder / "shop.yaml"), Text(DEFINITION), DEFAULT_SETTINGS, kinds)
    return [each.message for each in checked.found.diagnostics if each.code == CODE]


@pytest.mark.parametrize(
    "roles",
    [
        {"a": role(INSTANCES, STATUS, SERVICES)},
        {"a": role(INSTANCES, STATUS), "b": role(SERVICES, name="services")},
        {"a": role('{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}')},
    ],
)
def test_all_roles_together_count(tmp_path: Path, roles: dict[str, str]) -> None:
    assert found(tmp_path, **roles) == []


@pytest.mark.parametrize(
    "text",
    [
        role(SERVICES),
        role(INSTANCES, label="team"),
        role(INSTANCES).replace("shops]", "{{ .Values.plural }}]"),
        role(INSTANCES).replace("ClusterRole", "Role"),
        "",
    ],
    ids=["of another definition", "not for kro", "a template of Helm", "of one namespace", "none"],
)
def test_without_a_role_for_the_definition_nothing_is_known(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, role=text) == []


def test_the_same_after_an_edit_of_the_role(tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(DEFINITION, encoding="utf-8")
    kinds = load([tmp_path], SchemaSettings())
    path = str(tmp_path / "shop.yaml")
    for text, count in ((role(INSTANCES), 2), (role(INSTANCES, STATUS), 1), (None, 0)):
        kinds = kinds.with_file(str(tmp_path / "role.yaml"), text)
        checked = check_file(path, Text(DEFINITION), DEFAULT_SETTINGS, kinds)
        assert sum(each.code == CODE for each in checked.found.diagnostics) == count
