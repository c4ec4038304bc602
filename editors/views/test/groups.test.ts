// Groups: what they are made of, what stands for what, and that an expanded group leaves everything before it where it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../src/boxes';
import { automatic, Grouper } from '../src/grouper';
import { grouped, groupId, groupsOf, standIns, type GroupBy } from '../src/grouping';
import { around, ofStandIns } from '../src/highlight';
import { services, MODEL } from './graphs';

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
