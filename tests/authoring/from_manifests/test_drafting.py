"""A definition from one set of manifests."""

import pytest

from kro_ls.authoring.from_manifests.drafting import draft
from kro_ls.authoring.from_manifests.input_objects import UnusableObjectsError
from kro_ls.authoring.from_manifests.template_text import escaped
from kro_ls.authoring.from_manifests.writing import definition_yaml
from tests.fixtures.manifests import (
    DEPLOYMENT,
    INGRESS,
    KINDS,
    SERVICE,
    definition,
    drafted,
    nodes_of,
    objects,
    proof_of,
    schema_of,
)

ALL = f"{DEPLOYMENT}---\n{SERVICE}---\n{INGRESS}"


def test_what_people_expect_becomes_the_schema() -> None:
    text = definition(ALL)
    assert schema_of(text) == {
        "image": 'string | default="example.com/shop:1.0"',
        "replicas": "integer | default=2",
        "host": 'string | default="shop.example.com"',
    }
    assert "kind: Shop\n" in text
    assert nodes_of(text)["deployment"]["template"]["metadata"]["name"] == "${schema.metadata.name}"


def test_images_of_one_version_share_it() -> None:
    ports = {"cart": "8080", "stock": "8081", "ledger": "8082"}
    texts = [DEPLOYMENT.replace("shop", name).replace("8080", port) for name, port in ports.items()]
    text = definition("---\n".join(texts))
    assert schema_of(text) == {"version": 'string | default="1.0"'}
    assert "image: example.com/cart:${schema.spec.version}\n" in text


def test_server_side_noise_is_dropped() -> None:
    (value,) = objects(DEPLOYMENT)
    noisy = DEPLOYMENT.replace(
        "  labels:",
        "  uid: abc\n  resourceVersion: '7'\n  generation: 3\n  creationTimestamp: null\n  managedFields: []\n"
        "  annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}\n  labels:",
        1,
    )
    made = drafted(noisy + "status: {replicas: 2}\n")
    assert list(made.inputs[0].values()) == [value]


def test_replicas_are_left_to_an_autoscaler() -> None:
    scaler = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}
  maxReplicas: 4
"""
    nodes = nodes_of(definition(f"{DEPLOYMENT}---\n{scaler}"))
    assert "replicas" not in nodes["deployment"]["template"]["spec"]
    assert nodes["autoscaler"]["template"]["spec"]["scaleTargetRef"]["name"] == "${deployment.metadata.name}"


def test_readiness_goes_by_the_kind() -> None:
    nodes = nodes_of(definition(ALL))
    assert nodes["deployment"]["readyWhen"] == ["${deployment.status.availableReplicas == deployment.spec.replicas}"]
    assert "readyWhen" not in nodes["service"]
    stopped = nodes_of(definition(DEPLOYMENT.replace("replicas: 2", "replicas: 0")))
    assert "readyWhen" in stopped["deployment"]
    assert "availableReplicas ==" not in stopped["deployment"]["readyWhen"][0]


@pytest.mark.parametrize(
    "script",
    [
        "echo ${HOME}",
        "${A}${B}",
        "a $${X} b",
        "${X:-${Y}}",
        "${",
        '"${X}"',
        "\\${X}",
        "${f('}')}",
        "x${a\nb}",
        "${{x}}",
    ],
)
def test_texts_that_look_like_expressions_stay_as_they_are(script: str) -> None:
    config = objects("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\n")[0] | {"data": {"run.sh": script}}
    made = draft([[config]], KINDS, "demo")
    assert proof_of(made, definition_yaml(made)).differences == ()


def test_a_variable_of_a_shell_is_a_string_of_cel() -> None:
    assert escaped("cd ${HOME}/x") == 'cd ${"${HOME}"}/x'
    assert escaped("cost: $5") == "cost: $5"


def test_objects_that_differ_in_one_word_are_a_collection() -> None:
    texts = [f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: shop-{each}}}\n" for each in ("red", "blue")]
    text = definition("---\n".join(texts))
    assert schema_of(text) == {"names": '[]string | default=["red","blue"]'.replace(",", ", ")}
    (node,) = nodes_of(text).values()
    assert node["id"] == "serviceAccounts"
    assert node["forEach"] == [{"name": "${schema.spec.names}"}]
    assert node["template"]["metadata"]["name"] == "${schema.metadata.name}-${name}"


def test_collections_whose_members_belong_together_refer_to_each_other() -> None:
    team = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-%s}\n"
    quota = (
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: quota, namespace: team-%s}\nspec: {hard: {pods: 9}}\n"
    )
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: %s-deployer, namespace: team-%s}\n"
    texts = [team % "red", team % "blue", quota % "blue", quota % "red"]
    nodes = nodes_of(definition("---\n".join(texts)))
    assert nodes["appNamespaces"]["forEach"] == [{"team": "${schema.spec.teams}"}]
    assert nodes["resourceQuotas"]["forEach"] == [{"appNamespace": "${appNamespaces}"}]
    assert nodes["resourceQuotas"]["template"]["metadata"]["namespace"] == "${appNamespace.metadata.name}"
    texts += [account % ("red", "red"), account % ("blue", "blue")]
    metadata = nodes_of(definition("---\n".join(texts)))["serviceAccounts"]["template"]["metadata"]
    assert metadata == {"name": "${team}-deployer", "namespace": "team-${team}"}


def test_collections_of_one_kind_have_ids_of_their_own() -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s-%s}\ndata: {kind: %s}\n"
    texts = [text % (kind, word, kind) for kind in ("menu", "news") for word in ("red", "blue")]
    assert set(nodes_of(definition("---\n".join(texts)))) == {"configMaps", "configMaps2"}


def test_the_namespace_of_an_object_that_is_in_none_is_dropped() -> None:
    role = (
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: shop, namespace: x}\nrules: []\n"
    )
    assert "namespace" not in nodes_of(definition(role))["clusterRole"]["template"]["metadata"]


def test_objects_to_which_others_refer_are_no_collection() -> None:
    accounts = [f"apiVersion: v1\nkind: ServiceAccount\nmetadata: {{name: shop-{each}}}\n" for each in ("red", "blue")]
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: shop}\nspec:\n"
    pod += "  {serviceAccountName: shop-red, containers: [{name: a, image: b}]}\n"
    assert "forEach" not in definition("---\n".join([*accounts, pod]))


def test_each_guess_is_explained_in_a_comment_unless_the_text_is_to_be_plain() -> None:
    explained = definition(ALL, plain=False)
    assert "# selects the pods of Deployment 'shop'\n" in explained
    assert "# the image of Deployment 'shop'\n" in explained
    assert "# an Ingress is ready when it has an address\n" in explained
    assert "#" not in definition(ALL)
    assert objects(explained) == objects(definition(ALL))


def test_lines_of_texts_that_look_like_comments_stay() -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n  run.sh: |\n    # a comment\n    true\n"
    assert "# a comment" in definition(config)


def test_ids_say_what_tells_objects_apart() -> None:
    cache = [each.replace(": shop", ": shop-cache") for each in (DEPLOYMENT, SERVICE)]
    text = definition("---\n".join([DEPLOYMENT, SERVICE, *cache]))
    assert set(nodes_of(text)) == {"deployment", "service", "cacheDeployment", "cacheService"}


def test_a_pod_is_not_selected_by_the_labels_that_kro_adds_to() -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: shop, labels: {app: shop}}\n"
    pod += "spec: {containers: [{name: a, image: b}]}\n"
    assert "${pod.metadata.labels}" not in definition(f"{pod}---\n{SERVICE}")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}\n", "has no metadata.name"),
        (DEPLOYMENT + "---\n" + DEPLOYMENT.replace("replicas: 2", "replicas: 3"), "a --from of its own"),
        ("", "no Kubernetes objects"),
        ("apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: x}\n", "a definition already"),
        ("apiVersion: v1\nkind: 'Config[Map'\nmetadata: {name: a}\n", "'Config\\[Map' is no kind; a kind is a word"),
    ],
)
def test_what_cannot_become_a_definition_is_refused(text: str, says: str) -> None:
    with pytest.raises(UnusableObjectsError, match=says):
        drafted(text)


def test_the_proof_finds_what_is_not_the_same() -> None:
    made = drafted(ALL)
    text = definition_yaml(made)
    changed = proof_of(made, text.replace("targetPort: 8080", "targetPort: 8081"))
    assert changed.differences == ("Service 'shop': spec.ports.0.targetPort is 8081, not 8080",)
    assert proof_of(made, text.replace("deployment.status", "deploymen.status")).diagnostics
