"""What the names in expressions may mean, and where."""

import pytest

from tests.fixtures.diagnostics import check_diagnostics
from tests.rules.expressions.references import in_template


@pytest.mark.parametrize(
    ("expression", "expectation"),
    [
        (
            "share.metadata.name",
            "  ^^^^^ unresolved-reference: unknown name 'share'; did you mean 'shared'?",
        ),
        (
            "type(shared) == string ? 'a' : 'b'",
            "                  ^^^^^^ unresolved-reference: by name; compare 'type(a) == type(b)'",
        ),
        ("string(math)", "         ^^^^ unresolved-reference: kro does not enable the CEL library math (cel-go)"),
        ("wholly.different", "  ^^^^^^ unresolved-reference: no resource, iterator or variable is called that"),
        (
            ".shared.metadata.name",
            "  ^^^^^^^ unresolved-reference: unknown name '.shared'; no name in kro begins with a dot",
        ),
        ("string(.size(shared.data))", "         ^^^^^ unknown-function: uses unknown functions: [{.size}]"),
        ("config.metadata.name", "  ^^^^^^ self-reference: self references are not allowed"),
        ("each.metadata.name", "  ^^^^ misplaced-reference: node each does not exist"),
        (
            "string(dyn(runtime))",
            "             ^^^^^^^ misplaced-reference: runtime is only available in status.conditions",
        ),
        ("frobnicate(shared)", "  ^^^^^^^^^^ unknown-function: unknown function 'frobnicate'; no CEL library"),
        ("string(len(shared.data))", "         ^^^ unknown-function: did you mean 'size'?"),
        ("string(all(shared.data, x, x != 'a'))", "         ^^^ unknown-function: it is called on a value"),
    ],
)
def test_in_a_template(expression: str, expectation: str) -> None:
    source = in_template(expression.replace("'", '"'), expectation)
    check_diagnostics(source.replace("\n\n", "\n"))
