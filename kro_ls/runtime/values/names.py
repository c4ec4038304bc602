"""Names of fields and kinds as words, and what a value is made for."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from msgspec import Struct

from kro_ls.openapi.json_values import as_object, as_text
from kro_ls.openapi.readiness import GUESS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.openapi.json_values import JsonObject

Names: TypeAlias = tuple[str | int, ...]
"""The fields that lead to a value, with the 0-based numbers of the items on the way."""

T = TypeVar("T")

LONGEST_NAME = 40
"""Short enough for names of objects that are made of it."""

_WORD = re.compile(
    r"[iI][pP]v[46]|[sS]3(?![0-9])|[kK]8s|[eE][cC]2"  # words with a digit
    r"|[A-Z]{2,}s(?![a-z])"  # IDs
    r"|(?<![A-Za-z])[a-z][A-Z]{2,}(?=[A-Z][a-z]|[^A-Za-z]|$)"  # fQDN
    r"|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+"
)
_NO_PLURALS = frozenset(
    "access address alias analysis aws basis bus canvas class cors devops dns ecs efs eks gitops ingress iops https "
    "kms kubernetes nfs os pass postgres process progress radius rds redis series ses sms sns sqs status success tls "
    "waf".split()
)
_EMPTY_WORDS = frozenset(
    "common config configuration data global option parameter param property setting spec status value".split()
)
"""Words of fields that only hold others; they add nothing to a name."""


class Subject(Struct, frozen=True):
    """The object that values are for.

    Names and addresses that are made for two subjects differ: they hold `name`, or characters that `identity` gives.
    `prefix` begins names of other things that the subject has. The `group` and `kind` determine the cloud.
    """

    identity: str
    name: str
    prefix: str
    kind: str = ""
    group: str = ""
    is_instance: bool = False
    conditions: tuple[str, ...] = (GUESS.condition,)
    """The types of the conditions that are true when all is well."""

    def digest(self, *parts: object) -> str:
        """Return 64 hexadecimal digits, the same for the same parts on every machine."""
        return hashlib.sha256("\0".join(map(str, (self.identity, *parts))).encode("utf-8", "replace")).hexdigest()


def subject_of(value: JsonObject) -> Subject:
    """Return an object as what values are made for: no two objects of a cluster are the same subject."""
    api_version, kind, metadata = as_text(value.get("apiVersion")), as_text(value.get("kind")), value.get("metadata")
    namespace, name = (as_text(as_object(metadata).get(each)) for each in ("namespace", "name"))
    own = name if namespace in ("", "default") else f"{namespace}-{name}"
    label = kebab_case(own) or kebab_case(kind)
    return Subject(f"{api_version}/{kind}/{namespace}/{name}", label, label, kind, api_version.rpartition("/")[0])


def kebab_case(name: str) -> str:
    """Return a name of a field or a kind as part of the name of an object: `MyWebAPI` is `my-web-api`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()
    return re.sub(r"[^a-z0-9]+", "-", words).strip("-")


@lru_cache(maxsize=4096)  # of names, which are short and few
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case and singular: `subnetIDs` gives `subnet` and `id`."""
    return tuple(_singular(each.lower()) for each in _WORD.findall(name[:200]))


def _singular(word: str) -> str:
    if len(word) < 3 or not word.endswith("s") or word.endswith("ss") or word in _NO_PLURALS:
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]


def by_words(*rows: tuple[T, str]) -> dict[str, T]:
    """Return the values of some rows by the words beside each, which commas separate."""
    return {words: value for value, listed in rows for words in listed.split(", ")}


def longest_suffix(words: tuple[str, ...], table: Mapping[str, object]) -> str:
    """Return the longest end of some words that is a key of a table; empty where none is."""
    ends = (" ".join(words[start:]) for start in range(max(len(words) - 5, 0), len(words)))
    return next((each for each in ends if each in table), "")


def path_words(names: Names) -> tuple[str, ...]:
    """Return the words of all fields on a path, without numbers."""
    words = (word for each in names if isinstance(each, str) for word in words_of(each))
    return tuple(word for word in words if not word.isdigit())


def item_number(names: Names) -> int:
    """Return the 0-based number of the innermost item that a value is in; 0 outside of lists."""
    return next((each for each in reversed(names) if isinstance(each, int)), 0)


def object_name(subject: Subject, names: Names, without: int = 0) -> str:
    """Return a name for what a path is about, without its last words: `my-source-bucket` for `source.bucketName`.

    It is the subject's own name where no other words are left.
    """
    words = [word for each in names if isinstance(each, str) for word in words_of(each)]
    kept: list[str] = []
    for word in words[: len(words) - without]:
        if word not in _EMPTY_WORDS and word not in kept:
            kept.append(word)
    kept = kept[-4:]
    while kept and len("-".join((subject.prefix, *kept))) > LONGEST_NAME:
        kept = kept[1:]
    name = "-".join((subject.prefix, *kept)) if kept else subject.name
    number = item_number(names)
    return f"{name}-{number + 1}" if number else name
