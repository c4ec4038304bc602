"""The form of test files, as JSON Schema: what reading, completion, hover and the documentation go by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kro_ls.kro.controller import FEATURE_GATES

if TYPE_CHECKING:
    from kro_ls.openapi.json_values import JsonObject, JsonValue

NODE_STATES: Final = ("ready", "waiting", "pending", "ignored", "error")
INSTANCE_STATES: Final = ("ACTIVE", "IN_PROGRESS", "ERROR")

MOST_PLACES: Final = 50
"""How many files, folders and globs a list in a file can name: each may be a search through all that is below."""

_STATE: Final[JsonObject] = {
    "title": "state",
    "type": "string",
    "enum": list(NODE_STATES),
    "description": "What becomes of a node.",
}

_NODE_STATE: Final[JsonObject] = {
    "if": {"type": "object"},
    "then": {
        "type": "object",
        "properties": {
            "state": _STATE,
            "reason": {"type": "string", "description": "A part of why the node is in that state."},
        },
        "additionalProperties": False,
    },
    "else": _STATE,
}
_OBJECTS: Final[JsonObject] = {"type": ["object", "array"]}


def _texts(description: str) -> JsonObject:
    return {"type": "array", "items": {"type": "string"}, "description": description}


def _closed(properties: dict[str, JsonValue], *required: str, **more: JsonValue) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def _by_node(nodes: tuple[str, ...] | None, value: JsonObject, description: str) -> JsonObject:
    """Return the schema of a mapping from the ids of resources; from any ids where they are unknown."""
    if nodes is None:
        any_id: JsonObject = {} if value is _OBJECTS else {"additionalProperties": value}
        return {"type": "object", "description": description, **any_id}
    return _closed(dict.fromkeys(nodes, value), description=description, **{"x-kro-ls-key": "node"})


def _expect(nodes: tuple[str, ...] | None) -> JsonObject:
    return _closed(
        {
            "errors": _texts("Parts of messages, one for each error that must come."),
            "state": {
                "title": "state",
                "type": "string",
                "enum": list(INSTANCE_STATES),
                "description": "The state of the instance, `status.state`.",
            },
            "exactly": {
                "type": "boolean",
                "description": "Whether `nodes`, `objects` and `status` say all: no other node, object or field may "
                "come.",
            },
            "nodes": _by_node(
                nodes, _NODE_STATE, "By the ids of resources, what becomes of them: a state, or a state and a reason."
            ),
            "objects": _by_node(
                nodes, _OBJECTS, "By the ids of resources, parts of their objects; a list for a collection."
            ),
            "status": {
                "type": "object",
                "description": "A part of the status of the instance; null says: no such field.",
            },
            "conditions": {"type": "array", "description": "Parts of conditions that the instance has, by their type."},
            "snapshot": {
                "type": "string",
                "description": "A file that ends in `.snapshot.yaml` with all objects, written with `--update`.",
            },
        },
        description="What must come of the instance.",
    )


def _test(nodes: tuple[str, ...] | None) -> JsonObject:
    not_ready = _texts("The ids of resources that do not become ready.")
    if nodes is not None:
        not_ready["items"] = {"type": "string", "title": "node", "enum": list(nodes)}
    return _closed(
        {
            "name": {"type": "string", "description": "What the test is called in reports."},
            "instance": {
                "type": ["object", "string"],
                "description": "An instance, or a file with one; without it, one is made by the schema.",
            },
            "observed": _by_node(nodes, _OBJECTS, "By the ids of resources, what the cluster says of their objects."),
            "notReady": not_ready,
            "then": {
                "type": ["object", "string"],
                "description": "The instance as it is edited when nothing changes any more, or a file with it.",
            },
            "expect": _expect(nodes),
        },
        "name",
        "expect",
        title="a test",
    )


def schema_of_tests(nodes: tuple[str, ...] | None) -> JsonObject:
    """Return the schema of a test file; `nodes` are the ids of the definition's resources, None where it is unknown."""
    return _closed(
        {
            "definition": {"type": "string", "description": "The file with the definition, relative to this file."},
            "crds": {
                **_texts("Files and folders with the kinds that the definition uses, relative to this file."),
                "maxItems": MOST_PLACES,
            },
            "featureGates": {
                "type": "array",
                "items": {"type": "string", "title": "feature gate", "enum": list(FEATURE_GATES)},
                "description": "Feature gates of kro that are on.",
            },
            "tests": {"type": "array", "items": _test(nodes), "description": "The tests."},
        },
        "definition",
        "tests",
        title="a test file",
    )


TEST_FILE: Final[JsonObject] = schema_of_tests(None)
"""The schema of a test file whose definition is unknown."""
