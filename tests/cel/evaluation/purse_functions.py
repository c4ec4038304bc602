"""What the functions of the library do, and its values."""

from dataclasses import dataclass
from typing import ClassVar

from kro_ls.cel.evaluation.values import MISSING, CustomValue, EvaluationError, Value


@dataclass(frozen=True, slots=True)
class Coin(CustomValue):
    worth: int
    type_name: ClassVar[str] = "test.Coin"

    def equals(self, other: Value) -> bool:
        if self.worth == 0:
            raise EvaluationError("a blank coin cannot be compared")
        return isinstance(other, Coin) and self.worth == other.worth

    def field(self, name: Value) -> Value:
        return self.worth if name == "worth" else MISSING


@dataclass(frozen=True, slots=True)
class Purse(CustomValue):
    coin: Coin
    type_name: ClassVar[str] = "test.Purse"


def _first(purse: Purse) -> Coin:
    return purse.coin


IMPLEMENTATIONS = {"coin_int": Coin, "first": _first}
VARIABLES = {"purse": Purse(Coin(1))}
