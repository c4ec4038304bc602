// A layout found by ELK, in a worker.

import ELK, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk-api.js';

import { READABLE, type Arrangement } from './arrangement';
import {
  BOX_GAP,
  finished,
  GAPS,
  labelWidth,
  MANY_BOXES,
  sizeOf,
  transposed,
  TYPICAL_WIDTH,
  type Layout,
  type Rectangle,
  type Route,
  type Size,
} from './layout';
import { GATES, gateRoute, type Part } from './frames';
import { direct } from './lines';
import { backArrows, type Model } from './model';

/** If arrows cross more layers than this in total, exact placement takes ELK tens of seconds. */
const MANY_PASSED = 1000;
/** After this time a better layout is not worth waiting for. */
const MOST_MILLISECONDS = 15_000;

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

  /**
   * The largest of the pictures that the arrangements give in a pane. Rejects with LayoutTimeout where it takes too long; the
   * worker is ended then, whatever it does.
   */
  async layout(model: Model | Part, arrangements: readonly Arrangement[], pane: Size): Promise<Layout> {
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
      const scale = ({ bounds }: Layout): number => Math.min(pane.width / bounds.width, pane.height / bounds.height, 1);
      const layouts: Layout[] = [];
      for (const alike of byLook(arrangements)) {
        const found = await Promise.race([Promise.all(alike.map((each) => elk.layout(toElk(model, each)))), late]).catch(
          (error: unknown) => {
            // A smaller picture is better than none.
            if (layouts.length > 0 && error instanceof LayoutTimeout) {
              return [];
            }
            throw error;
          },
        );
        layouts.push(...found.map((each, number) => fromElk(each, model, alike[number] as Arrangement)));
        if (layouts.some((each) => scale(each) >= READABLE)) {
          break;
        }
      }
      return layouts.reduce((one, other) => (scale(other) > scale(one) ? other : one));
    } finally {
      this.took = performance.now() - start;
      clearTimeout(timer);
    }
  }
}

/** Arrangements in the same order, those with boxes of the same look together. */
function byLook(arrangements: readonly Arrangement[]): Arrangement[][] {
  const found = new Map<string, Arrangement[]>();
  for (const each of arrangements) {
    const look = `${each.compact} ${each.labels}`;
    found.set(look, [...(found.get(look) ?? []), each]);
  }
  return [...found.values()];
}

/** How many layers arrows pass on their way: in each ELK places something for each. */
function passedLayers(model: Model, layers: ReadonlyMap<string, number>): number {
  const layerOf = (id: string): number => layers.get(id) ?? 0;
  return model.arrows.reduce((sum, { from, to }) => sum + Math.max(layerOf(to) - layerOf(from) - 1, 0), 0);
}

function toElk(model: Model | Part, { direction, compact, labels, layers, lanes }: Arrangement): ElkNode {
  const many = model.boxes.size > MANY_BOXES;
  const dense = passedLayers(model, layers ?? lanes) > MANY_PASSED;
  const { boxGap, layerGap, turnGap } = GAPS[compact ? 'compact' : 'full'];
  const spine = layers ? { children: [], edges: [] } : spineOf(model, lanes);
  const gates = gatesOf(model, layers, direction);
  const back = backArrows(model);
  const label = (text: string): object => ({
    text,
    ...(text === '' ? { width: 1, height: 1 } : { width: labelWidth(text), height: 18 }),
    layoutOptions: { 'elk.edgeLabels.inline': 'true' },
  });
  return {
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': direction === 'right' ? 'RIGHT' : 'DOWN',
      'elk.separateConnectedComponents': 'false',
      'elk.layered.layering.strategy': layers ? 'INTERACTIVE' : 'LONGEST_PATH_SOURCE',
      'elk.layered.considerModelOrder.strategy': dense ? 'NONE' : 'NODES_AND_EDGES',
      'elk.layered.crossingMinimization.greedySwitch.type': dense ? 'OFF' : 'TWO_SIDED',
      'elk.layered.mergeEdges': 'true',
      'elk.layered.thoroughness': many ? '1' : '7',
      'elk.layered.nodePlacement.strategy': dense || compact ? 'SIMPLE' : many ? 'LINEAR_SEGMENTS' : 'BRANDES_KOEPF',
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.spacing.nodeNode': String(boxGap),
      'elk.spacing.edgeNode': compact ? '8' : '18',
      'elk.spacing.edgeEdge': '8',
      'elk.layered.spacing.nodeNodeBetweenLayers': labels ? '26' : String(layerGap),
      'elk.layered.spacing.edgeNodeBetweenLayers': String(turnGap),
      'elk.layered.spacing.edgeEdgeBetweenLayers': compact ? '6' : '8',
      'elk.spacing.edgeLabel': '2',
    },
    children: [
      ...[...model.boxes.values()].map((box) => ({ id: box.id, ...sizeOf(box, compact), ...placeOf(layers?.get(box.id), direction) })),
      ...spine.children,
      ...gates.children,
    ],
    edges: [
      ...model.arrows
        .filter((each) => !back.has(each.id))
        .map((each) => ({
          id: each.id,
          sources: [each.from],
          targets: [each.to],
          ...(labels ? { labels: [label(each.label)] } : {}),
        })),
      ...gates.edges,
      ...spine.edges.map((edge) => ({ ...edge, ...(labels ? { labels: [label('')] } : {}) })),
    ],
  };
}

/** What stands for everything outside of a part: a point before all of its boxes, and one behind them. */
function gatesOf(
  model: Model | Part,
  layers: ReadonlyMap<string, number> | null,
  direction: Arrangement['direction'],
): { children: ElkNode[]; edges: ElkExtendedEdge[] } {
  if (!('gates' in model)) {
    return { children: [], edges: [] };
  }
  const { into, out } = model.gates;
  const last = Math.max(...(layers?.values() ?? []), 0) + 1;
  const point = (id: string, constraint: string, layer: number): ElkNode => ({
    id,
    width: 1,
    height: 1,
    layoutOptions: { 'elk.layered.layering.layerConstraint': constraint },
    ...placeOf(layers ? layer : undefined, direction),
  });
  return {
    children: [
      ...(into.size > 0 ? [point(GATES.into, 'FIRST_SEPARATE', -1)] : []),
      ...(out.size > 0 ? [point(GATES.out, 'LAST_SEPARATE', last)] : []),
    ],
    edges: [
      ...[...into].map((id) => ({ id: gateRoute('into', id), sources: [GATES.into], targets: [id] })),
      ...[...out].map((id) => ({ id: gateRoute('out', id), sources: [id], targets: [GATES.out] })),
    ],
  };
}

/** A rough position, from which ELK derives the layer of a box. */
function placeOf(layer: number | undefined, direction: Arrangement['direction']): object {
  if (layer === undefined) {
    return {};
  }
  const along = layer * 2 * TYPICAL_WIDTH;
  return direction === 'right' ? { x: along, y: 0 } : { x: 0, y: along };
}

/**
 * What holds boxes in their lanes: ELK puts a box right after what it reads, which may be too early. A chain of hidden
 * boxes, one for each lane, leads to those.
 */
function spineOf(model: Model, lanes: ReadonlyMap<string, number>): { children: ElkNode[]; edges: ElkExtendedEdge[] } {
  const needs = new Map<string, string[]>();
  for (const { from, to } of model.arrows) {
    needs.set(to, [...(needs.get(to) ?? []), from]);
  }
  const early = [...lanes].filter(([id, lane]) => {
    const last = Math.max(...(needs.get(id) ?? []).map((need) => lanes.get(need) ?? 0), -1);
    return last < lane - 1;
  });
  if (early.length === 0) {
    return { children: [], edges: [] };
  }
  const name = (lane: number): string => `\u0000${lane}`;
  const count = Math.max(...early.map(([, lane]) => lane));
  const chain = Array.from({ length: count }, (_, lane) => lane);
  const edge = (from: string, to: string): ElkExtendedEdge => ({ id: `${from}\u0000${to}`, sources: [from], targets: [to] });
  return {
    children: chain.map((lane) => ({ id: name(lane), width: 1, height: 1 })),
    edges: [...chain.slice(1).map((lane) => edge(name(lane - 1), name(lane))), ...early.map(([id, lane]) => edge(name(lane - 1), id))],
  };
}

function fromElk(found: ElkNode, model: Model, arrangement: Arrangement): Layout {
  const boxes = new Map<string, Rectangle>();
  for (const { id, x = 0, y = 0, width = 0, height = 0 } of found.children ?? []) {
    if (model.boxes.has(id)) {
      boxes.set(id, { x, y, width, height });
    }
  }
  const arrows = new Map(model.arrows.map((each) => [each.id, each]));
  const routes = new Map<string, Route>();
  for (const edge of found.edges ?? []) {
    const arrow = arrows.get(edge.id);
    const isThroughGate = [edge.sources[0], edge.targets[0]].some((id) => id === GATES.into || id === GATES.out);
    if (arrow || isThroughGate) {
      routes.set(edge.id, routeOf(edge, arrow !== undefined && arrow.label !== ''));
    }
  }
  const layout = finished(model, arrangement, boxes, routes);
  return model.arrows.some(({ id }) => !routes.has(id)) ? withBackRoutes(layout, model) : layout;
}

/** Adds the routes of the arrows that ELK did not see, below or beside everything else. */
function withBackRoutes(layout: Layout, model: Model): Layout {
  const isDown = layout.direction === 'down';
  const way = isDown ? transposed(layout) : layout;
  let bottom = way.bounds.y + way.bounds.height;
  const routes = new Map(way.routes);
  for (const arrow of model.arrows.filter(({ id }) => !routes.has(id))) {
    routes.set(arrow.id, direct(arrow, way.boxes, bottom));
    bottom += BOX_GAP;
  }
  const found = { ...way, routes };
  const { boxes, routes: placed } = isDown ? transposed(found) : found;
  return finished(model, layout, boxes, placed);
}

function routeOf(edge: ElkExtendedEdge, hasLabel: boolean): Route {
  const section = edge.sections?.[0];
  const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
  const label = hasLabel ? edge.labels?.[0] : undefined;
  const middle =
    label?.x === undefined || label.y === undefined ? null : { x: label.x + (label.width ?? 0) / 2, y: label.y + (label.height ?? 0) / 2 };
  return { points, label: middle };
}
