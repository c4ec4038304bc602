"""A plan as values: what happens to each definition, to each instance and to each of its objects."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.plans.field_changes import FieldChange


class Action(Enum):
    """What happens to an object. One that is replaced gets another name, namespace or kind: a new object is created,
    and the old one is deleted. One that is blocked stays as it is, for the API server refuses its change.
    """

    CREATE = "create"
    CHANGE = "change"
    REPLACE = "replace"
    DELETE = "delete"
    BLOCKED = "blocked"


class ObjectChange(Struct, frozen=True):
    """What happens to one object: its node, its name, and in which of kro's passes.

    `former` is the old name of a replaced object, `why` is further information. What is refused has the
    API server's `text`; it `is_immutable` where only the change is refused, and the same object could be created.
    `value` is the object as kro applies it, where the caller asks for it; None for one that is deleted.
    """

    action: Action
    node: str
    name: str
    step: int
    fields: tuple[FieldChange, ...] = ()
    former: str = ""
    why: str = ""
    text: str = ""
    is_immutable: bool = False
    value: JsonObject | None = None


class TroubleKind(Enum):
    """What is wrong with an instance. All but waiting makes a plan fail, unless it was wrong before."""

    REFUSED = "refused"
    """The API server refuses the instance."""
    IMMUTABLE = "immutable"
    """The API server refuses to change a field of an object."""
    INVALID = "invalid"
    """The API server refuses an object."""
    ERROR = "error"
    """kro cannot continue."""
    NOT_SERVED = "not served"
    """No definition serves the instance: there is none, or kro refuses it."""
    WAITS = "waits"
    """kro waits for something that apparently does not come by itself."""


class Trouble(Struct, frozen=True):
    """What is wrong with an instance, and kro's or the API server's message; `is_new` if it was right before."""

    kind: TroubleKind
    text: str
    is_new: bool = True
    kro: str = ""

    @property
    def fails(self) -> bool:
        """Whether it makes a plan fail."""
        return self.is_new and self.kind is not TroubleKind.WAITS


class Fate(Enum):
    """What happens to an instance itself."""

    CREATED = "created"
    EDITED = "edited"
    DELETED = "deleted"
    KEPT = "kept"


class InstancePlan(Struct, frozen=True):
    """What happens to one instance. The objects are in the order in which kro processes them.

    `source` is its file, or the instance that makes it. `before` and `after` are its states, empty where there is none.
    `fields` are the changed fields of the instance itself, `notes` what stays, `drift` where a cluster differs from
    what kro applied.
    """

    kind: str
    name: str
    source: str
    fate: Fate
    objects: tuple[ObjectChange, ...] = ()
    before: str = ""
    after: str = ""
    troubles: tuple[Trouble, ...] = ()
    fields: tuple[FieldChange, ...] = ()
    notes: tuple[str, ...] = ()
    drift: tuple[str, ...] = ()

    @property
    def is_quiet(self) -> bool:
        """Whether nothing happens to it, and nothing is wrong with it."""
        return not (self.objects or self.troubles or self.notes or self.drift) and self.before == self.after

    @property
    def is_changed(self) -> bool:
        """Whether anything happens to it or its objects."""
        return bool(self.objects) or self.fate is not Fate.KEPT or self.before != self.after

    @property
    def fails(self) -> bool:
        """Whether something about it makes a plan fail."""
        return any(each.fails for each in self.troubles)

    def count(self, action: Action) -> int:
        """Return with how many objects this happens."""
        return sum(each.action is action for each in self.objects)


class SchemaChange(Struct, frozen=True):
    """A change of the kind that a definition declares, and its place; kro or the API server refuses what `is_refused`.

    A line of 0 has no place.
    """

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    is_refused: bool = False


class DefinitionPlan(Struct, frozen=True):
    """What happens to a definition: a summary, and the changes of its kind.

    `is_refused` is whether kro or the API server refuses it, or it removes what exists.
    """

    kind: str
    file: str
    summary: str
    changes: tuple[SchemaChange, ...] = ()
    is_refused: bool = False


class Plan(Struct, frozen=True):
    """What merging a change, or applying it to a cluster, would do.

    `asked` is how many objects an API server was asked about.
    """

    against: str
    definitions: tuple[DefinitionPlan, ...]
    instances: tuple[InstancePlan, ...]
    asked: int = 0

    @property
    def fails(self) -> bool:
        """Whether anything is refused or goes wrong that did not before."""
        return any(each.is_refused for each in self.definitions) or any(each.fails for each in self.instances)
