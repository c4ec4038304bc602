"""Kubernetes refuses the CRD that kro generates."""

from __future__ import annotations

from tests.fixtures.diagnostics import check_diagnostics


def test_names_that_no_crd_can_have() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: DNS
  #     ^^^ refused-crd: kro's plural of 'DNS', 'dnsDNSes'
  group: Platform.example.com
  #      ^^^^^^^^^^^^^^^^^^^^ refused-crd: in lower case
  additionalPrinterColumns:
    - name: Name
      type: text
      #     ^^^^ refused-crd: is not a type of printer columns
      jsonPath: spec.name
      #         ^^^^^^^^^ refused-crd: must begin with a dot
  spec:
    name: string
"""
    )


def test_labels_and_annotations_of_the_crd_follow_the_rules_of_kubernetes() -> None:
    check_diagnostics(
        """
schema:
  apiVersion: v1alpha1
  kind: Example
  metadata:
    labels:
      example.com/team: a
      Example.com/team: a
#     ^^^^^^^^^^^^^^^^ refused-crd: expected a domain in lower case
      size: -large
      #     ^^^^^^ refused-crd: is not a valid label value
    annotations:
      Example.com/team: "anything: goes"
      a b: c
#     ^^^ refused-crd: expected at most 63 letters
  spec:
    name: string
"""
    )


def test_near_miss() -> None:
    check_diagnostics("""
schema:
  apiVersion: v1alpha1
  kind: Example
  group: platform.io
#        ~~~~~~~~~~~ refused-crd
  spec:
    name: string
""")
