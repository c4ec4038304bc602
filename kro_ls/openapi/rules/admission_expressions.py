"""Compiles the expressions of admission as the API server does when a policy or a webhook is created.

Source: k8s.io/apiserver, pkg/admission/plugin/cel (compile.go, composition.go). It compiles them without the types of
the objects. Expressions that use the `authorizer` are not checked.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kro_ls.cel.types.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Kind,
    checker_name,
    list_type,
    map_type,
    struct_type,
)
from kro_ls.openapi.rules.compilation import compile_expression
from kro_ls.openapi.rules.rule_environment import rule_environment
from kro_ls.openapi.rules.self_declaration import StructTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kro_ls.cel.types.declarations import Environment
    from kro_ls.cel.types.types import Type

_TEXTS: Final = map_type(STRING, STRING)
_KIND: Final = {"group": STRING, "version": STRING, "kind": STRING}
_STRUCTS: Final[Mapping[str, Mapping[str, Type]]] = {
    "kubernetes.GroupVersionKind": _KIND,
    "kubernetes.GroupVersionResource": {"group": STRING, "version": STRING, "resource": STRING},
    "kubernetes.UserInfo": {
        "username": STRING,
        "uid": STRING,
        "groups": list_type(STRING),
        "extra": map_type(STRING, list_type(STRING)),
    },
    "kubernetes.AdmissionRequest": {
        **dict.fromkeys(("kind", "requestKind"), struct_type("kubernetes.GroupVersionKind")),
        **dict.fromkeys(("resource", "requestResource"), struct_type("kubernetes.GroupVersionResource")),
        **dict.fromkeys(("subResource", "requestSubResource", "name", "namespace", "operation"), STRING),
        "userInfo": struct_type("kubernetes.UserInfo"),
        "dryRun": BOOL,
        "options": DYN,
    },
    "kubernetes.NamespaceSpec": {"finalizers": list_type(STRING)},
    "kubernetes.NamespaceCondition": {
        **dict.fromkeys(("status", "type", "message", "reason"), STRING),
        "lastTransitionTime": TIMESTAMP,
    },
    "kubernetes.NamespaceStatus": {
        "conditions": list_type(struct_type("kubernetes.NamespaceCondition")),
        "phase": STRING,
    },
    "kubernetes.NamespaceMetadata": {
        **dict.fromkeys(("name", "generateName", "namespace", "UID", "resourceVersion"), STRING),
        **dict.fromkeys(("labels", "annotations"), _TEXTS),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), TIMESTAMP),
        **dict.fromkeys(("deletionGracePeriodSeconds", "generation"), INT),
        "finalizers": list_type(STRING),
    },
    "kubernetes.Namespace": {
        "metadata": struct_type("kubernetes.NamespaceMetadata"),
        "spec": struct_type("kubernetes.NamespaceSpec"),
        "status": struct_type("kubernetes.NamespaceStatus"),
    },
}
_VARIABLES: Final = "kubernetes.variables"
_PLAIN: Final = frozenset({BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, UINT})
_AUTHORIZER: Final = "authorizer"


class Expressions:
    """Compiles the expressions of one policy, which can use the variables added so far."""

    def __init__(self, *, has_params: bool, composed: bool = False) -> None:
        self._has_params = has_params
        self._variables: dict[str, Type] | None = {} if composed else None

    def with_variables(self) -> Expressions:
        """Return a copy whose expressions can use variables."""
        return Expressions(has_params=self._has_params, composed=True)

    def problem(self, text: str, *types: str, may_authorize: bool = True) -> str:
        """Return why the API server refuses an expression, empty where it accepts it.

        `types` are the names of the types that it may have, by default bool.
        """
        return self._compiled(text, types or ("bool",), may_authorize=may_authorize)[0]

    def add_variable(self, name: str, text: str) -> str:
        """Add a variable, and return why the API server refuses its expression, empty where it accepts it."""
        problem, type_ = self._compiled(text, (), may_authorize=True) if text else ("", DYN)
        if self._variables is not None and name:
            self._variables[name] = _declared_type(type_)
        return problem

    def _compiled(self, text: str, types: tuple[str, ...], *, may_authorize: bool) -> tuple[str, Type]:
        if _AUTHORIZER in text and may_authorize:
            return "", DYN
        errors, type_ = compile_expression(text, self._environment())
        if _AUTHORIZER in text:
            errors = errors.partition("\nERROR: ")[0]  # other errors are about its functions, which are missing here
        if errors:
            return f"compilation failed: {errors}", DYN
        name = NULL.name if type_ == NULL else checker_name(type_)
        if types and name not in types:
            expected = types[0] if len(types) == 1 else f"one of [{' '.join(types)}]"
            return f"must evaluate to {expected} but got {name}", DYN
        return "", type_

    def _environment(self) -> Environment:
        environment = _environment(self._has_params)
        if self._variables is None:
            return environment
        return environment.extend(
            {"variables": struct_type(_VARIABLES)}, StructTable({**_STRUCTS, _VARIABLES: self._variables})
        )


def _declared_type(type_: Type) -> Type:
    """Return the type with which a variable is declared."""
    if type_ in _PLAIN:
        return type_
    if type_.kind is Kind.LIST:
        return list_type(_declared_type(type_.parameters[0]))
    if type_.kind is Kind.MAP:
        key, value = type_.parameters
        return map_type(_declared_type(key), _declared_type(value))
    return DYN


@cache  # one with parameters, one without
def _environment(has_params: bool) -> Environment:
    variables = {
        **dict.fromkeys(("object", "oldObject"), DYN),
        "namespaceObject": struct_type("kubernetes.Namespace"),
        "request": struct_type("kubernetes.AdmissionRequest"),
        **({"params": DYN} if has_params else {}),
    }
    return rule_environment().extend(variables, StructTable(_STRUCTS))
