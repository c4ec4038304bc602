// Where the labels of arrows stand that the layout gave no place: each where it covers neither a box nor another label.

import { labelRectangle, type Direction, type Layout, type Point, type Rectangle } from './layout';
import { legible } from './look';
import type { Arrow, Model } from './model';

/** How large a label is written in the picture, and how large the number on a merged arrow may become. */
const SIZE = 10;
const LARGEST_NUMBER = 22;
/** Lines nearer to each other than this look like one. */
const APART = 6;
const HEAD = 10;

/** The size of an arrow's label: a number is short enough to stay readable when the picture is small. */
export function labelSize({ count }: Arrow, zoom: number): number {
  return count > 1 ? legible(SIZE, zoom, LARGEST_NUMBER) : SIZE;
}

/** What the label of an arrow takes around its middle. */
export function labelPlace(arrow: Arrow, middle: Point, zoom: number): Rectangle {
  return labelRectangle(middle, arrow.label, labelSize(arrow, zoom) / SIZE);
}

/**
 * The middles of the labels of some arrows, by their ids. One that the layout knows stands there; any other one stands as near
 * to the head as it can where its arrow runs alone. Without a free place it is left out, unless it `isNeeded`.
 */
export function placeLabels(
  arrows: readonly Arrow[],
  model: Model,
  layout: Layout,
  isNeeded: (arrow: Arrow) => boolean,
  zoom = 1,
): Map<string, Point> {
  const placed = new Map<string, Point>();
  const taken: Rectangle[] = [];
  const take = (arrow: Arrow, middle: Point): void => {
    placed.set(arrow.id, middle);
    taken.push(labelPlace(arrow, middle, zoom));
  };
  const known = (arrow: Arrow): Point | null => layout.routes.get(arrow.id)?.label ?? null;
  for (const arrow of arrows) {
    const middle = known(arrow);
    if (middle) {
      take(arrow, middle);
    }
  }
  const boxes = [...layout.boxes].filter(([id]) => model.boxes.get(id)?.isExpanded === false).map(([, place]) => place);
  for (const arrow of arrows.filter((each) => !known(each))) {
    const points = layout.routes.get(arrow.id)?.points ?? [];
    const all = candidates(points, layout.direction);
    const tip = headAt(points, layout.direction);
    const isFree = (middle: Point): boolean => {
      const place = labelPlace(arrow, middle, zoom);
      return ![...boxes, ...taken, ...tip].some((each) => overlap(each, place));
    };
    const isAlone = (middle: Point): boolean => ![...layout.routes].some(([id, route]) => id !== arrow.id && isNear(middle, route.points));
    const middle = all.find((each) => isFree(each) && isAlone(each)) ?? (isNeeded(arrow) ? (all.find(isFree) ?? all[0]) : undefined);
    if (middle) {
      take(arrow, middle);
    }
  }
  return placed;
}

/** Points on a route, those near its head first. */
function candidates(points: readonly Point[], direction: Direction): Point[] {
  const found: Point[] = [];
  for (let number = points.length - 1; number > 0; number--) {
    const [from, to] = [points[number - 1] as Point, points[number] as Point];
    const at = (share: number): Point => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
    // Where an arrow changes its lane, its line is a curve through the middle.
    const isAlong = points.length === 2 || (direction === 'right' ? from.y === to.y : from.x === to.x);
    found.push(...(isAlong ? [0.5, 0.7, 0.3, 0.85, 0.15] : [0.5]).map(at));
  }
  return found;
}

/** What the head of an arrow takes. */
function headAt(points: readonly Point[], direction: Direction): Rectangle[] {
  const tip = points.at(-1);
  if (!tip) {
    return [];
  }
  const [x, y] = direction === 'right' ? [tip.x - HEAD, tip.y - HEAD / 2] : [tip.x - HEAD / 2, tip.y - HEAD];
  return [{ x, y, width: HEAD, height: HEAD }];
}

/** Whether a route, whose lines are level or upright, passes a point. */
function isNear({ x, y }: Point, points: readonly Point[]): boolean {
  return points.slice(1).some((to, number) => {
    const from = points[number] as Point;
    return (
      x >= Math.min(from.x, to.x) - APART &&
      x <= Math.max(from.x, to.x) + APART &&
      y >= Math.min(from.y, to.y) - APART &&
      y <= Math.max(from.y, to.y) + APART
    );
  });
}

export function overlap(one: Rectangle, other: Rectangle): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}
