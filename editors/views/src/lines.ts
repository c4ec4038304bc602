// The lines of arrows: routes that need no search, and the curves through the corners of a route.

import { BOX_GAP, GAPS, type Direction, type Layout, type Point, type Rectangle, type Route } from './layout';
import type { Arrow } from './model';

const CORNER = 12;
/** By how much a line ends before the tip of its head. */
const TIP = 6;

/** A route to the right, from box to box. One that leads back goes around below all boxes, whose bottom is given. */
export function direct(arrow: Arrow, boxes: ReadonlyMap<string, Rectangle>, bottom: number): Route {
  const from = boxes.get(arrow.from);
  const to = boxes.get(arrow.to);
  if (!from || !to) {
    return { points: [], label: null };
  }
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y + to.height / 2 };
  if (start.x < end.x) {
    return { points: [start, end], label: null };
  }
  const [out, back, below] = [start.x + BOX_GAP, end.x - BOX_GAP, bottom + BOX_GAP];
  const points = [start, { x: out, y: start.y }, { x: out, y: below }, { x: back, y: below }, { x: back, y: end.y }, end];
  return { points, label: { x: (out + back) / 2, y: below } };
}

/** The line through the corners of a route: straight at each end, and a soft bend wherever it changes its lane. */
export function path(points: readonly Point[], { direction, compact }: Pick<Layout, 'direction' | 'compact'>): string {
  const way = direction === 'right' ? points : points.map(exchanged);
  const first = way[0];
  const last = way.at(-1);
  if (!first || !last || way.length < 2) {
    return '';
  }
  const ahead = way.every((point, number) => number === 0 || point.x >= (way[number - 1]?.x ?? 0));
  const steps = ahead ? soft(way, first, last, GAPS[compact ? 'compact' : 'full'].turnGap) : rounded(way, last);
  return `M${at(first, direction)} ${steps.map(([letter, ...ends]) => letter + ends.map((end) => at(end, direction)).join(' ')).join(' ')}`;
}

export function head(points: readonly Point[], direction: Direction): string {
  const tip = points.at(-1);
  const shape = direction === 'right' ? 'l-9 -4.5 l2 4.5 l-2 4.5 z' : 'l-4.5 -9 l4.5 2 l4.5 -2 z';
  return tip ? `M${at(tip, 'right')} ${shape}` : '';
}

type Step = [letter: 'L', end: Point] | [letter: 'Q', corner: Point, end: Point] | [letter: 'C', one: Point, other: Point, end: Point];

/** A line that leads ahead all the way. Its bends are so long at most: longer ones would lead under the boxes beside them. */
function soft(points: readonly Point[], first: Point, last: Point, bend: number): Step[] {
  const end = { x: last.x - TIP, y: last.y };
  if (points.length === 2) {
    const reach = Math.max(40, Math.abs(end.x - first.x) / 2);
    return [first.y === end.y ? ['L', end] : curve(first, end, reach)];
  }
  const steps: Step[] = [];
  let here = first;
  for (let number = 1; number + 1 < points.length; number += 2) {
    const [before, after] = [points[number], points[number + 1]];
    const next = points[number + 2] ?? end;
    if (!before || !after) {
      break;
    }
    // The corners stand above each other; the bend takes as much room on both sides as there is.
    const left = Math.min(bend, Math.max(0, before.x - here.x));
    const right = Math.min(bend, Math.max(0, number + 3 < points.length ? (next.x - after.x) / 2 : end.x - after.x));
    const start = { x: before.x - left, y: before.y };
    const finish = { x: after.x + right, y: after.y };
    steps.push(['L', start], curve(start, finish, Math.max(left, right, 8)));
    here = finish;
  }
  return [...steps, ['L', end]];
}

function curve(from: Point, to: Point, reach: number): Step {
  return ['C', { x: from.x + reach, y: from.y }, { x: to.x - reach, y: to.y }, to];
}

/** A line that leads back, as the one that closes a cycle does: around the boxes, with rounded corners. */
function rounded(points: readonly Point[], last: Point): Step[] {
  const steps: Step[] = [];
  for (let number = 1; number + 1 < points.length; number++) {
    const [before, corner, after] = [points[number - 1], points[number], points[number + 1]];
    if (before && corner && after) {
      steps.push(['L', towards(corner, before)], ['Q', corner, towards(corner, after)]);
    }
  }
  return [...steps, ['L', { x: last.x - TIP, y: last.y }]];
}

/** A point near a corner, on the way to another one. */
function towards(corner: Point, other: Point): Point {
  const distance = Math.hypot(other.x - corner.x, other.y - corner.y);
  const part = distance === 0 ? 0 : Math.min(CORNER, distance / 2) / distance;
  return { x: corner.x + (other.x - corner.x) * part, y: corner.y + (other.y - corner.y) * part };
}

function exchanged({ x, y }: Point): Point {
  return { x: y, y: x };
}

function at(point: Point, direction: Direction): string {
  const { x, y } = direction === 'right' ? point : exchanged(point);
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
