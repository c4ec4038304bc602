"""The name of the instance: the word with which the names of an input begin, and the namespace that they share."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.openapi.json_values import as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from kro_ls.authoring.from_manifests.input_objects import Key
    from kro_ls.openapi.json_values import JsonObject

INSTANCE_NAME: Final = "schema.metadata.name"
INSTANCE_LABEL: Final = "app.kubernetes.io/instance"
_MOST_CANDIDATES: Final = 40
_ENOUGH: Final = 0.75
"""The share of names that a word must begin if it is to be the name of the instance."""
_HASH: Final = re.compile(r"-[2456789bcdfghkmt]{10}$")
_PLACE: Final = "\0"


class InstanceNames(Struct, frozen=True):
    """The name of the instance in each input, empty where the names have nothing in common; and its namespace.

    `code` is the CEL that reads the name.
    """

    names: tuple[str, ...]
    namespaces: tuple[str, ...]
    code: str = INSTANCE_NAME

    @property
    def is_named(self) -> bool:
        """Whether the objects are named after the instance."""
        return bool(self.names[0])


def instance_names(inputs: Sequence[Mapping[Key, JsonObject]], is_namespaced: Callable[[Key], bool]) -> InstanceNames:
    """Return the name and the namespace of the instance of each input."""
    namespaces = tuple(_namespace(each, is_namespaced) for each in inputs)
    candidates = [_candidates(each) for each in inputs]
    best: tuple[tuple[int, float, int], tuple[str, ...]] = ((0, 0.0, 0), ("",) * len(inputs))
    for first in ("", *candidates[0]):
        chosen = [first]
        aligned = len(inputs[0])
        for number, others in enumerate(candidates[1:], 1):
            wanted = Counter(_places(inputs[0], first))
            options = [first, *others] if first else [""]
            scores = [(sum((wanted & Counter(_places(inputs[number], each))).values()), each) for each in options]
            most, name = max(scores, key=lambda found: found[0])
            aligned += most
            chosen.append(name)
        begun = sum(key.name == first or key.name.startswith(f"{first}-") for key in inputs[0])
        covered = begun / len(inputs[0]) if first else 0.0
        varies = len(set(chosen)) > 1
        if first and covered < _ENOUGH and not varies:
            continue
        score = aligned, covered, len(first)
        if score > best[0]:
            best = score, tuple(chosen)
    return InstanceNames(best[1], namespaces)


def aligned_names(key: Key, name: str) -> str:
    """Return the name of an object with a sign where it has the name of the instance, and without Kustomize's hash."""
    return replaced(without_hash(key), name, _PLACE) if name else without_hash(key)


def without_hash(key: Key) -> str:
    """Return the name of an object without the hash of its content that Kustomize adds."""
    return _HASH.sub("", key.name) if key.kind in ("ConfigMap", "Secret") else key.name


def replaced(text: str, word: str, by: str) -> str:
    """Return a text with another word for each occurrence of one that has no letters or digits beside it."""
    return whole_word(word).sub(lambda _: by, text)


def word_runs(name: str) -> set[str]:
    """Return the words of a name, and all sequences of adjacent ones."""
    words = name.split("-")
    return {"-".join(words[i:j]) for i in range(len(words)) for j in range(i + 1, len(words) + 1)}


@lru_cache(maxsize=1024)  # of the names in a set of manifests
def whole_word(word: str) -> re.Pattern[str]:
    """Return the pattern of a word with no letters or digits beside it."""
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(word)}(?![A-Za-z0-9])")


def _places(objects: Mapping[Key, JsonObject], name: str) -> Iterator[tuple[str, str]]:
    return ((key.kind, aligned_names(key, name)) for key in objects)


def _candidates(objects: Mapping[Key, JsonObject]) -> list[str]:
    """Return the words that may be the name of the instance, the most frequent and longest ones first."""
    counts: Counter[str] = Counter()
    for key, value in objects.items():
        runs = word_runs(key.name)
        labels = as_object(as_object(value.get("metadata")).get("labels"))
        runs.add(as_text(labels.get(INSTANCE_LABEL)))
        counts.update(each for each in runs if len(each) > 1 and not each.isdigit())
    ranked = sorted(counts, key=lambda word: (counts[word], len(word)), reverse=True)
    return ranked[:_MOST_CANDIDATES]


def _namespace(objects: Mapping[Key, JsonObject], is_namespaced: Callable[[Key], bool]) -> str:
    """Return the namespace of the instance: the one that all objects name, or `default`.

    An instance cannot be in a namespace that its own objects bring.
    """
    names = Counter(key.namespace for key in objects if is_namespaced(key))
    made = {key.name for key in objects if key.kind == "Namespace"}
    if len(names) == 1:
        (only,) = names
        return only if only and only not in made else "default"
    if "" in names:
        return "default"
    return next((name for name, _ in names.most_common() if name not in made), "default")
