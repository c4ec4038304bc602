// The loopback page in a real browser, with a real server.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { drawn, laidOut, URI, Views } from './browser';
import { SHOP } from './definitions';
import { missing } from './server';

const views = new Views();

const skip = { skip: missing };

test('a graph is drawn, follows the text, and a click goes to the line and back', skip, async () => {
  const { server, page, problems } = await views.graph(SHOP);
  assert.equal(await page.locator('[data-id]').count(), 20);
  assert.match((await page.locator('[data-id=web]').getAttribute('aria-label')) ?? '', /^web; Deployment; pass 6; needs /);
  const lines = SHOP.split('\n');
  const line = lines.findIndex((each) => each.includes('- id: settings'));

  await page.click('[data-id=settings]');
  const shown = await server.wait(
    (message) => message.method === 'window/showDocument' && !(message.params as { external?: boolean }).external,
  );
  assert.deepEqual(shown.params, {
    uri: URI,
    takeFocus: false,
    selection: { start: { line, character: 10 }, end: { line, character: 18 } },
  });
  assert.equal(await page.locator('[data-id=role].dim').count(), 1, 'what has nothing to do with it steps back');

  const cursor = { uri: URI, line: lines.findIndex((each) => each.includes('kind: Job')), character: 8 };
  await server.request('workspace/executeCommand', { command: 'kro.selectInGraph', arguments: [cursor] });
  await page.waitForSelector('[data-id=migration].selected');

  const place = await page.locator('[data-id=password]').getAttribute('transform');
  const version = server.change(URI, SHOP.replace('data: {workers:', 'data: {more: "${registry.metadata.name}", workers:'));
  await drawn(page, version);
  assert.equal(await page.locator('[data-arrow="registry→dashboards"]').count(), 1);
  await laidOut(page, 2);
  assert.ok(place);

  const cyclic = server.change(
    URI,
    SHOP.replace('spec: {selector: {app: cache}, ports', 'spec: {externalName: "${web.metadata.name}", ports'),
  );
  await drawn(page, cyclic);
  assert.ok((await page.locator('.arrow.cyclic').count()) >= 3, 'the cycle is red');
  assert.deepEqual(problems, [], 'nothing that the content security policy refuses');
  assert.equal(await server.stop(), 0);
  await page.waitForSelector('.banner:not([hidden])');
});

test('the keyboard and the toolbar do what the mouse does', skip, async () => {
  const { page, problems } = await views.graph(SHOP);
  const selected = (): Promise<string | null> => page.locator('.box.selected').getAttribute('data-id');
  await page.locator('svg.graph').focus();
  await page.keyboard.press('ArrowDown');
  assert.ok(await selected(), 'the first key selects a box');
  await page.click('[data-id=password]');
  await page.keyboard.press('ArrowRight');
  assert.equal(await selected(), 'database');
  await page.keyboard.press('ArrowRight');
  assert.equal(await selected(), 'databaseService');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await selected(), 'database');
  await page.keyboard.press('c');
  assert.equal(await page.locator('[data-id=databaseService]').count(), 0, 'what only it leads to is folded');
  await page.keyboard.press('c');
  await page.waitForSelector('[data-id=databaseService]');
  await page.click('[data-id=ingress]', { modifiers: ['Shift'] });
  assert.match((await page.locator('[role=status]').textContent()) ?? '', /^The ways between database and ingress have \d+ arrows$/);
  assert.equal(await page.locator('[data-id=workers].dim').count(), 1, 'it is on no way between them');
  await page.keyboard.press('Escape');

  await page.fill('input[type=search]', 'service');
  assert.match((await page.locator('.found-count').textContent()) ?? '', /^4 found$/);
  await page.keyboard.press('Enter');
  assert.equal(await selected(), 'account');
  await page.fill('input[type=search]', '');

  await page.click('text=Deletion');
  await page.waitForSelector('.band:has-text("Deleted 1st")');
  assert.equal(await page.locator('.band:has-text("Pass")').count(), 0);
  await page.click('text=Deletion');
  await page.waitForSelector('.band:has-text("Pass 8")');
  await page.click('text=Schema fields');
  await page.waitForSelector('[data-id="schema.spec.ingress.host"]');
  await page.click('text=Schema fields');
  await page.click('text=Instance');
  await page.waitForSelector('.box.ignored');
  assert.match((await page.locator('[data-id=volumes]').textContent()) ?? '', /×\d/);

  for (const [format, start] of Object.entries({ svg: '<svg', png: '\x89PNG', mermaid: 'flowchart', dot: 'digraph' })) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.selectOption('select[aria-label=Export]', format)]);
    assert.ok(readFileSync(await download.path(), 'latin1').startsWith(start), format);
  }
  assert.deepEqual(problems, []);
});

test('the instance of the picture is picked', skip, async () => {
  const { server, page, problems } = await views.graph(SHOP);
  const instance = (zones: string): string =>
    `apiVersion: kro.run/v1alpha1\nkind: OnlineShop\nmetadata: {name: shop}\nspec: {name: shop, zones: ${zones}}\n`;
  server.open('file:///project/a.yaml', instance('[a]'));
  server.open('file:///project/b.yaml', instance('[a, b, c, d]'));
  await page.click('text=Instance');
  await page.waitForFunction(() => document.querySelectorAll('select[aria-label=Instance] option').length === 3);
  assert.match((await page.locator('#kro-title').textContent()) ?? '', /a\.yaml: ACTIVE$/);
  await page.selectOption('select[aria-label=Instance]', 'file:///project/b.yaml');
  await page.waitForSelector('[data-id=volumes]:has-text("×4")');
  assert.match((await page.locator('#kro-title').textContent()) ?? '', /b\.yaml: ACTIVE$/);
  assert.deepEqual(problems, []);
});

test('the details cover neither a box nor a title where there is room elsewhere', skip, async () => {
  const { page } = await views.graph(SHOP, { viewport: { width: 1600, height: 620 } });
  const covered = (): Promise<string[]> =>
    page.evaluate(() => {
      const panel = document.querySelector('aside:not([hidden])')?.getBoundingClientRect();
      const all = [...document.querySelectorAll('.box, .band text, .zoom')];
      return all
        .filter((each) => {
          const place = each.getBoundingClientRect();
          return !panel || (panel.left < place.right && place.left < panel.right && panel.top < place.bottom && place.top < panel.bottom);
        })
        .map((each) => each.getAttribute('data-id') ?? each.textContent);
    });
  for (const id of ['settings', 'registry', 'ingress', 'certificates']) {
    await page.click(`[data-id=${id}]`);
    assert.deepEqual(await covered(), [], id);
    await page.keyboard.press('Escape');
  }
  await page.click('[data-id=settings]');
  await page.click('text=Schema fields');
  await page.waitForSelector('[data-id="schema.spec.ingress.host"]');
  await laidOut(page, 2);
  assert.ok(!(await covered()).some((each) => each === 'settings' || each.startsWith('Pass')), 'after another layout as well');
});

test('the order of deletion is fitted to the pane, whatever was selected or zoomed', skip, async () => {
  const { page } = await views.graph(SHOP, { viewport: { width: 690, height: 620 } });
  await page.click('[data-id=settings]');
  await page.keyboard.press('+');
  await page.keyboard.press('d');
  await page.waitForSelector('.band:has-text("Deleted 1st"), .band:has-text("1st")');
  const placedBadly = () =>
    page.evaluate(() => {
      const pane = document.querySelector('.canvas')?.getBoundingClientRect() ?? new DOMRect();
      const boxes = [...document.querySelectorAll('.box')].map((each) => ({
        each,
        place: each.querySelector('.card')?.getBoundingClientRect() ?? new DOMRect(),
      }));
      const isIn = ({ left, right, top, bottom }: DOMRect): boolean =>
        left >= pane.left && right <= pane.right && top >= pane.top && bottom <= pane.bottom;
      const titles = [...document.querySelectorAll('.band text')].map((each) => each.getBoundingClientRect());
      const isCovered = (title: DOMRect): boolean =>
        boxes.some(
          ({ place }) => place.left < title.right && title.left < place.right && place.top < title.bottom && title.top < place.bottom,
        );
      return [
        ...boxes.filter(({ place }) => !isIn(place)).map(({ each }) => each.getAttribute('data-id')),
        ...titles.filter(isCovered).map(String),
      ];
    });
  // A layout that the click and the zoom asked for may come in between, so the first one is not the last.
  let found = await placedBadly();
  for (const end = Date.now() + 20_000; found.length > 0 && Date.now() < end; found = await placedBadly()) {
    await page.waitForTimeout(50);
  }
  assert.deepEqual(found, []);
  assert.equal(await page.locator('.minimap').isVisible(), false, 'all of it is seen, so no map covers it');
});

test('a graph in which everything reads others gets its layout in time', skip, async () => {
  const resource = (number: number): string => {
    // A fixed rule that looks like chance: each reads up to three before it.
    const reads = [7, 13, 29].map((step) => (number * step * step) % Math.max(number, 1)).slice(0, number % 4);
    const data = reads.map((other, key) => `k${key}: "\${r${other}.metadata.name}"`).join(', ');
    return `    - id: r${number}\n      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "n${number}"}, data: {${data}}}\n`;
  };
  const resources = Array.from({ length: 500 }, (_, number) => resource(number)).join('');
  const { page, problems } = await views.graph(SHOP.replace(/( {2}resources:\n)[^]*/, `$1${resources}`));
  assert.equal(await page.locator('[data-id]').count(), 500);
  assert.doesNotMatch((await page.locator('[role=status]').textContent()) ?? '', /too long/);
  assert.deepEqual(problems, []);
});

test('high contrast has its own colours', skip, async () => {
  const { page } = await views.graph(SHOP, { contrast: 'more', colorScheme: 'dark', viewport: { width: 1600, height: 480 } });
  assert.equal(await page.locator('[data-id=web] .card').evaluate((card) => getComputedStyle(card).stroke), 'rgb(255, 255, 255)');
});
