// The graph as it is shown: resources and fields alike are boxes, and an arrow leads from what is needed to who needs it.

import type { Cause, Change, Graph, Groups, NodeState, Position, Problem, Range, ResourceNode } from './wire';
import { ordinal } from './numbers';

export type BoxType = 'Resource' | 'Collection' | 'External' | 'ExternalCollection' | 'Field' | 'Group';

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
  apiVersion: string | null;
  /** The titles of the groups that it may be in; null for what is no resource. */
  groups: Groups | null;
  conditions: Readonly<Record<string, string[]>>;
  change: Change | null;
  difference: readonly string[];
  /** The boxes that a group stands for, or is a frame around. */
  members: readonly Box[];
  isExpanded: boolean;
  /** The frame that it stands in. */
  parent: string | null;
}

const PLAIN_BOX = {
  column: null,
  conditional: false,
  cyclic: false,
  critical: false,
  range: null,
  whole: null,
  state: null,
  problems: [],
  folded: 0,
  apiVersion: null,
  groups: null,
  conditions: {},
  change: null,
  difference: [],
  members: [],
  isExpanded: false,
  parent: null,
} satisfies Partial<Box>;

/** A box with what it has; everything else is not there. */
export function boxWith(given: Pick<Box, 'id' | 'title' | 'subtitle' | 'type'> & Partial<Box>): Box {
  return { ...PLAIN_BOX, ...given };
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
  causes: readonly Cause[];
  change: Change | null;
  /** How many references between resources it stands for. */
  count: number;
}

/** What the columns of a picture show: when kro creates a resource, or when it deletes it. */
export type Order = 'creation' | 'deletion';

export interface Model {
  title: string;
  /** What is written over a column. */
  columnTitle: (column: number) => string;
  boxes: Map<string, Box>;
  arrows: Arrow[];
}

export const NOTHING: Model = { title: '', columnTitle: String, boxes: new Map(), arrows: [] };

const LONGEST_LABEL = 30;

export function modelOf(graph: Graph, foldedIds: ReadonlySet<string>, order: Order = 'creation'): Model {
  const states = new Map(graph.instance?.nodes.map((state) => [state.id, state]));
  const cyclic = new Set(graph.cycles.flat());
  const critical = new Set(graph.criticalPath);
  const boxes = new Map<string, Box>();
  for (const { path, type, range } of graph.fields ?? []) {
    const id = fieldId(path);
    boxes.set(id, boxWith({ id, title: path, subtitle: type ?? '', type: 'Field', range, whole: range }));
  }
  const columns = new Map(graph.nodes.map((node) => [node.id, order === 'creation' ? node.pass : node.wave]));
  for (const node of graph.nodes) {
    boxes.set(node.id, {
      ...boxOf(node),
      column: node.change === 'removed' ? columnOfRemoved(node, graph, columns) : (columns.get(node.id) ?? null),
      cyclic: cyclic.has(node.id),
      critical: critical.has(node.id),
      state: states.get(node.id) ?? null,
    });
  }
  const problems = new Map(graph.nodes.map((node) => [node.id, node.problems]));
  const arrows: Arrow[] = graph.edges.map((edge) => {
    const made = { ...arrow(edge.to, edge.from, edge.causes, edge.cyclic, edge.critical, false), change: edge.change ?? null };
    // A cycle has an error at each of its arrows, which are marked as they are.
    const wrong = edge.cyclic
      ? []
      : (problems.get(edge.from) ?? []).filter((each) => edge.causes.some((cause) => overlap(cause.range, each.range)));
    return { ...made, problems: wrong };
  });
  for (const edge of graph.fieldEdges ?? []) {
    arrows.push(arrow(fieldId(edge.to), edge.from, edge.causes, false, false, true));
  }
  return fold({ title: graph.name ?? 'graph', columnTitle: columnTitle(graph, order), boxes, arrows }, foldedIds);
}

function boxOf({
  id,
  kind,
  type,
  apiVersion,
  groups,
  conditions,
  conditional,
  idRange,
  range,
  problems,
  change,
  difference,
}: ResourceNode): Box {
  return boxWith({
    id,
    title: id,
    subtitle: kind ?? 'unknown kind',
    type,
    apiVersion,
    groups,
    conditions,
    conditional,
    range: idRange,
    whole: range,
    problems,
    change: change ?? null,
    difference: difference ?? [],
  });
}

/** What was removed stands behind what it read, as it did. */
function columnOfRemoved(node: ResourceNode, graph: Graph, columns: Map<string, number | null>): number | null {
  if (graph.cycles.length > 0) {
    return null;
  }
  const needs = graph.edges.filter((edge) => edge.from === node.id).map((edge) => columns.get(edge.to) ?? 0);
  const column = Math.max(0, ...needs) + 1;
  columns.set(node.id, column);
  return column;
}

function columnTitle(graph: Graph, order: Order): (column: number) => string {
  if (order === 'creation') {
    return (column) => `${graph.isGraph ? 'Step' : 'Pass'} ${column}`;
  }
  const last = Math.max(...graph.nodes.map((node) => node.wave ?? 0));
  return (column) => `Deleted ${ordinal(last - column + 1)}`;
}

function fieldId(path: string): string {
  return `schema.${path}`;
}

function arrow(from: string, to: string, causes: Cause[], cyclic: boolean, critical: boolean, isField: boolean): Arrow {
  return {
    id: `${from}→${to}`,
    from,
    to,
    cyclic,
    critical,
    isField,
    problems: [],
    label: isField ? '' : labelOf(causes),
    causes,
    change: null,
    count: 1,
  };
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
  const needs = neighbours(
    model.arrows.filter((each) => !each.isField),
    'to',
    'from',
  );
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
