"""Kubernetes' own rules for the metadata of an object, whatever its kind, and for the names in it, in its words.

Source: k8s.io/apimachinery 0.36, pkg/api/validation/objectmeta.go, pkg/apis/meta/v1/validation/validation.go,
pkg/util/validation/validation.go, and pkg/api/validate/content/kube.go for the keys and values of labels, where a text
that is too long is described differently. A function `..._problems` returns what is wrong with a text, nothing for a
valid one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kro_ls.golang.quoting import utf8
from kro_ls.openapi.json_values import as_list, as_object, has_unknown
from kro_ls.openapi.validation.field_errors import ErrorType, field_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from kro_ls.openapi.json_values import JsonObject, JsonValue
    from kro_ls.openapi.validation.field_errors import FieldError, Path

_LARGEST_ANNOTATIONS: Final = 256 * 1024
_ORPHAN, _FOREGROUND = "orphan", "foregroundDeletion"
_BANNED_OWNER = ("v1", "Event")


def metadata_errors(
    value: JsonObject, *, namespaced: bool, name_problems: Callable[[str], Iterable[str]] | None = None
) -> Iterator[FieldError]:
    """Yield what is wrong with the metadata of an object. `name_problems` checks its name, by default as a domain.

    Wrong types, and missing fields of owners, are left to the schema of the metadata. The API server drops the
    namespace of an object that is not namespaced.
    """
    metadata = value.get("metadata")
    if metadata is None:
        metadata = {}
    if not isinstance(metadata, dict):
        return
    yield from _name_errors(metadata, name_problems or subdomain_problems)
    namespace = metadata.get("namespace")
    if namespaced and isinstance(namespace, str) and namespace:
        yield from _invalid(("namespace",), namespace, label_problems(namespace))
    for name, text in as_object(metadata.get("labels")).items():
        if problems := label_key_problems(name):
            yield from _invalid(("labels", name), name, problems, in_key=True)
        if isinstance(text, str) and (problems := label_value_problems(text)):
            yield from _invalid(("labels", name), text, problems)
    yield from _annotation_errors(as_object(metadata.get("annotations")))
    yield from _owner_errors(as_list(metadata.get("ownerReferences")))
    yield from _finalizer_errors(as_list(metadata.get("finalizers")))


def _name_errors(metadata: JsonObject, problems: Callable[[str], Iterable[str]]) -> Iterator[FieldError]:
    prefix = metadata.get("generateName")
    if isinstance(prefix, str) and prefix:
        # The generated name goes on after the dash.
        shown = f"{prefix[:-2]}a" if len(prefix) > 1 and prefix.endswith("-") else prefix
        yield from _invalid(("generateName",), prefix, problems(shown))
    name = metadata.get("name")
    if name in (None, "") and not prefix:
        yield _error(("name",), ErrorType.REQUIRED, "", "name or generateName is required")
    elif isinstance(name, str) and name:
        yield from _invalid(("name",), name, problems(name))


def _annotation_errors(annotations: JsonObject) -> Iterator[FieldError]:
    size = 0
    for name, text in annotations.items():
        yield from _invalid(("annotations", name), name, label_key_problems(name.lower()), in_key=True)
        size += len(utf8(name)) + (len(utf8(text)) if isinstance(text, str) else 0)
    if size > _LARGEST_ANNOTATIONS:
        detail = f"may not be more than {_LARGEST_ANNOTATIONS} bytes"
        yield _error(("annotations",), ErrorType.TOO_LONG, "", detail, in_key=True)


def _owner_errors(owners: Iterable[JsonValue]) -> Iterator[FieldError]:
    controllers = 0
    for number, owner in enumerate(map(as_object, owners)):
        path = ("ownerReferences", number)
        version, kind = owner.get("apiVersion"), owner.get("kind")
        if isinstance(version, str) and not _has_version(version):
            yield _error((*path, "apiVersion"), ErrorType.INVALID, version, "version must not be empty")
        for field in ("kind", "name", "uid"):
            if owner.get(field) == "":
                yield _error((*path, field), ErrorType.INVALID, "", "must not be empty")
        if (version, kind) == _BANNED_OWNER:
            yield _error((*path, "kind"), ErrorType.INVALID, kind, "/v1, Kind=Event is disallowed from being an owner")
        if owner.get("controller") is True:
            controllers += 1
            if controllers > 1:
                detail = "Only one reference can have Controller set to true"
                yield _error((*path, "controller"), ErrorType.INVALID, True, detail, in_key=True)


def _has_version(api_version: str) -> bool:
    group, slash, version = api_version.partition("/")
    return bool(version if slash else group) and "/" not in version


def _finalizer_errors(finalizers: list[JsonValue]) -> Iterator[FieldError]:
    for number, name in enumerate(finalizers):
        if isinstance(name, str):
            yield from _invalid(("finalizers", number), name, label_key_problems(name))
    if _ORPHAN in finalizers and _FOREGROUND in finalizers and not has_unknown(finalizers):
        detail = f"finalizer {_ORPHAN} and {_FOREGROUND} cannot be both set"
        yield _error(("finalizers",), ErrorType.INVALID, finalizers, detail, in_key=True)


def _invalid(path: Path, text: str, problems: Iterable[str], *, in_key: bool = False) -> Iterator[FieldError]:
    for problem in problems:
        yield _error(path, ErrorType.INVALID, text, problem, in_key=in_key)


def _error(path: Path, error_type: ErrorType, value: JsonValue, detail: str, *, in_key: bool = False) -> FieldError:
    """Return an error; `path` leads from the metadata to the value, or to the value of the key at fault.

    The API server names neither keys nor numbers of items.
    """
    place = path[:1] if in_key or path[0] in ("labels", "finalizers") else path
    named = ".".join(("metadata", *(str(each) for each in place if isinstance(each, str))))
    return field_error(("metadata", *path), named, error_type, value, detail, in_key=in_key)


LONGEST_LABEL = 63
"""The most bytes of a label's value, of the name in its key, and of a label of a domain."""
_LONGEST_SUBDOMAIN = 253

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = f"({_KEY})?"

_ENDS = "must start and end with an alphanumeric character"
_KEY_CHARACTERS = f"alphanumeric characters, '-', '_' or '.', and {_ENDS}"


def label_problems(text: str) -> list[str]:
    """Return what is wrong with a label of a domain by RFC 1123."""
    found = [*_too_long(text, LONGEST_LABEL)]
    if not _matches(_LABEL, text):
        form = f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and {_ENDS}"
        other_form = _other_form(form, _LABEL, "my-name", "123-abc")
        found.append("must not contain dots" if _matches(_SUBDOMAIN, text) else other_form)
    return found


def subdomain_problems(text: str, unit: str = "characters") -> list[str]:
    """Return what is wrong with a domain by RFC 1123, as most names of objects must be."""
    found = [*_too_long(text, _LONGEST_SUBDOMAIN, unit)]
    if not _matches(_SUBDOMAIN, text):
        characters = f"lower case alphanumeric characters, '-' or '.', and {_ENDS}"
        form = f"a lowercase RFC 1123 subdomain must consist of {characters}"
        found.append(_other_form(form, _SUBDOMAIN, "example.com"))
    return found


def label_1035_problems(text: str) -> list[str]:
    """Return what is wrong with a label of a domain by RFC 1035, as names of Services had to be."""
    found = [*_too_long(text, LONGEST_LABEL)]
    if not _matches(_LABEL_1035, text):
        form = (
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
            "character, and end with an alphanumeric character"
        )
        found.append(_other_form(form, _LABEL_1035, "my-name", "abc-123"))
    return found


def label_key_problems(text: str) -> list[str]:
    """Return what is wrong with the key of a label: a name, with or without a domain and a slash before it."""
    if len(text) <= LONGEST_LABEL and _is_usual_key(text):
        return []
    *prefixes, name = text.split("/")
    form = _other_form(f"must consist of {_KEY_CHARACTERS}", _KEY, "MyName", "my.name", "123-abc")
    if len(prefixes) > 1:
        return [f"a valid label key {form} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    found = []
    for prefix in prefixes:
        found += [f"prefix part {each}" for each in (subdomain_problems(prefix, "bytes") if prefix else [_EMPTY])]
    found += [f"name part {each}" for each in (_too_long(name, LONGEST_LABEL, "bytes") if name else [_EMPTY])]
    return found if _matches(_KEY, name) else [*found, f"name part {form}"]


@lru_cache(maxsize=256)  # an object has few keys, mostly those of every other object
def _is_usual_key(text: str) -> bool:
    prefix, slash, name = text.rpartition("/")
    return _matches(_KEY, name) and (not slash or _matches(_SUBDOMAIN, prefix))


def label_value_problems(text: str) -> list[str]:
    """Return what is wrong with the value of a label."""
    is_valid = not text or _matches(_KEY, text)
    if len(text) <= LONGEST_LABEL and is_valid:
        return []
    found = [*_too_long(text, LONGEST_LABEL, "bytes")]
    if not is_valid:
        form = f"a valid label must be an empty string or consist of {_KEY_CHARACTERS}"
        found.append(_other_form(form, _VALUE, "MyValue", "my_value", "12345"))
    return found


def path_segment_problems(text: str) -> Iterator[str]:
    """Yield what is wrong with a name that only has to fit into a path."""
    if text in (".", ".."):
        yield f"may not be '{text}'"
    for each in ("/", "%"):
        if each in text:
            yield f"may not contain '{each}'"


_EMPTY = "must be non-empty"


_compiled = lru_cache(maxsize=8)(re.compile)  # of the patterns above


def _matches(pattern: str, text: str) -> bool:
    return _compiled(pattern).fullmatch(text) is not None


def _too_long(text: str, most: int, unit: str = "characters") -> Iterator[str]:
    if 4 * len(text) > most and len(utf8(text)) > most:  # bytes are counted, whatever the unit says
        yield f"must be no more than {most} {unit}"


def _other_form(form: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{each}', " for each in examples)
    return f"{form} (e.g. {shown}regex used for validation is '{pattern}')"
