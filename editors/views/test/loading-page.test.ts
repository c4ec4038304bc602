// What the preview shows before its first answer, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { laidOut, URI, Views } from './browser';
import { SHOP } from './definitions';
import { editorOf, hasText } from './editing';
import { missing } from './server';

const skip = { skip: missing };
/** A connection on which nothing is ever said. */
const SILENT = `window.WebSocket = class extends EventTarget { static OPEN = 1; readyState = 0; send() {} };`;
const views = new Views();

test('the page says that it loads, until the first answer', skip, async () => {
  const { server, page } = await views.preview(SHOP);
  assert.equal(await page.locator('.loading').isVisible(), false);
  const answer = await server.request('workspace/executeCommand', { command: 'kro.openPreview', arguments: [{ uri: URI }] });
  const waiting = await views.browser.newPage();
  await waiting.addInitScript(SILENT);
  await waiting.goto((answer as { url: string }).url);
  await waiting.locator('.loading').waitFor({ state: 'visible', timeout: 10_000 });
  assert.equal(await waiting.locator('.loading').innerText(), 'Making the preview…');
  assert.equal(await waiting.locator('.loading').getAttribute('role'), 'status');
});

test('a page says what to do when its server has ended', skip, async () => {
  for (const { server, page } of [await views.preview(SHOP), await views.graph(SHOP)]) {
    await server.stop();
    await page.getByText('The language server has ended, and this page with it: open it again from the editor.').waitFor();
  }
});

test('a page says that it loads before its script is there', skip, async () => {
  const { server, page } = await views.graph(SHOP);
  assert.equal(await page.locator('#kro-skeleton').count(), 0);
  for (const [command, text] of [
    ['kro.openGraph', 'Drawing the graph…'],
    ['kro.openPreview', 'Making the preview…'],
  ]) {
    const answer = await server.request('workspace/executeCommand', { command, arguments: [{ uri: URI }] });
    const waiting = await views.browser.newPage({ colorScheme: 'dark' });
    const problems: string[] = [];
    waiting.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    let arrive: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await waiting.route('**/view.js', async (route) => {
      await held;
      await route.continue();
    });
    await waiting.goto((answer as { url: string }).url, { waitUntil: 'commit' });
    const skeleton = waiting.locator('#kro-skeleton');
    await skeleton.waitFor({ state: 'visible' });
    assert.equal(await skeleton.innerText(), text);
    const style = await skeleton.evaluate((element) => [getComputedStyle(element).position, getComputedStyle(element).backgroundColor]);
    assert.equal(style[0], 'fixed', 'its style is allowed');
    assert.notEqual(style[1], 'rgb(255, 255, 255)', 'a dark page does not begin white');
    arrive();
    await skeleton.waitFor({ state: 'detached' });
    if (command === 'kro.openGraph') {
      await laidOut(waiting);
    }
    assert.deepEqual(problems, []);
  }
});

test('the editor is loaded when its box is first seen, with the text and the focus that it is to have', skip, async () => {
  const { page, problems } = await views.preview(SHOP, { viewport: { width: 690, height: 700 } });
  const loaded = (): Promise<number> =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/editor.js')).length);
  assert.equal(await loaded(), 0, 'whoever looks at nodes alone needs no editor');
  let arrive: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/editor.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.click('#tab-instance');
  const waiting = page.locator('.instance .editor.unloaded');
  assert.match(await waiting.innerText(), /kind: OnlineShop/, 'until then the text is read without it');
  await page.click('#tab-nodes');
  await page.locator('#node-database').focus();
  await page.keyboard.press('e');
  assert.equal(await loaded(), 0, 'the box of the instance is below what is seen of its panel');
  arrive();
  await hasText(editorOf(page, 'observed-database'), 'readyReplicas');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'observed-database');
  await page.click('#tab-instance');
  await page.locator('.instance .yaml-editor').scrollIntoViewIfNeeded();
  await hasText(editorOf(page), 'kind: OnlineShop');
  assert.equal(await waiting.count(), 0);
  assert.deepEqual(problems, [], 'nothing that the content security policy refuses');
});

test('a page without its editor still shows the text, and says so', skip, async () => {
  const { page } = await views.preview(SHOP, { viewport: { width: 690, height: 700 } });
  await page.route('**/editor.js', (route) => route.abort());
  await page.click('#tab-instance');
  await page.locator('.instance .yaml-editor').scrollIntoViewIfNeeded();
  await page.locator('.instance .note', { hasText: 'The editor could not be loaded; open the preview again.' }).waitFor();
  assert.match(await page.locator('.instance .editor.unloaded').innerText(), /kind: OnlineShop/);
});
