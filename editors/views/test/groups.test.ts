// Groups: what they are made of, what stands for what, and that an expanded group leaves everything before it where it is.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import vm from 'node:vm';

import { arrange } from '../src/arrangement';
import { describe, levelOf } from '../src/boxes';
import type { Graph, Problem, ResourceNode } from '../src/wire';
import { document } from '../src/draw';
import { LayoutEngine, type WorkerLike } from '../src/elk';
import { automatic, Grouper } from '../src/grouper';
import { grouped, groupId, groupsOf, standIns, type GroupBy } from '../src/grouping';
import { around, ofStandIns } from '../src/highlight';
import { iconOf } from '../src/icons';
import { overlap, placeLabels } from '../src/labels';
import { COMPACT, EMPTY, labelRectangle, sizeOf, type Layout, type Point, type Rectangle, type Route } from '../src/layout';
import { Layouts } from '../src/layouts';
import { PLAIN, zoomStep } from '../src/look';
import { backArrows, modelOf, type Model } from '../src/model';
import { titlesOf, titleWidth } from '../src/titles';

const HERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

function node(id: string, more: Partial<ResourceNode> = {}): ResourceNode {
  return {
    id,
    kind: 'ConfigMap',
    apiVersion: 'v1',
    namespace: null,
    conditions: {},
    type: 'Resource',
    pass: 1,
    wave: 1,
    position: 0,
    conditional: false,
    range: HERE,
    idRange: HERE,
    groups: {
      prefix: /^[a-z]+/.exec(id)?.[0] ?? id,
      apiGroup: more.apiVersion?.replace(/\/.*/, '') ?? 'core',
      namespace: more.namespace ?? 'no namespace',
    },
    problems: [],
    ...more,
  };
}

function graph(nodes: ResourceNode[], needs: Record<string, string[]> = {}): Graph {
  const edges = Object.entries(needs).flatMap(([from, all]) =>
    all.map((to) => ({
      from,
      to,
      cyclic: false,
      critical: false,
      causes: [{ reads: `${to}.x`, expression: `\${${to}.x}`, path: 'template', range: HERE }],
    })),
  );
  return {
    uri: '',
    version: 1,
    definition: 0,
    definitions: [],
    name: 'app',
    kind: 'App',
    isGraph: false,
    nodes,
    edges,
    cycles: [],
    criticalPath: [],
  };
}

const ERROR: Problem = { severity: 'error', code: 'x', message: 'wrong', range: HERE };
const SHOP = graph(
  [
    node('webDeployment', { kind: 'Deployment', apiVersion: 'apps/v1', namespace: 'front' }),
    node('webService', { kind: 'Service', namespace: 'front', problems: [ERROR, { ...ERROR, severity: 'warning' }] }),
    node('dbVolume', { kind: 'PersistentVolumeClaim', type: 'Collection' }),
    node('dbSet', { kind: 'StatefulSet', apiVersion: 'apps/v1' }),
    node('alone'),
  ],
  { webDeployment: ['dbSet', 'dbVolume'], webService: ['webDeployment', 'dbSet'], dbSet: ['dbVolume'], alone: ['webService'] },
);
const MODEL = modelOf(SHOP, new Set());

function titles(by: GroupBy): Record<string, readonly string[]> {
  return Object.fromEntries(groupsOf(MODEL, by).members);
}

test('groups have the titles that the server gives; nothing is alone in a group', () => {
  assert.deepEqual(titles('none'), {});
  assert.deepEqual(titles('prefix'), { web: ['webDeployment', 'webService'], db: ['dbVolume', 'dbSet'] });
  assert.deepEqual(titles('apiGroup'), { apps: ['webDeployment', 'dbSet'], core: ['webService', 'dbVolume', 'alone'] });
  assert.deepEqual(titles('namespace'), { front: ['webDeployment', 'webService'], 'no namespace': ['dbVolume', 'dbSet', 'alone'] });
});

test('a collapsed group says what it holds, and arrows between groups are counted', () => {
  const groups = groupsOf(MODEL, 'prefix');
  const model = grouped(MODEL, groups, new Set());
  assert.deepEqual([...model.boxes.keys()], ['group web', 'group db', 'alone']);
  const [web, db] = [model.boxes.get('group web'), model.boxes.get('group db')];
  assert.ok(web && db);
  assert.match(
    describe(model, web, ['group db']),
    /^web; group of 2 resources; Deployment, Service; collapsed; 1 error, 1 warning; needs db$/,
  );
  assert.match(describe(model, db), /^db; group of 2 resources; .*; with a collection$/);
  assert.deepEqual(
    model.arrows.map((each) => [each.id, each.count, each.label, each.causes.length]),
    [
      ['group db→group web', 3, '3', 3],
      ['group web→alone', 1, '', 1],
    ],
  );
});

test('an expanded group shows its members, with arrows of their own', () => {
  const groups = groupsOf(MODEL, 'prefix');
  const expanded = new Set([groupId('web')]);
  const model = grouped(MODEL, groups, expanded);
  assert.equal(model.boxes.get('group web')?.isExpanded, true);
  assert.equal(model.boxes.get('webService')?.parent, 'group web');
  const ids = model.arrows.map((each) => `${each.id} ${each.count}`);
  assert.deepEqual(ids.sort(), ['group db→webDeployment 2', 'group db→webService 1', 'webDeployment→webService 1', 'webService→alone 1']);
  // What a box has to do with is found among all resources, whatever stands for them.
  const lit = ofStandIns(around(MODEL, ['dbSet']), MODEL, model, standIns(groups, expanded));
  assert.deepEqual([...lit.boxes].sort(), ['alone', 'group db', 'group web', 'webDeployment', 'webService']);
  assert.ok(lit.arrows.has('group db→webService'));
});

function services(count: number): Model {
  const names = Array.from({ length: count }, (_, number) =>
    `svc${String.fromCharCode(97 + (number % 26))}${number}`.replace(
      /\d+$/,
      (digits) => 'x'.repeat(Number(digits) % 7) + 'q'.repeat(Math.floor(Number(digits) / 7)),
    ),
  );
  const parts = ['Config', 'Account', 'Deployment', 'Service', 'Ingress', 'Policy', 'Budget', 'Role'];
  const nodes = names.flatMap((name) => parts.map((part, number) => node(`${name}${part}`, { pass: Math.min(number + 1, 4) })));
  const needs = Object.fromEntries(
    names.flatMap((name, number) => [
      [
        `${name}Deployment`,
        [
          `${name}Config`,
          `${name}Account`,
          ...(number ? [`${names[number >> 1] ?? ''}Service`].filter((each) => each !== `${name}Service`) : []),
        ],
      ],
      [`${name}Service`, [`${name}Deployment`]],
      [`${name}Ingress`, [`${name}Service`]],
    ]),
  );
  return modelOf(graph(nodes, needs), new Set());
}

test('groups are chosen where boxes would be too small to read in the pane', () => {
  const [small, large] = [services(4), services(16)];
  assert.equal(large.boxes.size, 128);
  assert.equal(automatic(small, { width: 690, height: 600 }), 'none');
  for (const pane of [
    { width: 690, height: 600 },
    { width: 1600, height: 860 },
    { width: 400, height: 750 },
  ]) {
    assert.notEqual(automatic(large, pane), 'none', JSON.stringify(pane));
  }
});

test('the choice stays while somebody types, and is made again for another pane', () => {
  const grouper = new Grouper();
  const [wide, tall] = [
    { width: 3000, height: 1500 },
    { width: 690, height: 600 },
  ];
  grouper.update(services(8), wide);
  assert.equal(grouper.groups.by, 'none');
  grouper.update(services(9), tall);
  assert.equal(grouper.groups.by, 'none');
  grouper.reconsider();
  grouper.update(services(9), tall);
  assert.equal(grouper.groups.by, 'prefix');
  grouper.toggleAll();
  assert.equal(grouper.isAllExpanded, true);
  grouper.toggleAll();
  assert.equal(grouper.expanded.size, 0);
});

// Layouts, with ELK itself.

const source = readFileSync(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'), 'utf8');

function startWorker(): WorkerLike {
  const self = {
    postMessage: (data: unknown) => setImmediate(() => worker.onmessage?.({ data } as MessageEvent)),
    onmessage: undefined as unknown as (message: unknown) => void,
  };
  (vm.compileFunction(source, ['self']) as (self: object) => void)(self);
  const worker: WorkerLike = {
    onmessage: null,
    terminate: () => undefined,
    postMessage: (data) => {
      self.onmessage({ data });
    },
  };
  return worker;
}

async function layoutOf(
  pane: { width: number; height: number },
  model: Model,
  ...expandeds: string[][]
): Promise<{ model: Model; layout: Layout }[]> {
  const groups = groupsOf(model, 'prefix');
  const found: { model: Model; layout: Layout }[] = [];
  let placed: (layout: Layout) => void = () => undefined;
  const layouts = new Layouts(startWorker, {
    pane: () => pane,
    placed: (_, layout) => {
      placed(layout);
    },
    failed: (_, error) => {
      throw error;
    },
  });
  for (const names of expandeds) {
    const wanted = { model: grouped(model, groups, new Set(names.map(groupId))), base: grouped(model, groups, new Set()) };
    const layout = await new Promise<Layout>((resolve) => {
      placed = resolve;
      layouts.update(wanted, found.at(-1)?.layout ?? null, false, { isAsking: true, stays: false });
    });
    found.push({ model: wanted.model, layout });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

function between(one: Point, other: Point): Rectangle {
  return { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y), width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
}

/** A box without its border, where arrows end. */
function inset({ x, y, width, height }: Rectangle): Rectangle {
  return { x: x + 2, y: y + 2, width: width - 4, height: height - 4 };
}

for (const pane of [
  { width: 690, height: 900 },
  { width: 1600, height: 600 },
]) {
  test(`an expanded group leaves what stands before it where it is, ${pane.width}`, async () => {
    const model = services(12);
    const name = [...groupsOf(model, 'prefix').members.keys()][4] ?? '';
    const [collapsed, one] = await layoutOf(pane, model, [], [name]);
    assert.ok(collapsed && one);
    const old = collapsed.layout.boxes.get(groupId(name));
    const frame = one.layout.boxes.get(groupId(name));
    assert.ok(old && frame);
    assert.deepEqual([frame.x, frame.y], [old.x, old.y], 'the frame begins where the box was');
    for (const [id, place] of collapsed.layout.boxes) {
      const now = one.layout.boxes.get(id);
      assert.ok(now, id);
      if (place.x + place.width <= old.x + old.width && place.y + place.height <= old.y + old.height) {
        assert.deepEqual([now.x, now.y], [place.x, place.y], `${id} has not moved`);
      }
      assert.ok(now.x >= place.x - 0.01 && now.y >= place.y - 0.01, `${id} makes room to the right or below`);
    }
    const boxes = [...one.layout.boxes].map(([id, place]) => ({ id, place, parent: one.model.boxes.get(id)?.parent ?? null }));
    for (const { id, place, parent } of boxes) {
      if (parent !== null) {
        const { x, y, width, height } = one.layout.boxes.get(parent) ?? place;
        assert.ok(
          place.x >= x && place.y >= y && place.x + place.width <= x + width && place.y + place.height <= y + height,
          `${id} is in its frame`,
        );
      }
      for (const other of boxes.filter((each) => each.id !== id && each.parent === parent)) {
        const overlap =
          place.x < other.place.x + other.place.width &&
          other.place.x < place.x + place.width &&
          place.y < other.place.y + other.place.height &&
          other.place.y < place.y + place.height;
        assert.ok(!overlap, `${id} and ${other.id}`);
      }
    }
    for (const arrow of one.model.arrows) {
      const points = one.layout.routes.get(arrow.id)?.points ?? [];
      assert.ok(points.length >= 2, `${arrow.id} has a way`);
      for (const [id, point] of [
        [arrow.from, points[0]],
        [arrow.to, points.at(-1)],
      ] as const) {
        const { x, y, width, height } = one.layout.boxes.get(id) ?? { x: 0, y: 0, width: 0, height: 0 };
        assert.ok(
          point && point.x >= x - 1 && point.x <= x + width + 1 && point.y >= y - 1 && point.y <= y + height + 1,
          `${arrow.id} ends at ${id}`,
        );
      }
      const way = points.slice(1).map((point, number) => between(points[number] ?? point, point));
      const passed: { id: string }[] = boxes.filter(
        ({ id, place }) => !one.model.boxes.get(id)?.isExpanded && way.some((line) => overlap(line, inset(place))),
      );
      assert.deepEqual(
        passed.map(({ id }) => id),
        [],
        `${arrow.id} passes under no box`,
      );
    }
  });
}

for (const pane of [
  { width: 690, height: 900 },
  { width: 1600, height: 600 },
]) {
  test(`arrows that leave a group early pass beside its later members, ${pane.width}`, async () => {
    // Others read the service of each group, which members after it read as well.
    const names = ['cart', 'orders', 'users', 'stock'];
    const parts = { Account: 1, Config: 1, Role: 2, Deployment: 6, Service: 7, Budget: 7, Ingress: 8, Policy: 8, Alias: 8 };
    const nodes = names.flatMap((name) => Object.entries(parts).map(([part, pass]) => node(name + part, { pass })));
    const needs = names.flatMap((name, number): [string, string[]][] => [
      [`${name}Deployment`, [`${name}Account`, `${name}Config`, ...names.slice(0, number).map((other) => `${other}Service`)]],
      [`${name}Role`, [`${name}Account`]],
      ...['Service', 'Budget'].map((part): [string, string[]] => [name + part, [`${name}Deployment`]]),
      ...['Ingress', 'Policy', 'Alias'].map((part): [string, string[]] => [name + part, [`${name}Service`]]),
    ]);
    const model = modelOf(graph(nodes, Object.fromEntries(needs)), new Set());
    for (const one of await layoutOf(pane, model, names, ['orders'], ['cart', 'users'])) {
      for (const arrow of one.model.arrows) {
        const points = one.layout.routes.get(arrow.id)?.points ?? [];
        const way = points.slice(1).map((point, number) => between(points[number] ?? point, point));
        const passed = [...one.layout.boxes].filter(
          ([id, place]) => !one.model.boxes.get(id)?.isExpanded && way.some((line) => overlap(line, inset(place))),
        );
        assert.deepEqual(
          passed.map(([id]) => id),
          [],
          arrow.id,
        );
      }
    }
  });
}

for (const pane of [
  { width: 690, height: 900 },
  { width: 1600, height: 600 },
]) {
  test(`an expanded group shows the passes of its members, ${pane.width}`, async () => {
    const model = services(12);
    const name = [...groupsOf(model, 'prefix').members.keys()][4] ?? '';
    const [one] = await layoutOf(pane, model, [name]);
    assert.ok(one);
    const { frameBands, boxes, bands } = one.layout;
    assert.deepEqual(bands, [], 'among groups there are no columns');
    assert.deepEqual(
      frameBands.map((band) => [band.frame, band.column]),
      [1, 2, 3, 4].map((column) => [groupId(name), column]),
    );
    const members = [...one.model.boxes.values()].filter((box) => box.parent === groupId(name));
    for (const { id, column } of members) {
      const { x, y, width, height } = boxes.get(id) ?? assert.fail();
      for (const band of frameBands) {
        const isInside = overlap({ x: x + width / 2, y: y + height / 2, width: 0.1, height: 0.1 }, band.place);
        assert.equal(isInside, band.column === column, `${id} and column ${band.column}`);
      }
    }
    const picture = document(one.model, one.layout, PLAIN, 'light');
    assert.match(picture, /class="band inner".*>Pass 4</s);
  });
}

test('labels of arrows into one box, and boxes, do not cover one another', () => {
  const model = modelOf(graph([node('a'), node('b'), node('c'), node('end')], { end: ['a', 'b', 'c'] }), new Set());
  const box = (x: number, y: number): Rectangle => ({ x, y, width: 100, height: 54 });
  const end = { x: 600, y: 227 };
  const route = (y: number): Route => ({ points: [{ x: 100, y }, { x: 300, y }, { x: 300, y: 227 }, end], label: null });
  const layout: Layout = {
    ...EMPTY,
    boxes: new Map([
      ['a', box(0, 0)],
      ['b', box(0, 200)],
      ['c', box(0, 400)],
      ['end', box(600, 200)],
    ]),
    routes: new Map([
      ['a→end', route(27)],
      ['b→end', { points: [{ x: 100, y: 227 }, end], label: null }],
      ['c→end', route(427)],
    ]),
  };
  const labels = placeLabels(model.arrows, model, layout, () => false);
  const places = [...labels].map(([id, middle]) => labelRectangle(middle, model.arrows.find((each) => each.id === id)?.label ?? ''));
  assert.equal(places.length, 3);
  const all = [...places, ...layout.boxes.values()];
  all.forEach((one, number) => {
    all.slice(number + 1).forEach((other) => {
      assert.equal(overlap(one, other), false);
    });
  });
  // None stands where its arrow runs together with another one.
  for (const [id, { x, y }] of labels) {
    for (const [other, { points }] of [...layout.routes].filter(([each]) => each !== id)) {
      const lines = points.slice(1).map((point, number) => between(points[number] ?? point, point));
      assert.ok(
        !lines.some((line) =>
          overlap(
            { x: x - 2, y: y - 2, width: 4, height: 4 },
            { x: line.x - 1, y: line.y - 1, width: line.width + 2, height: line.height + 2 },
          ),
        ),
        `${id} and ${other}`,
      );
    }
  }
  // Where there is no room at all, a label is left out, but the number of arrows that one stands for is not.
  const full = { ...layout, boxes: new Map([...layout.boxes, ['a', { x: 0, y: 0, width: 600, height: 500 }]]) };
  assert.equal(placeLabels(model.arrows, model, full, () => false).size, 0);
  assert.equal(placeLabels(model.arrows, model, full, () => true).size, 3);
});

test('a collapsed group stands again where it was, and the whole takes less than a second', async () => {
  const model = services(16);
  const names = [...groupsOf(model, 'prefix').members.keys()];
  const start = process.cpuUsage();
  const [first, , all, last] = await layoutOf({ width: 690, height: 700 }, model, [], names.slice(2, 4), names, []);
  const { user, system } = process.cpuUsage(start);
  assert.ok(first && all && last);
  assert.deepEqual(last.layout, first.layout);
  assert.equal([...all.layout.boxes.keys()].length, 128 + names.length);
  assert.ok((user + system) / 1e6 < 6, `${(user + system) / 1e6} s of processor time for four layouts`);
});

// How much is shown.

test('what a box shows depends on its size on the screen', () => {
  assert.deepEqual(
    [0.1, 0.5, 1, 2].map((zoom) => levelOf(false, zoom)),
    ['dot', 'brief', 'card', 'full'],
  );
  assert.deepEqual(
    [0.3, 0.8, 2].map((zoom) => levelOf(true, zoom)),
    ['dot', 'brief', 'full'],
  );
  assert.equal(zoomStep(1), 1);
  assert.equal(zoomStep(1.03), zoomStep(0.97));
});

test('a card has kind, API version and conditions; a spot has neither, and a group always has its name', async () => {
  const shop = graph([
    node('web', { kind: 'Deployment', apiVersion: 'apps/v1', conditions: { includeWhen: ['schema.spec.on'], readyWhen: ['web.ok'] } }),
  ]);
  const model = modelOf(shop, new Set());
  const layout: Layout = {
    ...((await layoutOf({ width: 690, height: 700 }, services(4), []))[0]?.layout as Layout),
    compact: false,
    boxes: new Map([['web', { x: 0, y: 0, width: 400, height: 54 }]]),
    routes: new Map(),
    bands: [],
  };
  const text = (zoom: number): string =>
    document(model, layout, { ...PLAIN, zoom }, 'light').replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '');
  assert.match(text(2), />web<.*>Deployment · apps\/v1<.*>if schema\.spec\.on · ready web\.ok</s);
  assert.match(text(1), />web<.*>Deployment</s);
  assert.doesNotMatch(text(1), /apps\/v1/);
  assert.doesNotMatch(text(0.5), />Deployment/);
  assert.match(text(0.5), />web</);
  assert.doesNotMatch(text(0.1), />web</);
  const groups = grouped(MODEL, groupsOf(MODEL, 'prefix'), new Set());
  const far = { ...layout, boxes: new Map([['group web', { x: 0, y: 0, width: 200, height: 62 }]]) };
  assert.match(document(groups, far, { ...PLAIN, zoom: 0.1 }, 'light'), /font-size="\d+(\.\d)?">web</);
  const titled = (title: string): typeof groups => ({
    ...groups,
    boxes: new Map([...groups.boxes].map(([id, box]) => [id, { ...box, title }])),
  });
  for (const zoom of [0.2, 0.5]) {
    const [long, short] = ['secretsmanager.services.k8s.aws', 'ec2'].map((title) =>
      / font-size="([\d.]+)">((?:sec|ec2)[^<]*)</.exec(document(titled(title), far, { ...PLAIN, zoom }, 'light')),
    );
    assert.ok(long && short && long[2]?.endsWith('…'), `${long?.[2] ?? ''} at ${zoom}`);
    assert.equal(long[1], short[1], 'all names have one size');
    assert.ok(Number(long[1]) >= 20);
  }
});

test('ids have one size where there is room for nothing else, and each fits its box', () => {
  const ids = ['a', 'serviceaccountOfTheWholeCluster', 'project'];
  const model = modelOf(graph(ids.map((id) => node(id, { kind: 'VeryLongKindOfResourceOfSomeController' }))), new Set());
  const boxes = new Map(ids.map((id, row) => [id, { x: 0, y: 80 * row, ...sizeOf(model.boxes.get(id) ?? assert.fail(), false) }]));
  const text = document(model, { ...EMPTY, boxes }, { ...PLAIN, zoom: 0.5 }, 'light');
  const sizes = [...text.matchAll(/<text class="title"[^>]* font-size="([\d.]+)">(\w+)</g)].map(([, size]) => size);
  assert.equal(sizes.length, 3);
  assert.equal(new Set(sizes).size, 1, sizes.join(' '));
  assert.ok(Number(sizes[0]) > 13.5, 'they are enlarged where all of them have room');
});

test('titles of columns have the room that they need, and stay short in narrow columns', () => {
  const model = { ...modelOf(graph([node('a')]), new Set()), columnTitle: (column: number): string => `Deleted ${column}th` };
  const layout = (direction: 'down' | 'right'): Layout => ({
    ...EMPTY,
    direction,
    bands: [{ column: 12, start: 0, size: 28 }],
    bounds: { x: 0, y: 0, width: 100, height: 28 },
  });
  for (const zoom of [1, 0.5, 0.3]) {
    const { size, room, texts } = titlesOf(model, layout('down'), zoom);
    assert.ok(size * zoom >= 10.9, `${size * zoom} pixels at ${zoom}`);
    assert.ok(room > titleWidth(texts.get(12) ?? '', size), 'the title ends before the boxes begin');
    assert.equal(titlesOf(model, layout('right'), zoom).texts.get(12), '12th');
    assert.ok(titlesOf(model, layout('right'), zoom).room >= 12 + size + 12);
  }
});

test('what was found and what changed stays bright beside a selection', () => {
  const model = modelOf(graph([node('selected'), node('found'), node('new', { change: 'added' }), node('other')]), new Set());
  const boxes = new Map([...model.boxes.keys()].map((id, row) => [id, { x: 0, y: 80 * row, width: 150, height: 54 }]));
  const look = { ...PLAIN, selected: 'selected', found: new Set(['found']), highlight: around(model, ['selected']) };
  const dim = [...document(model, { ...EMPTY, boxes }, look, 'light').matchAll(/class="([^"]*)" transform[^>]*data-id="(\w+)"/g)].filter(
    ([, style]) => style?.includes('dim'),
  );
  assert.deepEqual(
    dim.map(([, , id]) => id),
    ['other'],
  );
});

test('a picture includes the label of the arrow that closes a cycle', async () => {
  const needs = { a: ['c'], b: ['a'], c: ['b'] };
  const model = modelOf(
    {
      ...graph(
        ['a', 'b', 'c'].map((id) => node(id, { pass: null })),
        needs,
      ),
      cycles: [['a', 'b', 'c']],
    },
    new Set(),
  );
  for (const pane of [
    { width: 500, height: 900 },
    { width: 1600, height: 300 },
  ]) {
    const [{ layout } = assert.fail()] = await layoutOf(pane, model, []);
    const [closing] = backArrows(model);
    const arrow = model.arrows.find(({ id }) => id === closing) ?? assert.fail();
    const middle = layout.routes.get(arrow.id)?.label ?? assert.fail();
    const label = labelRectangle(middle, arrow.label);
    const { bounds } = layout;
    assert.ok(
      label.x >= bounds.x &&
        label.x + label.width <= bounds.x + bounds.width + 0.01 &&
        label.y + label.height <= bounds.y + bounds.height + 0.01,
    );
  }
});

test('numbers on merged arrows can be read where the picture is small', () => {
  const model = grouped(MODEL, groupsOf(MODEL, 'prefix'), new Set());
  const route: Route = {
    points: [
      { x: 100, y: 20 },
      { x: 500, y: 20 },
    ],
    label: null,
  };
  const layout: Layout = {
    ...EMPTY,
    boxes: new Map([['group web', { x: 500, y: 0, width: 100, height: 54 }]]),
    routes: new Map([['group db→group web', route]]),
  };
  for (const zoom of [1, 0.6, 0.5]) {
    const [, size] = /class="label count"[^>]* font-size="([\d.]+)">3</.exec(document(model, layout, { ...PLAIN, zoom }, 'light')) ?? [];
    assert.ok(Number(size) * zoom >= 9.9, `${size ?? 'none'} at ${zoom}`);
  }
});

test('boxes are compact where whole ones turn out too small', async () => {
  // One row of boxes that all read the first, more than fits a narrow pane.
  const ids = Array.from({ length: 14 }, (_, number) => `resource${'abcdefghijklmn'.charAt(number)}`);
  const model = modelOf(
    graph([node('first'), ...ids.map((id) => node(id, { pass: 2 }))], Object.fromEntries(ids.map((id) => [id, ['first']]))),
    new Set(),
  );
  const pane = { width: 560, height: 420 };
  const arrangements = arrange(model, pane, true);
  const looks = arrangements.map(({ compact, labels }) => `${compact} ${labels}`);
  assert.equal(looks.at(-1), 'true false', 'the smallest look is tried last');
  const layout = await new LayoutEngine(startWorker).layout(model, arrangements, pane);
  const scale = Math.min(pane.width / layout.bounds.width, pane.height / layout.bounds.height);
  assert.ok(layout.compact || scale >= 0.72, `whole boxes at ${scale}`);
});

test('a compact box has room for its kind when it is near, and its marks for its id', () => {
  const kind = 'HorizontalPodAutoscaler';
  const model = modelOf(graph([node('a', { kind, apiVersion: 'autoscaling/v2', type: 'Collection', conditional: true })]), new Set());
  const size = sizeOf(model.boxes.get('a') ?? assert.fail(), true);
  const layout: Layout = { ...EMPTY, compact: true, boxes: new Map([['a', { x: 0, y: 0, ...size }]]) };
  const text = (zoom: number): string =>
    document(model, layout, { ...PLAIN, zoom }, 'light').replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '');
  assert.match(text(2.5), new RegExp(`>${kind}<`), 'the whole kind, without an ellipsis');
  const tags = [...text(1).matchAll(/class="tag"[^>]* y="([-\d.]+)"[^>]* height="([\d.]+)"/g)].map(
    ([, y, height]) => Number(y) + Number(height),
  );
  assert.equal(tags.length, 2);
  const capitals = COMPACT.height / 2 + 5 - 13.5 * 0.76;
  tags.forEach((bottom) => {
    assert.ok(bottom + 3 <= capitals, `a tag ends at ${bottom}, the id begins at ${capitals}`);
  });
});

test('kinds have icons; one of its API group where a kind is not known', () => {
  const common =
    'Deployment StatefulSet DaemonSet Job CronJob Service Ingress ConfigMap Secret PersistentVolumeClaim Namespace ServiceAccount Role RoleBinding HorizontalPodAutoscaler NetworkPolicy CustomResourceDefinition';
  const paths = common.split(' ').map((kind) => iconOf(kind, 'v1').path);
  assert.equal(new Set([...paths, iconOf('unknown kind', null).path]).size, paths.length + 1, 'each common kind has a glyph of its own');
  const deployment = iconOf('Deployment', 'apps/v1');
  assert.notEqual(deployment.path, iconOf('Service', 'v1').path);
  assert.equal(deployment.family, iconOf('StatefulSet', 'apps/v1').family);
  assert.equal(iconOf('Thing', 'ec2.services.k8s.aws/v1').path, iconOf('Other', 'sql.cnrm.cloud.google.com/v1').path);
  assert.notEqual(iconOf('Thing', 'ec2.services.k8s.aws/v1').path, iconOf('Thing', 'example.com/v1').path);
  assert.equal(iconOf('Service', 'serviceusage.cnrm.cloud.google.com/v1beta1').path, iconOf('Other', 'sql.cnrm.cloud.google.com/v1').path);
  assert.deepEqual(iconOf('unknown kind', null), iconOf('Thing', 'example.com/v1'));
});

test('a graph that is compared shows what was removed behind what it read', () => {
  const compared = graph(
    [
      node('first', { pass: 2 }),
      node('new', { change: 'added' }),
      node('gone', { change: 'removed', pass: null, range: null, idRange: null }),
    ],
    { gone: ['first'] },
  );
  const model = modelOf(compared, new Set());
  assert.deepEqual(
    [...model.boxes.values()].map((box) => [box.id, box.column, box.change]),
    [
      ['first', 2, null],
      ['new', 1, 'added'],
      ['gone', 3, 'removed'],
    ],
  );
  assert.match(describe(model, model.boxes.get('gone') ?? assert.fail()), /^gone; ConfigMap; removed; /);
  assert.equal(arrange(model, { width: 700, height: 700 }, true).length > 0, true);
});
