// The graph as it is shown: resources and fields alike are boxes, and an arrow leads from what is needed to who needs it.

import type { Cause, Graph, NodeState, Position, Problem, Range } from './data';

export type BoxType = 'Resource' | 'Collection' | 'External' | 'ExternalCollection' | 'Field';

export interface Box {
  id: string;
  title: string;
  subtitle: string;
  type: BoxType;
  /** Where it stands in the order that is shown, from 1; null for fields, and for all while there is a cycle. */
  column: number | null;
  conditional: boolean;
  cyclic: boolean;
  critical: boolean;
  range: Range | null;
  whole: Range | null;
  state: NodeState | null;
  problems: readonly Problem[];
  /** How many boxes are folded into this one; 0 where none can be or are. */
  folded: number;
}

export interface Arrow {
  id: string;
  from: string;
  to: string;
  cyclic: boolean;
  critical: boolean;
  isField: boolean;
  /** What is wrong with an expression that it stands for. */
  problems: readonly Problem[];
  label: string;
  causes: Cause[];
}

/** What the columns of a picture tell: when kro creates a resource, or when it deletes it. */
export type Order = 'creation' | 'deletion';

export interface Model {
  title: string;
  /** What is written over a column. */
  columnTitle: (column: number) => string;
  boxes: Map<string, Box>;
  arrows: Arrow[];
}

const LONGEST_LABEL = 30;

export function modelOf(graph: Graph, foldedIds: ReadonlySet<string>, order: Order = 'creation'): Model {
  const states = new Map(graph.instance?.nodes.map((state) => [state.id, state]));
  const cyclic = new Set(graph.cycles.flat());
  const critical = new Set(graph.criticalPath);
  const boxes = new Map<string, Box>();
  for (const field of graph.fields ?? []) {
    boxes.set(fieldId(field.path), {
      id: fieldId(field.path),
      title: field.path,
      subtitle: field.type ?? '',
      type: 'Field',
      column: null,
      conditional: false,
      cyclic: false,
      critical: false,
      range: field.range,
      whole: field.range,
      state: null,
      problems: [],
      folded: 0,
    });
  }
  for (const node of graph.nodes) {
    boxes.set(node.id, {
      id: node.id,
      title: node.id,
      subtitle: node.kind ?? 'unknown kind',
      type: node.type,
      column: order === 'creation' ? node.pass : node.wave,
      conditional: node.conditional,
      cyclic: cyclic.has(node.id),
      critical: critical.has(node.id),
      range: node.idRange,
      whole: node.range,
      state: states.get(node.id) ?? null,
      problems: node.problems,
      folded: 0,
    });
  }
  const problems = new Map(graph.nodes.map((node) => [node.id, node.problems]));
  const arrows: Arrow[] = graph.edges.map((edge) => {
    const made = arrow(edge.to, edge.from, edge.causes, edge.cyclic, edge.critical, false);
    // A cycle has an error at each of its arrows, which are marked as they are.
    const wrong = edge.cyclic ? [] : (problems.get(edge.from) ?? []).filter((each) => edge.causes.some((cause) => overlap(cause.range, each.range)));
    return { ...made, problems: wrong };
  });
  for (const edge of graph.fieldEdges ?? []) {
    arrows.push(arrow(fieldId(edge.to), edge.from, edge.causes, false, false, true));
  }
  return fold({ title: graph.name ?? 'graph', columnTitle: columnTitle(graph, order), boxes, arrows }, foldedIds);
}

function columnTitle(graph: Graph, order: Order): (column: number) => string {
  if (order === 'creation') {
    return (column) => `${graph.isGraph ? 'Step' : 'Pass'} ${column}`;
  }
  const last = Math.max(...graph.nodes.map((node) => node.wave ?? 0));
  return (column) => `Deleted ${ordinal(last - column + 1)}`;
}

function ordinal(number: number): string {
  const teens = Math.floor(number / 10) % 10 === 1;
  return `${number}${(teens ? undefined : ['', 'st', 'nd', 'rd'][number % 10]) || 'th'}`;
}

function fieldId(path: string): string {
  return `schema.${path}`;
}

function arrow(
  from: string,
  to: string,
  causes: Cause[],
  cyclic: boolean,
  critical: boolean,
  isField: boolean,
): Arrow {
  return { id: `${from}→${to}`, from, to, cyclic, critical, isField, problems: [], label: isField ? '' : labelOf(causes), causes };
}

/** What an arrow's head reads of its tail, whose name need not be said; of several the first, with their number. */
export function labelOf(causes: readonly Cause[]): string {
  const texts = [...new Set(causes.map((cause) => cause.reads.replace(/^\w+\./, '')))];
  const first = texts[0];
  if (first === undefined) {
    return '';
  }
  const short = first.length > LONGEST_LABEL ? `${first.slice(0, LONGEST_LABEL - 1)}…` : first;
  return texts.length > 1 ? `${short} +${texts.length - 1}` : short;
}

/** Hides what needs nothing but folded boxes and what is hidden in them. */
function fold(model: Model, foldedIds: ReadonlySet<string>): Model {
  if (foldedIds.size === 0) {
    return model;
  }
  const needs = neighbours(model.arrows.filter((each) => !each.isField), 'to', 'from');
  const dependents = neighbours(model.arrows, 'from', 'to');
  const hidden = new Set<string>();
  const boxes = new Map(model.boxes);
  for (const root of foldedIds) {
    const box = boxes.get(root);
    if (box === undefined || hidden.has(root)) {
      continue;
    }
    const inside = new Set([root]);
    const pending = [root];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const id of dependents.get(next) ?? []) {
        if (!inside.has(id) && (needs.get(id) ?? []).every((need) => inside.has(need))) {
          inside.add(id);
          pending.push(id);
        }
      }
    }
    inside.delete(root);
    boxes.set(root, { ...box, folded: inside.size });
    inside.forEach((id) => hidden.add(id));
  }
  hidden.forEach((id) => boxes.delete(id));
  return { ...model, boxes, arrows: model.arrows.filter((each) => boxes.has(each.from) && boxes.has(each.to)) };
}

/** The boxes at the other ends of arrows, by the box at one end. */
export function neighbours(arrows: readonly Arrow[], at: 'from' | 'to', other: 'from' | 'to'): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const each of arrows) {
    const list = found.get(each[at]);
    if (list) {
      list.push(each[other]);
    } else {
      found.set(each[at], [each[other]]);
    }
  }
  return found;
}

export interface Highlight {
  boxes: Set<string>;
  arrows: Set<string>;
}

/** What a box needs and what needs it, through any number of others. */
export function around(model: Model, id: string): Highlight {
  const before = reachable(model.arrows, id, 'to', 'from');
  const after = reachable(model.arrows, id, 'from', 'to');
  const arrows = model.arrows.filter(
    (each) => (before.has(each.from) && before.has(each.to)) || (after.has(each.from) && after.has(each.to)),
  );
  return { boxes: new Set([...before, ...after]), arrows: new Set(arrows.map((each) => each.id)) };
}

/** All ways from one box to another, in whichever direction there are any; empty where there is none. */
export function between(model: Model, one: string, other: string): Highlight {
  for (const [start, end] of [[one, other], [other, one]] as const) {
    const after = reachable(model.arrows, start, 'from', 'to');
    if (after.has(end)) {
      const before = reachable(model.arrows, end, 'to', 'from');
      const boxes = new Set([...after].filter((id) => before.has(id)));
      const arrows = model.arrows.filter((each) => boxes.has(each.from) && boxes.has(each.to));
      return { boxes, arrows: new Set(arrows.map((each) => each.id)) };
    }
  }
  return { boxes: new Set([one, other]), arrows: new Set() };
}

/** The boxes and arrows of the longest chain. */
export function critical(model: Model): Highlight {
  return {
    boxes: new Set([...model.boxes.values()].filter((box) => box.critical).map((box) => box.id)),
    arrows: new Set(model.arrows.filter((each) => each.critical).map((each) => each.id)),
  };
}

function reachable(arrows: readonly Arrow[], start: string, at: 'from' | 'to', other: 'from' | 'to'): Set<string> {
  const next = neighbours(arrows, at, other);
  const found = new Set([start]);
  const pending = [start];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const each of next.get(id) ?? []) {
      if (!found.has(each)) {
        found.add(each);
        pending.push(each);
      }
    }
  }
  return found;
}

/** The box of what stands at a place in the document, the innermost: nodes of a child graph follow the node around them. */
export function boxAt(model: Model, position: Position): Box | undefined {
  return [...model.boxes.values()].filter(({ whole }) => whole !== null && contains(whole, position)).at(-1);
}

function overlap(one: Range, other: Range): boolean {
  const isBefore = (first: Position, second: Position): boolean =>
    first.line < second.line || (first.line === second.line && first.character < second.character);
  return isBefore(one.start, other.end) && isBefore(other.start, one.end);
}

function contains(range: Range, { line, character }: Position): boolean {
  const afterStart = line > range.start.line || (line === range.start.line && character >= range.start.character);
  // The line of an entry's dash, and the empty end of its last line, belong to it as well.
  const isFirstLine = line === range.start.line;
  return (afterStart || isFirstLine) && (line < range.end.line || (line === range.end.line && character <= range.end.character));
}

/** The arrows that close cycles: they lead back to a box on the way to their own. A layout is made without them. */
export function backArrows(model: Model): Set<string> {
  const next = new Map<string, Arrow[]>();
  for (const arrow of model.arrows) {
    next.set(arrow.from, [...(next.get(arrow.from) ?? []), arrow]);
  }
  const found = new Set<string>();
  const state = new Map<string, 'open' | 'done'>();
  for (const root of model.boxes.keys()) {
    const way = [{ id: root, at: 0 }];
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      if (here.at === 0 && state.get(here.id) === 'done') {
        way.pop();
        continue;
      }
      state.set(here.id, 'open');
      const arrow = next.get(here.id)?.[here.at++];
      if (arrow === undefined) {
        state.set(here.id, 'done');
        way.pop();
      } else if (state.get(arrow.to) === 'open') {
        found.add(arrow.id);
      } else if (state.get(arrow.to) === undefined) {
        way.push({ id: arrow.to, at: 0 });
      }
    }
  }
  return found;
}
