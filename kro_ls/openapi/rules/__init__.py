"""Validation rules in CEL, `x-kubernetes-validations` of a schema, as the API server compiles and evaluates them."""
