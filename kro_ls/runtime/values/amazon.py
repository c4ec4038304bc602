"""Identifiers of AWS: ids, ARNs and endpoints as the services give them.

Forms: AWS General Reference, "Amazon Resource Names (ARNs)", and the Service Authorization Reference. The account is
the one that the documentation of AWS uses.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from kro_ls.runtime.values.names import by_words, item_number, longest_suffix, object_name, path_words, words_of

if TYPE_CHECKING:
    from kro_ls.runtime.values.names import Names, Subject

REGION = "us-west-2"
ACCOUNT = "123456789012"
GROUPS = "services.k8s.aws"
"""How the groups of the AWS controllers for Kubernetes (ACK) end."""

_ID_PREFIXES = by_words(
    ("eipalloc", "allocation, elastic ip address"),
    ("ami", "ami, image"),
    ("assoc", "association"),
    ("attach", "attachment"),
    ("cagw", "carrier gateway"),
    ("cgw", "customer gateway"),
    ("dopt", "dhcp option"),
    ("eigw", "egress only internet gateway"),
    ("fs", "file system"),
    ("fsap", "access point"),
    ("fl", "flow log"),
    ("i", "instance"),
    ("igw", "internet gateway"),
    ("lt", "launch template"),
    ("lgw", "local gateway"),
    ("nat", "nat gateway"),
    ("acl", "network acl"),
    ("eni", "network interface"),
    ("pl", "prefix list"),
    ("rtb", "route table"),
    ("rtbassoc", "route table association"),
    ("sg", "security group, sg"),
    ("sgr", "security group rule"),
    ("snap", "snapshot"),
    ("subnet", "subnet"),
    ("tgw", "transit gateway"),
    ("tgw-attach", "transit gateway attachment"),
    ("vol", "volume"),
    ("vpc", "vpc"),
    ("vpce", "vpc endpoint"),
    ("pcx", "vpc peering connection"),
)
_UNIQUE_IDS = {"role": "AROA", "user": "AIDA", "policy": "ANPA", "group": "AGPA", "instance profile": "AIPA"}

_ARNS = by_words(
    ("elasticfilesystem:{region}:{account}:access-point/fsap-{id}", "access point"),
    ("cloudwatch:{region}:{account}:alarm:{name}", "alarm"),
    ("s3:::{name}", "bucket, s3"),
    ("acm:{region}:{account}:certificate/{uuid}", "certificate"),
    ("eks:{region}:{account}:cluster/{name}", "cluster, eks"),
    ("networkmanager::{account}:core-network/core-network-{id}", "core network"),
    ("rds:{region}:{account}:cluster:{name}", "db cluster"),
    ("rds:{region}:{account}:db:{name}", "db instance, rds"),
    ("rds:{region}:{account}:subgrp:{name}", "db subnet group"),
    ("firehose:{region}:{account}:deliverystream/{name}", "delivery stream"),
    ("elasticfilesystem:{region}:{account}:file-system/fs-{id}", "file system, efs"),
    ("lambda:{region}:{account}:function:{name}", "function, lambda"),
    ("iam::{account}:group/{name}", "group"),
    ("route53:::hostedzone/{zone}", "hosted zone"),
    ("iam::{account}:instance-profile/{name}", "instance profile"),
    ("kms:{region}:{account}:key/{uuid}", "key, kms"),
    ("lambda:{region}:{account}:layer:{name}:1", "layer"),
    ("elasticloadbalancing:{region}:{account}:listener/app/{name}/{short}/{id}", "listener"),
    ("elasticloadbalancing:{region}:{account}:loadbalancer/app/{name}/{short}", "load balancer"),
    ("logs:{region}:{account}:log-group:{name}", "log group"),
    ("eks:{region}:{account}:nodegroup/{name}/workers/{uuid}", "nodegroup, node group"),
    (
        "iam::{account}:oidc-provider/oidc.eks.{region}.amazonaws.com/id/{upper}",
        "open id connect provider, oidc provider",
    ),
    ("outposts:{region}:{account}:outpost/op-{id}", "outpost"),
    ("iam::{account}:policy/{name}", "policy"),
    ("sqs:{region}:{account}:{name}", "queue, sqs"),
    ("ecr:{region}:{account}:repository/{name}", "repository, ecr"),
    ("iam::{account}:role/{name}", "role"),
    ("events:{region}:{account}:rule/{name}", "rule"),
    ("secretsmanager:{region}:{account}:secret:{name}-{letters}", "secret"),
    ("ec2:{region}:{account}:security-group/sg-{id}", "security group"),
    ("states:{region}:{account}:stateMachine:{name}", "state machine"),
    ("kinesis:{region}:{account}:stream/{name}", "stream"),
    ("ec2:{region}:{account}:subnet/subnet-{id}", "subnet"),
    ("dynamodb:{region}:{account}:table/{name}", "table, dynamodb"),
    ("elasticloadbalancing:{region}:{account}:targetgroup/{name}/{short}", "target group"),
    ("sns:{region}:{account}:{name}", "topic, sns"),
    ("iam::{account}:user/{name}", "user"),
    ("ec2:{region}:{account}:vpc/vpc-{id}", "vpc"),
    ("wafv2:{region}:{account}:regional/webacl/{name}/{uuid}", "web acl"),
)
"""The forms of ARNs by what they name. The name of a service alone, as in `s3Arn`, means its most usual kind."""
_SERVICES = {
    "acmpca": "acm-pca",
    "apigatewayv2": "apigateway",
    "cloudwatchlogs": "logs",
    "cognitoidentityprovider": "cognito-idp",
    "documentdb": "rds",
    "efs": "elasticfilesystem",
    "elbv2": "elasticloadbalancing",
    "eventbridge": "events",
    "opensearchservice": "es",
    "prometheusservice": "aps",
    "sfn": "states",
}
"""The service that an ARN names, by the API group's first part, where they differ."""

_OWN_FORMS = frozenset(("documentdb", "elasticache", "ecs", "kafka", "memorydb", "redshift"))
"""Services whose kinds have the names of other services' kinds."""

_ITSELF = frozenset(("metadata", "resource", "own", "self"))
"""Words in front of `arn` that name nothing, as in `ackResourceMetadata.arn`."""

_ENDPOINTS = {
    "db instance": "{name}.{short}.{region}.rds.amazonaws.com",
    "db cluster": "{name}.cluster-{short}.{region}.rds.amazonaws.com",
    "cache cluster": "{name}.{short}.0001.usw2.cache.amazonaws.com",
    "replication group": "master.{name}.{short}.usw2.cache.amazonaws.com",
    "serverless cache": "{name}-{short}.serverless.usw2.cache.amazonaws.com",
    "cluster": "https://{upper}.gr7.{region}.eks.amazonaws.com",
    "domain": "https://search-{name}-{short}.{region}.es.amazonaws.com",
    "load balancer": "{name}-{short}.elb.{region}.amazonaws.com",
    "api": "https://{short}.execute-api.{region}.amazonaws.com",
    "queue": "https://sqs.{region}.amazonaws.com/{account}/{name}",
    "bucket": "http://{name}.s3.amazonaws.com/",
}


def is_amazon(subject: Subject) -> bool:
    """Whether an object is of a kind of ACK."""
    return subject.group.endswith(GROUPS)


def arn(subject: Subject, names: Names, nouns: tuple[str, ...]) -> str:
    """Return an ARN of what some words name, or of the subject itself where they name nothing."""
    kind = words_of(subject.kind)
    service = subject.group.partition(".")[0] if is_amazon(subject) else ""
    if service and (not nouns or nouns == kind or nouns[-1] in _ITSELF):
        return _own_arn(subject, service, kind)
    noun = longest_suffix(nouns, _ARNS)
    name = object_name(subject, names, without=1)
    if noun or not service:
        return "arn:aws:" + _filled(_ARNS[noun or "role"], subject, names, name)
    return f"arn:aws:{_SERVICES.get(service, service)}:{REGION}:{ACCOUNT}:{'-'.join(nouns[-2:])}/{name}"


def _own_arn(subject: Subject, service: str, kind: tuple[str, ...]) -> str:
    own = " ".join(kind)
    if own in _ARNS and service not in _OWN_FORMS:
        return "arn:aws:" + _filled(_ARNS[own], subject, (), subject.name)
    id_ = resource_id(subject, (), kind) if service == "ec2" else ""
    return f"arn:aws:{_SERVICES.get(service, service)}:{REGION}:{ACCOUNT}:{'-'.join(kind)}/{id_ or subject.name}"


def resource_id(subject: Subject, names: Names, nouns: tuple[str, ...]) -> str:
    """Return the id of what some words name; empty where AWS has no special form for it."""
    if nouns[-2:] == ("hosted", "zone"):
        return f"Z{_upper(_digest(subject, names, nouns))[:13]}"
    noun = longest_suffix(nouns, _UNIQUE_IDS)
    if noun and subject.group.startswith("iam."):
        return _UNIQUE_IDS[noun] + _upper(_digest(subject, names, nouns))[:17]
    noun = longest_suffix(nouns, _ID_PREFIXES)
    return f"{_ID_PREFIXES[noun]}-0{_digest(subject, names, nouns)[:16]}" if noun else ""


def endpoint(subject: Subject) -> str:
    """Return the endpoint of an object of ACK; empty where its kind has no known one."""
    noun = longest_suffix(words_of(subject.kind), _ENDPOINTS) if is_amazon(subject) else ""
    return _filled(_ENDPOINTS[noun], subject, (), subject.name) if noun else ""


def oidc_provider(subject: Subject, names: Names) -> str:
    """Return the issuer of an EKS cluster, without `https://`."""
    return _filled("oidc.eks.{region}.amazonaws.com/id/{upper}", subject, names, "")


def _digest(subject: Subject, names: Names, nouns: tuple[str, ...]) -> str:
    """Return digits for an id: an object's own id is the same wherever it stands."""
    kind = words_of(subject.kind)
    if not subject.is_instance and nouns[-len(kind) :] == kind:
        return subject.digest("id", *kind)
    numbers = (each for each in names if isinstance(each, int) or any(map(str.isdigit, each)))
    return subject.digest("id", *path_words(names), *numbers)


def _filled(form: str, subject: Subject, names: Names, name: str) -> str:
    digest = subject.digest("arn", *path_words(names), item_number(names)) if names else subject.digest("id")
    if not names:
        digest = _digest(subject, names, words_of(subject.kind))
    return form.format(
        region=REGION,
        account=ACCOUNT,
        name=name,
        id=f"0{digest[:16]}",
        short=digest[:12],
        upper=digest[:32].upper(),
        letters=digest[:6],
        uuid=uuid.UUID(digest[:32], version=4),
        zone=f"Z{_upper(digest)[:13]}",
    )


def _upper(digest: str) -> str:
    """Return capital letters and digits that are made of hexadecimal ones."""
    return digest.upper().translate(str.maketrans("01", "XK"))
