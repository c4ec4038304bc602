// Boxes without arrows stand in the order of the definition; and keys reach every box, whatever leads to it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { membersOf } from '../src/frames';
import { grid, isLoose } from '../src/grid';
import { grouped, groupId, groupsOf } from '../src/grouping';
import { nextBox, type Direction } from '../src/keyboard';
import { EMPTY, transposed, type Layout } from '../src/layout';
import { boxWith, type Arrow, type Model } from '../src/model';
import { quick } from '../src/quick';

const PANES = [
  { width: 690, height: 600 },
  { width: 1400, height: 640 },
  { width: 400, height: 900 },
];
const DIRECTIONS: readonly Direction[] = ['left', 'right', 'up', 'down'];

function modelWith(count: number, reads: readonly (readonly [from: number, to: number])[] = []): Model {
  const titles = Array.from({ length: count }, (_, number) => `${number % 3 ? 'cart' : 'aQuiteLongNameOfA'}Thing${number}`);
  const groups = (number: number): { prefix: string; apiGroup: string; namespace: string } => ({
    prefix: number % 3 ? 'cart' : 'a',
    apiGroup: 'core',
    namespace: 'n',
  });
  const columnOf = (number: number): number => Math.max(0, ...reads.filter(([, to]) => to === number).map(([from]) => columnOf(from))) + 1;
  const boxes = titles.map((id, number) =>
    boxWith({ id, title: id, subtitle: 'ConfigMap', type: 'Resource', column: columnOf(number), groups: groups(number) }),
  );
  const arrows = reads.map(([from, to]): Arrow => ({
    id: `${titles[from] ?? ''}→${titles[to] ?? ''}`,
    from: titles[from] ?? '',
    to: titles[to] ?? '',
    cyclic: false,
    critical: false,
    isField: false,
    problems: [],
    label: '',
    causes: [],
    change: null,
    count: 1,
  }));
  return { title: '', columnTitle: String, boxes: new Map(boxes.map((box) => [box.id, box])), arrows };
}

function inReadingOrder({ boxes }: Layout): string[] {
  return [...boxes].sort(([, one], [, other]) => one.y - other.y || one.x - other.x).map(([id]) => id);
}

/** The boxes that arrow keys come to from the first one. */
function reached(model: Model, layout: Layout): Set<string> {
  const found = new Set<string>();
  const pending = [nextBox('right', null, model, layout) ?? ''];
  for (let here = pending.pop(); here !== undefined; here = pending.pop()) {
    if (!found.has(here)) {
      found.add(here);
      pending.push(...DIRECTIONS.map((direction) => nextBox(direction, here, model, layout)).filter((id) => id !== null));
    }
  }
  return found;
}

test('boxes without arrows are read like a text, and fill the pane', () => {
  for (const count of [1, 2, 7, 12, 35, 90]) {
    const model = modelWith(count);
    assert.ok(isLoose(model));
    for (const pane of PANES) {
      const layout = grid(model, pane);
      assert.deepEqual(inReadingOrder(layout), [...model.boxes.keys()]);
      const lefts = new Set([...layout.boxes.values()].map(({ x }) => x));
      const rows = new Set([...layout.boxes.values()].map(({ y }) => y));
      assert.ok(lefts.size * rows.size < count + Math.max(lefts.size, rows.size), 'there is no empty row or column');
    }
    assert.equal(grid(model, { width: 690, height: 600 }, { direction: 'down', compact: true }).compact, true, 'as the picture around it');
  }
});

test('a model with arrows is for others, and so are members that arrows lead to from elsewhere', () => {
  assert.equal(isLoose(modelWith(3, [[0, 1]])), false);
  assert.equal(isLoose(modelWith(0)), false);
  const model = modelWith(6, [[0, 1]]);
  const groups = grouped(model, groupsOf(model, 'prefix'), new Set([groupId('cart')]));
  assert.equal(isLoose(membersOf(groups, groupId('cart'))), false, 'one of them reads one outside');
  const loose = modelWith(6);
  assert.ok(isLoose(membersOf(grouped(loose, groupsOf(loose, 'prefix'), new Set([groupId('cart')])), groupId('cart'))));
});

test('groups stand where their first members do', () => {
  const model = modelWith(5);
  model.boxes = new Map([
    [
      'own',
      boxWith({ id: 'own', title: 'own', subtitle: 'Job', type: 'Resource', groups: { prefix: 'own', apiGroup: 'batch', namespace: 'n' } }),
    ],
    ...model.boxes,
  ]);
  const { boxes } = grouped(model, groupsOf(model, 'prefix'), new Set([groupId('cart')]));
  const cart = [...boxes.values()].filter(({ parent }) => parent !== null).map(({ id }) => id);
  assert.deepEqual([...boxes.keys()], ['own', groupId('a'), groupId('cart'), ...cart]);
});

test('keys reach every box', () => {
  const loose = modelWith(23);
  PANES.forEach((pane) => {
    assert.deepEqual(
      [...loose.boxes.keys()].filter((id) => !reached(loose, grid(loose, pane)).has(id)),
      [],
    );
  });
  const reads = [
    [0, 4],
    [0, 5],
    [1, 5],
    [5, 9],
    [2, 9],
    [9, 11],
    [3, 12],
  ] as const;
  const model = modelWith(16, reads);
  const layout = quick(model, EMPTY);
  for (const each of [layout, transposed(layout)]) {
    assert.deepEqual(
      [...model.boxes.keys()].filter((id) => !reached(model, each).has(id)),
      [],
    );
  }
});
