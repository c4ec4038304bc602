"""kro's methods on the variable `runtime`, for `status.conditions` (kro `pkg/cel/library/runtime.go`)."""

from __future__ import annotations

from functools import partial

from kro_ls.cel.types.declarations import Documentation, function

document = partial(Documentation, "kro_runtime")

FUNCTIONS = (
    function(
        "newCondition",
        document(
            "Makes a status condition. The argument is a map literal with the bare keys `type` and `status` (True, "
            "False or Unknown), and optionally `reason` and `message`; all values are strings.",
            "runtime.newCondition({type: 'Healthy', status: 'True'}).status == 'True'",
            "A value that is no string, an empty type or another status fails.",
        ),
        {"runtime_newCondition_map": "kro.run.Runtime.(fields: map(string, string)) -> kro.run.Condition"},
    ),
    function(
        "condition",
        document(
            "The condition of the given type in `status.conditions` of an object; its strings are empty when there is "
            "none.",
            "runtime.condition({'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}}, 'Ready').status == "
            "'True'",
            "An object, status or conditions of the wrong shape fails.",
        ),
        {"runtime_condition_dyn_string": "kro.run.Runtime.(object: dyn, type: string) -> kro.run.Condition"},
    ),
)
