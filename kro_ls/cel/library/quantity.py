"""Kubernetes quantities such as `500m` and `2Gi` (apiserver `pkg/cel/library/quantity.go`)."""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, FunctionDeclaration, Library, function


def _arithmetic(name: str, text: str, example: str) -> FunctionDeclaration:
    return function(
        name,
        Documentation(text, example),
        {
            f"quantity_{name}": "kubernetes.Quantity.(other: kubernetes.Quantity) -> kubernetes.Quantity",
            f"quantity_{name}_int": "kubernetes.Quantity.(other: int) -> kubernetes.Quantity",
        },
    )


FUNCTIONS = (
    function(
        "quantity",
        Documentation(
            "Reads a Kubernetes quantity: a number with a suffix such as m, k, M, G, Ki, Mi, Gi. A quantity cannot be "
            "written into a resource; take `asInteger()` or keep the string.",
            "quantity('1Gi').isGreaterThan(quantity('500Mi'))",
            "Another text fails with `quantities must match the regular expression ...`; test with `isQuantity` first.",
        ),
        {"string_to_quantity": "(text: string) -> kubernetes.Quantity"},
    ),
    function(
        "isQuantity",
        Documentation("True when the string is a Kubernetes quantity.", "isQuantity('1.5G') && !isQuantity('1 G')"),
        {"is_quantity_string": "(text: string) -> bool"},
    ),
    function(
        "sign",
        Documentation(
            "1, 0 or -1 by the sign of the quantity. It is a global function: `sign(q)`, not `q.sign()`.",
            "sign(quantity('-50k')) == -1",
        ),
        {"quantity_sign": "(quantity: kubernetes.Quantity) -> int"},
    ),
    function(
        "isGreaterThan",
        Documentation(
            "True when the quantity is greater than the other.", "quantity('2').isGreaterThan(quantity('1500m'))"
        ),
        {"quantity_is_greater_than": "kubernetes.Quantity.(other: kubernetes.Quantity) -> bool"},
    ),
    function(
        "isLessThan",
        Documentation("True when the quantity is less than the other.", "quantity('50M').isLessThan(quantity('50Mi'))"),
        {"quantity_is_less_than": "kubernetes.Quantity.(other: kubernetes.Quantity) -> bool"},
    ),
    function(
        "compareTo",
        Documentation(
            "-1, 0 or 1 when the quantity is less than, equal to or greater than the other.",
            "quantity('1').compareTo(quantity('1000m')) == 0",
        ),
        {"quantity_compare_to": "kubernetes.Quantity.(other: kubernetes.Quantity) -> int"},
    ),
    function(
        "asApproximateFloat",
        Documentation("The quantity as a double, perhaps rounded.", "quantity('1500m').asApproximateFloat() == 1.5"),
        {"quantity_get_float": "kubernetes.Quantity.() -> double"},
    ),
    function(
        "asInteger",
        Documentation(
            "The quantity as an int.",
            "quantity('2k').asInteger() == 2000",
            "A quantity that is not whole or too large fails with `cannot convert value to integer`.",
        ),
        {"quantity_get_int": "kubernetes.Quantity.() -> int"},
    ),
    function(
        "isInteger",
        Documentation("True when `asInteger()` would succeed.", "quantity('2k').isInteger()"),
        {"quantity_is_integer": "kubernetes.Quantity.() -> bool"},
    ),
    _arithmetic("add", "The sum of the quantity and another, or an int.", "quantity('1k').add(1) == quantity('1001')"),
    _arithmetic("sub", "The quantity less another, or an int.", "quantity('1k').sub(quantity('1')) == quantity('999')"),
)

LIBRARY = Library(__name__, FUNCTIONS)
