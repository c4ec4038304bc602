"""What shell commands pipe through `envsubst`, as far as it is written in a usual way.

That is `envsubst < FILE`, `cat FILES | envsubst`, `kustomize build FOLDER | envsubst`, and loops over files that are
named. Source: GNU gettext, gettext-runtime/src/envsubst.c: `${name}` and `$name` are variables, all else is text.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

PROGRAM: Final = "envsubst"
_ENDS: Final = frozenset({"|", "||", "&&", ";", "&", "(", ")", "|&"})
_LOOP = re.compile(r"\bfor\s+(\w+)\s+in\s+([^;\n]+)")
_NAME = re.compile(r"\$\{(\w+)\}|\$(\w+)")
_START = re.compile(r"^.*\$(?:\{[^}]*\}|\w+)/")
"""The beginning of a path that a variable holds, such as the folder of the repository."""


class Use(NamedTuple):
    """What is piped through it: files, or folders that Kustomize builds; and the variables that it puts in.

    Paths may have wildcards. Without `names` it puts in all variables.
    """

    paths: tuple[str, ...]
    is_built: bool
    names: frozenset[str] | None


def uses_in(text: str) -> Iterator[Use]:
    """Yield its uses in a text of shell commands, whatever stands around these."""
    text = text.replace("\\\n", " ")
    loops = {name: words.split() for name, words in _LOOP.findall(text)}
    for line in text.split("\n"):
        words = _words(line) if PROGRAM in line else []
        for number, word in enumerate(words):
            if os.path.basename(word) == PROGRAM and words[number - 1 : number] != ["flux"]:
                own = _command(words[number + 1 :])
                paths, is_built = _input(own, words[:number])
                named = tuple(path for each in paths for path in _paths(each, loops))
                if named:
                    yield Use(named, is_built, _names(own))


def _words(line: str) -> list[str]:
    """Return the words and operators of a line; none where a quote goes on in the next."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        return list(lexer)
    except ValueError:
        return []


def _command(words: Sequence[str]) -> list[str]:
    """Return the words up to the end of a command."""
    end = next((number for number, each in enumerate(words) if each in _ENDS), len(words))
    return list(words[:end])


def _input(own: Sequence[str], before: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Return the paths that it reads, and whether they are built: after `<`, or those of the command before it."""
    if "<" in own[:-1]:
        return (own[own.index("<") + 1],), False
    while before and "=" in before[-1]:  # variables of the command
        before = before[:-1]
    if "|" not in before[-1:]:
        return (), False
    words = _command(before[-2::-1])[::-1]
    for number, word in enumerate(words):
        arguments = [each for each in words[number + 1 :] if not each.startswith("-")]
        if word == "cat":
            return arguments, False
        if words[number : number + 2] in (["kustomize", "build"], ["kubectl", "kustomize"]):
            return arguments[1:2] or ["."], True
    return (), False


def _paths(word: str, loops: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the paths that a word stands for; none where that is known only when it runs."""
    variable = _NAME.fullmatch(word)
    name = (variable[1] or variable[2]) if variable else ""
    for each in loops.get(name, (word,)):
        path = _START.sub("", each.strip("\"'"))
        if path and "$" not in path and "`" not in path and path != "-":
            yield path


def _names(own: Sequence[str]) -> frozenset[str] | None:
    """Return the variables that a command names, all being None; none where that is known only when it runs."""
    named = next((each for each in own if "$" in each and own[own.index(each) - 1 : own.index(each)] != ["<"]), None)
    if named is None:
        return None
    return frozenset(one or other for one, other in _NAME.findall(named)) if "$(" not in named else frozenset()
