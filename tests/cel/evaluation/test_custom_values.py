"""Values and variables that a library brings along."""

import pytest

from kro_ls.cel.library import operators, standard
from kro_ls.cel.types.declarations import Libraries
from tests.cel.evaluation import purse
from tests.cel.evaluation.purse_functions import Coin, Purse
from tests.cel.evaluation.support import Evaluator

_evaluator = Evaluator(Libraries([operators.LIBRARY, standard.LIBRARY, purse.LIBRARY]))
evaluate, failure = _evaluator.evaluate, _evaluator.failure


@pytest.mark.parametrize(
    "expression",
    [
        "coin(2).worth == 2 && has(coin(2).worth) && !has(coin(2).year)",
        "coin(2) == coin(2) && coin(2) != coin(3) && dyn(coin(2)) != 2 && dyn(2) != coin(2)",
        "coin(2) in [coin(1), coin(2)] && [coin(2)] == [coin(2)]",
        "type(coin(1)) != type(1)",
        "coin(0) != coin(1) && dyn([1]) != [coin(0)] && [coin(0)] == [coin(1)] && !(coin(0) in [coin(0)])",
        "purse.first() == coin(1) && purse == purse",
    ],
)
def test_is_true(expression: str) -> None:
    assert evaluate(expression) is True


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("coin(1).year", "no such key: year"),
        ("coin(0) == coin(1)", "a blank coin cannot be compared"),
        ("coin(dyn('a'))", "no such overload: coin(string)"),
    ],
)
def test_fails(expression: str, message: str) -> None:
    assert failure(expression).message == message


def test_a_given_value_comes_before_that_of_the_library() -> None:
    assert evaluate("purse.first()") == Coin(1)
    assert evaluate("purse.first()", purse=Purse(Coin(5))) == Coin(5)
