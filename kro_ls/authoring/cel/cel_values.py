"""The types that only CEL has, for annotations: no program makes such a value, it has references to them."""

from __future__ import annotations

from typing import Generic, TypeVar

_V = TypeVar("_V", covariant=True)


class Optional(Generic[_V]):
    """A value that may be absent; `cel.orValue` and `cel.value` give what is in it."""


class Quantity:
    """A quantity of Kubernetes, such as 500m or 2Gi."""


class URL:
    """The address of something."""


class Semver:
    """A semantic version."""


class IP:
    """An address of IP, version 4 or 6."""


class CIDR:
    """A range of addresses, such as 10.0.0.0/8."""


class Condition:
    """A condition of the status, by which `runtime` of kro reports."""

    type: str
    status: str
    reason: str
    message: str
