// Where the labels of arrows stand that the layout gave no place: each where it covers neither a box nor another label.

import { labelWidth, type Direction, type Layout, type Point, type Rectangle } from './layout';
import type { Arrow, Model } from './model';

const HEIGHT = 17;

export function labelRectangle({ x, y }: Point, text: string): Rectangle {
  const width = labelWidth(text);
  return { x: x - width / 2, y: y - HEIGHT / 2, width, height: HEIGHT };
}

/**
 * The middles of the labels of some arrows, by their ids. One that the layout knows stands there; any other one stands as near
 * to the head as it can, where arrows no longer run together. Without a free place it is left out, unless it `isNeeded`.
 */
export function placeLabels(arrows: readonly Arrow[], model: Model, layout: Layout, isNeeded: (arrow: Arrow) => boolean): Map<string, Point> {
  const placed = new Map<string, Point>();
  const taken: Rectangle[] = [];
  const take = ({ id, label }: Arrow, middle: Point): void => {
    placed.set(id, middle);
    taken.push(labelRectangle(middle, label));
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
    const all = candidates(layout.routes.get(arrow.id)?.points ?? [], layout.direction);
    const isFree = (middle: Point): boolean => {
      const place = labelRectangle(middle, arrow.label);
      return ![...boxes, ...taken].some((each) => overlap(each, place));
    };
    const middle = all.find(isFree) ?? (isNeeded(arrow) ? all[0] : undefined);
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

export function overlap(one: Rectangle, other: Rectangle): boolean {
  return one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height && other.y < one.y + one.height;
}
