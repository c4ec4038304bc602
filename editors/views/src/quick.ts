// The layout of a model that changed, until ELK has found a better one: as little as will do is put elsewhere.

import { COLUMN_GAP, columnsOf, finished, LARGEST_WIDTH, ROW, sizeOf, TYPICAL_WIDTH, type Column, type Layout, type Rectangle, type Route } from './layout';
import type { Arrow, Box, Model } from './model';

/** What is new, or came into another column, is put near its neighbours. */
export function quick(model: Model, before: Layout): Layout {
  const shift = shiftOf(model, before.waves);
  const boxes = new Map<string, Rectangle>();
  const moved: Box[] = [];
  for (const box of model.boxes.values()) {
    const place = before.boxes.get(box.id);
    const wave = before.waves.get(box.id);
    // While there is a cycle, there are no waves, and everything stays where it was.
    if (place && (box.wave === null || (wave !== undefined && wave + shift === box.wave))) {
      boxes.set(box.id, { ...place, ...sizeOf(box) });
    } else {
      moved.push(box);
    }
  }
  const columns = columnsOf(before.waves, before.boxes);
  for (const box of moved.sort((one, other) => (one.wave ?? 0) - (other.wave ?? 0))) {
    const size = sizeOf(box);
    const near = model.arrows
      .filter((each) => each.from === box.id || each.to === box.id)
      .map((each) => boxes.get(each.from === box.id ? each.to : each.from))
      .filter((place) => place !== undefined);
    const old = before.boxes.get(box.id);
    const x = box.wave === null ? (old?.x ?? near[0]?.x ?? 0) : left(columns, box.wave - shift);
    const wanted = near.length ? near.reduce((sum, place) => sum + place.y, 0) / near.length : (old?.y ?? 0);
    boxes.set(box.id, { x, y: freeRow(boxes, x, wanted, size.width), ...size });
  }
  const routes = new Map<string, Route>();
  const hasMoved = new Set(moved.map((box) => box.id));
  for (const each of model.arrows) {
    const old = before.routes.get(each.id);
    const stays = old && !hasMoved.has(each.from) && !hasMoved.has(each.to);
    routes.set(each.id, stays ? old : direct(each, boxes));
  }
  return finished(model, boxes, routes, before);
}

/**
 * By how much the waves of most boxes differ from those that they stand in. Boxes are as late as their dependents allow:
 * where the longest chain grows by one, the waves of all that is not before it do, and the columns stay with them.
 */
function shiftOf(model: Model, waves: ReadonlyMap<string, number>): number {
  const counts = new Map([[0, 0]]);
  for (const { id, wave } of model.boxes.values()) {
    const old = waves.get(id);
    if (wave !== null && old !== undefined) {
      counts.set(wave - old, (counts.get(wave - old) ?? 0) + 1);
    }
  }
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/** Where the column of a wave begins, or would: before the first or after the last. */
function left(columns: readonly Column[], wave: number): number {
  const known = columns.find((each) => each.wave === wave);
  const first = columns[0];
  const last = columns.at(-1);
  if (known) {
    return known.x;
  }
  if (!first || !last) {
    return (wave - 1) * (TYPICAL_WIDTH + COLUMN_GAP);
  }
  if (wave < first.wave) {
    return first.x - (first.wave - wave) * (LARGEST_WIDTH + COLUMN_GAP);
  }
  return last.x + last.width + COLUMN_GAP + Math.max(wave - last.wave - 1, 0) * (LARGEST_WIDTH + COLUMN_GAP);
}

function freeRow(boxes: ReadonlyMap<string, Rectangle>, x: number, wanted: number, width: number): number {
  const taken = [...boxes.values()].filter((each) => each.x < x + width && x < each.x + each.width);
  for (let step = 0; step < 2 * taken.length + 2; step++) {
    const y = wanted + (step % 2 ? 1 : -1) * Math.ceil(step / 2) * ROW;
    if (taken.every((each) => Math.abs(each.y - y) >= ROW - 12)) {
      return y;
    }
  }
  return wanted;
}

function direct(arrow: Arrow, boxes: ReadonlyMap<string, Rectangle>): Route {
  const from = boxes.get(arrow.from);
  const to = boxes.get(arrow.to);
  if (!from || !to) {
    return { points: [], label: null };
  }
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  return { points: [start, { x: to.x, y: to.y + to.height / 2 }], label: null };
}
