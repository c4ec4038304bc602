// How long a large graph takes to be laid out, in Node.js, and to be seen for the first time, in a page: prints JSON for
// `python -m benchmarks --only graphs`. Usage: node pictures.js RESOURCES TIMES

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';

import { arrange } from '../src/arrangement';
import type { Graph } from '../src/wire';
import { LayoutEngine, type WorkerLike } from '../src/elk';
import { Grouper } from '../src/grouper';
import { layoutOf } from '../src/layouts';
import { modelOf } from '../src/model';
import { openGraph, startBrowser, URI } from './browser';
import { platform } from './definitions';

const [resources, times] = process.argv.slice(2).map(Number) as [number, number];
const PANE = { width: 690, height: 600 };
const source = readFileSync(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'), 'utf8');

interface Time {
  wall: number;
  cpu: number;
}

function startWorker(): WorkerLike {
  const self = {
    postMessage: (data: unknown) => setImmediate(() => worker.onmessage?.({ data } as MessageEvent)),
    onmessage: undefined as unknown as (message: unknown) => void,
  };
  (vm.compileFunction(source, ['self']) as (self: object) => void)(self);
  const worker: WorkerLike = {
    onmessage: null,
    terminate: () => undefined,
    postMessage: (data) => {
      self.onmessage({ data });
    },
  };
  return worker;
}

/** The layout of a graph, as the page groups it, or with all groups expanded. */
async function layOut(graph: Graph, engine: LayoutEngine, isExpanded: boolean): Promise<Time> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const grouper = new Grouper();
  const full = modelOf(graph, new Set());
  grouper.update(full, PANE);
  if (isExpanded) {
    grouper.toggleAll();
  }
  const wanted = grouper.update(full, PANE);
  await layoutOf(wanted, arrange(wanted.base, PANE, true), PANE, (...asked) => engine.layout(...asked));
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - start, cpu: (user + system) / 1000 };
}

const browser = await startBrowser();
const session = await browser.newBrowserCDPSession();

/** The processor milliseconds of all pages with their workers. */
async function rendererTime(): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
}

const found: Record<'picture' | 'groups' | 'expanded', Time[]> = { picture: [], groups: [], expanded: [] };
for (let time = 0; time < times; time++) {
  // No text comes twice.
  const text = platform(resources).replaceAll('platform', `platform${time}`);
  const before = await rendererTime();
  const { server, page } = await openGraph(browser, text, { viewport: { width: 690, height: 700 } });
  const wall = await page.evaluate(() => performance.getEntriesByName('kro-drawn')[0]?.startTime ?? 0);
  found.picture.push({ wall, cpu: (await rendererTime()) - before });
  const graph = (await server.request('kro-ls/graph', { uri: URI })) as Graph;
  await server.stop();
  await page.close();
  const engine = new LayoutEngine(startWorker);
  await layOut(graph, engine, false); // compiles ELK, as the page's worker has when a group is expanded
  found.groups.push(await layOut(graph, engine, false));
  found.expanded.push(await layOut(graph, engine, true));
}
await browser.close();
console.log(JSON.stringify(found));
