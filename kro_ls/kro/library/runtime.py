"""kro's methods on the variable `runtime`, for `status.conditions` (kro `pkg/cel/library/runtime.go`).

The variable is declared everywhere; kro refuses it outside of `status.conditions` by other means. Its type has no
fields and is unknown to kro's type provider.
"""

from __future__ import annotations

from kro_ls.cel.types.declarations import Documentation, function
from kro_ls.cel.types.libraries import Library
from kro_ls.cel.types.types import STRING, StructFields, struct_type
from kro_ls.kro.conditions import CONDITION_FIELDS
from kro_ls.kro.library.runtime_macros import expand_new_condition

CONDITION = struct_type("kro.run.Condition")
RUNTIME = struct_type("kro.run.Runtime")

FUNCTIONS = (
    function(
        "newCondition",
        Documentation(
            "Makes a status condition. The argument is a map literal with the bare keys `type` and `status` (True, "
            "False or Unknown), and optionally `reason` and `message`; all values are strings.",
            "runtime.newCondition({type: 'Healthy', status: 'True'}).status == 'True'",
            "A value that is not a string, an empty type or another status fails.",
        ),
        {"runtime_newCondition_map": "kro.run.Runtime.(fields: map(string, string)) -> kro.run.Condition"},
    ),
    function(
        "condition",
        Documentation(
            "The condition of the given type in `status.conditions` of an object; its strings are empty when there is "
            "none.",
            "runtime.condition({'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}}, 'Ready').status == "
            "'True'",
            "An object, status or conditions of the wrong shape fails.",
        ),
        {"runtime_condition_dyn_string": "kro.run.Runtime.(object: dyn, type: string) -> kro.run.Condition"},
    ),
)

LIBRARY = Library(
    __name__,
    FUNCTIONS,
    variables={"runtime": RUNTIME},
    structs={CONDITION.name: StructFields(dict.fromkeys(CONDITION_FIELDS, STRING))},
    expanders={("newCondition", 1, True): expand_new_condition},
)
