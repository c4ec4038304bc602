"""The few statistics that the benchmarks need."""

from __future__ import annotations

import math


def percentile(values: list[float], share: float) -> float:
    """Return the smallest value that at least this share (0 to 1) of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def median(values: list[float]) -> float:
    """Return the 50th percentile."""
    return percentile(values, 0.5)


def fitted_exponent(points: list[tuple[float, float]]) -> float:
    """Return the exponent e of the curve c * x**e that fits the points best, by least squares of the logarithms."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x = sum(x for x, _ in logs) / len(logs)
    mean_y = sum(y for _, y in logs) / len(logs)
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)
