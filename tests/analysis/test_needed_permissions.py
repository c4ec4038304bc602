"""What kro must be allowed to do for a definition."""

from __future__ import annotations

from kro_ls.analysis.analysis import analyze
from kro_ls.analysis.needed_permissions import Need, Unknown, needs_of
from kro_ls.graphs import frames_of
from kro_ls.yaml_positions.text import Text
from tests.fixtures.definitions import rgd

_CHILD = ["get", "list", "watch", "create", "patch", "delete"]
_ROLES = "roles.rbac.authorization.k8s.io"


def _role(rules: str, name: str = "reader", kind: str = "Role") -> str:
    return f"""
- id: role
  template:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: {kind}
    metadata: {{name: '{name}'}}
    rules: {rules}
"""


def _binding(name: str, kind: str = "Role") -> str:
    return f"""
- id: binding
  template:
    apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {{name: x}}
    roleRef: {{apiGroup: rbac.authorization.k8s.io, kind: {kind}, name: '{name}'}}
"""


def _found(resources: str) -> tuple[dict[str, list[str]], list[str]]:
    """Return the verbs by resource, without those for instances, and what cannot be said."""
    (definition,) = analyze(Text(rgd(resources))).rgds
    verbs: dict[str, list[str]] = {}
    unknown = []
    for each in needs_of(frames_of(definition)):
        if isinstance(each, Unknown):
            unknown.append(each.message)
        elif each.node:
            verbs.setdefault(each.permission.target, []).append(each.permission.verb)
    return verbs, unknown


def test_instances_and_their_status() -> None:
    (definition,) = analyze(Text(rgd())).rgds
    assert [str(each.permission) for each in needs_of([definition]) if isinstance(each, Need)] == [
        "get apps.kro.run",
        "list apps.kro.run",
        "watch apps.kro.run",
        "patch apps.kro.run",
        "update apps.kro.run/status",
    ]


def test_children_and_external_references() -> None:
    verbs, _ = _found("""
- id: web
  template:
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: x}
- id: config
  externalRef:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: x}
- id: all
  externalRef:
    apiVersion: v1
    kind: Secret
    metadata: {selector: {matchLabels: {a: b}}}
""")
    assert verbs == {
        "deployments.apps": _CHILD,
        "configmaps": ["get", "list", "watch"],
        "secrets": ["get", "list", "watch"],
    }


def test_the_plural_of_an_unknown_kind_is_a_guess() -> None:
    (definition,) = analyze(
        Text(rgd("- id: a\n  template:\n    apiVersion: x.example/v1\n    kind: Mystery\n    metadata: {name: x}"))
    ).rgds
    guesses = {
        (each.permission.resource, each.guessed_kind)
        for each in needs_of([definition])
        if isinstance(each, Need) and each.node
    }
    assert guesses == {("mysteries", "Mystery")}


def test_kro_holds_what_its_roles_grant() -> None:
    verbs, unknown = _found(
        _role("[{apiGroups: [apps], resources: [deployments, deployments/scale], resourceNames: [a], verbs: [update]}]")
    )
    assert verbs == {_ROLES: _CHILD, "deployments.apps 'a'": ["update"], "deployments.apps/scale 'a'": ["update"]}
    assert not unknown


def test_a_cluster_role_may_grant_urls() -> None:
    verbs, _ = _found(_role("[{nonResourceURLs: [/metrics], verbs: [get]}]", kind="ClusterRole"))
    assert verbs["/metrics"] == ["get"]


def test_rules_with_expressions_are_reported_and_the_others_count() -> None:
    rules = """
    - {apiGroups: [''], resources: [pods], verbs: [get]}
    - {apiGroups: [''], resources: ["${schema.spec.name}"], verbs: [list]}"""
    verbs, unknown = _found(_role(rules))
    assert verbs == {_ROLES: _CHILD, "pods": ["get"]}
    assert unknown == ["expressions say what the Role grants: kro needs that as well, or 'escalate' on roles"]


def test_a_binding_of_a_role_of_the_definition_needs_no_more() -> None:
    rules = "[{apiGroups: [''], resources: [pods], verbs: [get]}]"
    name = "${schema.spec.name}-reader"
    verbs, unknown = _found(_role(rules, name) + _binding(name))
    assert verbs == {_ROLES: _CHILD, "pods": ["get"], "rolebindings.rbac.authorization.k8s.io": _CHILD}
    assert not unknown


def test_a_binding_of_another_role_needs_bind() -> None:
    verbs, _ = _found(_binding("view", "ClusterRole"))
    assert verbs["clusterroles.rbac.authorization.k8s.io 'view'"] == ["bind"]


def test_a_binding_of_a_computed_role_is_reported() -> None:
    verbs, unknown = _found(_binding("${schema.spec.name}"))
    assert list(verbs) == ["rolebindings.rbac.authorization.k8s.io"]
    assert unknown == ["an expression says which role is bound: kro needs what that grants, or 'bind' on the role"]
