"""A library with its own variable and values, as a user of CEL would declare it."""

from kro_ls.cel.types.declarations import Documentation, Library, function
from kro_ls.cel.types.types import INT, StructFields, struct_type

COIN = struct_type("test.Coin")
PURSE = struct_type("test.Purse")

FUNCTIONS = (
    function("coin", Documentation("A coin.", "coin(2).worth == 2"), {"coin_int": "(worth: int) -> test.Coin"}),
    function("first", Documentation("Its coin.", "purse.first() == coin(1)"), {"first": "test.Purse.() -> test.Coin"}),
)

LIBRARY = Library(
    __name__, FUNCTIONS, variables={"purse": PURSE}, structs={COIN.name: StructFields({"worth": INT, "year": INT})}
)
