// The layout of an expanded group's members on its way into the picture: where its lanes are, and what is in the frame.
// Arrows go down here; the picture is turned where they go to the right.

import { GATES } from './frames';
import type { Layout, Point, Rectangle, Route, Size, Sides } from './layout';

/** Where arrows that need no bend change to the lane of their box: before the members, and behind them. */
const LANE = 22;
/** The room between the outermost lane and the frame. */
const BESIDE = 9;

export class Part {
  readonly boxes = new Map<string, Rectangle>();
  readonly routes = new Map<string, Route>();
  readonly size: Size;
  readonly #content: Rectangle;
  /** Where the members begin, and where they end. */
  readonly #first: number;
  readonly #last: number;
  #origin: Point = { x: 0, y: 0 };

  constructor(
    readonly layout: Layout,
    readonly sides: Sides,
  ) {
    this.#content = contentOf(layout);
    const places = [...layout.boxes.values()];
    [this.#first, this.#last] = [Math.min(...places.map((each) => each.y)), Math.max(...places.map((each) => each.y + each.height))];
    const { width, height } = this.#content;
    this.size = { width: width + sides.left + sides.right, height: height + sides.top + sides.bottom };
  }

  /** Puts members and the arrows between them into the frame. */
  moveTo(frame: Rectangle): void {
    const { x, y } = this.#content;
    this.#origin = { x: frame.x + this.sides.left - x, y: frame.y + this.sides.top - y };
    this.layout.boxes.forEach((place, id) => this.boxes.set(id, { ...place, ...this.#moved(place) }));
    this.layout.routes.forEach(({ points, label }, id) => {
      if (!isGate(id)) {
        this.routes.set(id, { points: points.map((each) => this.#moved(each)), label: label && this.#moved(label) });
      }
    });
  }

  /** The way from a member to where an arrow leaves the frame, without that point. */
  leadOut(route: string, exit: Point): Point[] | undefined {
    const points = this.layout.routes.get(route)?.points.map((each) => this.#moved(each));
    const lane = this.#origin.y + this.#content.y + this.#content.height;
    return points && leadIn(points.reverse(), exit, lane, (y) => y >= this.#origin.y + this.#last).reverse();
  }

  /** The way from where an arrow enters the frame, without that point, to a member. */
  leadIn(route: string, entry: Point): Point[] | undefined {
    const points = this.layout.routes.get(route)?.points.map((each) => this.#moved(each));
    return points && leadIn(points, entry, this.#origin.y + this.#content.y, (y) => y <= this.#origin.y + this.#first);
  }

  #moved({ x, y }: Point): Point {
    return { x: x + this.#origin.x, y: y + this.#origin.y };
  }
}

/**
 * The way from a border to a member. The gate is left out if the first bend comes before all members; otherwise the way
 * passes between members, so it has to start at the gate.
 */
function leadIn([gate, ...points]: readonly Point[], border: Point, lane: number, isBeforeMembers: (y: number) => boolean): Point[] {
  const first = points[0];
  if (!gate || !first || points.length === 1 || !isBeforeMembers(first.y)) {
    return [{ x: border.x, y: lane }, { x: gate?.x ?? border.x, y: lane }, ...points];
  }
  return [{ x: border.x, y: first.y }, ...points.slice(1)];
}

function isGate(route: string): boolean {
  return Object.values(GATES).some((gate) => route.startsWith(gate) || route.endsWith(gate));
}

/** What the members and their arrows take, and as much of the way to the gates as arrows need to go to their boxes. */
function contentOf({ boxes, routes }: Layout): Rectangle {
  const places = [...boxes.values()];
  let [left, right] = [Math.min(...places.map((each) => each.x)), Math.max(...places.map((each) => each.x + each.width))];
  const [first, last] = [Math.min(...places.map((each) => each.y)), Math.max(...places.map((each) => each.y + each.height))];
  let [top, bottom] = [first, last];
  for (const [id, { points }] of routes) {
    // The end at the gate is nowhere yet.
    const own = id.startsWith(GATES.into) ? points.slice(1) : id.endsWith(GATES.out) ? points.slice(0, -1) : points;
    for (const { x, y } of own) {
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  const gated = [...routes.keys()];
  if (gated.some((id) => id.startsWith(GATES.into))) {
    top = Math.min(top - BESIDE, first - LANE);
  }
  if (gated.some((id) => id.endsWith(GATES.out))) {
    bottom = Math.max(bottom + BESIDE, last + LANE);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
