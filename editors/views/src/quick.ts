// The layout of a model that changed, until ELK has found a better one: as little as will do is put elsewhere.

import {
  BAND_GAP,
  bandsOf,
  BOX_GAP,
  finished,
  sizeOf,
  transposed,
  TYPICAL_WIDTH,
  type Band,
  type Layout,
  type Rectangle,
  type Route,
  type Size,
} from './layout';
import { direct } from './lines';
import type { Box, Model } from './model';

const DISTANCE = TYPICAL_WIDTH + BAND_GAP;

/** What is new, or came into another column, is put near its neighbours. */
export function quick(model: Model, previous: Layout): Layout {
  const isDown = previous.direction === 'down';
  const { boxes, routes } = toTheRight(model, isDown ? transposed(previous) : previous, (box) => {
    const { width, height } = sizeOf(box, previous.compact);
    return isDown ? { width: height, height: width } : { width, height };
  });
  const found = { ...previous, direction: 'right' as const, boxes, routes };
  const { boxes: placed, routes: drawn } = isDown ? transposed(found) : found;
  return finished(model, previous, placed, drawn, previous);
}

function toTheRight(model: Model, previous: Layout, size: (box: Box) => Size): Pick<Layout, 'boxes' | 'routes'> {
  const shift = shiftOf(model, previous.columns);
  const boxes = new Map<string, Rectangle>();
  const moved: Box[] = [];
  for (const box of model.boxes.values()) {
    const place = previous.boxes.get(box.id);
    const column = previous.columns.get(box.id);
    // While there is a cycle, there are no columns, and everything stays where it was; so does what is in a frame.
    if (place && (box.column === null || box.parent !== null || (column !== undefined && column + shift === box.column))) {
      boxes.set(box.id, { ...place, ...size(box) });
    } else {
      moved.push(box);
    }
  }
  const bands = bandsOf(previous.columns, previous.boxes, 'right');
  for (const box of moved.sort((one, other) => (one.column ?? 0) - (other.column ?? 0))) {
    const near = model.arrows
      .filter((each) => each.from === box.id || each.to === box.id)
      .map((each) => boxes.get(each.from === box.id ? each.to : each.from))
      .filter((place) => place !== undefined);
    const old = previous.boxes.get(box.id);
    const x = box.column === null || box.parent !== null ? (old?.x ?? near[0]?.x ?? 0) : left(bands, box.column - shift);
    const wanted = near.length ? near.reduce((sum, place) => sum + place.y, 0) / near.length : (old?.y ?? 0);
    boxes.set(box.id, freePlace(boxes, x, wanted, size(box)));
  }
  const routes = new Map<string, Route>();
  const hasMoved = new Set(moved.map((box) => box.id));
  const bottom = Math.max(...[...boxes.values()].map((place) => place.y + place.height));
  for (const each of model.arrows) {
    const old = previous.routes.get(each.id);
    const stays = old && !hasMoved.has(each.from) && !hasMoved.has(each.to);
    routes.set(each.id, stays ? old : direct(each, boxes, bottom));
  }
  return { boxes, routes };
}

/**
 * By how much the columns of most boxes differ from those that they stand in. In the order of deletion boxes are as late as
 * their dependents allow: where the longest chain grows by one, so do the numbers of all columns but the first.
 */
function shiftOf(model: Model, columns: ReadonlyMap<string, number>): number {
  const counts = new Map([[0, 0]]);
  for (const { id, column } of model.boxes.values()) {
    const old = columns.get(id);
    if (column !== null && old !== undefined) {
      counts.set(column - old, (counts.get(column - old) ?? 0) + 1);
    }
  }
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Where a column begins, or would: before the first or after the last. */
function left(bands: readonly Band[], column: number): number {
  const known = bands.find((each) => each.column === column);
  const first = bands[0];
  const last = bands.at(-1);
  if (known) {
    return known.start;
  }
  if (!first || !last) {
    return (column - 1) * DISTANCE;
  }
  if (column < first.column) {
    return first.start - (first.column - column) * DISTANCE;
  }
  return last.start + last.size + BAND_GAP + Math.max(column - last.column - 1, 0) * DISTANCE;
}

/** The place nearest to the wanted one, above or below it, that no other box takes. */
function freePlace(boxes: ReadonlyMap<string, Rectangle>, x: number, wanted: number, { width, height }: Size): Rectangle {
  const others = [...boxes.values()].filter((each) => each.x < x + width && x < each.x + each.width);
  const isFree = (y: number): boolean =>
    others.every((each) => each.y + each.height + BOX_GAP / 2 <= y || y + height + BOX_GAP / 2 <= each.y);
  const beside = others.flatMap((each) => [each.y + each.height + BOX_GAP, each.y - height - BOX_GAP]);
  const free = [wanted, ...beside].filter(isFree).sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted));
  return { x, y: free[0] ?? wanted, width, height };
}
