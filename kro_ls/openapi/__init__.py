"""Kubernetes schemas by group, version and kind, and the API server's rules for values.

`index.SchemaIndex` finds a kind in its sources (`bundled`, `dump`, `crds` and what the caller adds); `schema.Schema`
reads a schema's keywords; `validation` prunes, defaults and validates a value. Nothing here knows what an RGD means,
or LSP.
"""
