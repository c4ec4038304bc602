"""Runs a program of the user for its compositions, and tells its errors by its own lines."""

from __future__ import annotations

import importlib
import importlib.util
import linecache
import os
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kro_ls.authoring.compositions.composition import compositions_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from kro_ls.authoring.compositions.composition import Composition

_PACKAGE = str(Path(__file__).parents[2])


class ProgramError(Exception):
    """A program that cannot be run, or raises an error; the text has the lines of the program that lead there."""


def built_compositions(program: str) -> list[Composition[Any, Any]]:
    """Return the compositions of a program, a file or the name of a module, those that others use first.

    It runs the program's code, and builds all definitions. Raises ProgramError. What the program imported from its own
    folder is forgotten afterwards, so that the next run sees its newer text.
    """
    path = Path(program)
    is_file = path.suffix == ".py" or path.exists()
    if is_file and not path.is_file():
        raise ProgramError(
            f"{program}: {'no file; name a program in it' if path.exists() else 'there is no such file'}"
        )
    folder = path.absolute().parent if is_file else Path.cwd()
    with _importable(folder):
        try:
            found = compositions_of(_loaded_file(path) if is_file else importlib.import_module(program))
        except SystemExit as error:
            raise ProgramError(f"{program} ends itself with {error.code!r} while it is imported") from error
        except ModuleNotFoundError as error:
            if not is_file and error.name and (program == error.name or program.startswith(f"{error.name}.")):
                raise ProgramError(f"{program}: there is no file and no module of this name") from error
            raise ProgramError(_told(program, error)) from error
        except Exception as error:
            raise ProgramError(_told(program, error)) from error
    if not found:
        raise ProgramError(f"{program} has no composition: a function with @composition(kind=...)")
    return found


def _loaded_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path.absolute())
    if spec is None or spec.loader is None:
        raise ProgramError(f"{path} is no program in Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let a program import its neighbours, and forget these afterwards."""
    before, writes_no_bytecode = dict(sys.modules), sys.dont_write_bytecode
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True  # it is told from older text by seconds alone
    importlib.invalidate_caches()
    linecache.checkcache()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = writes_no_bytecode
        for name, module in list(sys.modules.items()):
            if before.get(name) is not module and _is_below(folder, module):
                del sys.modules[name]
                if name in before:
                    sys.modules[name] = before[name]


def _is_below(folder: Path, module: ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    return bool(file) and Path(str(file)).is_relative_to(folder) and not str(file).startswith(_PACKAGE)


def _told(program: str, error: BaseException) -> str:
    """Return the traceback of an error, without the lines that are not the user's."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if _is_own(each.filename)]
    lines = [f"  {_place(each)} in {each.name}\n    {each.line}" for each in frames]
    if isinstance(error, SyntaxError) and error.filename:
        lines.append(f"  {os.path.relpath(error.filename)}:{error.lineno}\n    {(error.text or '').strip()}")
    return "\n".join(
        [f"{program} raises an error", *lines, f"{type(error).__name__}: {getattr(error, 'msg', '') or error}"]
    )


def _place(frame: traceback.FrameSummary) -> str:
    return f"{os.path.relpath(frame.filename)}:{frame.lineno}"


def _is_own(filename: str) -> bool:
    is_library = "site-packages" in filename or filename.startswith((sys.base_prefix, "<"))
    return not is_library and not filename.startswith(_PACKAGE)
