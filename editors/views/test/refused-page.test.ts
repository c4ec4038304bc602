// What the pages show of a definition that kro refuses, in a real browser with a real server.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { URI, Views } from './browser';
import { SHOP } from './definitions';
import { missing } from './server';

const skip = { skip: missing };
/** A resource without a template, and two that wait for each other. */
const HALF_TYPED = `${SHOP}    - id: halfTyped
    - id: hen
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${egg.metadata.name}"}}
    - id: egg
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${hen.metadata.name}"}}
`;
const LINES = HALF_TYPED.split('\n');
const views = new Views();

test('the verdict of kro is shown with its errors, the rest is dimmed, and nothing is active', skip, async () => {
  const { server, page, problems } = await views.preview(HALF_TYPED);
  const pill = page.locator('.state-pill');
  assert.equal(await pill.textContent(), 'kro refuses this: 2 errors');
  assert.equal(await page.locator('.errors .error').count(), 2);
  const shown = await page.locator('header, .banner, .timeline, .panes').allInnerTexts();
  assert.equal(shown.join().match(/kro refuses this/g)?.length, 1, 'the heading alone says so');
  assert.match(await page.locator('.pass-summary').innerText(), /^Pass \d+ of \d+ · nothing to do$/);
  await page.locator('[role=slider]').press('Home');
  assert.match(await page.locator('.pass-summary').innerText(), /^Pass 1 of \d+ · would create \d+$/);
  await page.locator('[role=slider]').press('End');
  assert.doesNotMatch(await page.locator('main').innerText(), /ACTIVE|None/);
  const opacity = await page.locator('.objects').evaluate((each) => Number(getComputedStyle(each).opacity));
  assert.ok(opacity < 1, 'what would be there is dimmed');
  assert.ok(await page.locator('text=Save as test').isDisabled());

  assert.equal(await page.locator('[data-node=halfTyped] .sign.state-unfinished').count(), 1);
  assert.equal(await page.locator('[data-object-of=halfTyped]').count(), 0);
  assert.deepEqual(await page.locator('.node.missing .id').allTextContents(), ['hen', 'egg']);
  assert.match((await page.locator('.node.missing .why').first().textContent()) ?? '', /cycle: hen → egg → hen/);

  const selection = async (): Promise<number> => {
    const { params } = await server.wait(
      ({ method, params: asked }) => method === 'window/showDocument' && !(asked as { external?: boolean }).external,
    );
    return (params as { selection: { start: { line: number } } }).selection.start.line;
  };
  await page.locator('.errors .error').first().click();
  assert.match(LINES[await selection()] ?? '', /halfTyped/);
  await page.locator('.node.missing .node-name').first().click();
  assert.match(LINES[await selection()] ?? '', /id: hen/);

  server.change(URI, SHOP);
  await page.waitForSelector('.state-pill.of-active');
  assert.equal(await page.locator('.errors .error, .node.missing').count(), 0);
  assert.ok(await page.locator('text=Save as test').isEnabled());
  assert.deepEqual(problems, []);
});

test('the graph says the same of the instance', skip, async () => {
  const { page, problems } = await views.graph(HALF_TYPED);
  await page.click('text=Instance');
  await page.waitForFunction(() => document.body.innerText.includes('kro refuses this: 2 errors'));
  assert.doesNotMatch(await page.locator('main').innerText(), /ACTIVE/);
  assert.equal(await page.locator('.state-ready').count(), 0);
  assert.deepEqual(problems, []);
});
