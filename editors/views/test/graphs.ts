// Graphs and layouts that several tests draw.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import type { Graph, Problem, ResourceNode } from '../src/wire';
import type { WorkerLike } from '../src/elk';
import { grouped, groupId, groupsOf } from '../src/grouping';
import type { Layout } from '../src/layout';
import { Layouts } from '../src/layouts';
import { modelOf, type Model } from '../src/model';

export const HERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

export function node(id: string, more: Partial<ResourceNode> = {}): ResourceNode {
  return {
    id,
    kind: 'ConfigMap',
    apiVersion: 'v1',
    namespace: null,
    conditions: {},
    type: 'Resource',
    pass: 1,
    wave: 1,
    position: 0,
    conditional: false,
    range: HERE,
    idRange: HERE,
    groups: {
      prefix: /^[a-z]+/.exec(id)?.[0] ?? id,
      apiGroup: more.apiVersion?.replace(/\/.*/, '') ?? 'core',
      namespace: more.namespace ?? 'no namespace',
    },
    problems: [],
    ...more,
  };
}

export function graph(nodes: ResourceNode[], needs: Record<string, string[]> = {}): Graph {
  const edges = Object.entries(needs).flatMap(([from, all]) =>
    all.map((to) => ({
      from,
      to,
      cyclic: false,
      critical: false,
      causes: [{ reads: `${to}.x`, expression: `\${${to}.x}`, path: 'template', range: HERE }],
    })),
  );
  return {
    uri: '',
    version: 1,
    definition: 0,
    definitions: [],
    name: 'app',
    kind: 'App',
    isGraph: false,
    nodes,
    edges,
    cycles: [],
    criticalPath: [],
  };
}

export const ERROR: Problem = { severity: 'error', code: 'x', message: 'wrong', range: HERE };
export const SHOP = graph(
  [
    node('webDeployment', { kind: 'Deployment', apiVersion: 'apps/v1', namespace: 'front' }),
    node('webService', { kind: 'Service', namespace: 'front', problems: [ERROR, { ...ERROR, severity: 'warning' }] }),
    node('dbVolume', { kind: 'PersistentVolumeClaim', type: 'Collection' }),
    node('dbSet', { kind: 'StatefulSet', apiVersion: 'apps/v1' }),
    node('alone'),
  ],
  { webDeployment: ['dbSet', 'dbVolume'], webService: ['webDeployment', 'dbSet'], dbSet: ['dbVolume'], alone: ['webService'] },
);
export function services(count: number): Model {
  const names = Array.from({ length: count }, (_, number) =>
    `svc${String.fromCharCode(97 + (number % 26))}${number}`.replace(
      /\d+$/,
      (digits) => 'x'.repeat(Number(digits) % 7) + 'q'.repeat(Math.floor(Number(digits) / 7)),
    ),
  );
  const parts = ['Config', 'Account', 'Deployment', 'Service', 'Ingress', 'Policy', 'Budget', 'Role'];
  const nodes = names.flatMap((name) => parts.map((part, number) => node(`${name}${part}`, { pass: Math.min(number + 1, 4) })));
  const needs = Object.fromEntries(
    names.flatMap((name, number) => [
      [
        `${name}Deployment`,
        [
          `${name}Config`,
          `${name}Account`,
          ...(number ? [`${names[number >> 1] ?? ''}Service`].filter((each) => each !== `${name}Service`) : []),
        ],
      ],
      [`${name}Service`, [`${name}Deployment`]],
      [`${name}Ingress`, [`${name}Service`]],
    ]),
  );
  return modelOf(graph(nodes, needs), new Set());
}

export const MODEL = modelOf(SHOP, new Set());

const source = readFileSync(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'), 'utf8');

export function startWorker(): WorkerLike {
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

export async function layoutOf(
  pane: { width: number; height: number },
  model: Model,
  ...expandeds: string[][]
): Promise<{ model: Model; layout: Layout }[]> {
  const groups = groupsOf(model, 'prefix');
  const found: { model: Model; layout: Layout }[] = [];
  let placed: (layout: Layout) => void = () => undefined;
  const layouts = new Layouts(startWorker, {
    pane: () => pane,
    placed: (_, layout) => {
      placed(layout);
    },
    failed: (_, error) => {
      throw error;
    },
  });
  for (const names of expandeds) {
    const wanted = { model: grouped(model, groups, new Set(names.map(groupId))), base: grouped(model, groups, new Set()) };
    const layout = await new Promise<Layout>((resolve) => {
      placed = resolve;
      layouts.update(wanted, found.at(-1)?.layout ?? null, false, { isAsking: true, stays: false });
    });
    found.push({ model: wanted.model, layout });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}
