// Both pages with the Tab key alone: everything is reached, can be left, has a name, and shows that it has the focus.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { laidOut, Views } from './browser';
import { platform, SHOP } from './definitions';
import { missing } from './server';

const skip = { skip: missing };
const views = new Views();
const MOST_STOPS = 300;
/** A resource without a template, and two that wait for each other. */
const HALF_TYPED = `${SHOP}    - id: halfTyped
    - id: hen
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${egg.metadata.name}"}}
    - id: egg
      template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "\${hen.metadata.name}"}}
`;

interface Stop {
  /** What it is, for messages: its tag, class and text. */
  what: string;
  isEditor: boolean;
  hasName: boolean;
  /** Whether it looks otherwise than without the focus. */
  isSeen: boolean;
}

/** Where the focus is; null at the end of the page. */
function stopOf(page: Page): Promise<Stop | null> {
  return page.evaluate(() => {
    const found = document.activeElement;
    if (!found || found === document.body) {
      return null;
    }
    const inner = found.shadowRoot?.activeElement ?? found;
    const labelled = [
      inner.getAttribute('aria-label'),
      (inner as HTMLInputElement).labels?.[0]?.textContent,
      inner.textContent,
      inner.getAttribute('title'),
    ];
    const { outlineStyle, outlineWidth } = getComputedStyle(found);
    return {
      what: `${found.tagName}.${found.getAttribute('class') ?? ''} ${found.id} ${inner.textContent.trim().slice(0, 30)}`,
      isEditor: found.shadowRoot !== null,
      hasName: labelled.some((text) => (text ?? '').trim() !== ''),
      isSeen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1,
    };
  });
}

/** All places that the Tab key comes to, from the beginning of the page to its end. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  await page.evaluate(() => {
    // The keys go on from where the last element was that had the focus.
    const start = document.createElement('button');
    document.body.prepend(start);
    start.focus();
    start.remove();
  });
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await stopOf(page);
    if (stop === null) {
      return stops;
    }
    stops.push(stop);
    assert.ok(
      stops.length < MOST_STOPS,
      `the keys are trapped at ${stops
        .slice(-3)
        .map(({ what }) => what)
        .join(', ')}`,
    );
    if (stop.isEditor) {
      await page.keyboard.press('Escape');
    }
  }
}

/** The controls that can be seen and used, but that the Tab key never came to; marks what it came to. */
async function missed(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input, select, textarea, [role=slider], [role=tabpanel]')]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(':disabled') && each.tabIndex < 0)
      // Within a list, a row of tabs and a text, the arrow keys go on from the one that the Tab key comes to.
      .filter((each) => !each.matches('.node-name, .node .why, [role=tab], [role=tabpanel]'))
      .map((each) => each.outerHTML.slice(0, 120)),
  );
}

function check(stops: readonly Stop[]): void {
  assert.deepEqual(
    stops.filter(({ hasName }) => !hasName).map(({ what }) => what),
    [],
    'each has a name',
  );
  assert.deepEqual(
    stops.filter(({ isSeen }) => !isSeen).map(({ what }) => what),
    [],
    'each shows that it has the focus',
  );
}

for (const size of [
  { width: 1500, height: 900 },
  { width: 690, height: 800 },
]) {
  test(`the Tab key comes to all of the preview, and leaves it: ${size.width} pixels wide`, skip, async () => {
    const { page, problems } = await views.preview(SHOP, { viewport: size });
    for (const tab of ['Nodes', 'Instance', 'Objects', 'Status', 'Changes', 'Deletion']) {
      const found = page.locator(`#tab-${tab.toLowerCase()}`);
      if (await found.isVisible()) {
        await found.click();
        const stops = await walk(page);
        check(stops);
        assert.deepEqual(await missed(page), [], tab);
        assert.ok(
          stops.some(({ what }) => what.includes('track')),
          'the time line',
        );
        assert.ok(
          stops.some(({ what }) => what.includes(`tab-${tab.toLowerCase()}`)),
          tab,
        );
      }
    }
    assert.deepEqual(problems, []);
  });
}

test('the tabs are chosen with arrow keys, Home and End', skip, async () => {
  const { page } = await views.preview(SHOP);
  await page.locator('#tab-objects').focus();
  for (const [key, tab] of [
    ['ArrowRight', 'status'],
    ['End', 'deletion'],
    ['ArrowRight', 'objects'],
    ['ArrowLeft', 'deletion'],
    ['Home', 'objects'],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => document.activeElement?.id), `tab-${tab}`);
    assert.ok(await page.locator(`#panel-${tab}`).isVisible());
  }
});

test('rows that are missing, and the first one that a filter leaves, are reached by keys', skip, async () => {
  const { page, problems } = await views.preview(HALF_TYPED);
  const at = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.closest('.node')?.querySelector('.id')?.textContent);
  await page.locator('#node-settings').focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('#node-halfTyped').focus();
  for (const id of ['hen', 'egg']) {
    await page.keyboard.press('ArrowDown');
    assert.equal(await at(), id);
  }
  assert.equal(await page.evaluate(() => (document.activeElement as HTMLElement).tabIndex), 0);
  await page.keyboard.press('ArrowUp');
  assert.equal(await at(), 'hen');
  await page.fill('#filter-nodes', 'cache');
  assert.ok(
    (await walk(page)).some(({ what }) => what.includes('node-cache')),
    'what is selected is not among what was found',
  );
  assert.deepEqual(problems, []);
});

test('Escape closes what is open, and the focus is where it was opened', skip, async () => {
  const { page, problems } = await views.preview(SHOP);
  await page.locator('#node-cache').focus();
  await page.keyboard.press('h');
  await page.waitForSelector('[data-node=cache] .sign.state-waiting');
  await page.locator('#more-cache').focus();
  await page.keyboard.press('Enter');
  const full = page.locator('[data-node=cache] .full');
  assert.ok(await full.isVisible());
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  assert.equal(await full.isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'more-cache');

  await page.locator('#node-cache').focus();
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.activeElement?.id === 'observed-cache');
  const editor = page.locator('[data-node=cache] .yaml-editor');
  assert.match(await editor.locator('.way-out').innerText(), /Escape, then Tab/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  assert.notEqual(await page.evaluate(() => document.activeElement?.id), 'observed-cache');
  await page.keyboard.press('Escape');
  assert.equal(await editor.isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'node-cache-edit');
  assert.deepEqual(problems, []);
});

test('the Tab key comes to all of the graph: its tools, the picture, the details of a box, the zoom', skip, async () => {
  const { page, problems } = await views.graph(SHOP);
  const without = await walk(page);
  check(without);
  assert.deepEqual(await missed(page), []);
  await page.locator('svg.graph').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const id = await page.locator('.box.selected').getAttribute('data-id');
  assert.ok(await page.locator('.box:focus-visible').count(), 'the box shows that it has the focus');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement?.closest('aside') !== null), true, 'the details come after the picture');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('aside').isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-id')), id, 'the focus is back at the box');
  await page.keyboard.press('/');
  await page.keyboard.type('service');
  await page.keyboard.press('Enter');
  assert.match((await page.locator('.box.selected').getAttribute('aria-label')) ?? '', /service/i);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('input[type=search]').inputValue(), '');
  assert.deepEqual(problems, []);
});

test('a group is expanded and collapsed by keys, and its members are reached', skip, async () => {
  const { page, problems } = await views.graph(platform(130), { viewport: { width: 690, height: 700 } });
  const box = (): Promise<string | null> => page.locator('.box.selected').getAttribute('data-id');
  await page.locator('svg.graph').focus();
  await page.keyboard.press('ArrowDown');
  assert.equal(await box(), 'group cart');
  const times = Number(await page.evaluate(() => document.body.dataset['laidOut']));
  await page.keyboard.press('Enter');
  await laidOut(page, times + 1);
  const members = new Set<string | null>();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowDown']) {
    await page.keyboard.press(key);
    members.add(await box());
  }
  assert.ok(
    [...members].some((id) => id?.startsWith('cart')),
    [...members].join(),
  );
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelectorAll('[aria-expanded=true]').length === 13);
  await page.keyboard.press('e');
  await page.waitForFunction(() => document.querySelectorAll('[aria-expanded=true]').length === 0);
  assert.deepEqual(problems, []);
});
