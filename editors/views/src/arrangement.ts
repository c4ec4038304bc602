// How a picture is arranged in its pane: which way it leads, how large its boxes are, and which layer each goes to.

import { GAPS, MANY_BOXES, sizeOf, type Direction, type Layout, type Size } from './layout';
import type { Part } from './frames';
import { backArrows, neighbours, type Box, type Model } from './model';

export interface Arrangement {
  direction: Direction;
  compact: boolean;
  labels: boolean;
  /** The layer of each box, where long columns take several; null where each lane is one layer. */
  layers: ReadonlyMap<string, number> | null;
  /** The lane of each box: columns, divided where a box is read within its column. */
  lanes: ReadonlyMap<string, number>;
}

/** With more arrows than this, labels are shown where one looks, and need no place of their own. */
const MOST_LABELS = 36;
/** Below this scale full boxes are hard to read, and compact ones say more. */
export const READABLE = 0.72;
/** The room that a label takes between two layers. */
const LABEL_ROOM = { right: 150, down: 60 };
/** How much more room boxes need beside each other where arrows pass between them to other layers. */
const PASSED = 1.3;
/** Lanes in several layers have arrows that pass boxes, which are harder to follow. */
const WRAPPED_WORTH = 0.9;
/** The previous arrangement is kept until another one is better by this factor, so that the picture stays calm. */
const CALM = 1.25;
/** So many are tried, because an estimate may be wrong. */
const MOST_TRIED = 3;

/**
 * The arrangements in which the picture may be shown largest, the likeliest first; behind those of one look the likeliest ones
 * of the next looks, should the picture become too small. What is `within` another picture has the same direction, and boxes
 * of the same size.
 */
export function arrange(
  model: Model,
  pane: Size,
  wantsLabels: boolean,
  previous: Layout | null = null,
  within: Pick<Arrangement, 'direction' | 'compact'> | null = null,
): Arrangement[] {
  const lanes = lanesOf(model);
  const looks = within ? [{ compact: within.compact, labels: false }] : looksOf(model, wantsLabels);
  const all = rank(model, lanes, pane, looks);
  const ranked = within ? all.filter((each) => each.direction === within.direction) : all;
  const same = ranked.filter((each) => each.direction === previous?.direction && each.compact === previous.compact);
  const stays = (same[0]?.worth ?? 0) * CALM >= (ranked[0]?.worth ?? 0);
  const chosen = (stays ? same : ranked).slice(0, model.boxes.size > MANY_BOXES ? 1 : MOST_TRIED);
  return [...chosen, ...smaller(model, lanes, pane, looks, chosen[0])].map(({ direction, compact, labels, most }) => {
    const layers = most === Infinity ? null : layersOf(model, lanes, most);
    return { direction, compact, labels, layers, lanes };
  });
}

/** The best choice with each look that takes less room than that of another choice. */
function smaller(
  model: Model,
  lanes: ReadonlyMap<string, number>,
  pane: Size,
  looks: readonly LookOfBoxes[],
  chosen: Choice | undefined,
): Choice[] {
  if (!chosen || model.boxes.size > MANY_BOXES) {
    return [];
  }
  const rest = looks.slice(looks.findIndex((each) => each.compact === chosen.compact && each.labels === chosen.labels) + 1);
  return rest.map((look) => choices(model, lanes, pane, look)[0]).filter((each) => each !== undefined);
}

/** About how large a picture is shown that fits its pane. */
export function scaleOf(model: Model, pane: Size): number {
  return rank(model, lanesOf(model), pane, looksOf(model, false))[0]?.scale ?? 1;
}

interface LookOfBoxes {
  compact: boolean;
  labels: boolean;
}

function looksOf(model: Model, wantsLabels: boolean): LookOfBoxes[] {
  const hasRoom = model.arrows.filter((each) => !each.isField).length <= MOST_LABELS;
  return [
    ...(wantsLabels && hasRoom ? [{ compact: false, labels: true }] : []),
    { compact: false, labels: false },
    { compact: true, labels: false },
  ];
}

/** What can be chosen with the first look in which boxes can be read, else with the last one. */
function rank(model: Model, lanes: ReadonlyMap<string, number>, pane: Size, looks: readonly LookOfBoxes[]): Choice[] {
  let ranked: Choice[] = [];
  for (const look of looks) {
    ranked = choices(model, lanes, pane, look);
    if ((ranked[0]?.scale ?? 0) >= READABLE) {
      break;
    }
  }
  return ranked;
}

interface Choice {
  direction: Direction;
  compact: boolean;
  labels: boolean;
  /** How many boxes a layer holds at most. */
  most: number;
  scale: number;
  worth: number;
}

/** What can be chosen, the best first. */
function choices(model: Model, lanes: ReadonlyMap<string, number>, pane: Size, look: LookOfBoxes): Choice[] {
  const { compact } = look;
  const groups = new Map<number, Size[]>();
  for (const box of model.boxes.values()) {
    const lane = lanes.get(box.id) ?? 0;
    groups.set(lane, [...(groups.get(lane) ?? []), sizeOf(box, compact)]);
  }
  const sizes = [...groups.values()];
  const longest = Math.max(...sizes.map((each) => each.length), 1);
  const limits = [Infinity];
  for (let most = 1; most < longest; most = Math.max(most + 1, Math.round(most * 1.1))) {
    limits.push(most);
  }
  const found: Choice[] = [];
  for (const direction of ['right', 'down'] as const) {
    for (const most of limits) {
      const labels = look.labels && most === Infinity;
      const { width, height } = estimate(sizes, direction, most, labels, compact);
      const scale = Math.min(pane.width / width, pane.height / height, 1);
      found.push({ direction, compact, labels, most, scale, worth: scale * (most === Infinity ? 1 : WRAPPED_WORTH) });
    }
  }
  return found.sort((one, other) => other.worth - one.worth);
}

/** About how large a picture is whose layers hold so many boxes at most. */
function estimate(lanes: readonly (readonly Size[])[], direction: Direction, limit: number, labels: boolean, compact: boolean): Size {
  const [along, across] = direction === 'right' ? (['width', 'height'] as const) : (['height', 'width'] as const);
  const { boxGap, layerGap } = GAPS[compact ? 'compact' : 'full'];
  let length = 0;
  let breadth = 0;
  for (const sizes of lanes) {
    const parts = Math.ceil(sizes.length / Math.min(limit, sizes.length));
    const total = sizes.reduce((sum, each) => sum + each[across] + boxGap, 0) * (limit === Infinity ? 1 : PASSED);
    length += parts * (Math.max(...sizes.map((each) => each[along])) + layerGap);
    length += labels ? LABEL_ROOM[direction] : 0;
    breadth = Math.max(breadth, total / parts);
  }
  return direction === 'right' ? { width: length, height: breadth } : { width: breadth, height: length };
}

/**
 * The lane of each box, from 0: fields, then columns. What is read within its own column comes first in it; while a cycle
 * takes the columns away, everything is in one.
 */
function lanesOf(model: Model): Map<string, number> {
  const back = backArrows(model);
  const needs = neighbours(
    model.arrows.filter((each) => !each.isField && !back.has(each.id)),
    'to',
    'from',
  );
  const keys = new Map<string, readonly [column: number, depth: number]>();
  const keyOf = (box: Box): readonly [column: number, depth: number] => {
    const known = keys.get(box.id);
    if (known || box.type === 'Field') {
      return known ?? [-1, 0];
    }
    let depth = 0;
    for (const id of needs.get(box.id) ?? []) {
      const need = model.boxes.get(id);
      if (need?.column === box.column) {
        depth = Math.max(depth, keyOf(need)[1] + 1);
      }
    }
    const key = [box.column ?? 0, depth] as const;
    keys.set(box.id, key);
    return key;
  };
  const named = [...model.boxes.values()].map((box) => [box.id, keyOf(box)] as const);
  const order = [...new Map(named.map(([, key]) => [key.join(), key])).values()].sort(
    (one, other) => one[0] - other[0] || one[1] - other[1],
  );
  const numbers = new Map(order.map((key, number) => [key.join(), number]));
  return new Map(named.map(([id, key]) => [id, numbers.get(key.join()) ?? 0]));
}

/** The layer of each box, where a layer holds so many at most. What needs the same stays together. */
function layersOf(model: Model, lanes: ReadonlyMap<string, number>, most: number): Map<string, number> {
  const order = new Map([...model.boxes.keys()].map((id, number) => [id, number]));
  const firstNeed = new Map<string, number>();
  for (const { from, to } of model.arrows) {
    firstNeed.set(to, Math.min(firstNeed.get(to) ?? Infinity, order.get(from) ?? Infinity));
  }
  const groups = new Map<number, string[]>();
  for (const [id, lane] of lanes) {
    groups.set(lane, [...(groups.get(lane) ?? []), id]);
  }
  const layers = new Map<string, number>();
  let layer = 0;
  for (const [, ids] of [...groups].sort(([one], [other]) => one - other)) {
    const place = (id: string): number => firstNeed.get(id) ?? order.get(id) ?? 0;
    ids.sort((one, other) => place(one) - place(other));
    const parts = Math.ceil(ids.length / most);
    ids.forEach((id, number) => layers.set(id, layer + Math.floor((number * parts) / ids.length)));
    layer += parts;
  }
  return layers;
}

/** A text that is the same for models that are laid out in the same way. */
export function structure(model: Model | Part, arrangements: readonly Arrangement[]): string {
  const labels = arrangements.some((each) => each.labels);
  const boxes = [...model.boxes.values()].map((box) => `${box.id}:${sizeOf(box, false).width}:${box.column ?? ''}`);
  const arrows = model.arrows.map((each) => (labels ? `${each.id}:${each.label.length}` : each.id));
  const kinds = arrangements.map(({ direction, compact, layers }) => `${direction}:${compact}:${[...(layers?.values() ?? [])].join()}`);
  const gates = 'gates' in model ? [[...model.gates.into].join(), [...model.gates.out].join()] : [];
  return [...kinds, ...boxes, ...arrows, ...gates].join(';');
}
