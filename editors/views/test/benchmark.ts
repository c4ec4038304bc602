// How long the page takes from a key to the picture: `npm run benchmark`. Every key is a text that nobody has seen.

import { execFileSync } from 'node:child_process';

import type { Page } from 'playwright-core';

import { laidOut, openGraph, startBrowser, URI } from './browser';
import { ROOT } from './server';

const KEYS = 25;
const PAUSE = 400;

/** Has the page note when the frame of each drawn version was made. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    const times: Record<string, number> = {};
    Object.assign(globalThis, { drawnAt: times });
    new MutationObserver(() => {
      const version = document.body.dataset['drawn'] ?? '';
      requestAnimationFrame(() => setTimeout(() => (times[version] ??= performance.timeOrigin + performance.now()), 0));
    }).observe(document.body, { attributes: true, attributeFilter: ['data-drawn'] });
  });
}

async function timeOf(page: Page, version: number): Promise<number> {
  const found = await page.waitForFunction(
    (wanted) => (globalThis as unknown as { drawnAt: Record<string, number> }).drawnAt[wanted],
    version,
    { polling: 20 },
  );
  return Number(await found.jsonValue());
}

function summary(times: number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0).padStart(5);
  return `median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, worst ${at(1)} ms`;
}

const browser = await startBrowser();
for (const resources of [200, 500]) {
  const script = `from benchmarks.definitions import definition; print(definition(${resources}, 0).text, end='')`;
  const platform = `from tests.fixtures.graphs import platform; print(platform(${resources}), end='')`;
  for (const [name, code] of Object.entries({ platform, generated: script })) {
    const text = execFileSync(`${ROOT}.venv/bin/python`, ['-c', code], { cwd: ROOT, encoding: 'utf8' });
    const lines = text.split('\n');
    const { server, page } = await openGraph(browser, text);
    await watch(page);
    const middle = lines.findIndex((each, number) => number > lines.length / 2 && /^\s+- id: /.test(each));
    const names = lines.filter((each) => /^\s+- id: /.test(each)).map((each) => each.replace(/.*- id: /, ''));
    const kinds: Record<string, (key: number) => number> = {
      // A key in a template: the graph's structure stays, one expression's place moves.
      'a key in an expression': (key) => server.type(URI, middle + 1, 0, `    # ${key}\n`),
      // A resource that comes into being and reads others: boxes and arrows are added.
      'a new resource': (key) =>
        server.type(
          URI,
          lines.findIndex((each) => each.startsWith('  resources:')) + 1,
          0,
          `    - id: added${key}x\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${${names[names.length - key] ?? ''}.metadata.name}"}}\n`,
        ),
    };
    for (const [what, edit] of Object.entries(kinds)) {
      const times: number[] = [];
      for (let key = 1; key <= KEYS; key++) {
        const before = performance.timeOrigin + performance.now();
        times.push((await timeOf(page, edit(key))) - before);
        await page.waitForTimeout(PAUSE);
      }
      console.log(`${resources} resources, ${name}, ${what}: ${summary(times)}`);
    }
    await laidOut(page);
    await server.stop();
    await page.close();
  }
}
await browser.close();
