// The graph while somebody types in its document: nothing jumps, and what the user chose stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { drawn, laidOut, URI, Views } from './browser';
import { platform, SHOP } from './definitions';
import { missing, type Server } from './server';

const skip = { skip: missing };
const PAUSE = 125;
const views = new Views();

/** Types a text at the end of a line, eight keys in a second, and returns what the picture shows after each key. */
async function type<Seen>(server: Server, page: Page, text: string, at: string, keys: string, look: () => Promise<Seen>): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let count = 1; count <= keys.length; count++) {
    await drawn(page, server.change(URI, text.replace(at, at + keys.slice(0, count))));
    await page.waitForTimeout(PAUSE);
    seen.push(await look());
  }
  return seen;
}

const places = (page: Page): Promise<Record<string, string | null>> =>
  page.evaluate(() => {
    const boxes = [...document.querySelectorAll('.box')];
    return Object.fromEntries(boxes.map((box) => [box.getAttribute('data-id') ?? '', box.getAttribute('transform')] as const));
  });
const view = (page: Page): Promise<string | null> => page.locator('svg.graph > g').getAttribute('transform');

test('a value that is typed moves nothing, and leaves selection, zoom and expanded groups as they are', skip, async () => {
  const text = platform(130);
  const { server, page, problems } = await views.graph(text, { viewport: { width: 690, height: 700 } });
  await page.click('[data-id="group users"]');
  await page.waitForSelector('[data-id=usersDeployment]');
  await page.click('[data-id=usersDeployment]');
  await page.keyboard.press('+');
  const before = [await places(page), await view(page)];
  const seen = await type(server, page, text, "metadata: {name: '${schema.spec.name}-users-config", '-and-more', async () => [
    await places(page),
    await view(page),
  ]);
  seen.forEach((each) => {
    assert.deepEqual(each, before);
  });
  assert.equal(await page.locator('[data-id=usersDeployment].selected').count(), 1);
  assert.deepEqual(problems, []);
});

test('another id keeps the box, its place and the places of what read it', skip, async () => {
  const { server, page, problems } = await views.graph(SHOP, { viewport: { width: 1600, height: 700 } });
  await page.click('[data-id=settings]');
  await page.evaluate(() => Object.assign(globalThis, { box: document.querySelector('[data-id=settings]') }));
  const before = await places(page);
  const seen = await type(server, page, SHOP, '- id: settings', 'Map', () => places(page));
  const expected = (id: string): object =>
    Object.fromEntries(Object.entries(before).map(([name, place]) => [name === 'settings' ? id : name, place]));
  seen.forEach((each, number) => {
    assert.deepEqual(each, expected(`settings${'Map'.slice(0, number + 1)}`));
  });
  await page.waitForTimeout(1500);
  assert.deepEqual(await places(page), expected('settingsMap'), 'while it is read by its former name, nothing moves');
  assert.equal(await page.locator('[data-id=settingsMap].selected').count(), 1);
  assert.ok(
    await page.evaluate(() => (globalThis as unknown as { box: Element }).box === document.querySelector('[data-id=settingsMap]')),
    'it is the same element, which does not flash',
  );
  await drawn(page, server.change(URI, SHOP.replaceAll(/\bsettings\b/g, 'settingsMap')));
  assert.ok((await page.locator('[data-arrow^="settingsMap→"]').count()) > 0);
  assert.deepEqual(problems, []);
});

test('a text in which nothing can be read keeps the last picture, with a note that moves nothing', skip, async () => {
  const { server, page, problems } = await views.graph(SHOP, { viewport: { width: 690, height: 700 } });
  const before = [await places(page), await view(page)];
  for (const broken of [
    SHOP.replace('\nspec:', '\nspe:'),
    SHOP.replace('kind: ResourceGraphDefinition', 'kind: ResourceGraphDefiniti'),
    '',
  ]) {
    server.change(URI, broken);
    await page.waitForSelector('.banner:has-text("This is the last picture")');
    assert.deepEqual([await places(page), await view(page)], before);
    await drawn(page, server.change(URI, SHOP));
    await page.waitForSelector('.banner', { state: 'hidden' });
    assert.deepEqual([await places(page), await view(page)], before);
  }
  await laidOut(page);
  assert.deepEqual(problems, []);
});
