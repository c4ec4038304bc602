"""What happens to open documents, for everything that follows them."""

from __future__ import annotations

import logging
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from kro_ls.workspace.documents import Document

logger = logging.getLogger(__name__)


class What(Enum):
    """What happened."""

    OPENED = "opened"
    EDITED = "edited"
    RENEWED = "renewed"
    """The text is the same, but the settings or the kinds are other ones."""
    CLOSED = "closed"


class DocumentChanged(Struct, frozen=True):
    """A document changed: `document` is the one that counts from now on, the last one where it was closed."""

    what: What
    document: Document

    @property
    def uri(self) -> str:
        """The URI of the document."""
        return self.document.uri


class DocumentEvents:
    """Who follows open documents is told in the order of subscribing; one that fails does not hold up the others."""

    def __init__(self) -> None:
        self._followers: list[Callable[[DocumentChanged], None]] = []

    def subscribe(self, follower: Callable[[DocumentChanged], None]) -> None:
        """Have a function called with every change from now on."""
        self._followers.append(follower)

    def tell(self, what: What, document: Document) -> None:
        """Tell all followers of a change."""
        event = DocumentChanged(what, document)
        for follower in self._followers:
            try:
                follower(event)
            except Exception:
                logger.exception("could not follow that %s was %s", document.uri, what.value)
