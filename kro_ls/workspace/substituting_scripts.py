"""Which files scripts, Makefiles and CI files pipe through `envsubst`, which replaces variables in them.

Scripts are searched for in the folder of a definition and those above it, up to its repository. The usual forms are
understood: `envsubst < FILE`, `cat FILES | envsubst`, `kustomize build FOLDER | envsubst`, and loops over named files.
Source: GNU gettext, gettext-runtime/src/envsubst.c: `${name}` and `$name` are variables, everything else is text.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kro_ls.rules.files.substituted_expression import Substitution
from kro_ls.workspace.files import is_inside, read_file
from kro_ls.workspace.text_files import LARGEST_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kro_ls.workspace.kustomize import Kustomizations


_MAKEFILES: Final = ("Makefile", "makefile", "GNUmakefile")
_NAMES: Final = (
    *_MAKEFILES,
    "Justfile",
    "justfile",
    ".gitlab-ci.yml",
    "Taskfile.yml",
    "Taskfile.yaml",
    "cloudbuild.yaml",
)
_ENDINGS: Final = (".sh", ".bash", ".mk")
_FOLDERS: Final = {
    "": (),
    "scripts": (),
    "hack": (),
    "bin": (),
    "ci": (),
    "deploy": (),
    ".github/workflows": (".yml", ".yaml"),
}
"""The folders of scripts, relative to the files that they are about, and further endings of their names there."""
_MOST_FILES: Final = 50
"""In a folder."""


def script_substitution(path: str, kustomizations: Kustomizations) -> Substitution | None:
    """Return the script that replaces variables in the file at a path, None where none does."""
    above = kustomizations.folders_above(path)
    for folder in above:
        for script, uses in _scripts_in(folder, kustomizations):
            use = next((each for each in uses if _reads(each, path, script, above, kustomizations)), None)
            if use:
                names = None if use.names is None else tuple(sorted(use.names))
                return Substitution(os.path.basename(script), script, is_shell=True, names=names)
    return None


def _reads(use: Use, path: str, script: str, above: Sequence[str], kustomizations: Kustomizations) -> bool:
    """Whether a use in a script reads a file; its paths start in the folder of the script or in one above the file."""
    file = PurePath(os.path.abspath(path))
    for folder in (os.path.dirname(script), *above):
        for named in use.paths:
            place = os.path.normpath(os.path.join(folder, named))
            if use.is_built and kustomizations.builds(Path(place), str(file), Path(above[-1])):
                return True
            if not use.is_built and file.match(place):
                return True
    return False


def _scripts_in(folder: str, kustomizations: Kustomizations) -> tuple[tuple[str, tuple[Use, ...]], ...]:
    """Return the scripts of a folder that use `envsubst`, with their uses."""
    key = script_substitution, folder
    if key not in kustomizations.kept:
        found = ((path, _uses_of(path, Path(folder))) for path in _candidates(folder))
        kustomizations.kept[key] = tuple((path, uses) for path, uses in found if uses)
    scripts: tuple[tuple[str, tuple[Use, ...]], ...] = kustomizations.kept[key]
    return scripts


def _candidates(folder: str) -> Iterator[str]:
    for below, endings in _FOLDERS.items():
        place = os.path.join(folder, below)
        ends = (*_ENDINGS, *endings)
        try:
            chosen = sorted(each for each in os.listdir(place) if each.endswith(ends) or each in _NAMES)
        except OSError:
            continue
        yield from (os.path.join(place, each) for each in chosen[:_MOST_FILES])


def _uses_of(path: str, folder: Path) -> tuple[Use, ...]:
    try:
        status = os.stat(path)
    except OSError:
        return ()
    is_read = status.st_size <= LARGEST_FILE and is_inside(path, (folder,))
    return _uses_at(path, status.st_mtime_ns, status.st_size) if is_read else ()


@lru_cache(maxsize=1000)  # of files that people write; a changed one has another time or size
def _uses_at(path: str, _changed: int, _size: int) -> tuple[Use, ...]:
    text = read_file(Path(path)) or ""
    is_make = path.endswith((*_MAKEFILES, ".mk"))
    return tuple(uses_in(text.replace("$$", "$") if is_make else text)) if PROGRAM in text else ()


PROGRAM: Final = "envsubst"
_ENDS: Final = frozenset({"|", "||", "&&", ";", "&", "(", ")", "|&"})
_LOOP = r"\bfor\s+(\w+)\s+in\s+([^;\n]+)"
_NAME = r"\$\{(\w+)\}|\$(\w+)"
_START: Final = r"^.*\$(?:\{[^}]*\}|\w+)/"
"""A variable at the start of a path, such as the folder of the repository."""


class Use(Struct, frozen=True):
    """The files, or folders that Kustomize builds, which are piped through `envsubst`, and the variables it replaces.

    Paths may have wildcards. With `names` as None it replaces all variables.
    """

    paths: tuple[str, ...]
    is_built: bool
    names: frozenset[str] | None


def uses_in(text: str) -> Iterator[Use]:
    """Yield the uses of `envsubst` in a text of shell commands, whatever surrounds these."""
    text = text.replace("\\\n", " ")
    loops = {name: words.split() for name, words in re.findall(_LOOP, text)}
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
    """Return the words and operators of a line; none if a quote does not end in it."""
    from shlex import shlex

    lexer = shlex(line, posix=True, punctuation_chars=True)
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
    """Return the paths after `<` or of the command before the pipe, and whether Kustomize builds them."""
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
    """Yield the paths that a word stands for; none where only running it would show that."""
    variable = re.fullmatch(_NAME, word)
    name = (variable[1] or variable[2]) if variable else ""
    for each in loops.get(name, (word,)):
        path = re.sub(_START, "", each.strip("\"'"))
        if path and "$" not in path and "`" not in path and path != "-":
            yield path


def _names(own: Sequence[str]) -> frozenset[str] | None:
    """Return the variables that a command names, None for all of them; none where only running it would show that."""
    named = next((each for each in own if "$" in each and own[own.index(each) - 1 : own.index(each)] != ["<"]), None)
    if named is None:
        return None
    return frozenset(one or other for one, other in re.findall(_NAME, named)) if "$(" not in named else frozenset()
