"""The feature gates of kro's controller (kro `pkg/features`, flag `--feature-gates`)."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from msgspec import Struct

from kro_ls.spelling import closest


class FeatureGate(Struct, frozen=True):
    """A gate: one sentence about the feature, and whether it is on by default."""

    name: str
    meaning: str
    default: bool = False


OMIT: Final = FeatureGate("CELOmitFunction", "Expressions of templates can leave a field out with `omit()`.")

FEATURE_GATES: Final = MappingProxyType(
    {
        gate.name: gate
        for gate in (
            OMIT,
            FeatureGate("InstanceConditionEvents", "Each change of an instance's condition gives an event."),
            FeatureGate("InstanceConditionMetrics", "The changes of instances' conditions are measured."),
        )
    }
)
"""Every gate that kro knows, by name."""


def unknown_gate(name: str) -> str:
    """Return the message about a name that no gate has."""
    meant = closest(name, FEATURE_GATES)
    hint = f"did you mean {meant}?" if meant else f"one of {', '.join(FEATURE_GATES)}"
    return f"unknown feature gate '{name}'; {hint}"
