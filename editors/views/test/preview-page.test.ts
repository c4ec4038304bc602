// The preview as a loopback page in a real browser, with a real server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { answered, drawn, URI, Views } from './browser';
import { SHOP } from './definitions';
import { editorOf, hasText, replaceText, textIn } from './editing';
import { missing, type Server } from './server';

const LINES = SHOP.split('\n');
const skip = { skip: missing };
const views = new Views();

function lineOf(text: string): number {
  return LINES.findIndex((each) => each.includes(text));
}

async function revealed(server: Server): Promise<number> {
  const { params } = await server.wait(
    (message) => message.method === 'window/showDocument' && !(message.params as { external?: boolean }).external,
  );
  const { uri, selection } = params as { uri: string; selection: { start: { line: number } } };
  assert.equal(uri, URI);
  return selection.start.line;
}

async function count(page: Page): Promise<number> {
  return page.evaluate(() => Number(document.body.dataset['answers'] ?? 0));
}

/** What stays of an earlier instance has nothing of its state, neither to be read nor to be heard. */
async function showsNoState(page: Page): Promise<void> {
  assert.match(await page.locator('.pass-summary').innerText(), /^Pass \d+ of \d+ · /, 'the passes stay');
  const texts = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .flatMap((each) => [...each.attributes].map(({ value }) => value))
      .concat(document.body.innerText, document.querySelector('#panel-status')?.textContent ?? ''),
  );
  assert.doesNotMatch(texts.join('\n'), /\bACTIVE\b|IN_PROGRESS|of-active|of-in-progress/);
}

const node = (id: string): string => `[data-node="${id}"]`;

test('passes are stepped and scrubbed, and a click goes to the line and back', skip, async () => {
  const { server, page, problems } = await views.preview(SHOP);
  assert.equal(await page.locator('.node').count(), 20);
  const track = page.locator('[role=slider]');
  const last = Number(await track.getAttribute('aria-valuemax'));
  assert.ok(last > 2);
  assert.equal(await track.getAttribute('aria-valuenow'), String(last), 'the end is shown first');
  assert.equal(await page.locator(`${node('database')} .sign.state-ready`).count(), 1);
  const all = await page.locator('.objects .object').count();

  await track.focus();
  await page.keyboard.press('Home');
  assert.match((await track.getAttribute('aria-valuetext')) ?? '', /^Pass 1 of \d+ · IN_PROGRESS · \d+ created$/);
  assert.ok((await page.locator('.objects .object').count()) < all, 'later objects are not there yet');
  await page.keyboard.press('ArrowRight');
  assert.equal(await track.getAttribute('aria-valuenow'), '2');
  const dot = await page
    .locator('.stop')
    .nth(last - 1)
    .boundingBox();
  assert.ok(dot);
  await page.mouse.click(dot.x + dot.width / 2, dot.y + 12);
  assert.equal(await track.getAttribute('aria-valuenow'), String(last));

  await page.click('#node-settings');
  assert.equal(await revealed(server), lineOf('- id: settings'));
  await page.locator('[data-object-of=settings] .line', { hasText: 'kind:' }).first().click();
  assert.equal(LINES[await revealed(server)]?.includes('kind: ConfigMap'), true);

  const cursor = { uri: URI, line: lineOf('kind: StatefulSet'), character: 8 };
  await server.request('workspace/executeCommand', { command: 'kro.selectInGraph', arguments: [cursor] });
  await page.waitForSelector(`${node('database')}.selected`);
  await page.waitForSelector('[data-object-of=database] .line.here');
  assert.deepEqual(problems, [], 'nothing that the content security policy refuses');
  assert.equal(await server.stop(), 0);
  await page.waitForSelector('.banner:not([hidden])');
});

test('the preview follows the text, and shows what the last edit changed', skip, async () => {
  const { server, page, problems } = await views.preview(SHOP);
  const version = server.change(URI, SHOP.replace('stringData: {user: shop}', 'stringData: {user: owner}'));
  await drawn(page, version);
  await page.click('#tab-changes');
  assert.match((await page.locator('#panel-changes .minus').textContent()) ?? '', /user: shop/);
  assert.match((await page.locator('#panel-changes .plus').textContent()) ?? '', /user: owner/);
  assert.deepEqual(problems, []);
});

test('the form and the YAML edit the same instance', skip, async () => {
  const { page, problems } = await views.preview(SHOP);
  const zones = page.locator(`${node('volumes')} .node-name .count`);
  assert.equal(await zones.textContent(), '×3');
  await page.click('[title="Remove zones 2"]');
  await page.waitForFunction(() => document.querySelector('[data-node="volumes"] .node-name .count')?.textContent === '×2');
  const yaml = editorOf(page);
  assert.doesNotMatch(await textIn(yaml), /south/, 'the form writes the YAML');
  await replaceText(yaml, (await textIn(yaml)).replace('- west', '- west\n  - east').replace(/name: .*\n/, 'name: corner-shop\n'));
  await page.waitForFunction(() => document.querySelector('[data-node="volumes"] .node-name .count')?.textContent === '×3');
  assert.equal(await page.locator('[id="field-metadata.name"]').inputValue(), 'corner-shop');
  await replaceText(yaml, 'kind: Nothing');
  await page.waitForSelector('.banner:not([hidden])');
  assert.equal(await page.locator('.state-pill').textContent(), 'REFUSED');
  await showsNoState(page);
  await replaceText(yaml, 'kind: [');
  await page.waitForSelector('.state-pill.of-unreadable');
  await showsNoState(page);
  await page.click('text=Reset');
  await page.waitForSelector('.state-pill.of-active');
  assert.deepEqual(problems, []);
});

test('an edit of the instance prunes, and a pass shows the objects as they were in it', skip, async () => {
  const { page, problems } = await views.preview(SHOP);
  const track = page.locator('[role=slider]');
  const before = Number(await track.getAttribute('aria-valuemax'));
  await page.click('.which >> text=Then edit it');
  await page.waitForFunction((count) => document.querySelectorAll('.stop').length > count, before);
  assert.equal(await page.locator('[id="field-metadata.name"]').count(), 0, 'an instance keeps its name');
  await page.uncheck('[id="field-spec.ingress.enabled"]');
  await page.click('[title="Remove zones 2"]');
  const yaml = editorOf(page);
  await hasText(yaml, /^(?![^]*south)[^]*enabled: false/);
  await replaceText(yaml, (await textIn(yaml)).replace('replicas: 3', 'replicas: 7'));
  await page.waitForSelector('.stop.edit .deleted');
  const edit = await page.locator('.stop').evaluateAll((stops) => stops.findIndex((each) => each.classList.contains('edit')));
  await page.locator('.stop').nth(edit).click();
  assert.match((await page.locator('.pass-summary').textContent()) ?? '', /after the edit/);
  assert.match((await page.locator('.object.deleted h3').allTextContents()).join(), /-south.*Ingress/);
  assert.match((await page.locator('[data-object-of=autoscaler] .minus').textContent()) ?? '', /minReplicas: 3/);
  assert.match((await page.locator('[data-object-of=autoscaler] .plus').textContent()) ?? '', /minReplicas: 7/);
  await page
    .locator('.stop')
    .nth(edit - 1)
    .click();
  assert.equal(await page.locator('.object.deleted').count(), 0);
  assert.match((await page.locator('[data-object-of=autoscaler]').textContent()) ?? '', /minReplicas: 3/);
  await page.click('#tab-deletion');
  assert.equal(await page.locator('.object:has(.deleted) h3').first().textContent(), 'Deleted 1st');
  await page.click('#tab-objects');
  await page.click('.which >> text=As created');
  assert.match(await textIn(yaml), /replicas: 3/);
  await page.click('[title="Take the edit back"]');
  await page.waitForFunction((count) => document.querySelectorAll('.stop').length === count, before);
  assert.deepEqual(problems, []);
});

test('a node is held back, a status edited, an external object removed, and the scenario saved as a test', skip, async () => {
  const { page, problems } = await views.preview(SHOP);
  await page.locator('#node-database').focus();
  await page.keyboard.press('h');
  await page.waitForSelector(`${node('database')} .sign.state-waiting`);
  assert.match((await page.locator(`${node('database')} .why`).textContent()) ?? '', /held back by the scenario/);
  await page.keyboard.press('h');
  await page.waitForSelector(`${node('database')} .sign.state-ready`);

  await page.keyboard.press('e');
  const editor = editorOf(page, 'observed-database');
  const before = await count(page);
  await replaceText(editor, 'status:\n  readyReplicas: 0\n');
  await answered(page, before + 1);
  assert.equal(await textIn(editor), 'status:\n  readyReplicas: 0\n', 'what is typed stays');
  await page.waitForSelector(`${node('database')} .mark:has-text("status edited")`);

  await page.click('#node-registry');
  await page.click('#node-registry-remove');
  await page.waitForSelector(`${node('registry')} .sign:not(.state-ready)`);
  const [saved] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as test')]);
  const text = readFileSync(await saved.path(), 'utf8');
  assert.equal(saved.suggestedFilename(), 'rgd.test.yaml');
  assert.match(text, /registry: null/);
  assert.match(text, /readyReplicas: 0/);
  assert.deepEqual(problems, []);
});

test('high contrast has its own colours, and a narrow page both panes', skip, async () => {
  const { page } = await views.preview(SHOP, { contrast: 'more', colorScheme: 'dark', viewport: { width: 560, height: 800 } });
  assert.equal(await page.locator('.timeline').evaluate((each) => getComputedStyle(each).backgroundColor), 'rgb(0, 0, 0)');
  assert.ok(await page.locator('#panel-nodes').isVisible());
  assert.ok(await page.locator('#panel-objects').isVisible());
});
