"""RGDs that kro accepts and whose CRD Kubernetes refuses."""

from typing import Any

import pytest

from kro_ls.analysis.crd.acceptance import refusals


@pytest.mark.parametrize(
    ("section", "path", "text"),
    [
        ({"kind": "DNS"}, ("kind",), "dnsDNSes"),
        ({"kind": "A" * 60}, ("kind",), "at most 63"),
        ({"kind": "Potato" * 9 + "Potato"}, ("kind",), "at most 63"),
        ({"group": ""}, ("group",), "'' is not a valid group"),
        ({"group": "Example.com"}, ("group",), "lower case"),
        ({"group": "platform"}, ("group",), "needs a dot"),
        ({"group": "apps.k8s.io"}, ("group",), "api-approved.kubernetes.io"),
        (
            {"additionalPrinterColumns": [{"name": "A", "type": "text", "jsonPath": ".a"}]},
            ("additionalPrinterColumns", 0, "type"),
            "'integer', 'number'",
        ),
        (
            {"additionalPrinterColumns": [{"name": "A", "type": "string", "jsonPath": "spec.a"}]},
            ("additionalPrinterColumns", 0, "jsonPath"),
            "must begin with a dot",
        ),
        (
            {"additionalPrinterColumns": [{}, {"name": "", "type": "string", "jsonPath": ".a", "format": "int32"}]},
            ("additionalPrinterColumns", 1, "name"),
            "must not be empty",
        ),
    ],
)
def test_refused(section: Any, path: tuple[Any, ...], text: str) -> None:
    (refusal,) = refusals(section)
    assert refusal.path == path
    assert text in refusal.message


@pytest.mark.parametrize(
    "section",
    [
        {},
        {"kind": "WebApp", "group": "kro.run"},
        {"kind": "A" * 59},
        {"group": None},
        {"group": "x.kubernetes.io", "metadata": {"annotations": {"api-approved.kubernetes.io": "unsupported, test"}}},
        {"kind": 1, "group": [], "additionalPrinterColumns": [1, "x", {"name": None}]},
        {"additionalPrinterColumns": "x"},
    ],
)
def test_accepted_or_not_our_matter(section: Any) -> None:
    assert refusals(section) == ()
