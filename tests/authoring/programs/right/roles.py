"""An account with a role."""

from dataclasses import dataclass, field

from kro_ls.authoring import composition
from kro_ls.authoring.kinds.core.v1 import ServiceAccount
from kro_ls.authoring.kinds.rbac.v1 import PolicyRule, Role, RoleBinding


@dataclass
class ShopSpec:
    name: str
    image: str
    replicas: int = 2
    is_public: bool = False
    regions: list[str] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)


@composition(kind="Shop")
def shop(spec: ShopSpec) -> None:
    account = ServiceAccount(metadata={"name": spec.name})
    role = Role(metadata={"name": spec.name}, rules=[PolicyRule(apiGroups=[""], resources=["pods"], verbs=["get"])])
    RoleBinding(
        metadata={"name": spec.name},
        roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": role.metadata.name},
        subjects=[{"kind": "ServiceAccount", "name": account.metadata.name}],
    )
