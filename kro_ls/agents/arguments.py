"""The arguments that several tools take, the error for unusable ones, and the limits of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypeVar

from pydantic import Field

from kro_ls.shortening import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable


PathArgument = Annotated[str, Field(description="A file, relative to the workspace folder.")]
TextArgument = Annotated[
    str, Field(description="The YAML text itself; with a path, the text that the file is to have. It is never written.")
]
LineArgument = Annotated[int, Field(ge=1, description="The line of the position; the first one is 1.")]
ColumnArgument = Annotated[
    int, Field(ge=1, description="The column of the position in characters; the first one is 1.")
]
KroVersionArgument = Annotated[
    str,
    Field(description="A version of kro such as 0.9.4. By default the settings of the folder decide, else the newest."),
]
WriteArgument = Annotated[
    bool, Field(description="Write the result into the file. Refused unless the server was started with --write.")
]


Item = TypeVar("Item")

MOST_ITEMS: Final = 50
"""The most items of a kind in an answer."""
MOST_CHARACTERS: Final = 24_000
"""The longest text of an answer: some 6,000 tokens."""

_LONGEST_OF_MANY: Final = 300


class UnusableArgumentsError(Exception):
    """The arguments of a tool cannot be used; the text says why and what to do."""


def first(items: Iterable[Item], most: int = MOST_ITEMS) -> tuple[list[Item], int]:
    """Return the first items, and how many more there are."""
    everything = list(items)
    return everything[:most], max(len(everything) - most, 0)


def short(text: str) -> str:
    """Return a text that is one of many in an answer; a long one is cut."""
    return shortened(text, _LONGEST_OF_MANY)
