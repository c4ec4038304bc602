// What the preview view computes, without a page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Pass, Preview, PreviewNode } from '../src/wire';
import { Baseline, compare } from '../src/preview/difference';
import { deeds, passToShow, PassStates } from '../src/preview/passes';
import { LINE } from '../src/preview/lines';
import { observedText, Scenario } from '../src/preview/scenario';
import { emptyValue, readText, withoutValue, withValue } from '../src/preview/values';

const PASS: Pass = {
  pass: 1,
  generation: 1,
  state: 'IN_PROGRESS',
  reason: '',
  text: '',
  created: [],
  updated: [],
  deleted: [],
  nodes: [],
  status: '',
  missingStatus: [],
};
const db = { node: 'db', object: 'Database a' };
const PASSES: Pass[] = [
  {
    ...PASS,
    nodes: [
      { id: 'db', state: 'pending', objects: 0, reason: 'later' },
      { id: 'web', state: 'waiting', objects: 1, reason: '' },
    ],
  },
  { ...PASS, created: [db], nodes: [{ id: 'db', state: 'ready', objects: 1, reason: '' }] },
  { ...PASS, generation: 2, deleted: [db] },
];

test('a pass includes what previous passes did', () => {
  const states = new PassStates({ passes: PASSES });
  assert.deepEqual(states.history('db'), ['pending', 'ready', 'ready']);
  assert.equal(states.node(2, 'web')?.state, 'waiting');
  assert.deepEqual(PASSES.map(deeds), ['nothing to do', '1 created', '1 deleted']);
  assert.deepEqual(
    PASSES.map((pass) => deeds({ ...pass, state: 'REFUSED' })),
    ['nothing to do', 'would create 1', 'would delete 1'],
  );
});

test('objects are as they were in each pass', () => {
  const nodes = ['db', 'web'].map((id) => ({ id })) as PreviewNode[];
  const web = { node: 'web', object: 'Deployment a' };
  const passes: Pass[] = [
    { ...PASS, created: [{ ...web, text: 'replicas: 1\n', lines: [4] }] },
    { ...PASS, created: [{ ...db, text: 'size: 1\n', lines: [7] }] },
    { ...PASS, generation: 2, updated: [web], deleted: [db] },
    { ...PASS, generation: 2 },
  ];
  const objects = [{ node: 'web', name: 'Deployment a', text: 'replicas: 2\n', lines: [5] }];
  const states = new PassStates({ passes, nodes, objects });
  const rows = [0, 1, 2, 3].map((pass) => states.objects(pass).map(({ name, text, deed }) => [name, text, deed]));
  assert.deepEqual(rows, [
    [['Deployment a', 'replicas: 1\n', 'created']],
    [
      ['Database a', 'size: 1\n', 'created'],
      ['Deployment a', 'replicas: 1\n', 'created'],
    ],
    [
      ['Database a', 'size: 1\n', 'deleted'],
      ['Deployment a', 'replicas: 2\n', 'updated'],
    ],
    [['Deployment a', 'replicas: 2\n', 'updated']],
  ]);
  assert.deepEqual(states.objects(2)[1], {
    node: 'web',
    name: 'Deployment a',
    text: 'replicas: 2\n',
    lines: [5],
    created: 0,
    updated: 2,
    deed: 'updated',
    before: 'replicas: 1\n',
  });
});

test('what no pass applied is shown in the end', () => {
  const objects = [{ node: 'web', name: 'Deployment a', text: 'a: 1\n', lines: [null] }];
  const states = new PassStates({ passes: [PASS, PASS], objects });
  assert.deepEqual(
    [0, 1].map((pass) => states.objects(pass).map(({ created }) => created)),
    [[], [null]],
  );
});

test('a new preview shows its end, unless the user looks at another pass', () => {
  const preview = (count: number): Preview => ({ passes: Array.from({ length: count }, () => PASS) }) as Preview;
  assert.equal(passToShow(0, 0, preview(3)), 2);
  assert.equal(passToShow(2, 3, preview(5)), 4, 'who was at the end stays there');
  assert.equal(passToShow(1, 3, preview(5)), 1);
  assert.equal(passToShow(3, 5, preview(2)), 1);
  assert.equal(passToShow(3, 5, preview(0)), 0);
});

test('a scenario is what the request takes', () => {
  const scenario = new Scenario();
  assert.deepEqual(scenario.asked(), {});
  assert.equal(scenario.isEdited, false);
  scenario.then = 'kind: App';
  assert.deepEqual(scenario.asked(), { then: 'kind: App' });
  assert.equal(scenario.isEdited, true);
  scenario.then = null;
  scenario.held.add('web');
  scenario.removed.add('secret');
  scenario.observed.set('db', '\nstatus:\n  phase: up\n');
  scenario.observed.set('many', 'status: {a: 1}\n---\n# nothing\n');
  assert.deepEqual(scenario.asked(), {
    notReady: ['web'],
    without: ['secret'],
    observed: '"db":\n  status:\n    phase: up\n"many":\n  -\n    status: {a: 1}\n  -\n    {}\n',
  });
  scenario.keepOnly(new Set(['web']));
  assert.deepEqual(scenario.asked(), { notReady: ['web'] });
  scenario.reset();
  assert.equal(scenario.isEdited, false);
  assert.equal(observedText(['a: 1\n', '{}\n']), 'a: 1\n---\n\n');
});

test('the last edit is what came within one burst of keys', () => {
  const baseline = new Baseline();
  const see = (text: string, now: number): void => {
    baseline.see(new Map([['status', text]]), now);
  };
  see('a: 1\n', 0);
  assert.deepEqual(baseline.differences, []);
  see('a: 12\n', 5000);
  see('a: 123\n', 5400);
  see('a: 123\n', 9000);
  assert.deepEqual(baseline.differences, [{ title: 'status', kind: 'changed', lines: ['-a: 1', '+a: 123'] }]);
  see('a: 4\n', 12000);
  assert.deepEqual(
    baseline.differences.map(({ lines }) => lines),
    [['-a: 123', '+a: 4']],
  );
  see('a: 45\n', 15000);
  assert.deepEqual(
    baseline.differences.map(({ lines }) => lines),
    [['-a: 123', '+a: 45']],
    'slow keys in one value are one edit',
  );
  see('a: 45\nb: 1\n', 18000);
  assert.deepEqual(
    baseline.differences.map(({ lines }) => lines),
    [[' a: 45', '+b: 1']],
    'another place is another edit',
  );
  see('a: 4\n', 25000);
  baseline.pin(true);
  see('a: 5\n', 30000);
  see('a: 6\n', 40000);
  assert.deepEqual(
    baseline.differences.map(({ lines }) => lines),
    [['-a: 4', '+a: 6']],
  );
});

test('objects that come and go are listed', () => {
  const found = compare(new Map([['old', 'x: 1\n']]), new Map([['new', 'y: 2\n']]));
  assert.deepEqual(
    found.map(({ title, kind, lines }) => [title, kind, lines]),
    [
      ['new', 'added', ['+y: 2']],
      ['old', 'removed', ['-x: 1']],
    ],
  );
});

test('values are edited by path and never in place', () => {
  const value = { spec: { zones: ['a', 'b'], deep: { x: 1 } } };
  assert.deepEqual(withValue(value, ['spec', 'zones', 2], 'c'), { spec: { zones: ['a', 'b', 'c'], deep: { x: 1 } } });
  assert.deepEqual(withoutValue(value, ['spec', 'zones', 0]), { spec: { zones: ['b'], deep: { x: 1 } } });
  assert.deepEqual(withoutValue(value, ['spec', 'deep', 'x']), { spec: { zones: ['a', 'b'], deep: {} } });
  assert.deepEqual(withoutValue(value, ['spec', 'none', 'x']), value);
  assert.deepEqual(withValue({}, ['spec', 'tags', 'k'], 'v'), { spec: { tags: { k: 'v' } } });
  assert.deepEqual(value.spec.zones, ['a', 'b']);
});

test('a field reads what its schema says', () => {
  assert.equal(readText('3', { type: 'integer' }), 3);
  assert.equal(readText('three', { type: 'integer' }), 'three', 'the API server says what is wrong');
  assert.equal(readText('3', { type: 'string' }), '3');
  assert.deepEqual(readText('{"a": 1}', {}), { a: 1 });
  assert.deepEqual(emptyValue({ type: 'object', required: ['n'], properties: { n: { type: 'number', minimum: 2 } } }), { n: 2 });
});

test('a line of YAML is taken apart, however long it is', () => {
  assert.deepEqual(LINE.exec('  - - a b: c')?.slice(1), ['  - - ', 'a b:', ' c']);
  assert.deepEqual(LINE.exec('- "a: b": c')?.slice(1), ['- ', '"a: b":', ' c']);
  for (const part of ['- ', ' ', '-', 'a', '"', "'", '\\"', 'a ', ': ', '#']) {
    const started = process.cpuUsage();
    LINE.exec(part.repeat(100_000) + 'a');
    assert.ok(process.cpuUsage(started).user < 3_000_000, part);
  }
});
