import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Cause, Graph, Range } from '../src/wire';
import { arrange, structure, type Arrangement } from '../src/arrangement';
import { describe } from '../src/boxes';
import { document } from '../src/draw';
import { LayoutEngine, LayoutTimeout, type WorkerLike } from '../src/elk';
import { EMPTY, type Layout, type Size } from '../src/layout';
import { head, path } from '../src/lines';
import { around, between } from '../src/highlight';
import { PLAIN } from '../src/look';
import { boxAt, labelOf, modelOf, type Model } from '../src/model';
import { freestPlace, wayOut, type Obstacle } from '../src/panel';
import { quick } from '../src/quick';

const HERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

function cause(reads: string): Cause {
  return { reads, expression: `\${${reads}}`, path: 'template.metadata.name', range: HERE };
}

/** A graph of resources, each with what it needs, and the pass that creates it. */
function graph(needs: Record<string, string[]>, passes: Record<string, number> = {}): Graph {
  const last = Math.max(...Object.values(passes));
  return {
    uri: '',
    version: 1,
    definition: 0,
    definitions: ['app'],
    name: 'app',
    kind: 'App',
    isGraph: false,
    nodes: Object.keys(needs).map((id) => ({
      id,
      kind: 'ConfigMap',
      apiVersion: 'v1',
      namespace: null,
      conditions: {},
      type: 'Resource',
      pass: passes[id] ?? null,
      wave: passes[id] === undefined ? null : last - passes[id] + 1,
      position: null,
      conditional: false,
      range: HERE,
      idRange: HERE,
      groups: { prefix: id, apiGroup: 'core', namespace: 'no namespace' },
      problems: [],
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
  const found = around(modelOf(DIAMOND, new Set()), ['left']);
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
  assert.deepEqual([...between(model, ['end'], ['top']).boxes].sort(), ['end', 'left', 'right', 'top']);
  assert.equal(between(model, ['left'], ['right']).arrows.size, 0);
});

test('only what depends on a folded box alone goes into it', () => {
  const boxes = (id: string): string[] => [...modelOf(DIAMOND, new Set([id])).boxes.keys()].sort();
  assert.deepEqual(boxes('top'), ['alone', 'top']);
  assert.deepEqual(boxes('left'), ['alone', 'end', 'left', 'right', 'top']);
  assert.equal(modelOf(DIAMOND, new Set(['top'])).boxes.get('top')?.folded, 3);
});

test('a label says what is read, once, and how much else', () => {
  assert.equal(labelOf([cause('db.status.host'), cause('db.status.host')]), 'status.host');
  assert.equal(labelOf([cause('db.status.host'), cause('db.status.port')]), 'status.host +1');
  assert.equal(labelOf([cause('pods')]), 'pods');
  assert.ok(labelOf([cause(`db.${'x'.repeat(90)}`)]).length <= 30);
});

const WIDE = { width: 1600, height: 900 };
const TALL = { width: 690, height: 700 };

function arranged(graph: Graph, pane: Size = WIDE): Arrangement {
  const [first] = arrange(modelOf(graph, new Set()), pane, true);
  assert.ok(first);
  return first;
}

test('what stays where it is has the same structure', () => {
  const structureOf = (graph: Graph): string => structure(modelOf(graph, new Set()), [arranged(graph)]);
  const one = structureOf(DIAMOND);
  assert.equal(structureOf({ ...DIAMOND, version: 2 }), one);
  assert.notEqual(structureOf(graph({ top: [], left: [] })), one);
});

/** Many resources that need one, and so many in a chain. */
function fan(broad: number, long: number): Graph {
  const needs: Record<string, string[]> = { r0: [] };
  const passes: Record<string, number> = { r0: 1 };
  for (let number = 1; number < long; number++) {
    needs[`r${number}`] = [`r${number - 1}`];
    passes[`r${number}`] = number + 1;
  }
  for (let number = 0; number < broad; number++) {
    needs[`leaf${number}`] = ['r0'];
    passes[`leaf${number}`] = 2;
  }
  return graph(needs, passes);
}

test('a long chain goes down in a tall pane, and to the right in a wide one', () => {
  assert.equal(arranged(fan(0, 7), TALL).direction, 'down');
  assert.equal(arranged(fan(0, 4), WIDE).direction, 'right');
  assert.equal(arranged(fan(0, 3), TALL).compact, false);
});

test('many boxes are compact in a small pane, and a broad pass takes several layers', () => {
  const found = arranged(fan(30, 4), TALL);
  assert.ok(found.compact);
  const layers = new Set([...(found.layers ?? [])].filter(([id]) => id.startsWith('leaf')).map(([, layer]) => layer));
  assert.ok(layers.size > 1);
});

test('the direction is kept where the other one is not much better', () => {
  const model = modelOf(fan(0, 3), new Set());
  const square = { width: 1000, height: 500 };
  const kept = (['right', 'down'] as const).map((direction) => arrange(model, square, true, { ...EMPTY, direction })[0]?.direction);
  assert.deepEqual(kept, ['right', 'down']);
});

test('the details do not cover the box that they describe', () => {
  const [panel, canvas] = [
    { width: 320, height: 300 },
    { width: 690, height: 700 },
  ];
  for (const [x, y] of [
    [10, 10],
    [300, 350],
    [480, 20],
    [20, 600],
    [480, 640],
  ] as const) {
    const box = { x, y, width: 200, height: 54 };
    const { place } = freestPlace(panel, canvas, [{ place: box, cost: 1000 }], null);
    const way = wayOut(box, place, canvas);
    const moved = { ...box, x: box.x + way.x, y: box.y + way.y };
    const covers =
      moved.x < place.x + place.width &&
      place.x < moved.x + moved.width &&
      moved.y < place.y + place.height &&
      place.y < moved.y + moved.height;
    assert.ok(!covers, `at ${x} ${y}`);
    assert.ok(moved.x >= 0 && moved.y >= 0 && moved.x + moved.width <= canvas.width && moved.y + moved.height <= canvas.height);
  }
  const small: Obstacle = { place: { x: 10, y: 10, width: 50, height: 50 }, cost: 10 };
  const previous = { x: 100, y: 200 };
  assert.deepEqual(freestPlace(panel, canvas, [small], previous).place, { ...previous, ...panel }, 'it stays where it will do');
  // Boxes in all corners leave room in the middle of the lower side alone.
  const around = [
    [0, 0],
    [500, 0],
    [0, 620],
    [500, 620],
    [345, 300],
  ].map(([x = 0, y = 0]): Obstacle => ({ place: { x, y, width: 180, height: 60 }, cost: 10 }));
  const { place, cost } = freestPlace({ width: 280, height: 240 }, canvas, around, null);
  assert.ok(cost < 1, `${JSON.stringify(place)} costs ${cost}`);
});

function placed(needs: Record<string, string[]>, passes: Record<string, number>): Layout {
  const boxes = new Map(Object.keys(needs).map((id, row) => [id, { x: (passes[id] ?? 0) * 300, y: row * 80, width: 150, height: 54 }]));
  const bands = [...new Set(Object.values(passes))].sort().map((column) => ({ column, start: column * 300, size: 150 }));
  return { ...EMPTY, boxes, columns: new Map(Object.entries(passes)), bands, bounds: { x: 0, y: 0, width: 900, height: 400 } };
}

test('a new box is put into its column, free of the others, which stay', () => {
  const layout = placed({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const model = modelOf(graph({ top: [], left: ['top'], right: ['top'] }, { top: 1, left: 2, right: 2 }), new Set());
  const found = quick(model, layout);
  assert.deepEqual(found.boxes.get('left'), layout.boxes.get('left'));
  const added = found.boxes.get('right');
  assert.ok(added);
  assert.equal(added.x, 600);
  assert.ok(Math.abs(added.y - 80) > 54);
  assert.equal(found.routes.get('top→right')?.points.length, 2);
});

test('with a cycle, which takes the passes away, everything stays where it was', () => {
  const layout = placed({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const found = quick(modelOf(graph({ top: ['left'], left: ['top'] }), new Set()), layout);
  assert.deepEqual(found.boxes.get('left'), layout.boxes.get('left'));
  assert.deepEqual(found.boxes.get('top'), layout.boxes.get('top'));
  // The arrow that closes the cycle goes around the boxes and enters its box from the left, like any other.
  const [left, top] = ['left', 'top'].map((id) => found.boxes.get(id));
  const points = found.routes.get('left→top')?.points ?? [];
  assert.ok(left && top);
  assert.deepEqual(
    [points[0], points.at(-1)],
    [
      { x: left.x + left.width, y: left.y + left.height / 2 },
      { x: top.x, y: top.y + top.height / 2 },
    ],
  );
  assert.ok(
    points.some(({ y }) => y > Math.max(left.y + left.height, top.y + top.height)),
    'below all boxes',
  );
  assert.ok((points.at(-2)?.x ?? Infinity) < top.x, 'its head points to the right');
});

test('what goes down is put there as what goes right is', () => {
  const layout = placed({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const down = {
    ...layout,
    direction: 'down' as const,
    boxes: new Map([...layout.boxes].map(([id, { x, y }]) => [id, { x: y * 3, y: x / 3, width: 150, height: 54 }])),
  };
  const model = modelOf(graph({ top: [], left: ['top'], right: ['top'] }, { top: 1, left: 2, right: 2 }), new Set());
  const added = quick(model, down).boxes.get('right');
  const left = down.boxes.get('left');
  assert.ok(added && left);
  assert.equal(added.y, left.y);
  assert.ok(added.x >= left.x + left.width || added.x + added.width <= left.x);
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
  assert.deepEqual(
    found.bands.map(({ column, start }) => [column, start]),
    [
      [1, top.x],
      [2, left.x],
      [3, more.x],
    ],
  );
});

test('when a cycle is mended, everything stands where it did before it', () => {
  const layout = placed({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const cyclic = quick(modelOf(graph({ top: ['left'], left: ['top'] }), new Set()), layout);
  const mended = quick(modelOf(graph({ top: [], left: ['top'] }, { top: 1, left: 2 }), new Set()), cyclic);
  assert.deepEqual(mended.boxes, layout.boxes);
  assert.deepEqual(mended.columns, layout.columns);
  assert.deepEqual(
    mended.bands.map(({ column }) => column),
    [1, 2],
  );
});

test('a screen reader hears what a box is and what it has to do with others', () => {
  const model = modelOf(graph({ top: [] }, { top: 1 }), new Set());
  const box = model.boxes.get('top');
  assert.ok(box);
  assert.equal(describe(model, box, ['db'], ['web', 'job']), 'top; ConfigMap; pass 1; needs db; needed by web, job');
});

test('a problem is shown on its box, and on the arrow whose expression it is in', () => {
  const at = (line: number): Range => ({ start: { line, character: 4 }, end: { line, character: 9 } });
  const two = graph({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const problems = [
    { severity: 'error', code: 'unknown-field', message: 'no such field', range: at(7) } as const,
    { severity: 'warning', code: 'x', message: 'y', range: at(9) } as const,
  ];
  const edges = two.edges.map((edge) => ({ ...edge, causes: [{ ...cause('top.x'), range: at(7) }] }));
  const model = modelOf({ ...two, edges, nodes: two.nodes.map((node) => (node.id === 'left' ? { ...node, problems } : node)) }, new Set());
  const left = model.boxes.get('left');
  assert.ok(left);
  assert.match(describe(model, left), /; 1 error, 1 warning/);
  assert.deepEqual(
    model.arrows.map((each) => each.problems.map(({ code }) => code)),
    [['unknown-field']],
  );
});

test('columns are passes of creation, steps of a Graph, or say what is deleted first', () => {
  const two = graph({ top: [], left: ['top'] }, { top: 1, left: 2 });
  const titles = (model: Model): string[] => ['top', 'left'].map((id) => model.columnTitle(model.boxes.get(id)?.column ?? 0));
  assert.deepEqual(titles(modelOf(two, new Set())), ['Pass 1', 'Pass 2']);
  assert.deepEqual(titles(modelOf({ ...two, isGraph: true }, new Set())), ['Step 1', 'Step 2']);
  const nodes = two.nodes.map((node) => ({ ...node, wave: node.pass }));
  assert.deepEqual(titles(modelOf({ ...two, nodes }, new Set(), 'deletion')), ['Deleted 2nd', 'Deleted 1st']);
});

test('a file has no text that XML would take for markup', () => {
  const model = modelOf(graph({ '<script>&"': [] }, { '<script>&"': 1 }), new Set());
  const layout = placed({ '<script>&"': [] }, { '<script>&"': 1 });
  const text = document(model, layout, PLAIN, 'dark');
  assert.ok(!text.includes('<script'));
  assert.ok(text.includes('&lt;script&gt;&amp;&quot;'));
});

const RIGHT = { direction: 'right', compact: false } as const;
const DOWN = { direction: 'down', compact: false } as const;

test('a line runs level at both ends', () => {
  assert.equal(
    path(
      [
        { x: 0, y: 0 },
        { x: 100, y: 0 },
      ],
      RIGHT,
    ),
    'M0 0 L94 0',
  );
  assert.equal(
    path(
      [
        { x: 0, y: 0 },
        { x: 0, y: 100 },
      ],
      DOWN,
    ),
    'M0 0 L0 94',
  );
  const corners = [
    { x: 0, y: 0 },
    { x: 50, y: 0 },
    { x: 50, y: 90 },
    { x: 100, y: 90 },
  ];
  assert.match(path(corners, RIGHT), /^M0 0 L30 0 C.* L94 90$/);
  assert.match(
    path(
      corners.map(({ x, y }) => ({ x: y, y: x })),
      DOWN,
    ),
    /^M0 0 L0 30 C.* L90 94$/,
  );
});

test('a line bends so little that it stays outside of the boxes beside it', () => {
  const corners = [
    { x: 0, y: 0 },
    { x: 60, y: 0 },
    { x: 60, y: 300 },
    { x: 200, y: 300 },
  ];
  for (const [compact, gap] of [
    [false, 20],
    [true, 10],
  ] as const) {
    assert.match(path(corners, { direction: 'right', compact }), new RegExp(`^M0 0 L${60 - gap} 0 C.* ${60 + gap} 300 L194 300$`));
  }
});

test('a line that leads back ends at the head, which points the way of all others', () => {
  const back = [
    { x: 300, y: 0 },
    { x: 320, y: 0 },
    { x: 320, y: 90 },
    { x: -20, y: 90 },
    { x: -20, y: 20 },
    { x: 0, y: 20 },
  ];
  assert.match(path(back, RIGHT), /^M300 0 L.* Q.* L-6 20$/);
  assert.match(head(back, 'right'), /^M0 20 l-9 /);
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
  const arrangements = arrange(model, WIDE, false);
  await assert.rejects(engine.layout(model, arrangements, WIDE), LayoutTimeout);
  await assert.rejects(engine.layout(model, arrangements, WIDE), LayoutTimeout, 'with a worker of its own');
  assert.equal(ended, 2);
});
