"""What in an RGD's `spec.schema` makes Kubernetes refuse the CRD that kro generates, though kro accepts the RGD.

Only names, the group, labels, annotations and printer columns: the schema's own faults are found where its fields are
declared. Sources: k8s.io/apiextensions-apiserver, pkg/apis/apiextensions/validation/validation.go;
k8s.io/apimachinery, pkg/util/validation/validation.go.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from kro_ls.golang.plural import plural
from kro_ls.kro.forms import DEFAULT_GROUP
from kro_ls.spelling import listed

_LABEL = r"[a-z]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_NAME_OR_VALUE = r"[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
_LONGEST_LABEL = 63
_LARGEST_ANNOTATIONS = 256 * 1024
_LONGEST_SUBDOMAIN = 253
_COLUMN_TYPES = ("integer", "number", "string", "boolean", "date")
_COLUMN_FORMATS = ("int32", "int64", "float", "double", "byte", "date", "date-time", "password")
_PROTECTED_GROUPS = (".k8s.io", ".kubernetes.io")
_APPROVAL = "api-approved.kubernetes.io"


class Refusal(Struct, frozen=True):
    """Why the CRD will be refused; `path` leads from `spec.schema` to the value at fault, or to that of a wrong key."""

    path: tuple[str | int, ...]
    message: str
    is_key: bool = False


def refusals(schema_section: Mapping[str, Any]) -> tuple[Refusal, ...]:
    """Return what in `spec.schema` of an RGD makes the API server refuse the generated CRD.

    Values that are missing or of a wrong type are left to the check of the RGD itself.
    """
    found = [*_kind_refusals(schema_section.get("kind")), *_group_refusals(schema_section)]
    found += _metadata_refusals(schema_section.get("metadata"))
    columns = schema_section.get("additionalPrinterColumns")
    if isinstance(columns, Sequence) and not isinstance(columns, str):
        for number, column in enumerate(columns):
            if isinstance(column, Mapping):
                found += _column_refusals(("additionalPrinterColumns", number), column)
    return tuple(found)


_NAME_FORM = f"at most {_LONGEST_LABEL} letters, digits, '-', '_' and '.', a letter or digit at both ends"


def _kind_refusals(kind: object) -> Iterator[Refusal]:
    if not isinstance(kind, str) or not kind:
        return
    name = plural(kind)
    if not re.fullmatch(_LABEL, name):
        yield Refusal(("kind",), f"kro's plural of '{kind}', '{name}', is not a valid name of a resource")
    elif len(name) > _LONGEST_LABEL or len(kind) > _LONGEST_LABEL - len("List"):
        yield Refusal(("kind",), f"'{name}' and '{kind}List' may have at most {_LONGEST_LABEL} characters")


def _group_refusals(schema_section: Mapping[str, Any]) -> Iterator[Refusal]:
    group = schema_section.get("group")
    if group is None:
        group = DEFAULT_GROUP
    if not isinstance(group, str):
        return
    if not re.fullmatch(_SUBDOMAIN, group) or len(group) > _LONGEST_SUBDOMAIN:
        yield Refusal(
            ("group",), f"'{group}' is not a valid group; expected a domain in lower case, such as 'example.com'"
        )
    elif "." not in group:
        yield Refusal(("group",), f"the group '{group}' needs a dot; expected a domain, such as 'example.com'")
    elif f".{group}".endswith(_PROTECTED_GROUPS):
        metadata = schema_section.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, Mapping) else None
        if not isinstance(annotations, Mapping) or not annotations.get(_APPROVAL):
            message = f"the group '{group}' is protected; a CRD in it needs the annotation '{_APPROVAL}'"
            yield Refusal(("group",), message)


def _metadata_refusals(metadata: object) -> Iterator[Refusal]:
    for field in ("labels", "annotations"):
        values = metadata.get(field) if isinstance(metadata, Mapping) else None
        if not isinstance(values, Mapping):
            continue
        size = 0
        for key, value in values.items():
            text = value if isinstance(value, str) else ""
            size += len(key.encode("utf-8", "surrogatepass")) + len(text.encode("utf-8", "surrogatepass"))
            problem = _key_problem(key if field == "labels" else key.lower())
            if problem:
                yield Refusal(("metadata", field, key), f"'{key}' is not a valid key of {field}; {problem}", True)
            if field == "labels" and text and not _is_name(text):
                message = f"'{text}' is not a valid label value; expected {_NAME_FORM}"
                yield Refusal(("metadata", field, key), message)
        if field == "annotations" and size > _LARGEST_ANNOTATIONS:
            message = f"the annotations have {size:,} bytes together; at most {_LARGEST_ANNOTATIONS:,} are allowed"
            yield Refusal(("metadata", field), message, True)


def _key_problem(key: str) -> str:
    prefix, slash, name = key.rpartition("/")
    if slash and (not re.fullmatch(_SUBDOMAIN, prefix) or len(prefix) > _LONGEST_SUBDOMAIN):
        return "expected a domain in lower case before the '/', such as 'example.com'"
    if not _is_name(name):
        return f"expected {_NAME_FORM}"
    return ""


def _is_name(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and re.fullmatch(_NAME_OR_VALUE, text) is not None


def _column_refusals(path: tuple[str | int, ...], column: Mapping[str, Any]) -> Iterator[Refusal]:
    for field in ("name", "type", "jsonPath"):
        if column.get(field) == "":
            yield Refusal((*path, field), f"'{field}' of a printer column must not be empty")
    json_path = column.get("jsonPath")
    if isinstance(json_path, str) and json_path and not json_path.startswith("."):
        yield Refusal((*path, "jsonPath"), f"'{json_path}' must begin with a dot, as in '.spec.name'")
    for field, allowed in (("type", _COLUMN_TYPES), ("format", _COLUMN_FORMATS)):
        value = column.get(field)
        if isinstance(value, str) and value and value not in allowed:
            yield Refusal((*path, field), f"'{value}' is not a {field} of printer columns; expected {listed(allowed)}")
