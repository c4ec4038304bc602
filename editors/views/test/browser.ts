// A browser with a view of a document, live from a server.

import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';

import { type Browser, chromium, type Page } from 'playwright-core';

import { CHROMIUM, missing, Server } from './server';

export const URI = 'file:///project/rgd.yaml';

export interface Opened {
  server: Server;
  page: Page;
  problems: string[];
}

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
}

export async function openGraph(browser: Browser, text: string, options: object = {}, uri = URI): Promise<Opened> {
  const opened = await openView(browser, 'kro.openGraph', text, options, uri);
  await laidOut(opened.page);
  return opened;
}

export async function openPreview(browser: Browser, text: string, options: object = {}): Promise<Opened> {
  const opened = await openView(browser, 'kro.openPreview', text, options);
  await answered(opened.page);
  return opened;
}

/** Returns what opens a preview of a definition, in one browser for all tests of a file; it is closed after its test. */
export function previewsOf(text: string): (options?: object) => Promise<Opened> {
  let browser: Browser | undefined;
  let opened: Opened | undefined;
  before(async () => {
    if (missing === false) {
      browser = await startBrowser();
    }
  });
  after(() => browser?.close());
  afterEach(async () => {
    await opened?.page.close();
    await opened?.server.stop();
    opened = undefined;
  });
  return async (options = {}) => {
    assert(browser);
    opened = await openPreview(browser, text, options);
    opened.page.setDefaultTimeout(10_000);
    return opened;
  };
}

async function openView(browser: Browser, command: string, text: string, options: object, uri = URI): Promise<Opened> {
  const server = new Server();
  await server.start();
  server.open(uri, text);
  const { url } = (await server.request('workspace/executeCommand', {
    command,
    arguments: [{ uri }],
  })) as { url: string };
  const page = await browser.newPage({ viewport: { width: 1600, height: 900 }, ...options });
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      problems.push(message.text());
    }
  });
  await page.goto(url);
  return { server, page, problems };
}

/** Waits until the picture has been laid out so many times. */
export async function laidOut(page: Page, times = 1): Promise<void> {
  await page.waitForFunction((wanted) => Number(document.body.dataset['laidOut'] ?? 0) >= wanted, times);
}

/** Waits until a version of the document has been drawn. */
export async function drawn(page: Page, version: number): Promise<void> {
  await page.waitForFunction((wanted) => document.body.dataset['drawn'] === String(wanted), version);
}

/** Waits until so many previews have been shown. */
export async function answered(page: Page, times = 1): Promise<void> {
  await page.waitForFunction((wanted) => Number(document.body.dataset['answers'] ?? 0) >= wanted, times);
}
