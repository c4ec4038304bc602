"""Names that occur in other objects become references."""

import pytest

from tests.fixtures.manifests import DEPLOYMENT, INGRESS, SERVICE, definition, nodes_of


def pod(spec: str, name: str = "shop") -> str:
    return f"""\
apiVersion: v1
kind: Pod
metadata: {{name: {name}-pod}}
spec: {spec}
"""


def thing(kind: str, api_version: str = "v1", more: str = "", name: str = "shop-thing") -> str:
    return f"apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: {name}}}\n{more}"


CONTAINER = "containers: [{name: web, image: nginx}]"
MOUNTED = "containers: [{name: web, image: nginx, volumeMounts: [{name: v, mountPath: /v}]}]"
RULE = "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]\n"


def test_a_service_selects_the_pods_of_a_deployment_and_an_ingress_names_the_service() -> None:
    nodes = nodes_of(definition(f"{INGRESS}---\n{SERVICE}---\n{DEPLOYMENT}"))
    assert list(nodes) == ["deployment", "service", "ingress"]
    assert nodes["service"]["template"]["spec"]["selector"] == "${deployment.spec.selector.matchLabels}"
    (path,) = nodes["ingress"]["template"]["spec"]["rules"][0]["http"]["paths"]
    backend = path["backend"]["service"]
    assert backend == {"name": "${service.metadata.name}", "port": {"number": "${service.spec.ports[0].port}"}}


@pytest.mark.parametrize(
    ("target", "spec", "reference"),
    [
        (
            thing("ConfigMap"),
            f"{{{CONTAINER[:-2]}, envFrom: [{{configMapRef: {{name: shop-thing}}}}]}}]}}",
            "${configMap.metadata.name}",
        ),
        (
            thing("Secret"),
            f"{{{MOUNTED}, volumes: [{{name: v, secret: {{secretName: shop-thing}}}}]}}",
            "${secret.metadata.name}",
        ),
        (thing("Secret"), f"{{{CONTAINER}, imagePullSecrets: [{{name: shop-thing}}]}}", "${secret.metadata.name}"),
        (
            thing("ServiceAccount"),
            f"{{{CONTAINER}, serviceAccountName: shop-thing}}",
            "${serviceAccount.metadata.name}",
        ),
        (
            thing(
                "PersistentVolumeClaim",
                more="spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n",
            ),
            f"{{{MOUNTED}, volumes: [{{name: v, persistentVolumeClaim: {{claimName: shop-thing}}}}]}}",
            "${claim.metadata.name}",
        ),
    ],
)
def test_a_pod_names_what_it_needs(target: str, spec: str, reference: str) -> None:
    text = definition(f"{pod(spec)}---\n{target}")
    assert reference in text
    assert list(nodes_of(text))[-1] == "pod"


def test_a_binding_names_its_role_and_its_account() -> None:
    binding = """\
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: shop, namespace: stores}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: shop}
subjects: [{kind: ServiceAccount, name: shop, namespace: stores}]
"""
    role = thing("Role", "rbac.authorization.k8s.io/v1", RULE, "shop").replace("shop}", "shop, namespace: stores}")
    account = thing("ServiceAccount", name="shop").replace("shop}", "shop, namespace: stores}")
    template = nodes_of(definition(f"{binding}---\n{role}---\n{account}"))["roleBinding"]["template"]
    assert template["roleRef"]["name"] == "${role.metadata.name}"
    (subject,) = template["subjects"]
    assert subject["name"] == "${serviceAccount.metadata.name}"
    assert subject["namespace"] == "${schema.metadata.namespace}"
    assert "namespace" not in template["metadata"]


def test_objects_wait_for_the_namespace_that_comes_with_them() -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: stores}\n"
    nodes = nodes_of(definition(config + "---\n" + thing("Namespace", name="stores")))
    assert nodes["configMap"]["template"]["metadata"]["namespace"] == "${appNamespace.metadata.name}"


def test_an_address_of_a_service_in_a_text_is_a_reference() -> None:
    spec = (
        "{containers: [{name: web, image: redis, "
        "args: ['--cache=tcp://shop-cache:6379', '--name=shop-cache'], "
        "env: [{name: CACHE, value: 'shop-cache:6379'}]}]}"
    )
    service = thing("Service", more="spec: {ports: [{port: 6379}], selector: {app: cache}}\n", name="shop-cache")
    (container,) = nodes_of(definition(pod(spec) + "---\n" + service))["pod"]["template"]["spec"]["containers"]
    assert container["args"] == ["--cache=tcp://${service.metadata.name}:6379", "--name=shop-cache"]
    assert container["env"] == [{"name": "CACHE", "value": "${service.metadata.name}:6379"}]


def test_an_owner_is_named_with_its_uid_and_what_a_controller_made_is_left_out() -> None:
    owner = "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: shop-owner, uid: abc%s}]"
    owned = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop-%s, " + owner + "}\n"
    texts = [thing("ConfigMap", name="shop-owner"), owned % ("mine", ""), owned % ("made", ", controller: true")]
    nodes = nodes_of(definition("---\n".join(texts)))
    assert list(nodes) == ["ownerConfigMap", "mineConfigMap"]
    (reference,) = nodes["mineConfigMap"]["template"]["metadata"]["ownerReferences"]
    assert reference["uid"] == "${ownerConfigMap.metadata.uid}"
    assert reference["name"] == "${ownerConfigMap.metadata.name}"


def test_references_do_not_go_round_in_a_circle() -> None:
    headless = thing("Service", more="spec: {clusterIP: None, ports: [{port: 1}], selector: {app: db}}\n", name="db")
    database = """\
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: postgres}]}}
"""
    nodes = nodes_of(definition(database + "---\n" + headless))
    assert nodes["statefulSet"]["template"]["spec"]["serviceName"] == "${service.metadata.name}"
    assert nodes["service"]["template"]["spec"]["selector"] == {"app": "${schema.metadata.name}"}


def test_a_name_in_another_namespace_is_no_reference() -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop-thing, namespace: other}\n"
    spec = f"{{{CONTAINER[:-2]}, envFrom: [{{configMapRef: {{name: shop-thing}}}}]}}]}}"
    text = definition(pod(spec).replace("shop-pod", "shop-pod, namespace: mine") + "---\n" + config)
    assert "${configMap.metadata.name}" not in text
