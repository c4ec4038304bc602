// Where the panel with the details stands: it never covers the box that it describes, and as little else as it can.

import type { Highlight } from './highlight';
import { overlap } from './labels';
import { HEAD, type Layout, type Point, type Rectangle, type Size } from './layout';
import type { Look } from './look';
import type { Stage } from './stage';
import type { Viewport } from './viewport';

/** The distance between the panel and the edges of the canvas. */
const MARGIN = 14;
/** The room that it leaves to boxes and titles around it. */
const APART = 6;
/** The places along a side that are tried. */
const STEPS = 12;

/** A size that the panel may have: its width, and the largest part of the canvas that its height takes, or as many pixels. */
interface Shape {
  width: number;
  height: number;
}

/** The best first: in a smaller one, its text is scrolled. */
const SHAPES: readonly Shape[] = [
  { width: 320, height: 0.42 },
  { width: 240, height: 0.6 },
  { width: 480, height: 0.3 },
  { width: 320, height: 150 },
  { width: 240, height: 150 },
  { width: 480, height: 110 },
];

/** What a panel should not lie over, and how much that matters. */
export interface Obstacle {
  place: Rectangle;
  cost: number;
}

const COSTS = { own: 1000, control: 30, title: 10, bright: 10, dim: 6, arrow: 0.1, legend: 3 } as const;

/** The place of a panel where it covers what matters least: the previous one where none is better, else the top right. */
export function freestPlace(
  panel: Size,
  canvas: Size,
  obstacles: readonly Obstacle[],
  previous: Point | null,
): { place: Rectangle; cost: number } {
  const along = (room: number): number[] =>
    Array.from({ length: STEPS + 1 }, (_, step) => MARGIN + (Math.max(room - 2 * MARGIN, 0) * step) / STEPS);
  const [columns, rows] = [along(canvas.width - panel.width).reverse(), along(canvas.height - panel.height)];
  const edge = (value: number, all: readonly number[]): number =>
    Math.min(Math.abs(value - (all[0] ?? 0)), Math.abs(value - (all.at(-1) ?? 0)));
  let best = { place: { x: columns[0] ?? 0, y: rows[0] ?? 0, ...panel }, cost: Infinity };
  const places = [...(previous ? [previous] : []), ...columns.flatMap((x) => rows.map((y) => ({ x, y })))];
  for (const at of places) {
    const place = { ...at, ...panel };
    const room = { x: at.x - APART, y: at.y - APART, width: panel.width + 2 * APART, height: panel.height + 2 * APART };
    const covered = obstacles.reduce((sum, each) => sum + (overlap(each.place, room) ? each.cost : 0), 0);
    // At the side of the canvas it is out of the way.
    const cost = covered + (at === previous ? 0 : 0.001 + 0.00001 * (edge(at.x, columns) + edge(at.y, rows)));
    if (cost < best.cost && place.x + panel.width <= canvas.width && place.y + panel.height <= canvas.height) {
      best = { place, cost };
    }
  }
  return best;
}

/** By how much a box must move, so that a panel does not cover it; it stays in the canvas where there is room. */
export function wayOut(box: Rectangle, panel: Rectangle, canvas: Size): Point {
  if (!overlap(box, panel)) {
    return { x: 0, y: 0 };
  }
  const ways = [
    { x: panel.x - MARGIN - box.x - box.width, y: 0 },
    { x: panel.x + panel.width + MARGIN - box.x, y: 0 },
    { x: 0, y: panel.y - MARGIN - box.y - box.height },
    { x: 0, y: panel.y + panel.height + MARGIN - box.y },
  ];
  const outside = ({ x, y }: Point): number =>
    Math.max(-(box.x + x), 0) +
    Math.max(-(box.y + y), 0) +
    Math.max(box.x + x + box.width - canvas.width, 0) +
    Math.max(box.y + y + box.height - canvas.height, 0);
  const length = ({ x, y }: Point): number => Math.abs(x) + Math.abs(y);
  return [...ways].sort((one, other) => outside(one) - outside(other) || length(one) - length(other))[0] ?? { x: 0, y: 0 };
}

/** Gives a panel the shape and the place in which it covers what matters least. */
function putAside(panel: HTMLElement, canvas: Size, obstacles: readonly Obstacle[]): Rectangle {
  const previous = panel.style.left === '' ? null : { x: parseFloat(panel.style.left), y: parseFloat(panel.style.top) };
  let best: ReturnType<typeof freestPlace> | null = null;
  for (const { width, height } of SHAPES) {
    panel.style.width = `${Math.min(width, canvas.width - 2 * MARGIN)}px`;
    panel.style.maxHeight = `${Math.floor(height <= 1 ? height * canvas.height : height)}px`;
    const found = freestPlace({ width: panel.offsetWidth, height: panel.offsetHeight }, canvas, obstacles, previous);
    if (!best || found.cost < best.cost - COSTS.legend) {
      best = found;
    }
    if (best.cost < COSTS.legend) {
      break;
    }
  }
  const { x, y, width, height } = best?.place ?? { x: 0, y: 0, width: 0, height: 0 };
  Object.assign(panel.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, maxHeight: `${height}px` });
  return { x, y, width, height };
}

/** Puts a panel where it covers as little as possible, and moves the picture if it would still cover the selected box. */
export function keepClear(panel: HTMLElement, { viewport, model, layout }: Stage, { selected, highlight }: Look): void {
  if (panel.hidden || selected === null || !layout?.boxes.has(selected)) {
    return;
  }
  const { pane } = viewport;
  const boxes = [...layout.boxes].map(([id, place]) => {
    // Of a frame it is the head that counts; its members count themselves.
    const shown = viewport.onScreen(model.boxes.get(id)?.isExpanded ? { ...place, height: HEAD } : place);
    return { id, place: shown, cost: id === selected ? COSTS.own : (highlight?.boxes.has(id) ?? true) ? COSTS.bright : COSTS.dim };
  });
  const taken = putAside(panel, pane, [...boxes, ...linesOf(layout, highlight, viewport), ...fixtures(viewport.svg)]);
  const box = boxes.find(({ id }) => id === selected);
  const { x, y } = box ? wayOut(box.place, taken, pane) : { x: 0, y: 0 };
  if (x !== 0 || y !== 0) {
    viewport.shift(x, y);
  }
}

/** The arrows that are lit. */
function linesOf({ routes }: Layout, highlight: Highlight | null, viewport: Viewport): Obstacle[] {
  return [...routes]
    .filter(([id]) => highlight?.arrows.has(id))
    .flatMap(([, { points }]) =>
      points.slice(1).map((to, number) => {
        const from = points[number] ?? to;
        const place = {
          x: Math.min(from.x, to.x),
          y: Math.min(from.y, to.y),
          width: Math.abs(to.x - from.x) + 1,
          height: Math.abs(to.y - from.y) + 1,
        };
        return { place: viewport.onScreen(place), cost: COSTS.arrow };
      }),
    );
}

/** Everything else in the canvas: the titles of columns, the buttons and the legend. */
function fixtures(svg: SVGSVGElement): Obstacle[] {
  const canvas = svg.parentElement ?? svg;
  const { left, top } = canvas.getBoundingClientRect();
  const kinds = [
    ['.band text', COSTS.title],
    ['.minimap, .zoom', COSTS.control],
    ['.legend', COSTS.legend],
  ] as const;
  return kinds.flatMap(([selector, cost]) =>
    [...canvas.querySelectorAll(selector)].map((found) => {
      const { x, y, width, height } = found.getBoundingClientRect();
      return { place: { x: x - left, y: y - top, width, height }, cost };
    }),
  );
}
