"""The arguments of commands: what is wrong with one is answered as an error that says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.server.connection.no_answer import NoAnswerError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def refuse_others(arguments: Mapping[str, object], known: Sequence[str]) -> None:
    """Refuse arguments that a command does not know. Raises NoAnswerError, as all of these do."""
    for name in arguments:
        if name not in known:
            raise NoAnswerError(f"there is no argument {name!r}; there are: {', '.join(known) or 'none'}")


def text_of(arguments: Mapping[str, object], name: str) -> str | None:
    """Return a text, None where it is not given."""
    value = arguments.get(name)
    if value is None or isinstance(value, str):
        return value
    raise NoAnswerError(f"'{name}' must be a string, not {value!r}")


def flag_of(arguments: Mapping[str, object], name: str) -> bool:
    """Return a switch, off where it is not given."""
    value = arguments.get(name, False)
    if isinstance(value, bool):
        return value
    raise NoAnswerError(f"'{name}' must be true or false, not {value!r}")


def needed_text_of(arguments: Mapping[str, object], name: str) -> str:
    """Return a text that has to be given."""
    value = text_of(arguments, name)
    if value is None:
        raise NoAnswerError(f"'{name}' is missing")
    return value


def definition_number(arguments: Mapping[str, object]) -> int:
    """Return the number of the definition in its document, from 0."""
    return whole_number_of(arguments, "definition")


def whole_number_of(arguments: Mapping[str, object], name: str) -> int:
    """Return a number from 0, which is 0 where it is not given."""
    value = arguments.get(name, 0)
    # A client's JSON may have no integers (Lua, older ones): 0.0 is as good.
    if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and float(value).is_integer():
        return int(value)
    what = "number of a definition in the document" if name == "definition" else name
    raise NoAnswerError(f"'{name}' must be the 0-based {what}, not {value!r}")
