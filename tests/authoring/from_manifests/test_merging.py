"""What varies between inputs becomes the schema."""

import json

from tests.fixtures.manifests import DEPLOYMENT, INGRESS, SERVICE, definition, drafted, nodes_of, schema_of

CONFIG = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data:
  LOG_LEVEL: info
  url: https://staging.example.com/cart
"""


def test_fields_have_the_values_of_the_first_input_as_defaults() -> None:
    other = DEPLOYMENT.replace("replicas: 2", "replicas: 5").replace("shop:1.0", "shop:1.10")
    text = definition(DEPLOYMENT, other)
    assert schema_of(text) == {"tag": 'string | default="1.0"', "replicas": "integer | default=2"}
    template = nodes_of(text)["deployment"]["template"]
    assert template["spec"]["template"]["spec"]["containers"][0]["image"] == "example.com/shop:${schema.spec.tag}"


def test_the_other_inputs_are_instances() -> None:
    first, second = drafted(DEPLOYMENT, DEPLOYMENT.replace("replicas: 2", "replicas: 5")).instances()
    assert first["spec"] == {}
    assert second["spec"] == {"replicas": 5}


def test_names_vary_with_the_name_of_the_instance() -> None:
    inputs = [f"{DEPLOYMENT}---\n{SERVICE}".replace(": shop", f": {stage}-shop") for stage in ("staging", "production")]
    text = definition(*inputs)
    assert schema_of(text) == {}
    nodes = nodes_of(text)
    assert nodes["deployment"]["template"]["metadata"]["labels"] == {"app": "${schema.metadata.name}"}
    made = drafted(*inputs)
    assert made.kind == "Shop"
    assert [each["metadata"] for each in made.instances()] == [
        {"name": "staging-shop", "namespace": "default"},
        {"name": "production-shop", "namespace": "default"},
    ]


def test_namespaces_vary_with_the_namespace_of_the_instance() -> None:
    inputs = [CONFIG.replace("shop}", f"shop, namespace: {each}}}") for each in ("one", "two")]
    inputs = [
        each.replace("staging.example.com", f"shop.{name}.svc")
        for each, name in zip(inputs, ("one", "two"), strict=True)
    ]
    text = definition(*inputs)
    assert schema_of(text) == {}
    data = nodes_of(text)["configMap"]["template"]["data"]
    assert data["url"] == "https://shop.${schema.metadata.namespace}.svc/cart"


def test_words_that_vary_alike_share_a_field_with_a_good_name() -> None:
    other = CONFIG.replace("info", "warn").replace("staging", "production")
    text = definition(
        CONFIG + "  home: https://staging.example.com\n", other + "  home: https://production.example.com\n"
    )
    assert schema_of(text) == {"logLevel": 'string | default="info"', "environment": 'string | default="staging"'}
    assert "https://${schema.spec.environment}.example.com/cart" in text


def test_the_lines_of_a_file_vary_one_by_one() -> None:
    file = CONFIG + "  app.properties: |\n    color=blue\n    size=1\n    # end\n"
    text = definition(file, file.replace("blue", "red").replace("size=1", "size=2"))
    assert schema_of(text) == {"color": 'string | default="blue"', "size": 'string | default="1"'}
    assert "color=${schema.spec.color}" in text


def test_an_object_that_some_inputs_lack_has_a_condition() -> None:
    base = f"{DEPLOYMENT}---\n{SERVICE}"
    text = definition(base, f"{base}---\n{INGRESS}")
    host = 'string | default="shop.example.com"'
    assert schema_of(text) == {"ingress": {"enabled": "boolean | default=false", "host": host}}
    assert nodes_of(text)["ingress"]["includeWhen"] == ["${schema.spec.ingress.enabled}"]


def test_objects_that_belong_together_have_one_condition() -> None:
    cache = [each.replace(": shop", ": shop-cache") for each in (DEPLOYMENT, SERVICE)]
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: shop}\n"
    text = definition(SERVICE, "---\n".join([SERVICE, *cache, account]))
    nodes = nodes_of(text)
    assert nodes["deployment"]["includeWhen"] == nodes["cacheService"]["includeWhen"]
    assert nodes["cacheService"]["includeWhen"] == ["${schema.spec.cache.enabled}"]
    assert nodes["serviceAccount"]["includeWhen"] == ["${schema.spec.serviceAccount.enabled}"]


def test_nothing_refers_to_an_object_that_may_not_be_there() -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: shop}\nspec:\n"
    pod += "  {serviceAccountName: shop, containers: [{name: a, image: b}]}\n"
    account = "---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: shop}\n"
    text = definition(pod, pod + account)
    assert "${serviceAccount" not in text


def test_a_field_that_some_inputs_lack_has_the_default_of_the_api_server() -> None:
    text = definition(DEPLOYMENT, DEPLOYMENT.replace("  replicas: 2\n", ""))
    assert schema_of(text) == {"replicas": "integer | default=2"}
    limits = DEPLOYMENT.replace("          ports", "          resources: {limits: {cpu: 1}}\n          ports")
    assert "${schema.spec." in definition(DEPLOYMENT, limits)


def test_a_map_that_has_other_keys_is_a_field_as_a_whole() -> None:
    text = definition(CONFIG, CONFIG + "  extra: '1'\n")
    (declaration,) = schema_of(text).values()
    assert declaration.startswith("map[string]string | default={")


def test_a_list_that_is_longer_is_a_field_as_a_whole() -> None:
    with_args = DEPLOYMENT.replace("          ports", "          args: [-v]\n          ports")
    text = definition(with_args, with_args.replace("[-v]", "[-v, --fast]"))
    assert schema_of(text) == {"arg": '[]string | default=["-v"]'} or list(schema_of(text)) == ["args"]


def test_a_field_that_no_template_can_leave_out_makes_two_variants() -> None:
    sandboxed = DEPLOYMENT.replace("    spec:\n", "    spec:\n      runtimeClassName: gvisor\n")
    text = definition(f"{DEPLOYMENT}---\n{SERVICE}", f"{sandboxed}---\n{SERVICE}")
    assert schema_of(text)["hasRuntimeClassName"] == "boolean | default=false"
    nodes = nodes_of(text)
    assert nodes["deploymentWithRuntimeClassName"]["includeWhen"] == ["${schema.spec.hasRuntimeClassName}"]
    assert nodes["deploymentWithoutRuntimeClassName"]["includeWhen"] == ["${!schema.spec.hasRuntimeClassName}"]
    assert nodes["service"]["template"]["spec"]["selector"] == {"app": "${schema.metadata.name}"}


def test_what_only_some_inputs_scale_has_replicas_elsewhere() -> None:
    """One template with the replicas would fight with the autoscaler."""
    scaler = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: shop}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: shop}
  maxReplicas: 4
"""
    inputs = f"{DEPLOYMENT}---\n{SERVICE}", f"{DEPLOYMENT}---\n{SERVICE}---\n{scaler}"
    nodes, enabled = nodes_of(definition(*inputs)), "schema.spec.autoscaler.enabled"
    assert nodes["deploymentWithReplicas"]["includeWhen"] == [f"${{!{enabled}}}"]
    assert (
        nodes["deploymentWithoutReplicas"]["includeWhen"] == nodes["autoscaler"]["includeWhen"] == [f"${{{enabled}}}"]
    )
    assert "replicas" not in nodes["deploymentWithoutReplicas"]["template"]["spec"]


def test_collections_vary_in_their_words() -> None:
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: team-%s, namespace: %s}\n"
    inputs = [
        "---\n".join(account % (team, namespace) for team in teams)
        for namespace, teams in (("staging", ["red", "blue"]), ("production", ["red", "blue", "green"]))
    ]
    text = definition(*inputs)
    assert schema_of(text) == {"names": '[]string | default=["red", "blue"]'}
    assert list(nodes_of(text)) == ["serviceAccounts"]
    assert drafted(*inputs).instances()[1]["spec"] == {"names": ["red", "blue", "green"]}


def test_groups_that_share_a_word_have_conditions_of_their_own() -> None:
    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\n---\n"
    one, other = (
        f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: shop-cache{more}}}\n---\n"
        for kind, more in (("Secret", ", namespace: other"), ("Secret", ""))
    )
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: shop-cache%s}\n---\n"
    elsewhere = account % ", namespace: other"
    text = definition(config + one + account % "", config + other + elsewhere)
    conditions = [each["includeWhen"][0] for each in nodes_of(text).values() if "includeWhen" in each]
    assert len(conditions) == 4
    assert len(set(conditions)) == 2


def test_collections_of_several_inputs_refer_to_each_other() -> None:
    team = "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-%s}\n---\n"
    account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: %s-deployer, namespace: team-%s}\n---\n"
    texts = [team % each + account % (each, each) for each in ("red", "blue", "green")]
    text = definition("".join(texts[:2]), "".join(texts))
    assert schema_of(text) == {"teams": '[]string | default=["red", "blue"]'}
    assert set(nodes_of(text)) == {"appNamespaces", "serviceAccounts"}


def test_a_hash_of_kustomize_is_not_what_tells_objects_apart() -> None:
    configs = [CONFIG.replace("shop}", f"shop-{each}}}") for each in ("6g68cb86kk", "6d62b7m2kc")]
    text = definition(*configs)
    assert list(nodes_of(text)) == ["configMap"]
    assert "includeWhen" not in text


def test_texts_of_every_kind_can_be_defaults() -> None:
    values = ['a "quoted" word', "back\\slash", "two\\nwords", "tab\there", "${NOT_OURS}", "{brace", "#x: y", ""]
    first = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shop}\ndata:\n"
    one = first + "".join(f"  k{number}: {json.dumps(each)}\n" for number, each in enumerate(values))
    two = first + "".join(f"  k{number}: other{number}\n" for number, _ in enumerate(values))
    assert len(schema_of(definition(one, two))) == len(values)
