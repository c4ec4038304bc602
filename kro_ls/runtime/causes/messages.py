"""Reads messages of kro and of the API server: which cause each reports, and the names in it.

Sources: kro `pkg/controller/instance`, `pkg/runtime`, `pkg/client/crd.go`; Kubernetes' admission and validation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from kro_ls.runtime.causes.cause import CauseKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class Reported(NamedTuple):
    """A message, with the cause that it reports and the parts of its text by name."""

    kind: CauseKind
    words: Mapping[str, str]
    text: str


_QUOTED = r'"((?:[^"\\]|\\.)*)"'
_NODE = r'"(?P<node>[^"]*)"'
_EXPRESSION = r'"(?P<expression>(?:[^"\\]|\\.)*)"'

_WAITED = rf"waiting for (?:node|external reference|external collection) {_NODE}: "
_NO_KIND = (
    r'cannot resolve group version kind "(?P<missing>[^"]+)"|cannot resolve group version kind'
    r"|schema not found(?! for field)|GVK not found|RESTMapping failed|could not find the requested resource"
)
_UNCHANGEABLE = (
    r"immutable|may not change once set|updates may not (?:change|add or remove)|may not be (?:changed|updated)"
    r"|updates to \w+ spec for fields other"
    r"|can(?:not| not) be (?:less than previous|decreased|changed|unset)"
)

_PATTERNS: Final = (
    (
        CauseKind.PERMISSION,
        (
            r'User "(?P<user>[^"]+)" cannot (?P<verb>[\w*]+) (?:resource|path) "(?P<resource>[^"]+)"'
            r'(?: in API group "(?P<group>[^"]*)")?(?: in the namespace "(?P<namespace>[^"]+)")?'
        ),
    ),
    (CauseKind.PERMISSION, r'"(?P<user>[^"]+)"[^"]* is attempting to grant RBAC permissions not currently held'),
    (CauseKind.PERMISSION, r"cache sync timeout"),
    (CauseKind.QUOTA, r"exceeded quota: (?P<quota>[^,]+), requested: (?P<requested>.*)"),
    (CauseKind.QUOTA, r"failed quota: (?P<quota>[^:]+): (?P<requested>.*)"),
    (
        CauseKind.POLICY,
        r"ValidatingAdmissionPolicy '(?P<policy>[^']+)' with binding '[^']*' denied request: (?P<says>.*)",
    ),
    (CauseKind.POLICY, r'violates PodSecurity "(?P<policy>[^"]+)": (?P<says>.*)'),
    (CauseKind.POLICY, r"is forbidden: (?P<says>(?:maximum|minimum) [\w./-]+ usage per .*)"),
    (CauseKind.WEBHOOK, r'admission webhook "(?P<webhook>[^"]+)" denied the request:? ?(?P<says>.*)'),
    (CauseKind.WEBHOOK, r'failed calling webhook "(?P<webhook>[^"]+)": (?P<says>.*)'),
    (CauseKind.NAMESPACE_TERMINATING, r"in namespace (?P<namespace>\S+) because it is being terminated"),
    (CauseKind.NAMESPACE_MISSING, r'namespaces "(?P<namespace>[^"]+)" not found'),
    (CauseKind.KIND_TAKEN, r"CRD is owned by another (?P<other>ResourceGraphDefinition \S+)"),
    (CauseKind.KIND_TAKEN, r"(?P<other>CRD) already exists and is not owned by KRO"),
    (CauseKind.BREAKING_CHANGE, r"breaking changes detected: (?P<says>.*)"),
    (
        CauseKind.OTHER_OWNER,
        r"different ApplySet: (?P<object>\S+) \((?P<gvk>[^)]*)\) belongs to ApplySet \"(?P<owner>[^\"]+)\"",
    ),
    (CauseKind.COLLISION, rf"node {_NODE} identity collision: duplicate identity: (?P<identity>\S+)"),
    (
        CauseKind.SAME_OBJECT,
        (
            r"found resources with conflicts: resourceID: (?P<node>\S+) conflicts with "
            r"resourceID: (?P<other>[^\s,]+)"
        ),
    ),
    (CauseKind.EXTERNAL_MISSING, rf"waiting for external reference {_NODE}: (?:not found|.*no observed state)"),
    (CauseKind.COST_LIMIT, r"(?:cost limit exceeded|over the maximum collection size|exceeded the cost)"),
    (CauseKind.BEING_DELETED, rf'resource "(?P<object>[^"]+)" for node {_NODE} is currently being deleted'),
    (CauseKind.SUSPENDED, r"reconciliation suspended"),
    (CauseKind.FIGHT, r"cluster mutated"),
    (CauseKind.WAITING, rf"{_WAITED}readyWhen condition evaluated to false: {_EXPRESSION}"),
    (
        CauseKind.WAITING,
        (
            rf'{_WAITED}(?:node "[^"]*": )?failed to evaluate '
            rf"readyWhen(?: expression:)? {_EXPRESSION} (?:\(item \d+\) )?\(waiting for readiness\)"
        ),
    ),
    (CauseKind.WAITING, rf"{_WAITED}(?P<says>.*)"),
    (
        CauseKind.WAITING,
        rf"node {_NODE}: failed to evaluate expression: eval {_EXPRESSION}: (?P<says>.*?) \(data pending\)",
    ),
    (CauseKind.WAITING, rf'node "(?P<reader>[^"]*)": dependent node {_NODE} not ready: (?P<says>.*)'),
    (CauseKind.WAITING, rf"includeWhen {_EXPRESSION}: (?P<says>.*?) \(data pending\)"),
    (CauseKind.WAITING, rf"includeWhen dependency {_NODE} not ready: (?P<says>.*)"),
    (
        CauseKind.EVALUATION,
        rf"node {_NODE}: failed to evaluate readyWhen(?: expression:)? {_EXPRESSION} \((?P<says>.*)\)",
    ),
    (CauseKind.EVALUATION, rf"node {_NODE}: failed to evaluate expression: eval {_EXPRESSION}: (?P<says>.*)"),
    (CauseKind.EVALUATION, rf"includeWhen {_EXPRESSION}: (?P<says>.*)"),
    (CauseKind.EVALUATION, rf"(?:failed to evaluate|eval|forEach) {_EXPRESSION}: (?P<says>.*)"),
    (CauseKind.FIELD_CONFLICT, r'conflicts? with "(?P<manager>[^"]+)"(?: using [^:]+)?: (?P<field>\S+)'),
    (CauseKind.FIELD_CONFLICT, r"Apply failed with \d+ conflicts?: (?P<says>.*)"),
    (
        CauseKind.IMMUTABLE_FIELD,
        rf"^(?:.*?: )?[\w.]+ {_QUOTED} is invalid: (?P<field>[^\s:]+): (?P<says>.*(?:{_UNCHANGEABLE}).*)",
    ),
    (CauseKind.VALUE_REFUSED, rf"^(?:.*?: )?[\w.]+ {_QUOTED} is invalid: (?:\[?)(?P<field>[^\s:]+): (?P<says>.*)"),
    (
        CauseKind.VALUE_REFUSED,
        (
            r"failed to create typed patch object \([^)]*\): "
            r"\.?(?P<field>[^\s:]+): (?P<says>.*)"
        ),
    ),
    (
        CauseKind.VALUE_REFUSED,
        (
            r"(?P<says>unable to convert|cannot unmarshal|strict decoding error|unknown field|"
            r"request is too large|Request entity too large|metadata\.annotations: Too long).*"
        ),
    ),
    (CauseKind.KIND_MISSING, r'no matches for kind "(?P<missing>[^"]+)"(?: in version "(?P<version>[^"]+)")?'),
    (CauseKind.KIND_MISSING, rf"(?:{_NO_KIND})(?P<says>.*)"),
    (
        CauseKind.SERVER_TROUBLE,
        (
            r"(?:the object has been modified|UID conflicts|context deadline exceeded|"
            r"connection refused|TLS handshake|too many requests|etcdserver)"
        ),
    ),
    (CauseKind.REFERENCE_MISSING, r"error looking up (?P<missing>.*)"),
    (CauseKind.REFERENCE_MISSING, r"no (?P<missing>PriorityClass with name \S+) was found"),
    (CauseKind.REFERENCE_MISSING, r'(?P<missing>(?!resource)[\w.]+ "[^"]+") not found'),
    (CauseKind.VALUE_REFUSED, r"unsupported role reference kind"),
    (CauseKind.FORBIDDEN, r"is forbidden: (?P<says>.*)"),
    (CauseKind.DELETION_BLOCKED, r"(?:deletion blocked: |deleting apply-order wave)(?P<says>.*)"),
)
_TABLE: Final = tuple((kind, re.compile(pattern, re.DOTALL)) for kind, pattern in _PATTERNS)
_HEADS: Final = (
    "resource reconciliation failed: ",
    "apply results contain errors: ",
    "prune failed: ",
    "deletion blocked: ",
)


def reported_in(message: str) -> Iterator[Reported]:
    """Yield the errors in a message; kro joins those of several objects by line breaks."""
    rest = message
    for head in _HEADS:
        rest = rest.removeprefix(head)
    yield from map(_reported, [rest] if "ERROR: <input>" in rest else _parts(rest))


def _parts(text: str) -> list[str]:
    """Return the errors in a text; a line that reports nothing by itself continues the previous one."""
    parts: list[str] = []
    for line in text.split("\n"):
        if parts and _reported(line).kind is CauseKind.UNKNOWN:
            parts[-1] += f"\n{line}"
        else:
            parts.append(line)
    return parts


def _reported(text: str) -> Reported:
    for kind, pattern in _TABLE:
        found = pattern.search(text)
        if found:
            words = {name: word.strip() for name, word in found.groupdict().items() if word}
            return Reported(kind, words, text)
    return Reported(CauseKind.UNKNOWN, {}, text)
