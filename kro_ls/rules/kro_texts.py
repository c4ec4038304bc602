"""What kro or the API server prints for findings of several rules, with `{name}` for what differs."""

from __future__ import annotations

UNKNOWN_IDENTIFIERS = "references unknown identifiers: [{names}]"
UNKNOWN_FIELD = 'unknown field "{path}"'
NO_KIND = "Object 'Kind' is missing"
