// Where boxes and arrows stand. ELK finds that out in a worker.

import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js';

import type { Box, Model } from './model';

export interface Point {
  x: number;
  y: number;
}

export interface Rectangle extends Point {
  width: number;
  height: number;
}

export interface Route {
  points: Point[];
  /** The middle of the label, where it has a place of its own. */
  label: Point | null;
}

export interface Column {
  wave: number;
  x: number;
  width: number;
}

export interface Layout {
  boxes: Map<string, Rectangle>;
  routes: Map<string, Route>;
  /** The wave in whose column each box stands: while there is a cycle, which takes the waves away, the last it had. */
  waves: Map<string, number>;
  columns: Column[];
  bounds: Rectangle;
}

const BOX_HEIGHT = 54;
const FIELD_HEIGHT = 30;
export const ROW = BOX_HEIGHT + 24;
export const COLUMN_GAP = 90;
const FIELD_WAVE = 0;
/** What the sides of a large picture should be to each other: a screen's. */
const WANTED_RATIO = 1.7;
export const TYPICAL_WIDTH = 250;
export const LARGEST_WIDTH = 340;
/** The height of a row in a large picture, where arrows pass between the boxes. */
const PASSED_ROW = 190;
/** Waves with fewer boxes are one column each. */
const SHORT_WAVE = 10;
/** With more arrows than this, labels are shown where one looks, and need no place of their own. */
export const MOST_LABELS = 36;
/** Above this, ELK may spend less on crossings, which would take seconds, and nothing is animated. */
export const MANY_BOXES = 60;
/** Above so many layers that arrows pass, ELK takes tens of seconds to place what stands on their way exactly. */
const MANY_PASSED = 1000;
/** Whoever waits longer for a better layout looks at something else. */
const MOST_MILLISECONDS = 15_000;

export function sizeOf(box: Box): { width: number; height: number } {
  if (box.type === 'Field') {
    const width = 24 + box.title.length * 6.6 + (box.subtitle ? 10 + box.subtitle.length * 5.8 : 0);
    return { width: Math.round(width), height: FIELD_HEIGHT };
  }
  const width = 64 + Math.max(box.title.length * 8.2, box.subtitle.length * 6.5 + (box.state ? 30 : 0));
  return { width: Math.round(Math.min(Math.max(width, 150), LARGEST_WIDTH)), height: BOX_HEIGHT };
}

export function labelWidth(label: string): number {
  return label.length * 6.1 + 12;
}

/** A text that is the same for models that are laid out in the same way. */
export function structure(model: Model, labels: boolean): string {
  const boxes = [...model.boxes.values()].map((box) => `${box.id}:${sizeOf(box).width}:${box.wave ?? ''}`);
  const arrows = model.arrows.map((each) => (labels ? `${each.id}:${each.label.length}` : each.id));
  return `${boxes.join()};${arrows.join()}`;
}

export function hasRoomForLabels(model: Model): boolean {
  return model.arrows.filter((each) => !each.isField).length <= MOST_LABELS && layersOf(model) === null;
}

/** What is known before anything was laid out. */
export const EMPTY: Layout = {
  boxes: new Map(),
  routes: new Map(),
  waves: new Map(),
  columns: [],
  bounds: { x: 0, y: 0, width: 1, height: 1 },
};

/** What elkjs takes for a Worker. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  terminate(): void;
}

/** A layout was not found in time. */
export class LayoutTimeout extends Error {}

export class LayoutEngine {
  #elk: InstanceType<typeof ELK> | null = null;
  /** How long the last layout took. */
  took = 0;

  constructor(
    readonly makeWorker: () => WorkerLike,
    readonly milliseconds = MOST_MILLISECONDS,
  ) {}

  /** Rejects with LayoutTimeout where it takes too long; the worker is ended then, whatever it does. */
  async layout(model: Model, labels: boolean): Promise<Layout> {
    const elk = (this.#elk ??= new ELK({ workerFactory: () => this.makeWorker() as Worker }));
    const start = performance.now();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        elk.terminateWorker();
        this.#elk = null;
        reject(new LayoutTimeout());
      }, this.milliseconds);
    });
    try {
      return fromElk(await Promise.race([elk.layout(toElk(model, labels)), late]), model);
    } finally {
      this.took = performance.now() - start;
      clearTimeout(timer);
    }
  }
}

/**
 * Which of ELK's layers each box goes to: its wave, and where waves are long, a part of it. Null where ELK is to decide,
 * which gives the waves as well, and room for labels between them.
 */
function layersOf(model: Model): Map<string, number> | null {
  const waves = new Map<number, Box[]>();
  for (const box of model.boxes.values()) {
    const wave = box.type === 'Field' ? FIELD_WAVE : box.wave;
    if (wave === null) {
      return null;
    }
    waves.set(wave, [...(waves.get(wave) ?? []), box]);
  }
  const sizes = [...waves.values()].map((boxes) => boxes.length);
  if (Math.max(...sizes, 0) <= SHORT_WAVE) {
    return null;
  }
  const rows = wantedRows(sizes);
  const order = new Map([...model.boxes.keys()].map((id, number) => [id, number]));
  const firstNeed = new Map<string, number>();
  for (const { from, to } of model.arrows) {
    firstNeed.set(to, Math.min(firstNeed.get(to) ?? Infinity, order.get(from) ?? Infinity));
  }
  const layers = new Map<string, number>();
  let layer = 0;
  for (const [, boxes] of [...waves].sort(([one], [other]) => one - other)) {
    // What needs the same stays together.
    const place = (box: Box): number => firstNeed.get(box.id) ?? order.get(box.id) ?? 0;
    boxes.sort((one, other) => place(one) - place(other));
    const parts = Math.ceil(boxes.length / rows);
    boxes.forEach((box, number) => layers.set(box.id, layer + Math.floor((number * parts) / boxes.length)));
    layer += parts;
  }
  return layers;
}

/** How many boxes one layer holds at most, so that the whole picture has the shape of a screen. */
function wantedRows(sizes: readonly number[]): number {
  let best = SHORT_WAVE;
  let least = Infinity;
  for (let rows = SHORT_WAVE; rows <= Math.max(...sizes); rows++) {
    const layers = sizes.reduce((sum, size) => sum + Math.ceil(size / rows), 0);
    const difference = Math.abs(Math.log((layers * TYPICAL_WIDTH) / (rows * PASSED_ROW) / WANTED_RATIO));
    if (difference < least) {
      [best, least] = [rows, difference];
    }
  }
  return best;
}

/** How many layers arrows pass on their way: in each ELK places something for each. */
function passedLayers(model: Model, layers: ReadonlyMap<string, number> | null): number {
  const layerOf = (id: string): number => layers?.get(id) ?? model.boxes.get(id)?.wave ?? 0;
  return model.arrows.reduce((sum, { from, to }) => sum + Math.max(layerOf(to) - layerOf(from) - 1, 0), 0);
}

function toElk(model: Model, labels: boolean): ElkNode {
  const many = model.boxes.size > MANY_BOXES;
  const layers = layersOf(model);
  const dense = passedLayers(model, layers) > MANY_PASSED;
  return {
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.separateConnectedComponents': 'false',
      // Every box as far to the right as its dependents allow: kro's apply waves are the columns.
      'elk.layered.layering.strategy': layers ? 'INTERACTIVE' : 'LONGEST_PATH',
      'elk.layered.considerModelOrder.strategy': dense ? 'NONE' : 'NODES_AND_EDGES',
      'elk.layered.crossingMinimization.greedySwitch.type': dense ? 'OFF' : 'TWO_SIDED',
      'elk.layered.mergeEdges': 'true',
      'elk.layered.thoroughness': many ? '1' : '7',
      'elk.layered.nodePlacement.strategy': dense ? 'SIMPLE' : many ? 'LINEAR_SEGMENTS' : 'BRANDES_KOEPF',
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.spacing.nodeNode': many ? '18' : '24',
      'elk.spacing.edgeNode': '18',
      'elk.spacing.edgeEdge': '8',
      'elk.layered.spacing.nodeNodeBetweenLayers': labels ? '26' : String(COLUMN_GAP - 10),
      'elk.layered.spacing.edgeNodeBetweenLayers': '20',
      'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
      'elk.spacing.edgeLabel': '2',
    },
    children: [...model.boxes.values()].map((box) => ({
      id: box.id,
      ...sizeOf(box),
      ...(layers ? { x: (layers.get(box.id) ?? 0) * 2 * TYPICAL_WIDTH, y: 0 } : {}),
      ...(!layers && box.type === 'Field' ? { layoutOptions: { 'elk.layered.layering.layerConstraint': 'FIRST' } } : {}),
    })),
    edges: model.arrows.map((each) => ({
      id: each.id,
      sources: [each.from],
      targets: [each.to],
      ...(labels && each.label !== ''
        ? {
            labels: [
              {
                text: each.label,
                width: labelWidth(each.label),
                height: 18,
                layoutOptions: { 'elk.edgeLabels.inline': 'true' },
              },
            ],
          }
        : {}),
    })),
  };
}

function fromElk(found: ElkNode, model: Model): Layout {
  const boxes = new Map<string, Rectangle>();
  for (const { id, x = 0, y = 0, width = 0, height = 0 } of found.children ?? []) {
    boxes.set(id, { x, y, width, height });
  }
  const routes = new Map<string, Route>();
  for (const edge of found.edges ?? []) {
    routes.set(edge.id, routeOf(edge));
  }
  return finished(model, boxes, routes);
}

function routeOf(edge: ElkExtendedEdge): Route {
  const section = edge.sections?.[0];
  const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
  const label = edge.labels?.[0];
  const middle =
    label?.x === undefined || label.y === undefined
      ? null
      : { x: label.x + (label.width ?? 0) / 2, y: label.y + (label.height ?? 0) / 2 };
  return { points, label: middle };
}

/** The layout of boxes and routes that have their places; what has no wave now stands in that of the layout before. */
export function finished(model: Model, boxes: Map<string, Rectangle>, routes: Map<string, Route>, before = EMPTY): Layout {
  const now = wavesOf(model);
  const waves = new Map([...[...before.waves].filter(([id]) => boxes.has(id)), ...now]);
  return { boxes, routes, waves, columns: columnsOf(now, boxes), bounds: boundsOf(boxes, routes) };
}

function boundsOf(boxes: ReadonlyMap<string, Rectangle>, routes: ReadonlyMap<string, Route>): Rectangle {
  let [left, top, right, bottom] = [0, 0, 1, 1];
  const take = (x: number, y: number): void => {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x);
    bottom = Math.max(bottom, y);
  };
  for (const { x, y, width, height } of boxes.values()) {
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

function wavesOf(model: Model): Map<string, number> {
  const waves = new Map<string, number>();
  for (const { id, wave } of model.boxes.values()) {
    if (wave !== null) {
      waves.set(id, wave);
    }
  }
  return waves;
}

export function columnsOf(waves: ReadonlyMap<string, number>, boxes: ReadonlyMap<string, Rectangle>): Column[] {
  const extents = new Map<number, [number, number]>();
  for (const [id, wave] of waves) {
    const place = boxes.get(id);
    if (place) {
      const [left, right] = extents.get(wave) ?? [Infinity, -Infinity];
      extents.set(wave, [Math.min(left, place.x), Math.max(right, place.x + place.width)]);
    }
  }
  return [...extents]
    .map(([wave, [left, right]]) => ({ wave, x: left, width: right - left }))
    .sort((one, other) => one.wave - other.wave);
}
