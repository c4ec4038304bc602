// What the preview shows before its first answer, in a real browser.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Browser } from 'playwright-core';

import { openPreview, startBrowser, URI } from './browser';
import { SHOP } from './definitions';
import { missing } from './server';

const skip = { skip: missing };
/** A connection on which nothing is ever said. */
const SILENT = `window.WebSocket = class extends EventTarget { static OPEN = 1; readyState = 0; send() {} };`;
let browser: Browser;

before(async () => {
  if (missing === false) {
    browser = await startBrowser();
  }
});
after(() => browser.close());

test('the page says that it loads, until the first answer', skip, async () => {
  const { server, page } = await openPreview(browser, SHOP);
  assert.equal(await page.locator('.loading').isVisible(), false);
  const answer = await server.request('workspace/executeCommand', { command: 'kro.openPreview', arguments: [{ uri: URI }] });
  const waiting = await browser.newPage();
  await waiting.addInitScript(SILENT);
  await waiting.goto((answer as { url: string }).url);
  await waiting.locator('.loading').waitFor({ state: 'visible', timeout: 10_000 });
  assert.equal(await waiting.locator('.loading').innerText(), 'Making the preview…');
  assert.equal(await waiting.locator('.loading').getAttribute('role'), 'status');
  await waiting.close();
  await page.close();
  await server.stop();
});
