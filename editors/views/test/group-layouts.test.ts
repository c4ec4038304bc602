// Where boxes, frames and labels stand while groups are expanded and collapsed, with ELK itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { document } from '../src/draw';
import { groupsOf, groupId } from '../src/grouping';
import { overlap, placeLabels } from '../src/labels';
import { EMPTY, labelRectangle, type Layout, type Point, type Rectangle, type Route } from '../src/layout';
import { PLAIN } from '../src/look';
import { modelOf } from '../src/model';
import { node, graph, services, layoutOf } from './graphs';

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
