// How much of a box, a column and an arrow is shown at which size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrange } from '../src/arrangement';
import { describe, levelOf } from '../src/boxes';
import { document } from '../src/draw';
import { LayoutEngine } from '../src/elk';
import { grouped, groupsOf } from '../src/grouping';
import { around } from '../src/highlight';
import { iconOf } from '../src/icons';
import { EMPTY, COMPACT, labelRectangle, sizeOf, type Layout, type Route } from '../src/layout';
import { PLAIN, zoomStep } from '../src/look';
import { backArrows, modelOf } from '../src/model';
import { titlesOf, titleWidth } from '../src/titles';
import { node, graph, services, MODEL, layoutOf, startWorker } from './graphs';

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
