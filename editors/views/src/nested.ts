// The layout of a picture with expanded groups. Each becomes a frame where its box was, and everything to the right of it
// and below makes room: whatever stands before it stays where it is.

import { finished, FRAME, transposed, type Layout, type Point, type Rectangle, type Route } from './layout';
import type { Arrow, Model } from './model';

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
  const shapes = new Map([...inner].map(([id, each]) => [id, frameOf(isRight ? transposed(each) : each)]));
  const { boxes, map } = spread(way.boxes, shapes);
  const routes = new Map<string, Route>();
  for (const [id, each] of inner) {
    const place = boxes.get(id) as Rectangle;
    const origin = isRight ? { x: place.x + FRAME.top, y: place.y + FRAME.side } : { x: place.x + FRAME.side, y: place.y + FRAME.top };
    addInner(isRight ? transposed(each) : each, origin, boxes, routes);
  }
  for (const arrow of model.arrows) {
    if (!routes.has(arrow.id)) {
      routes.set(arrow.id, outerRoute(arrow, model, way, boxes, map, isRight ? FRAME.side : FRAME.top));
    }
  }
  const found = { ...way, direction: 'down' as const, boxes, routes };
  const { boxes: placed, routes: drawn } = isRight ? transposed(found) : found;
  return finished(model, base, placed, drawn);

  function frameOf({ bounds }: Layout): { width: number; height: number } {
    // In the picture, the title of a frame stands above its members, whichever way the arrows go.
    const [along, across] = isRight ? [2 * FRAME.side, FRAME.top + FRAME.side] : [FRAME.top + FRAME.side, 2 * FRAME.side];
    return { width: bounds.width + across, height: bounds.height + along };
  }
}

function addInner({ boxes, routes, bounds }: Layout, origin: Point, toBoxes: Map<string, Rectangle>, toRoutes: Map<string, Route>): void {
  const moved = ({ x, y }: Point): Point => ({ x: x - bounds.x + origin.x, y: y - bounds.y + origin.y });
  boxes.forEach((place, id) => toBoxes.set(id, { ...place, ...moved(place) }));
  routes.forEach(({ points, label }, id) => toRoutes.set(id, { points: points.map(moved), label: label && moved(label) }));
}

type Mapping = (point: Point) => Point;

/** Boxes that have become larger, and where points between them are now. */
function spread(
  boxes: ReadonlyMap<string, Rectangle>,
  larger: ReadonlyMap<string, { width: number; height: number }>,
): { boxes: Map<string, Rectangle>; map: Mapping } {
  const places = [...larger].map(([id, size]) => ({ place: boxes.get(id) as Rectangle, size }));
  const x = stretch(places.map(({ place, size }) => ({ start: place.x, end: place.x + place.width, size: size.width })));
  const y = stretch(places.map(({ place, size }) => ({ start: place.y, end: place.y + place.height, size: size.height })));
  const found = new Map<string, Rectangle>();
  for (const [id, place] of boxes) {
    const size = larger.get(id);
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
function outerRoute(arrow: Arrow, model: Model, base: Layout, boxes: ReadonlyMap<string, Rectangle>, map: Mapping, entryRoom: number): Route {
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
  const out = from?.parent ? leadOut(boxes.get(arrow.from), start, points[0]) : null;
  const into = to?.parent ? leadIn(boxes.get(arrow.to), end, points.at(-1) as Point, entryRoom) : null;
  // Where the way goes on within a frame, it does not bend at its border.
  const between = points.slice(out ? 1 : 0, into ? -1 : undefined);
  return { points: [...(out ?? []), ...between, ...(into ?? [])], label: known.label && !out && !into ? map(known.label) : null };
}

/** The way from a member to where the arrow leaves its frame. */
function leadOut(box: Rectangle | undefined, frame: Rectangle, exit: Point): Point[] | null {
  if (!box) {
    return null;
  }
  const x = box.x + box.width / 2;
  const turn = frame.y + frame.height - FRAME.side / 2;
  return [{ x, y: box.y + box.height }, { x, y: turn }, { x: exit.x, y: turn }];
}

/** The way from where an arrow enters a frame to the member that it leads to. */
function leadIn(box: Rectangle | undefined, frame: Rectangle, entry: Point, room: number): Point[] | null {
  if (!box) {
    return null;
  }
  const x = box.x + box.width / 2;
  const turn = frame.y + room - 8;
  return [{ x: entry.x, y: turn }, { x, y: turn }, { x, y: box.y }];
}
