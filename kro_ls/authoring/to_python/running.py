"""Runs a program that was just written: which definition it builds, or where it fails."""

from __future__ import annotations

import linecache
import sys
from types import ModuleType
from typing import Final

from kro_ls.authoring.compositions.composition import Composition
from kro_ls.authoring.to_python.resource_statements import CannotBePythonError

_NAME: Final = "kro_ls_written_composition"
_FILE: Final = f"<{_NAME}>"


class FailedAtError(Exception):
    """The program fails; `lines` are the numbers of its lines that ran then, the innermost first."""

    def __init__(self, lines: tuple[int, ...], message: str) -> None:
        super().__init__(message)
        self.lines = lines


def yaml_of(source: str) -> str:
    """Return the definition that a program builds. Raises FailedAtError, and CannotBePythonError where it has none."""
    module = ModuleType(_NAME)
    linecache.cache[_FILE] = (len(source), None, source.splitlines(keepends=True), _FILE)
    sys.modules[_NAME] = module
    try:
        exec(compile(source, _FILE, "exec"), module.__dict__)  # noqa: S102 (written from a definition, by us)
        made = next((each for each in vars(module).values() if isinstance(each, Composition)), None)
        if made is None:
            raise CannotBePythonError("there is no composition in it")
        return made.to_yaml()
    except (CannotBePythonError, SyntaxError):
        raise
    except Exception as error:
        lines = []
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == _FILE:
                lines.append(trace.tb_lineno)
            trace = trace.tb_next
        raise FailedAtError(tuple(reversed(lines)), str(error)) from error
    finally:
        del sys.modules[_NAME]
        linecache.cache.pop(_FILE, None)
