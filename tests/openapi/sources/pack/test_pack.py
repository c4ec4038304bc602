"""The pack of well-known kinds, written and read back."""

from __future__ import annotations

import json

import pytest

from kro_ls.openapi.index import SchemaIndex
from kro_ls.openapi.kind_schema import GroupVersionKind, Trust
from kro_ls.openapi.sources.bundled import kubernetes
from kro_ls.openapi.sources.pack.building import Record, build
from kro_ls.openapi.sources.pack.policy import PackPolicy
from kro_ls.openapi.sources.pack.stripping import stripped_definition
from tests.fixtures.packs import definition, pack_of, record, version


def test_a_kind_is_read_as_its_definition_says() -> None:
    bucket = definition("Bucket", version("v1", "region", subresources={"status": {}}), scope="Cluster")
    queue = record(definition("Queue", version("v1", "name")), "2026-08-13 eeb8ea4", "example/queues")
    pack = pack_of(record(bucket), queue)

    found = pack.find(GroupVersionKind("example.com", "v1", "Bucket"))

    assert found is not None
    assert (found.plural, found.namespaced, found.subresources) == ("buckets", False, ("status",))
    assert found.source == "operator 1.2.3, 2026-08, bundled with kro-ls"
    assert found.deprecation is None
    kept = stripped_definition(bucket)
    assert found.declared_schema == kept["spec"]["versions"][0]["schema"]["openAPIV3Schema"]  # type: ignore[index, call-overload]
    assert found.schema["properties"]["metadata"]["properties"]["name"]["type"] == "string"  # type: ignore[index, call-overload]


def test_equal_parts_of_kinds_are_stored_once() -> None:
    kinds = [definition(f"Kind{number}", version("v1", f"field{number}")) for number in range(5)]
    other = definition("Kind", version("v1", "field"), group="example.org")
    pack = pack_of(*map(record, (*kinds, other)))
    for kind in (*kinds, other):
        names = kind["spec"]
        found = pack.find(GroupVersionKind(names["group"], "v1", names["names"]["kind"]))
        assert found is not None
        expected = stripped_definition(kind)
        assert found.declared_schema == expected["spec"]["versions"][0]["schema"]["openAPIV3Schema"]  # type: ignore[index, call-overload]
    container = pack._container
    assert container is not None
    content = b"".join(container.read(place) for place in pack._header["blocks"])
    assert content.count(b'"maxLength":316') == 1


@pytest.mark.parametrize("kind", ["Bucket", "Other"])
def test_what_the_pack_does_not_have_is_unknown(kind: str) -> None:
    pack = pack_of(record(definition("Bucket", version("v1", "region"))))
    assert pack.find(GroupVersionKind("example.com", "v2", kind)) is None
    assert pack.find(GroupVersionKind("example.org", "v1", kind)) is None


def test_a_version_that_is_not_served_any_more_stays_known() -> None:
    bucket = definition("Bucket", version("v1", "region"), version("v1beta1", "place", served=False))
    pack = pack_of(record(bucket))
    found = pack.find(GroupVersionKind("example.com", "v1beta1", "Bucket"))
    assert found is not None
    assert found.deprecation == "operator 1.2.3 does not serve example.com/v1beta1 Bucket any more."
    assert list(pack.names()) == [GroupVersionKind("example.com", "v1", "Bucket")]


def test_a_version_that_only_an_older_release_serves_is_removed() -> None:
    older = record(definition("Bucket", version("v1beta1", "place")), "v0.9.0")
    newer = record(definition("Bucket", version("v1", "region"), version("v2", "region")))
    pack = pack_of(older, newer)
    found = pack.find(GroupVersionKind("example.com", "v1beta1", "Bucket"))
    assert found is not None
    assert found.deprecation == "operator 1.2.3 does not serve example.com/v1beta1 Bucket any more."


def test_a_deprecated_version_says_so() -> None:
    deprecated = version("v1", "region", deprecated=True, deprecationWarning="use v2")
    pack = pack_of(record(definition("Bucket", deprecated, version("v2", "region", deprecated=True))))
    warnings = [pack.find(GroupVersionKind("example.com", name, "Bucket")) for name in ("v1", "v2")]
    assert [each and each.deprecation for each in warnings] == ["use v2", "example.com/v2 Bucket is deprecated"]


def test_the_same_records_give_the_same_bytes_in_any_order() -> None:
    records = [record(definition(kind, version("v1", "name"), version("v2", "name"))) for kind in ("A", "B", "C")]
    assert build(records) == build(json_copy(each) for each in reversed(records))


def json_copy(each: Record) -> Record:
    return Record(each.project, each.release, json.loads(json.dumps(each.definition)))


@pytest.mark.parametrize(
    ("project", "release", "source"),
    [
        ("example/iam-controller", "2026-08-18 1bb7fc9", "iam-controller 2026-08"),
        ("github.com/argoproj/argo-cd/v3", "v3.6.1", "Argo CD 3.6.1, 2026-08"),
        ("fluxcd/helm-controller", "2026-07-23 0f61a86", "helm-controller 2026-07"),
        ("sigs.k8s.io/karpenter", "v1.15.0", "Karpenter 1.15.0, 2026-08"),
        ("CustomResourceDefinition/catalog", "2026-08-22 97e2911", "the CRD catalog 2026-08"),
    ],
)
def test_a_source_says_which_release_it_is(project: str, release: str, source: str) -> None:
    other = record(definition("Other", version("v1", "name"), group="example.org"), "2026-08-22 0000000")
    pack = pack_of(record(definition("Role", version("v1", "name")), release, project), other)
    found = pack.find(GroupVersionKind("example.com", "v1", "Role"))
    assert found is not None
    assert found.source == f"{source}, bundled with kro-ls"


@pytest.mark.parametrize(
    ("choices", "name", "trust"),
    [
        ({}, GroupVersionKind("example.com", "v1", "Role"), Trust.GENERAL),
        ({}, GroupVersionKind("example.com", "v1beta1", "Role"), Trust.GENERAL),
        ({}, GroupVersionKind("example.com", "v1alpha1", "Role"), Trust.CHANGING),
        ({}, GroupVersionKind("iam.services.k8s.aws", "v1alpha1", "Role"), Trust.GENERAL),
        ({"*": "strict"}, GroupVersionKind("example.com", "v1alpha1", "Role"), Trust.FULL),
        ({"*": "off", "*.com": "warn"}, GroupVersionKind("example.com", "v1", "Role"), Trust.GENERAL),
        ({"*.com": "off"}, GroupVersionKind("example.com", "v1", "Role"), None),
        ({"*.com": "off"}, GroupVersionKind("example.org", "v1", "Role"), Trust.GENERAL),
    ],
)
def test_how_sure_a_kind_is(choices: dict[str, str], name: GroupVersionKind, trust: Trust | None) -> None:
    assert PackPolicy.of(choices).trust(name) is trust


def test_a_stronger_policy_comes_first() -> None:
    own = PackPolicy.of({"example.com": "off", "*": "strict"})
    assert own.under(PackPolicy.of({"example.com": "warn"})) == PackPolicy.of({"example.com": "warn", "*": "strict"})
    assert own.under(PackPolicy.of({"*": "strict"})) == PackPolicy.of({"*": "strict"})


def test_kinds_that_are_turned_off_are_not_listed() -> None:
    records = [
        record(definition("Role", version("v1", "name"), group=group)) for group in ("example.com", "example.org")
    ]
    pack = pack_of(*records, policy=PackPolicy.of({"example.com": "off"}))
    assert list(pack.names()) == [GroupVersionKind("example.org", "v1", "Role")]
    assert pack.find(GroupVersionKind("example.com", "v1", "Role")) is None


def test_of_general_sources_the_first_that_has_a_kind_speaks_for_it() -> None:
    first = pack_of(record(definition("Role", version("v1", "name")), "v1.0.0"))
    second = pack_of(record(definition("Role", version("v1", "name"), version("v2", "name")), "v2.0.0"))

    third = pack_of(record(definition("Role", version("v1", "name"), group="example.org"), "v3.0.0"))
    index = SchemaIndex(kubernetes(), (), (first, second, third))
    found = index.find("example.com", "v1", "Role")
    assert found is not None
    assert found.source == "operator 1.0.0, bundled with kro-ls"
    assert index.find("example.com", "v2", "Role") is None
    assert index.find("example.org", "v1", "Role") is not None
    names = [name for name in index.kinds() if name.kind == "Role" and name.group.startswith("example")]
    assert names == [GroupVersionKind("example.com", "v1", "Role"), GroupVersionKind("example.org", "v1", "Role")]


def test_a_group_shows_its_project() -> None:
    pack = pack_of(
        record(definition("Role", version("v1", "name"), group="iam.services.k8s.aws"), "2026-08-18 1bb7fc9")
    )
    found = pack.find(GroupVersionKind("iam.services.k8s.aws", "v1", "Role"))
    assert found is not None
    assert found.source == "AWS Controllers for Kubernetes 2026-08, bundled with kro-ls"
