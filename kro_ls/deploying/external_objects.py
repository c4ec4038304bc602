"""The objects that an external reference finds in a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kro_ls.deploying.deployment_error import DeploymentError
from kro_ls.openapi.json_values import as_list, as_object, as_text

if TYPE_CHECKING:
    from kro_ls.deploying.cluster_api import ClusterApi
    from kro_ls.openapi.json_values import JsonObject
    from kro_ls.runtime.nodes.compiled import CompiledNode

_FORMS = {"In": "{} in ({})", "NotIn": "{} notin ({})", "Exists": "{}", "DoesNotExist": "!{}"}


def external_objects(api: ClusterApi, node: CompiledNode, reference: JsonObject) -> list[JsonObject] | None:
    """Return what is there, None where an object that is named is not. Raises DeploymentError."""
    if not node.is_list:
        found = api.find(reference)
        return None if found is None else [found]
    metadata = as_object(reference.get("metadata"))
    selector = _selector(as_object(metadata.get("selector")))
    query = {"labelSelector": selector} if selector else {}
    named = as_text(reference.get("apiVersion")), as_text(reference.get("kind"))
    return list(api.listed(*named, as_text(metadata.get("namespace")), **query))


def _selector(selector: JsonObject) -> str:
    """Return a label selector as a query has it."""
    parts = [f"{name}={value}" for name, value in as_object(selector.get("matchLabels")).items()]
    for each in map(as_object, as_list(selector.get("matchExpressions"))):
        operator, values = as_text(each.get("operator")), map(as_text, as_list(each.get("values")))
        if operator not in _FORMS:
            raise DeploymentError(f"a selector has no operator {operator!r}; write {', '.join(_FORMS)}")
        parts.append(_FORMS[operator].format(each.get("key"), ",".join(values)))
    return ",".join(parts)
