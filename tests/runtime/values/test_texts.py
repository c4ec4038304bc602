"""Texts by the names of their fields, and how those of two objects differ."""

from __future__ import annotations

import ipaddress
import re
from itertools import product

import pytest

from kro_ls.runtime.values.names import Subject, words_of
from kro_ls.runtime.values.texts import known_text, realistic_text

SHOP = Subject("Shop", "my-shop", "my", "Shop", is_instance=True)


def ack(kind: str, service: str, name: str = "shop", namespace: str = "default") -> Subject:
    """Return an object of ACK."""
    group = f"{service}.services.k8s.aws"
    label = name if namespace == "default" else f"{namespace}-{name}"
    return Subject(f"{group}/{kind}/{namespace}/{name}", label, label, kind, group)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("subnetIDs", ("subnet", "id")),
        ("fQDN", ("fqdn",)),
        ("ipv6CIDRBlock", ("ipv6", "cidr", "block")),
        ("vpc_cidr", ("vpc", "cidr")),
        ("NATGateway", ("nat", "gateway")),
        ("publicSubnet2Id", ("public", "subnet", "2", "id")),
        ("policies", ("policy",)),
        ("addresses", ("address",)),
        ("ingressClass", ("ingress", "class")),
        ("kubernetes", ("kubernetes",)),
        ("", ()),
        ("é", ()),
    ],
)
def test_words(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("region", "us-west-2"),
        ("replicaRegion", "us-east-1"),
        ("regions.1", "us-east-1"),
        ("availabilityZone", "us-west-2a"),
        ("availabilityZones.1", "us-west-2b"),
        ("accountId", "123456789012"),
        ("managementAccountID", r"\d{12}"),
        ("vpcId", "vpc-0[0-9a-f]{16}"),
        ("subnetIDs.0", "subnet-0[0-9a-f]{16}"),
        ("securityGroupIds.0", "sg-0[0-9a-f]{16}"),
        ("amiId", "ami-0[0-9a-f]{16}"),
        ("hostedZoneID", "Z[0-9A-Z]{13}"),
        ("roleArn", "arn:aws:iam::123456789012:role/my-role"),
        ("nodes.policyARNs.0", "arn:aws:iam::123456789012:policy/my-node-policy"),
        ("kmsKeyArn", "arn:aws:kms:us-west-2:123456789012:key/[0-9a-f-]{36}"),
        ("certificateARN", "arn:aws:acm:us-west-2:123456789012:certificate/[0-9a-f-]{36}"),
        ("bucketArn", "arn:aws:s3:::my-bucket"),
        ("s3ARN", "arn:aws:s3:::my-s3"),
        ("eksArn", "arn:aws:eks:us-west-2:123456789012:cluster/my-eks"),
        ("dynamodbArn", "arn:aws:dynamodb:us-west-2:123456789012:table/my-dynamodb"),
        ("topicArn", "arn:aws:sns:us-west-2:123456789012:my-topic"),
        ("lambdaArn", "arn:aws:lambda:us-west-2:123456789012:function:my-lambda"),
        ("secretARN", "arn:aws:secretsmanager:us-west-2:123456789012:secret:my-secret-[0-9a-f]{6}"),
        ("email", "shop@example.com"),
        ("owner.email", "owner@example.com"),
        ("websiteURL", r"https://website\.example\.com"),
        ("gitops.repoUrl", r"https://github\.com/example/gitops"),
        ("ingress.host", r"ingress\.example\.com"),
        ("domain", r"example\.com"),
        ("image", r"nginx:1\.27"),
        ("redisImage", "redis:7"),
        ("database.image", "postgres:16"),
        ("image.tag", r"1\.27"),
        ("timeout", "30s"),
        ("backup.schedule", r"0 3 \* \* \*"),
        ("resources.limits.cpu", "500m"),
        ("resources.requests.memory", "256Mi"),
        ("storageSize", "10Gi"),
        ("kubernetesVersion", r"1\.34"),
        ("engine", "postgres"),
        ("mysql.engine", "mysql"),
        ("engineVersion", r"16\.4"),
        ("cache.engineVersion", r"7\.1"),
        ("username", "app"),
        ("password", r"\S{12,}"),
        ("secretName", "my-secret"),
        ("db.passwordSecretName", "my-db-password-secret"),
        ("tenantId", "[0-9a-f-]{36}"),
        ("protocol", "TCP"),
        ("namespace", "default"),
        ("name", "my-shop"),
        ("source.name", "my-source"),
        ("workers.0", "my-worker"),
        ("workers.1", "my-worker-2"),
        ("flavour", "my-flavour"),
    ],
)
def test_texts_are_what_their_names_say(path: str, pattern: str) -> None:
    names = tuple(int(each) if each.isdigit() else each for each in path.split("."))
    assert re.fullmatch(pattern, realistic_text(SHOP, names))


@pytest.mark.parametrize("cidrs", [("vpcCidr", "publicSubnet1Cidr"), ("vpc.cidr", "privateSubnets.1.cidrBlock")])
def test_subnets_lie_in_their_network(cidrs: tuple[str, str]) -> None:
    outer, inner = (
        ipaddress.ip_network(realistic_text(SHOP, tuple(int(e) if e.isdigit() else e for e in each.split("."))))
        for each in cidrs
    )
    assert isinstance(inner, ipaddress.IPv4Network)
    assert isinstance(outer, ipaddress.IPv4Network)
    assert inner.subnet_of(outer)
    assert inner != outer


def test_subnets_of_one_definition_do_not_overlap() -> None:
    names = [f"{kind}Subnet{number}Cidr" for kind, number in product(("public", "private", "database"), (1, 2, 3))]
    networks = [ipaddress.ip_network(realistic_text(SHOP, (each,))) for each in names]
    assert len(set(networks)) == len(networks)


@pytest.mark.parametrize(
    ("subject", "arn"),
    [
        (ack("Role", "iam"), "arn:aws:iam::123456789012:role/shop"),
        (ack("Policy", "iam"), "arn:aws:iam::123456789012:policy/shop"),
        (ack("Bucket", "s3"), "arn:aws:s3:::shop"),
        (ack("DBInstance", "rds"), "arn:aws:rds:us-west-2:123456789012:db:shop"),
        (ack("Cluster", "eks"), "arn:aws:eks:us-west-2:123456789012:cluster/shop"),
        (ack("Cluster", "ecs"), "arn:aws:ecs:us-west-2:123456789012:cluster/shop"),
        (ack("Queue", "sqs", namespace="team"), "arn:aws:sqs:us-west-2:123456789012:team-shop"),
        (ack("Function", "lambda"), "arn:aws:lambda:us-west-2:123456789012:function:shop"),
        (ack("Table", "dynamodb"), "arn:aws:dynamodb:us-west-2:123456789012:table/shop"),
        (ack("StateMachine", "sfn"), "arn:aws:states:us-west-2:123456789012:stateMachine:shop"),
        (ack("Broker", "mq"), "arn:aws:mq:us-west-2:123456789012:broker/shop"),
    ],
)
def test_an_object_has_the_arn_of_its_service(subject: Subject, arn: str) -> None:
    assert known_text(subject, ("ackResourceMetadata", "arn")) == arn


def test_the_id_of_an_object_is_the_same_wherever_it_stands() -> None:
    vpc = ack("VPC", "ec2")
    own = known_text(vpc, ("vpcID",))
    assert own == known_text(vpc, ("cidrBlockAssociationSet", 0, "vpcID"))
    arn = known_text(vpc, ("ackResourceMetadata", "arn"))
    assert own
    assert arn
    assert arn.endswith(f":vpc/{own}")


@pytest.mark.parametrize("path", [("ackResourceMetadata", "arn"), ("endpoint", "address"), ("vpcID",), ("ipAddress",)])
def test_two_objects_share_nothing(path: tuple[str, ...]) -> None:
    subjects = [
        ack(kind, service, name, namespace)
        for (kind, service), name, namespace in product(
            [
                ("VPC", "ec2"),
                ("Subnet", "ec2"),
                ("DBInstance", "rds"),
                ("DBCluster", "rds"),
                ("DBCluster", "documentdb"),
            ],
            ("a", "b"),
            ("default", "team"),
        )
    ]
    texts = [realistic_text(each, path) for each in subjects]
    assert len(set(texts)) == len(texts)


def test_values_are_the_same_on_every_machine() -> None:
    assert known_text(SHOP, ("vpcId",)) == "vpc-0a0e3b2b6e766abd7"
    endpoint = known_text(ack("DBInstance", "rds"), ("endpoint", "address"))
    assert endpoint == "shop.d8adfe6064ec.us-west-2.rds.amazonaws.com"
