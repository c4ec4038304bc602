"""Realistic texts by the name of their field: a region is a region, an image is an image.

The last words of the path to a field decide, the longest known end first: `ingress.path` is not `repo.path`. What is
made is a pure function of the path and the object, so other fields do not change it.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from kro_ls.runtime.values import amazon
from kro_ls.runtime.values.names import by_words, item_number, longest_suffix, object_name, path_words, words_of
from kro_ls.runtime.values.text_table import CONSTANTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.runtime.values.names import Names, Subject

    Maker: TypeAlias = Callable[["Place"], str]


class Place(Struct, frozen=True):
    """The place of a text; `before` are the words in front of those that determined its form."""

    subject: Subject
    names: Names
    before: tuple[str, ...]
    length: int
    """The number of words that determined the form."""

    @property
    def number(self) -> int:
        """The 0-based number of the item, or of the field where its name has one: 1 for `subnet2`."""
        item = item_number(self.names)
        digits = [word for each in self.names if isinstance(each, str) for word in words_of(each) if word.isdigit()]
        return item or (max(int(digits[-1][:3]) - 1, 0) if digits else 0)

    @property
    def label(self) -> str:
        """A name for what the text is about, a DNS label."""
        return object_name(self.subject, self.names, self.length)

    def digest(self, *parts: object) -> str:
        """Return hexadecimal digits for this place."""
        return self.subject.digest(*path_words(self.names), self.number, *parts)


def known_text(subject: Subject, names: Names) -> str | None:
    """Return a realistic text for a path that ends in known words; None for any other."""
    words = path_words(names)
    key = longest_suffix(words, _TEXTS)
    if not key:
        return None
    length = key.count(" ") + 1
    place = Place(subject, names, words[: len(words) - length], length)
    made = _TEXTS[key]
    if isinstance(made, str):
        return made
    if isinstance(made, tuple):
        return made[place.number % len(made)]
    return made(place)


def realistic_text(subject: Subject, names: Names) -> str:
    """Return a realistic text, for a path without known words a name of what it is about."""
    known = known_text(subject, names)
    return object_name(subject, names) if known is None else known


def _name(place: Place) -> str:
    return place.label


def _cloud(place: Place) -> str:
    group = place.subject.group
    return "azure" if group.endswith("azure.com") else "google" if "cnrm.cloud.google" in group else ""


_REGIONS = {
    "": (amazon.REGION, "us-east-1", "eu-west-1", "eu-central-1", "ap-southeast-2"),
    "azure": ("westeurope", "northeurope", "eastus"),
    "google": ("europe-west1", "us-central1", "us-east1"),
}
_OTHER_ACCOUNTS = frozenset(
    "accepter audit destination external log management member peer requester security shared source target "
    "trusted".split()
)
"""Words of accounts that are not the one that the objects are in."""

_SECOND = frozenset(("backup", "destination", "disaster", "dr", "failover", "replica", "secondary", "target"))


def _region(place: Place) -> str:
    regions = _REGIONS[_cloud(place)]
    return regions[(place.number + (not _SECOND.isdisjoint(place.before))) % len(regions)]


def _zone(place: Place) -> str:
    match _cloud(place):
        case "azure":
            return str(place.number % 3 + 1)
        case "google":
            return f"{_REGIONS['google'][0]}-{'bcd'[place.number % 3]}"
    return f"{amazon.REGION}{'abc'[place.number % 3]}"


def _id(place: Place) -> str:
    subject = place.subject
    is_own = not subject.is_instance and not place.before[-1:]
    nouns = words_of(subject.kind) if is_own else place.before
    special = amazon.resource_id(subject, place.names, nouns or words_of(subject.kind))
    if special:
        return special
    noun = next(iter(reversed(nouns)), "id")
    return f"{noun}-{place.digest('id')[:10]}"


def _uuid(place: Place) -> str:
    return str(uuid.UUID(place.digest("uuid")[:32], version=4))


def _account(place: Place) -> str:
    if _OTHER_ACCOUNTS.isdisjoint(place.before):
        return amazon.ACCOUNT
    return str(int(place.digest("account")[:11], 16)).zfill(12)[-12:]


def _host_label(place: Place) -> str:
    label = place.label
    return label.removeprefix("my-") if place.subject.is_instance else label


def _host(place: Place) -> str:
    return amazon.endpoint(place.subject).rpartition("://")[2].partition("/")[0] or _plain_host(place)


def _plain_host(place: Place) -> str:
    """Return a name below `example.com`; of an object one that no other object has."""
    label = _host_label(place)
    return f"{label}.example.com" if place.subject.is_instance else f"{label}-{place.subject.digest()[:6]}.example.com"


def _endpoint(place: Place) -> str:
    own = "" if place.subject.is_instance else amazon.endpoint(place.subject)
    is_api = place.before[-1:] in (("cluster",), ("api",), ("service",), ("oidc",))
    return own or (f"https://{_plain_host(place)}" if is_api else _plain_host(place))


def _url(place: Place) -> str:
    own = "" if place.subject.is_instance else amazon.endpoint(place.subject)
    if own.startswith("http"):
        return own
    return f"https://{_plain_host(place)}"


def _repository_url(place: Place) -> str:
    return f"https://github.com/example/{_host_label(place) or 'app'}"


def _database_url(place: Place) -> str:
    scheme, port = _engine_url(place)
    return f"{scheme}://app@{_plain_host(place)}:{port}/app"


def _engine_url(place: Place) -> tuple[str, int]:
    words = {*place.before, *words_of(place.subject.kind)}
    if words & {"redis", "cache", "valkey"}:
        return "redis", 6379
    if words & {"mysql", "mariadb"}:
        return "mysql", 3306
    if words & {"mongo", "mongodb"}:
        return "mongodb", 27017
    return "postgresql", 5432


def _engine_version(place: Place) -> str:
    return {"redis": "7.1", "mysql": "8.0.40", "mongodb": "7.0"}.get(_engine_url(place)[0], "16.4")


def _email(place: Place) -> str:
    label = _host_label(place)
    if _cloud(place) == "google":
        return f"{label}@my-project.iam.gserviceaccount.com"
    return f"{label}@example.com" if label else "team@example.com"


def _vpc_cidr(place: Place) -> str:
    words = {*place.before, *(words_of(place.subject.kind) if place.subject.is_instance is False else ())}
    if "pod" in words:
        return "10.244.0.0/16"
    if "service" in words:
        return "10.96.0.0/12"
    if "destination" in words:
        return "0.0.0.0/0"
    if words & {"allowed", "source", "ingress", "trusted", "whitelist", "allow"}:
        return f"203.0.113.{place.number * 16 % 256}/28"
    if words & {"subnet", "public", "private"} and "vpc" not in place.before[-1:]:
        return _subnet_cidr(place, words)
    return f"10.{place.number % 200}.0.0/16"


def _subnet_cidr(place: Place, words: set[str]) -> str:
    """Return a range in that of the VPC: public ones begin at 10.0.0.0, private ones at 10.0.64.0, others at .128.0."""
    if not place.subject.is_instance:
        return f"10.0.{int(place.subject.digest('cidr')[:4], 16) % 256}.0/24"
    first = 0 if "public" in words else 64 if "private" in words else 128
    others = tuple(each for each in place.before if each not in ("public", "private", "subnet", "vpc", "network"))
    spread = int(place.subject.digest("cidr", *others)[:4], 16) % 4 * 16 if others else 0
    return f"10.0.{first + spread + place.number % 16}.0/24"


def _cidr6(place: Place) -> str:
    return f"2001:db8:{int(place.digest('cidr')[:4], 16):x}::/56"


def _private_ip(place: Place) -> str:
    digest = place.digest("ip")
    return f"10.0.{int(digest[:2], 16)}.{int(digest[2:4], 16) % 254 + 1}"


def _public_ip(place: Place) -> str:
    return f"203.0.113.{int(place.digest('ip')[:4], 16) % 254 + 1}"  # reserved for documentation (RFC 5737)


def _ip6(place: Place) -> str:
    digest = place.digest("ip")
    return f"2001:db8::{int(digest[:4], 16):x}:{int(digest[4:8], 16):x}"


def _oidc_provider(place: Place) -> str:
    return amazon.oidc_provider(place.subject, place.names)


_IMAGES = by_words(
    ("postgres:16", "postgres, db, database"),
    ("mysql:8.4", "mysql"),
    ("redis:7", "redis, cache"),
    ("busybox:1.36", "worker, init, job, sidecar"),
)


def _image(place: Place) -> str:
    return next((_IMAGES[each] for each in reversed(place.before) if each in _IMAGES), "nginx:1.27")


def _resource_status(place: Place) -> str:
    """Return the word for a healthy object that controllers of its cloud write."""
    subject = place.subject
    service = subject.group.partition(".")[0] if amazon.is_amazon(subject) else ""
    if service in ("ec2", "rds", "elasticache", "memorydb", "efs", "documentdb"):
        return "available"
    return "ACTIVE" if service else "Ready"


def _digits(place: Place) -> str:
    return place.digest()[:40]


_MADE: dict[str, str | tuple[str, ...] | Maker] = by_words(
    (_name, "account, name, project id"),
    (_account, "account id, account number, aws account, owner id"),
    (_plain_host, "address, fqdn, server"),
    (lambda place: amazon.arn(place.subject, place.names, place.before), "arn"),
    (_zone, "availability zone, availability zone name, az, zone, subnet az"),
    (lambda place: f"usw2-az{place.number % 3 + 1}", "availability zone id"),
    (_id, "subnet identifier, id"),
    (_region, "region, region name"),
    (lambda place: _region(place) if _cloud(place) else "eu-west-1", "location"),
    (_uuid, "uid, uuid, guid, tenant id, subscription id, client id, object id, oid, principal id, kms key id, key id"),
    (_vpc_cidr, "cidr, cidr block, cidr range, cidr ipv4, ip range"),
    (_cidr6, "cidr ipv6, ipv6 cidr, ipv6 cidr block"),
    (_private_ip, "ip, ip address, ipv4, ipv4 address, cluster ip"),
    (_public_ip, "first ip address, public ip, public ip address, carrier ip, external ip, load balancer ip"),
    (_ip6, "ipv6, ipv6 address"),
    (_endpoint, "endpoint"),
    (_host, "endpoint address, host, hostname, host name, dns, dns name"),
    ("example.com", "domain, domain name"),
    (_url, "url, uri, link, webhook, issuer"),
    (lambda place: f"{_url(place)}/hooks", "webhook url"),
    (_oidc_provider, "oidc provider"),
    (lambda place: f"https://{_oidc_provider(place)}", "oidc issuer"),
    (_repository_url, "repo, repo url, repository url, git url, git repository, git repo"),
    (_database_url, "connection string, database url, db url, dsn"),
    (_email, "email, email address, mail, contact"),
    (lambda place: "postgres" if (name := _engine_url(place)[0]) == "postgresql" else name, "engine"),
    (_engine_version, "engine version, full engine version"),
    ("16", "postgres version"),
    (_image, "image, container image, image name, image uri"),
    (lambda place: f"Sample of {place.label.removeprefix('my-').replace('-', ' ')}", "description"),
    (("team", "cost-center", "service"), "tag"),
    (_resource_status, "state, status, phase"),
    ("ACTIVE", "table status"),
    (_digits, "digest, hash, sha, checksum, commit, fingerprint, token"),
)
_TEXTS = {**CONSTANTS, **_MADE}
"""By the last words of a path, without numbers and in the singular: the text, one for each item, or what makes it."""
