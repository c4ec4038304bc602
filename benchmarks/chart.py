"""Draws curves on logarithmic axes, as SVG."""

from __future__ import annotations

import math
from html import escape

WIDTH, HEIGHT = 900, 520
LEFT, RIGHT, TOP, BOTTOM = 90, 250, 30, 60
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#bcbd22", "#7f7f7f")
LABEL_HEIGHT = 17

Curves = dict[str, list[tuple[float, float]]]


class _Scale:
    """Maps values to places on an axis between two powers of ten, or as far as the values reach."""

    def __init__(self, values: list[float], start: float, end: float) -> None:
        self.ticks = [
            10.0**power for power in range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)
        ]
        self._low, high = math.log10(self.ticks[0]), math.log10(self.ticks[-1])
        self._start, self._size = start, (end - start) / ((high - self._low) or 1)

    def __call__(self, value: float) -> float:
        return self._start + (math.log10(value) - self._low) * self._size


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{escape(text)}</text>'


def _axes(x: _Scale, y: _Scale, x_label: str, y_label: str) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    shown = []
    for tick in x.ticks:
        shown.append(f'<path d="M{x(tick):.0f} {TOP}V{bottom}" stroke="#ddd"/>')
        shown.append(_text(x(tick), bottom + 20, f"{tick:,.0f}", 'text-anchor="middle"'))
    for tick in y.ticks:
        shown.append(f'<path d="M{LEFT} {y(tick):.0f}H{right}" stroke="#ddd"/>')
        shown.append(_text(LEFT - 8, y(tick) + 4, f"{tick:,g}", 'text-anchor="end"'))
    shown.append(_text((LEFT + right) / 2, bottom + 45, x_label, 'text-anchor="middle"'))
    middle = (TOP + bottom) / 2
    shown.append(_text(18, middle, y_label, f'text-anchor="middle" transform="rotate(-90 18 {middle:.0f})"'))
    return shown


def _label_places(ends: list[float]) -> list[float]:
    """Return the places of the names of curves that end at some places: in the same order, without overlaps."""
    places = [0.0] * len(ends)
    lowest = -math.inf
    for index in sorted(range(len(ends)), key=lambda index: ends[index]):
        places[index] = lowest = max(ends[index], lowest + LABEL_HEIGHT)
    over = max(0.0, lowest - (HEIGHT - BOTTOM))
    return [place - over for place in places]


def log_log(curves: Curves, x_label: str, y_label: str) -> str:
    """Return the chart, with each curve's name at its end."""
    points = [point for curve in curves.values() for point in curve]
    x = _Scale([point[0] for point in points], LEFT, WIDTH - RIGHT)
    y = _Scale([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    places = _label_places([y(curve[-1][1]) for curve in curves.values()])
    shown = _axes(x, y, x_label, y_label)
    for index, ((name, curve), place) in enumerate(zip(curves.items(), places, strict=True)):
        colour = COLOURS[index % len(COLOURS)]
        line = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in curve)
        shown.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        shown += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3" fill="{colour}"/>' for a, b in curve]
        end_x, end_y = x(curve[-1][0]), y(curve[-1][1])
        label_x = WIDTH - RIGHT + 14
        shown.append(
            f'<path d="M{end_x + 4:.0f} {end_y:.0f}L{label_x - 4} {place:.0f}" stroke="{colour}" stroke-width="0.5"/>'
        )
        shown.append(_text(label_x, place + 4, name, f'fill="{colour}"'))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13" fill="#333">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n' + "\n".join(shown) + "\n</svg>\n"
    )
