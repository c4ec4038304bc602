"""Every function of every library pays for what it does before it does it."""

from __future__ import annotations

import re
import time
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from kro_ls.cel.evaluation.costs import CONSTANT, LONGEST_TEXT, Budget, BudgetError
from kro_ls.cel.evaluation.dispatch import implementation
from kro_ls.cel.evaluation.program import compile_program
from kro_ls.cel.evaluation.values import EvaluationError
from kro_ls.cel.library import lists
from kro_ls.cel.syntax.parser import parse
from kro_ls.cel.types.declarations import Libraries
from kro_ls.kro.environment import LIBRARIES
from kro_ls.openapi.cel_values import wrap
from kro_ls.openapi.rules.rule_environment import RULE_LIBRARIES
from kro_ls.runtime.nodes.budget import PREVIEW_STEPS
from tests.fixtures.large_values import arguments, calls, evaluate

if TYPE_CHECKING:
    from kro_ls.cel.types.declarations import Overload

_TRIED = 40
"""How many arguments are tried of the hundreds that there are."""
_MOST_SECONDS_PER_STEP = 2e-6
"""Twenty times the nominal time of a step, because a slow machine is not a hang."""


@cache
def _calls() -> dict[str, tuple[Libraries, Overload, str]]:
    """Return a call of each overload by its id."""
    every = (LIBRARIES, RULE_LIBRARIES, Libraries((lists.SETS,)))
    return {overload.id: (each, overload, text) for each in every for overload, text in calls(each)}


def _tried(overload: Overload, size: int) -> list[tuple[Any, ...]]:
    every = list(arguments(overload, size))
    return every[:: max(1, len(every) // _TRIED)]


def test_every_function_of_every_library_is_called() -> None:
    names = {
        f"{name} {overload.id}"
        for each in (LIBRARIES, RULE_LIBRARIES)
        for name, function in each.functions.items()
        for overload in function.overloads
    }
    missing = {each for each in names if each.split()[1] not in _calls()}
    assert {each.split()[0] for each in missing} <= {
        "@not_strictly_false",
        "cel.@mapInsert",
        "@sortByAssociatedKeys",
        "_?._",
    }
    assert not [id_ for id_, (_, overload, _) in _calls().items() if not _tried(overload, 10)]


@pytest.mark.parametrize("id_", _calls())
def test_a_call_takes_no_longer_than_it_pays_for(id_: str) -> None:
    libraries, overload, text = _calls()[id_]
    evaluate(libraries, text, _tried(overload, 10)[0], Budget())  # imports what it needs
    steps, seconds = 0, 0.0
    for values in _tried(overload, 3000):
        budget = Budget(100_000)
        started = time.process_time()
        evaluate(libraries, text, values, budget)
        seconds += time.process_time() - started
        steps += budget.steps - max(budget.remaining, 0)
    assert seconds < 0.2 + steps * _MOST_SECONDS_PER_STEP


_COMPILED = re.compile(r"[ !-]|x0( |\[|\.or(Value)?\()")
"""How calls begin that are no functions at run time."""


@pytest.mark.parametrize("id_", [id_ for id_, (_, _, text) in _calls().items() if not _COMPILED.match(text)])
def test_what_cannot_be_paid_for_is_not_done(id_: str) -> None:
    libraries, overload, text = _calls()[id_]
    if implementation(libraries, overload)[2] == CONSTANT and "list_" not in id_:
        return
    for values in _tried(overload, 50_000):
        budget = Budget(20_000)
        result = evaluate(libraries, text, values, budget)
        if budget.steps - budget.remaining > 400 and (
            isinstance(result, BudgetError) or not isinstance(result, EvaluationError)
        ):
            assert isinstance(evaluate(libraries, text, values, Budget(200)), BudgetError)


@pytest.mark.parametrize("id_", _calls())
def test_no_call_hangs_with_texts_of_the_largest_size(id_: str) -> None:
    libraries, overload, text = _calls()[id_]
    for values in list(arguments(overload, 10))[:1]:
        for piece in ("a", "中", " ", "1"):
            large = tuple(piece * LONGEST_TEXT if isinstance(each, str) else each for each in values)
            budget = Budget(PREVIEW_STEPS)
            started = time.process_time()
            evaluate(libraries, text, large, budget)
            assert time.process_time() - started < 5


@pytest.mark.parametrize("libraries", [LIBRARIES, RULE_LIBRARIES], ids=["kro", "rules"])
def test_costs_are_those_of_functions(libraries: Libraries) -> None:
    for function in libraries.functions.values():
        for overload in function.overloads:
            owner = libraries.owner_of(overload)
            if not function.is_internal:
                module = import_module(owner.functions_module)
                assert set(getattr(module, "COSTS", {})) <= set(module.IMPLEMENTATIONS)
                assert set(getattr(module, "BUDGETED", ())) <= set(module.IMPLEMENTATIONS)


def test_lists_of_the_cluster_are_paid_for_pair_by_pair() -> None:
    integers: Any = {"type": "array", "items": {"type": "integer"}}
    nested = wrap([[1]] * 1000, {"type": "array", "items": integers})
    program = compile_program(parse("x == x", LIBRARIES.macro_set).root, LIBRARIES)
    budget = Budget()
    assert program.evaluate({"x": nested}, budget) is True
    assert budget.steps - budget.remaining > 40 * 1000
