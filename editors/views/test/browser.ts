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

export async function openGraph(browser: Browser, text: string, options: object = {}, uri = URI, server = new Server()): Promise<Opened> {
  const opened = await openView(browser, server, 'kro.openGraph', text, options, uri);
  await laidOut(opened.page);
  return opened;
}

async function openPreview(browser: Browser, text: string, options: object, server: Server): Promise<Opened> {
  const opened = await openView(browser, server, 'kro.openPreview', text, options);
  await answered(opened.page);
  opened.page.setDefaultTimeout(10_000);
  return opened;
}

/** The views of a file's tests. */
export class Views {
  #browser: Browser | undefined;
  #server: Server | undefined;
  readonly #opened: Opened[] = [];

  /**
   * Has one browser and one server for all tests of the file, because starting them takes longer than most tests; after
   * each test, also one that fails, its pages and documents are closed. A test also fails where a page wanted something
   * that its content security policy forbids.
   */
  constructor() {
    before(async () => {
      if (missing === false) {
        this.#browser = await startBrowser();
      }
    });
    after(() => Promise.all([this.#browser?.close(), this.#server?.stop()]));
    afterEach(async () => {
      await this.#close();
      assert.deepEqual(
        this.#opened.splice(0).flatMap(({ problems }) => problems.filter((each) => each.includes('Content Security Policy'))),
        [],
      );
    });
  }

  get browser(): Browser {
    assert(this.#browser);
    return this.#browser;
  }

  async graph(text: string, options: object = {}, uri = URI): Promise<Opened> {
    return this.#note(await openGraph(this.browser, text, options, uri, this.#living()));
  }

  async preview(text: string, options: object = {}): Promise<Opened> {
    return this.#note(await openPreview(this.browser, text, options, this.#living()));
  }

  #note(opened: Opened): Opened {
    this.#opened.push(opened);
    return opened;
  }

  /** The server of the tests before, unless one of them ended it. */
  #living(): Server {
    if (!this.#server || this.#server.hasEnded) {
      this.#server = new Server();
    }
    return this.#server;
  }

  async #close(): Promise<void> {
    for (const context of this.#browser?.contexts() ?? []) {
      await context.close();
    }
    if (this.#server?.hasEnded === false) {
      await this.#server.forget();
    }
  }
}

async function openView(browser: Browser, server: Server, command: string, text: string, options: object, uri = URI): Promise<Opened> {
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
