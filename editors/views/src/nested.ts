// The layout of a picture with expanded groups. Each becomes a frame where its box was, and everything to the right of it
// and below makes room: whatever stands before it stays where it is.

import { gateRoute } from './frames';
import { finished, FRAME, transposed, type Layout, type Point, type Rectangle, type Route } from './layout';
import type { Arrow, Model } from './model';
import { Part } from './part';

/**
 * The layout of a model with frames. `base` is that of the same model with all groups collapsed, `inner` are those of the
 * members of each expanded group, by its id.
 */
export function nested(model: Model, base: Layout, inner: ReadonlyMap<string, Layout>): Layout {
  if (inner.size === 0) {
    return base;
  }
  const isRight = base.direction === 'right';
  const way = isRight ? transposed(base) : base;
  const parts = new Map([...inner].map(([id, each]) => [id, new Part(isRight ? transposed(each) : each, FRAME[base.direction])]));
  const { boxes, map } = spread(way.boxes, parts);
  const routes = new Map<string, Route>();
  for (const [id, part] of parts) {
    part.moveTo(boxes.get(id) as Rectangle);
    part.boxes.forEach((place, member) => boxes.set(member, place));
    part.routes.forEach((route, arrow) => routes.set(arrow, route));
  }
  for (const arrow of model.arrows) {
    if (!routes.has(arrow.id)) {
      routes.set(arrow.id, outerRoute(arrow, model, way, boxes, map, parts));
    }
  }
  const found = { ...way, direction: 'down' as const, boxes, routes };
  const { boxes: placed, routes: drawn } = isRight ? transposed(found) : found;
  return finished(model, base, placed, drawn);
}

type Mapping = (point: Point) => Point;

/** Boxes that have become larger, and where points between them are now. */
function spread(boxes: ReadonlyMap<string, Rectangle>, larger: ReadonlyMap<string, Part>): { boxes: Map<string, Rectangle>; map: Mapping } {
  const places = [...larger].map(([id, { size }]) => ({ place: boxes.get(id) as Rectangle, size }));
  const x = stretch(places.map(({ place, size }) => ({ start: place.x, end: place.x + place.width, size: size.width })));
  const y = stretch(places.map(({ place, size }) => ({ start: place.y, end: place.y + place.height, size: size.height })));
  const found = new Map<string, Rectangle>();
  for (const [id, place] of boxes) {
    const size = larger.get(id)?.size;
    if (size) {
      const [left, top] = [x(place.x), y(place.y)];
      // Room that others made beside it belongs to the frame: arrows may end there.
      const [right, bottom] = [x(place.x + place.width), y(place.y + place.height)];
      found.set(id, { x: left, y: top, width: Math.max(size.width, right - left), height: Math.max(size.height, bottom - top) });
    } else {
      // Arrows begin and end in the middle of its sides.
      found.set(id, { ...place, x: x(place.x + place.width / 2) - place.width / 2, y: y(place.y) });
    }
  }
  return { boxes: found, map: (point) => ({ x: x(point.x), y: y(point.y) }) };
}

/** Where coordinates are when room is inserted behind intervals that need to be longer. */
function stretch(wanted: readonly { start: number; end: number; size: number }[]): (value: number) => number {
  const inserted: { at: number; by: number }[] = [];
  const map = (value: number): number => inserted.reduce((sum, { at, by }) => sum + (at <= value ? by : 0), value);
  for (const { start, end, size } of [...wanted].sort((one, other) => one.end - other.end)) {
    const missing = size - (map(end) - map(start));
    if (missing > 0) {
      inserted.push({ at: end, by: missing });
    }
  }
  return map;
}

/** The route of an arrow between frames or boxes outside of them, continued to the members that it is of. */
function outerRoute(
  arrow: Arrow,
  model: Model,
  base: Layout,
  boxes: ReadonlyMap<string, Rectangle>,
  map: Mapping,
  parts: ReadonlyMap<string, Part>,
): Route {
  const [from, to] = [model.boxes.get(arrow.from), model.boxes.get(arrow.to)];
  const [tail, head] = [from?.parent ?? arrow.from, to?.parent ?? arrow.to];
  const known = base.routes.get(`${tail}→${head}`);
  const [start, end] = [boxes.get(tail), boxes.get(head)];
  if (!known || !start || !end || known.points.length < 2) {
    return { points: [], label: null };
  }
  const points = known.points.map(map);
  const first = points[0] as Point;
  const last = points.at(-1) as Point;
  const [isDown, endsBelow] = [first.y <= (points[1] as Point).y, last.y >= (points.at(-2) as Point).y];
  points[0] = { x: first.x, y: isDown ? start.y + start.height : start.y };
  points[points.length - 1] = { x: last.x, y: endsBelow ? end.y : end.y + end.height };
  const out = from?.parent ? parts.get(tail)?.leadOut(gateRoute('out', arrow.from), points[0]) : undefined;
  const into = to?.parent ? parts.get(head)?.leadIn(gateRoute('into', arrow.to), points.at(-1) as Point) : undefined;
  // Where the way goes on within a frame, it does not bend at its border.
  const between = points.slice(out ? 1 : 0, into ? -1 : undefined);
  return { points: [...(out ?? []), ...between, ...(into ?? [])], label: known.label && !out && !into ? map(known.label) : null };
}
