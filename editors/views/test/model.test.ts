import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Cause, Graph } from '../src/data';
import { document, describe, initials, path, PLAIN } from '../src/draw';
import { LayoutEngine, LayoutTimeout, structure, type Layout, type WorkerLike } from '../src/layout';
import { around, between, boxAt, labelOf, modelOf } from '../src/model';
import { quick } from '../src/quick';

const HERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

function cause(reads: string): Cause {
  return { reads, expression: `\${${reads}}`, path: 'template.metadata.name', range: HERE };
}

/** A graph of resources, each with what it needs. */
function graph(needs: Record<string, string[]>, waves: Record<string, number> = {}): Graph {
  return {
    uri: '',
    version: 1,
    definition: 0,
    definitions: ['app'],
    name: 'app',
    kind: 'App',
    nodes: Object.keys(needs).map((id) => ({
      id,
      kind: 'ConfigMap',
      type: 'Resource',
      wave: waves[id] ?? null,
      position: null,
      conditional: false,
      range: HERE,
      idRange: HERE,
    })),
    edges: Object.entries(needs).flatMap(([from, all]) =>
      all.map((to) => ({ from, to, cyclic: false, critical: false, causes: [cause(`${to}.metadata.name`)] })),
    ),
    cycles: [],
    criticalPath: [],
  };
}

const DIAMOND = graph({ top: [], left: ['top'], right: ['top'], end: ['left', 'right'], alone: [] });

test('what a box needs and what needs it is around it', () => {
  const found = around(modelOf(DIAMOND, new Set()), 'left');
  assert.deepEqual([...found.boxes].sort(), ['end', 'left', 'top']);
  assert.deepEqual([...found.arrows].sort(), ['left→end', 'top→left']);
});

test('the innermost box is the one at a place', () => {
  const nested = graph({ inner: ['inner/note'], 'inner/note': [], last: [] });
  const lines = { inner: [1, 9], 'inner/note': [3, 5], last: [10, 12] };
  const nodes = nested.nodes.map((node) => {
    const [start, end] = lines[node.id as keyof typeof lines] as [number, number];
    return { ...node, range: { start: { line: start, character: 4 }, end: { line: end, character: 0 } } };
  });
  const model = modelOf({ ...nested, nodes }, new Set());
  const found = [0, 2, 3, 4, 7, 11].map((line) => boxAt(model, { line, character: 0 })?.id);
  assert.deepEqual(found, [undefined, 'inner', 'inner/note', 'inner/note', 'inner', 'last']);
});

test('all ways between two boxes are found, whichever comes first', () => {
  const model = modelOf(DIAMOND, new Set());
  assert.deepEqual([...between(model, 'end', 'top').boxes].sort(), ['end', 'left', 'right', 'top']);
  assert.equal(between(model, 'left', 'right').arrows.size, 0);
});

test('only what depends on a folded box alone goes into it', () => {
  const boxes = (id: string): string[] => [...modelOf(DIAMOND, new Set([id])).boxes.keys()].sort();
  assert.deepEqual(boxes('top'), ['alone', 'top']);
  assert.deepEqual(boxes('left'), ['alone', 'end', 'left', 'right', 'top']);
  assert.equal(modelOf(DIAMOND, new Set(['top'])).boxes.get('top')?.folded, 3);
});

test('a label tells what is read, once, and how much else', () => {
  assert.equal(labelOf([cause('db.status.host'), cause('db.status.host')]), 'status.host');
  assert.equal(labelOf([cause('db.status.host'), cause('db.status.port')]), 'status.host +1');
  assert.equal(labelOf([cause('pods')]), 'pods');
  assert.ok(labelOf([cause(`db.${'x'.repeat(90)}`)]).length <= 30);
});

test('what stays where it is has the same structure', () => {
  const one = structure(modelOf(DIAMOND, new Set()), true);
  assert.equal(structure(modelOf({ ...DIAMOND, version: 2 }, new Set()), true), one);
  assert.notEqual(structure(modelOf(graph({ top: [], left: [] }), new Set()), true), one);
});

function placed(needs: Record<string, string[]>, waves: Record<string, number>): Layout {
  const boxes = new Map(Object.keys(needs).map((id, row) => [id, { x: (waves[id] ?? 0) * 300, y: row * 80, width: 150, height: 54 }]));
  const columns = [...new Set(Object.values(waves))].sort().map((wave) => ({ wave, x: wave * 300, width: 150 }));
  return { boxes, routes: new Map(), waves: new Map(Object.entries(waves)), columns, bounds: { x: 0, y: 0, width: 900, height: 400 } };
}

test('a new box is put into its column, free of the others, which stay', () => {
  const layout = placed({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const model = modelOf(graph({ top: [], left: ['top'], right: ['top'] }, { top: 1, left: 2, right: 2 }), new Set());
  const found = quick(model, layout);
  assert.deepEqual(found.boxes.get('left'), layout.boxes.get('left'));
  const added = found.boxes.get('right');
  assert.ok(added);
  assert.equal(added.x, 600);
  assert.ok(Math.abs(added.y - 80) >= 54);
  assert.equal(found.routes.get('top→right')?.points.length, 2);
});

test('with a cycle, which takes the waves away, everything stays where it was', () => {
  const layout = placed({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const found = quick(modelOf(graph({ top: ['left'], left: ['top'] }), new Set()), layout);
  assert.deepEqual(found.boxes.get('left'), layout.boxes.get('left'));
  assert.deepEqual(found.boxes.get('top'), layout.boxes.get('top'));
});

test('when a chain grows, which gives nearly all boxes other waves, the columns stay', () => {
  const layout = placed({ top: [], left: ['top'], alone: [], other: [], third: [] }, { top: 1, left: 2, alone: 2, other: 2, third: 2 });
  const needs = { top: [], left: ['top'], more: ['left'], alone: [], other: [], third: [] };
  const found = quick(modelOf(graph(needs, { top: 1, left: 2, more: 3, alone: 3, other: 3, third: 3 }), new Set()), layout);
  for (const id of ['alone', 'other', 'third']) {
    assert.deepEqual(found.boxes.get(id), layout.boxes.get(id));
  }
  const [top, left, more] = ['top', 'left', 'more'].map((id) => found.boxes.get(id));
  assert.ok(top && left && more);
  assert.equal(more.x, layout.boxes.get('alone')?.x);
  assert.equal(left.x, layout.boxes.get('top')?.x);
  assert.ok(top.x + top.width < left.x);
  assert.deepEqual(found.columns.map(({ wave, x }) => [wave, x]), [[1, top.x], [2, left.x], [3, more.x]]);
});

test('when a cycle is mended, everything stands where it did before it', () => {
  const layout = placed({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const cyclic = quick(modelOf(graph({ top: ['left'], left: ['top'] }), new Set()), layout);
  const mended = quick(modelOf(graph({ top: [], left: ['top'] }, { top: 1, left: 2 }), new Set()), cyclic);
  assert.deepEqual(mended.boxes, layout.boxes);
  assert.deepEqual(mended.columns, layout.columns);
});

test('a screen reader hears what a box is and what it has to do with others', () => {
  const box = modelOf(graph({ top: [] }, { top: 1 }), new Set()).boxes.get('top');
  assert.ok(box);
  assert.equal(describe(box, ['db'], ['web', 'job']), 'top; ConfigMap; wave 1; needs db; needed by web, job');
});

test('a file has no text that XML would take for markup', () => {
  const model = modelOf(graph({ '<script>&"': [] }, { '<script>&"': 1 }), new Set());
  const layout = placed({ '<script>&"': [] }, { '<script>&"': 1 });
  const text = document(model, layout, PLAIN, 'dark');
  assert.ok(!text.includes('<script'));
  assert.ok(text.includes('&lt;script&gt;&amp;&quot;'));
});

test('kinds have initials', () => {
  assert.deepEqual(['HorizontalPodAutoscaler', 'ConfigMap', 'Job', 'VPC', 'iamRole'].map(initials), ['HPA', 'CM', 'J', 'C', 'IR']);
});

test('a line runs level at both ends', () => {
  assert.equal(path([{ x: 0, y: 0 }, { x: 100, y: 0 }]), 'M0 0 L94 0');
  assert.match(path([{ x: 0, y: 0 }, { x: 50, y: 0 }, { x: 50, y: 90 }, { x: 100, y: 90 }]), /^M0 0 L24 0 C.* L94 90$/);
});

test('a layout that takes too long is given up, with its worker', async () => {
  let ended = 0;
  const idle = (): WorkerLike => ({
    // Says that it is there, and then nothing more.
    postMessage(message) {
      const { id, cmd } = message as { id: number; cmd: string };
      if (cmd === 'register') {
        queueMicrotask(() => this.onmessage?.({ data: { id } } as MessageEvent));
      }
    },
    onmessage: null,
    terminate() {
      ended++;
    },
  });
  const engine = new LayoutEngine(idle, 20);
  const model = modelOf(graph({ a: [] }), new Set());
  await assert.rejects(engine.layout(model, false), LayoutTimeout);
  await assert.rejects(engine.layout(model, false), LayoutTimeout, 'with a worker of its own');
  assert.equal(ended, 2);
});
