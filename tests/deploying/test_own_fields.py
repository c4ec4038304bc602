"""What a field manager has applied, extracted from an object as the API server gives it."""

from __future__ import annotations

from typing import Any

from kro_ls.deploying.deployment_events import EventKind
from kro_ls.deploying.live_objects import became
from kro_ls.deploying.own_fields import own_fields
from kro_ls.openapi.json_values import copy_json

DEPLOYMENT: Any = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {
        "name": "web",
        "namespace": "team",
        "uid": "1",
        "labels": {"app": "web", "of": "others"},
        "finalizers": ["ours", "theirs"],
        "managedFields": [
            {"manager": "others", "operation": "Update", "fieldsV1": {"f:spec": {"f:replicas": {}}}},
            {
                "manager": "kro-ls",
                "operation": "Apply",
                "fieldsV1": {
                    "f:metadata": {"f:labels": {"f:app": {}}, "f:finalizers": {'v:"ours"': {}}},
                    "f:spec": {
                        "f:args": {"i:1": {}},
                        "f:paused": {},
                        "f:containers": {'k:{"name":"web"}': {".": {}, "f:image": {}, "f:name": {}}},
                        "f:gone": {},
                        "f:strategy": {},
                    },
                },
            },
            {"manager": "kro-ls", "operation": "Apply", "subresource": "status", "fieldsV1": {"f:status": {}}},
        ],
    },
    "spec": {
        "replicas": 3,
        "paused": False,
        "args": ["zero", "one"],
        "strategy": {"type": "Recreate"},
        "containers": [{"name": "side", "image": "s"}, {"name": "web", "image": "w", "tty": True}],
    },
    "status": {"replicas": 3},
}


def test_the_fields_of_one_manager_are_extracted() -> None:
    assert own_fields(DEPLOYMENT, "kro-ls") == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "team", "labels": {"app": "web"}, "finalizers": ["ours"]},
        "spec": {
            "args": ["one"],
            "paused": False,
            "containers": [{"name": "web", "image": "w"}],
            "strategy": {"type": "Recreate"},
        },
    }


def test_who_has_applied_nothing_owns_nothing_but_the_name() -> None:
    assert own_fields(DEPLOYMENT, "others") == {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "namespace": "team"},
    }


def test_what_others_write_meanwhile_changes_nothing() -> None:
    after = copy_json(DEPLOYMENT)
    after["spec"]["replicas"] = 5
    after["metadata"] |= {"resourceVersion": "2", "generation": 2}
    assert became(DEPLOYMENT, after, "kro-ls") is EventKind.UNCHANGED
    after["metadata"]["labels"]["app"] = "shop"
    assert became(DEPLOYMENT, after, "kro-ls") is EventKind.UPDATED
    assert became(None, after, "kro-ls") is EventKind.CREATED
