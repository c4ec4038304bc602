"""The parts of a definition that are kept."""

from typing import Any

import pytest

from kro_ls.openapi.sources.pack.stripping import first_sentence, stripped_definition, stripped_schema


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("The name. It must be unique.", "The name."),
        ("The name\n  of the\tbucket. More.", "The name of the bucket."),
        ("Use v1.2 or e.g. v1.3 of it. More.", "Use v1.2 or e.g. v1.3 of it."),
        ("Named after J. Smith and others. More.", "Named after J. Smith and others."),
        ("See example.com/a.b for more", "See example.com/a.b for more"),
        ("", ""),
    ],
)
def test_the_first_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


def test_a_schema_keeps_what_decides_about_values() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "description": "A bucket. It holds objects.",
        "title": "Bucket",
        "x-kubernetes-validations": [{"rule": "self.a == oldSelf.a"}],
        "properties": {
            # Names of fields, which are no keywords.
            "title": {"type": "string", "example": "x", "default": "y"},
            "example": {"type": "array", "items": {"type": "string", "description": "One. Two."}},
        },
        "additionalProperties": False,
        "oneOf": [{"required": ["title"], "title": "t"}],
    }
    assert stripped_schema(schema) == {
        "type": "object",
        "description": "A bucket.",
        "x-kubernetes-validations": [{"rule": "self.a == oldSelf.a"}],
        "properties": {
            "title": {"type": "string", "default": "y"},
            "example": {"type": "array", "items": {"type": "string", "description": "One."}},
        },
        "additionalProperties": False,
        "oneOf": [{"required": ["title"]}],
    }


def test_a_definition_keeps_how_it_is_served() -> None:
    definition: dict[str, Any] = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "buckets.example.com", "annotations": {"a": "b"}},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Bucket", "plural": "buckets", "singular": "bucket", "categories": ["all"]},
            "scope": "Namespaced",
            "conversion": {"strategy": "Webhook"},
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": [
                        {
                            "name": "Ready",
                            "type": "string",
                            "jsonPath": ".status.ready",
                            "description": "d",
                            "priority": 1,
                        }
                    ],
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                },
                {"name": "v1beta1", "served": False, "storage": False, "deprecated": True},
            ],
        },
        "status": {"conditions": []},
    }
    assert stripped_definition(definition) == {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "buckets.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Bucket", "plural": "buckets", "singular": "bucket"},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": [{"name": "Ready", "type": "string", "jsonPath": ".status.ready"}],
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                },
                {"name": "v1beta1", "served": False, "deprecated": True},
            ],
        },
    }
