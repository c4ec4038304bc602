"""A definition with two served versions, and those of well-known projects."""

from tests.paths import CONFORMANCE

CRDS = CONFORMANCE / "crds"

WIDGET = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names:
    kind: Widget
    plural: widgets
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            metadata:
              type: object
            spec:
              type: object
              properties:
                size:
                  type: integer
                port:
                  x-kubernetes-int-or-string: true
                template:
                  type: object
                  x-kubernetes-embedded-resource: true
                  x-kubernetes-preserve-unknown-fields: true
    - name: v1beta1
      served: true
      storage: false
      deprecated: true
      deprecationWarning: use v1
      schema:
        openAPIV3Schema:
          type: object
    - name: v1alpha1
      served: false
      storage: false
      schema:
        openAPIV3Schema:
          type: object
"""
