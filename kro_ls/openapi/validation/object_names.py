"""What speaks against a text as one of Kubernetes' kinds of names, in its words; empty where nothing does.

Source: k8s.io/apimachinery 0.36, pkg/util/validation/validation.go, and pkg/api/validate/content/kube.go for labels'
keys and values, where a text that is too long is told otherwise.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kro_ls.golang.utf8 import utf8

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_LABEL = 63
"""The most bytes of a label's value, of the name in its key, and of a label of a domain."""
_LONGEST_SUBDOMAIN = 253

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = rf"{_LABEL}(\.{_LABEL})*"
_LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE = f"({_KEY})?"

_USUAL_KEY = re.compile(f"({_SUBDOMAIN}/)?{_KEY}")
"""The keys that nothing speaks against, as far as they are short: each object has a dozen of kro's."""

_ENDS = "must start and end with an alphanumeric character"
_KEY_CHARACTERS = f"alphanumeric characters, '-', '_' or '.', and {_ENDS}"


def label_problems(text: str) -> list[str]:
    """What speaks against a label of a domain by RFC 1123."""
    found = [*_too_long(text, LONGEST_LABEL)]
    if not _matches(_LABEL, text):
        form = f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and {_ENDS}"
        other_form = _other_form(form, _LABEL, "my-name", "123-abc")
        found.append("must not contain dots" if _matches(_SUBDOMAIN, text) else other_form)
    return found


def subdomain_problems(text: str, unit: str = "characters") -> list[str]:
    """What speaks against a domain by RFC 1123, which most names of objects must be."""
    found = [*_too_long(text, _LONGEST_SUBDOMAIN, unit)]
    if not _matches(_SUBDOMAIN, text):
        characters = f"lower case alphanumeric characters, '-' or '.', and {_ENDS}"
        form = f"a lowercase RFC 1123 subdomain must consist of {characters}"
        found.append(_other_form(form, _SUBDOMAIN, "example.com"))
    return found


def label_1035_problems(text: str) -> list[str]:
    """What speaks against a label of a domain by RFC 1035, which names of Services had to be."""
    found = [*_too_long(text, LONGEST_LABEL)]
    if not _matches(_LABEL_1035, text):
        form = (
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
            "character, and end with an alphanumeric character"
        )
        found.append(_other_form(form, _LABEL_1035, "my-name", "abc-123"))
    return found


def label_key_problems(text: str) -> list[str]:
    """What speaks against the key of a label: a name, with or without a domain and a slash before it."""
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


@lru_cache(maxsize=256)  # an object has few keys, and most are those of all others
def _is_usual_key(text: str) -> bool:
    return _USUAL_KEY.fullmatch(text) is not None


def label_value_problems(text: str) -> list[str]:
    """What speaks against the value of a label."""
    if len(text) <= LONGEST_LABEL and _matches(_VALUE, text):
        return []
    found = [*_too_long(text, LONGEST_LABEL, "bytes")]
    if not _matches(_VALUE, text):
        form = f"a valid label must be an empty string or consist of {_KEY_CHARACTERS}"
        found.append(_other_form(form, _VALUE, "MyValue", "my_value", "12345"))
    return found


def path_segment_problems(text: str) -> Iterator[str]:
    """What speaks against a name that only has to fit into a path."""
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
    if 4 * len(text) > most and len(utf8(text)) > most:  # bytes are counted, whatever is said
        yield f"must be no more than {most} {unit}"


def _other_form(form: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{each}', " for each in examples)
    return f"{form} (e.g. {shown}regex used for validation is '{pattern}')"
