"""The conditions in the status of an instance (kro `pkg/graph/conditions.go`)."""

from typing import Final

CONDITION_FIELDS: Final = ("type", "status", "reason", "message")
CONDITION_STATUSES: Final = ("True", "False", "Unknown")

BUILT_IN_CONDITIONS: Final = ("InstanceManaged", "GraphResolved", "ResourcesReady", "Ready")
"""The types that kro itself reports on every instance."""
