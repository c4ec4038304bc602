"""Runs programs for their compositions: those of users, and those that kro-ls writes from a definition.

Errors name the lines of the program alone.
"""

from __future__ import annotations

import importlib
import importlib.util
import linecache
import os
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from kro_ls.authoring.compositions.composition import Composition, compositions_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE: Final = str(Path(__file__).parents[2])
_WRITTEN: Final = "kro_ls_written_composition"
_WRITTEN_FILE: Final = f"<{_WRITTEN}>"


class ProgramError(Exception):
    """A program that cannot be run, or raises an error; the text has the lines of the program that lead there."""


class FailedAtError(Exception):
    """A written program fails; `lines` are the numbers of its lines on the stack, the innermost first."""

    def __init__(self, lines: tuple[int, ...], message: str) -> None:
        super().__init__(message)
        self.lines = lines


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
            raise ProgramError(_traceback(program, error)) from error
        except Exception as error:
            raise ProgramError(_traceback(program, error)) from error
    if not found:
        raise ProgramError(f"{program} has no composition: a function with @composition(kind=...)")
    return found


def yaml_of(source: str) -> str:
    """Return the definition that a program built from a definition gives. Raises FailedAtError and SyntaxError."""
    module = ModuleType(_WRITTEN)
    linecache.cache[_WRITTEN_FILE] = (len(source), None, source.splitlines(keepends=True), _WRITTEN_FILE)
    sys.modules[_WRITTEN] = module
    try:
        exec(compile(source, _WRITTEN_FILE, "exec"), module.__dict__)  # noqa: S102 (our own text)
        return next(each for each in vars(module).values() if isinstance(each, Composition)).to_yaml()
    except SyntaxError:
        raise
    except Exception as error:
        steps = traceback.walk_tb(error.__traceback__)
        lines = [line for frame, line in steps if frame.f_code.co_filename == _WRITTEN_FILE]
        raise FailedAtError(tuple(reversed(lines)), str(error)) from error
    finally:
        del sys.modules[_WRITTEN]
        linecache.cache.pop(_WRITTEN_FILE, None)


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
    sys.dont_write_bytecode = True  # it has timestamps in whole seconds, so a quick edit would go unnoticed
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


def _traceback(program: str, error: BaseException) -> str:
    """Return the traceback of an error, without the lines that are not the user's."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if _is_own(each.filename)]
    lines = [f"  {os.path.relpath(each.filename)}:{each.lineno} in {each.name}\n    {each.line}" for each in frames]
    if isinstance(error, SyntaxError) and error.filename:
        lines.append(f"  {os.path.relpath(error.filename)}:{error.lineno}\n    {(error.text or '').strip()}")
    return "\n".join(
        [f"{program} raises an error", *lines, f"{type(error).__name__}: {getattr(error, 'msg', '') or error}"]
    )


def _is_own(filename: str) -> bool:
    is_library = "site-packages" in filename or filename.startswith((sys.base_prefix, "<"))
    return not is_library and not filename.startswith(_PACKAGE)
