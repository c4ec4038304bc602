// Where boxes and arrows stand, as values.

import type { Box, Model } from './model';
import { textWidth } from './text';

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Rectangle extends Point, Size {}

export interface Route {
  points: Point[];
  /** The middle of the label, where it has a place of its own. */
  label: Point | null;
}

/** The way that arrows lead: to the right in a wide pane, down in a tall one. */
export type Direction = 'right' | 'down';

/** The part of the picture that one column of the model takes: where it begins along the direction, and its size. */
export interface Band {
  column: number;
  start: number;
  size: number;
}

/** The part of a frame that one column of the model takes. */
export interface FrameBand {
  frame: string;
  column: number;
  place: Rectangle;
}

/** The room that a frame keeps around its members where arrows go down; where they go to the right, the picture is turned. */
export interface Sides {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Layout {
  direction: Direction;
  /** Boxes are one line high and show the id alone. */
  compact: boolean;
  /** Labels have places of their own. */
  labels: boolean;
  boxes: Map<string, Rectangle>;
  routes: Map<string, Route>;
  /** The column of each box: while there is a cycle, which takes the columns away, the last one that it had. */
  columns: Map<string, number>;
  bands: Band[];
  frameBands: FrameBand[];
  bounds: Rectangle;
}

/** The layout before anything was laid out. */
export const EMPTY: Layout = {
  direction: 'right',
  compact: false,
  labels: false,
  boxes: new Map(),
  routes: new Map(),
  columns: new Map(),
  bands: [],
  frameBands: [],
  bounds: { x: 0, y: 0, width: 1, height: 1 },
};

/** The room between boxes of a layer, between layers, and between the boxes of a layer and the arrows that turn beside it. */
export const GAPS = { full: { boxGap: 24, layerGap: 80, turnGap: 20 }, compact: { boxGap: 14, layerGap: 36, turnGap: 10 } };
export const BAND_GAP = 90;
export const BOX_GAP = 24;
export const TYPICAL_WIDTH = 250;
/** Above this, ELK may spend less on crossings, which would take seconds, and nothing is animated. */
export const MANY_BOXES = 60;

/** Where the parts of a box stand, from its left edge. */
export const FULL = { height: 54, icon: 30, iconAt: 11, textAt: 51, end: 13, briefEnd: 6 };
/** A compact box is as wide as its id, but has room for its kind in the smallest size that it is written in when it is near. */
export const COMPACT = { height: 28, icon: 18, iconAt: 5, textAt: 28, end: 8, smallestKind: 0.42 };
/** Where the parts of a collapsed group stand. */
export const GROUP = { height: 62, icon: 34, iconAt: 11, textAt: 55, end: 34, smallest: 170, largest: 250 };
/** The head of a frame, and the room for the titles of columns below it or beside it. */
export const HEAD = 32;
const SIDE = 16;
export const FRAME: Record<Direction, Sides> = {
  down: { top: HEAD + 12, right: SIDE, bottom: SIDE, left: SIDE + 56 },
  right: { top: SIDE, right: SIDE, bottom: SIDE, left: HEAD + 26 },
};
const FRAME_BAND_PAD = 10;
const FIELD_HEIGHT = 30;
const SMALLEST_WIDTH = 150;

/** The size of a box: as wide as its texts. */
export function sizeOf(box: Box, compact: boolean): Size {
  if (box.type === 'Field') {
    const type = box.subtitle ? 10 + textWidth(box.subtitle, 'fieldType') : 0;
    return { width: Math.ceil(24 + textWidth(box.title, 'field') + type), height: FIELD_HEIGHT };
  }
  if (box.type === 'Group') {
    const text = Math.max(textWidth(box.title, 'title'), textWidth(box.subtitle, 'subtitle'));
    return { width: Math.min(Math.max(Math.ceil(GROUP.textAt + text + GROUP.end), GROUP.smallest), GROUP.largest), height: GROUP.height };
  }
  const { height, textAt, end } = compact ? COMPACT : FULL;
  const title = textWidth(box.title, 'title');
  const text = compact
    ? Math.max(title, textWidth(box.subtitle, 'subtitle') * COMPACT.smallestKind)
    : Math.max(title, textWidth(box.subtitle, 'subtitle'), SMALLEST_WIDTH - textAt - end);
  return { width: Math.ceil(textAt + text + end), height };
}

export function labelWidth(label: string): number {
  return Math.ceil(textWidth(label, 'label')) + 12;
}

const LABEL_HEIGHT = 17;

/** What a label takes around its middle, written so many times as large. */
export function labelRectangle({ x, y }: Point, text: string, scale = 1): Rectangle {
  const [width, height] = [labelWidth(text) * scale, LABEL_HEIGHT * scale];
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** A layout with its directions exchanged: what went right goes down. */
export function transposed(layout: Layout): Layout {
  const rectangle = ({ x, y, width, height }: Rectangle): Rectangle => ({ x: y, y: x, width: height, height: width });
  const point = ({ x, y }: Point): Point => ({ x: y, y: x });
  return {
    ...layout,
    direction: layout.direction === 'right' ? 'down' : 'right',
    boxes: new Map([...layout.boxes].map(([id, place]) => [id, rectangle(place)])),
    routes: new Map([...layout.routes].map(([id, { points, label }]) => [id, { points: points.map(point), label: label && point(label) }])),
    frameBands: layout.frameBands.map((each) => ({ ...each, place: rectangle(each.place) })),
    bounds: rectangle(layout.bounds),
  };
}

/** The layout of boxes and routes that have their places; what has no column now stands in that of the previous layout. */
export function finished(
  model: Model,
  { direction, compact, labels }: Pick<Layout, 'direction' | 'compact' | 'labels'>,
  boxes: Map<string, Rectangle>,
  routes: Map<string, Route>,
  previous = EMPTY,
): Layout {
  const now = columnsOf([...model.boxes.values()].filter((box) => box.parent === null));
  const columns = new Map([...[...previous.columns].filter(([id]) => boxes.has(id)), ...now]);
  const frameBands = frameBandsOf(model, boxes, direction);
  return {
    direction,
    compact,
    labels,
    boxes,
    routes,
    columns,
    bands: bandsOf(now, boxes, direction),
    frameBands,
    bounds: boundsOf(model, boxes, routes),
  };
}

function columnsOf(all: readonly Box[]): Map<string, number> {
  return new Map(all.map(({ id, column }) => [id, column] as const).filter((each): each is readonly [string, number] => each[1] !== null));
}

/** What the columns of members take in their frames. */
function frameBandsOf(model: Model, boxes: ReadonlyMap<string, Rectangle>, direction: Direction): FrameBand[] {
  const all = [...model.boxes.values()];
  return all
    .filter((box) => box.isExpanded)
    .flatMap(({ id }) => {
      const { x, y, width, height } = boxes.get(id) ?? EMPTY.bounds;
      const bands = bandsOf(columnsOf(all.filter((box) => box.parent === id)), boxes, direction);
      return bands.map(({ column, start, size }) => {
        const [from, long] = [start - FRAME_BAND_PAD, size + 2 * FRAME_BAND_PAD];
        const place =
          direction === 'right'
            ? { x: from, y: y + HEAD + 4, width: long, height: height - HEAD - 10 }
            : { x: x + 6, y: from, width: width - 12, height: long };
        return { frame: id, column, place };
      });
    });
}

function boundsOf(model: Model, boxes: ReadonlyMap<string, Rectangle>, routes: ReadonlyMap<string, Route>): Rectangle {
  let [left, top, right, bottom] = [0, 0, 1, 1];
  const take = (x: number, y: number): void => {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  };
  const labels = model.arrows.map((each) => {
    const middle = routes.get(each.id)?.label;
    return middle && each.label !== '' ? labelRectangle(middle, each.label) : null;
  });
  for (const { x, y, width, height } of [...boxes.values(), ...labels.filter((each) => each !== null)]) {
    take(x, y);
    take(x + width, y + height);
  }
  for (const { points } of routes.values()) {
    for (const { x, y } of points) {
      take(x, y);
    }
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export function bandsOf(columns: ReadonlyMap<string, number>, boxes: ReadonlyMap<string, Rectangle>, direction: Direction): Band[] {
  const extents = new Map<number, [number, number]>();
  for (const [id, column] of columns) {
    const place = boxes.get(id);
    if (place) {
      const [start, end] = extents.get(column) ?? [Infinity, -Infinity];
      const [from, size] = direction === 'right' ? [place.x, place.width] : [place.y, place.height];
      extents.set(column, [Math.min(start, from), Math.max(end, from + size)]);
    }
  }
  return [...extents]
    .map(([column, [start, end]]) => ({ column, start, size: end - start }))
    .sort((one, other) => one.column - other.column);
}
