// What the preview shows of an instance that is not ready in the cluster that its file comes from.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { URI, Views } from './browser';
import { SHOP } from './definitions';
import { missing } from './server';

const skip = { skip: missing };
const KIND = /kind: (\w+)\n/.exec(SHOP.slice(SHOP.indexOf('schema:')))?.[1] ?? '';
const VERSION = /apiVersion: (\w+)\n/.exec(SHOP.slice(SHOP.indexOf('schema:')))?.[1] ?? '';
const INSTANCE = `apiVersion: kro.run/${VERSION}
kind: ${KIND}
metadata: {name: stuck, namespace: shop, uid: u}
spec: {name: stuck}
status:
  state: ERROR
  conditions:
    - {type: ResourcesReady, status: "False", reason: NotReady, message: 'resource reconciliation failed: apply results contain errors: namespaces "team" not found'}
`;
const views = new Views();

test('the causes are in the banner, and go with the instance', skip, async () => {
  const { server, page, problems } = await views.preview(SHOP);
  assert.equal(await page.locator('.banner').isVisible(), false);
  const uri = 'file:///project/stuck.yaml';
  server.open(uri, INSTANCE);
  await server.request('workspace/executeCommand', { command: 'kro.chooseInstance', arguments: [{ uri: URI, instance: uri }] });
  await page.waitForFunction(() => document.body.innerText.includes('In its cluster the instance is not ready'));
  assert.match(await page.locator('.banner').innerText(), /namespace team does not exist/);
  assert.match(await page.locator('.banner .advice').first().innerText(), /^Matter of a missing object\. To unblock: create the namespace/);
  server.change(uri, INSTANCE.replace('ERROR', 'ACTIVE').replace('"False"', '"True"'));
  await page.waitForFunction(() => !document.body.innerText.includes('In its cluster'));
  assert.deepEqual(problems, []);
});
