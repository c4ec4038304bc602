// The preview beside the code and in a narrow pane: nothing is cut in mid-letter or pushed out, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { Views } from './browser';
import { SHOP } from './definitions';
import { missing } from './server';

const skip = { skip: missing };
const LONG = 'databaseServiceOfTheWholeShop';
const views = new Views();

/** Texts of elements that are wider than what shows them, without an ellipsis; the lists of objects' YAML scroll. */
function cutTexts(page: Page, selector: string): Promise<string[]> {
  return page
    .locator(selector)
    .evaluateAll((elements) =>
      elements
        .filter(
          (each) =>
            each.scrollWidth > each.clientWidth + 1 &&
            getComputedStyle(each).textOverflow !== 'ellipsis' &&
            (each as HTMLElement).offsetParent !== null,
        )
        .map((each) => each.textContent),
    );
}

for (const width of [690, 250]) {
  test(`reasons, heads and rows are whole or end in an ellipsis at ${width} px`, skip, async () => {
    const { page } = await views.preview(SHOP.replaceAll('databaseService', LONG), { viewport: { width, height: 700 } });
    await page.locator('#node-database').focus();
    await page.keyboard.press('h');
    await page.waitForSelector(`[data-node=${LONG}] .sign.state-pending`);
    assert.deepEqual(
      await cutTexts(page, '.node .clamped, .node .id, .object h3, .object h3 *, .pass-summary, .errors .error, .form label'),
      [],
    );
    const reason = page.locator(`[data-node=${LONG}] .clamped`);
    assert.equal(await reason.evaluate((each) => getComputedStyle(each).webkitLineClamp), '2', 'a longer one ends in an ellipsis, too');
    const rows = await page.locator('.node-name').evaluateAll((names) =>
      names.map((name) => {
        const strip = name.querySelector('.strip')?.getBoundingClientRect();
        const row = name.closest('.node')?.getBoundingClientRect();
        return {
          isInside: (strip?.right ?? 0) <= (row?.right ?? 0),
          id: name.querySelector('.id')?.clientWidth ?? 0,
          strip: strip?.width ?? 0,
        };
      }),
    );
    assert.ok(
      rows.every(({ isInside, id, strip }) => isInside && id >= 40 && strip >= 24),
      JSON.stringify(rows),
    );
    assert.match((await page.locator(`#node-${LONG}`).getAttribute('aria-label')) ?? '', /; 0 objects;/);
    assert.match((await page.locator('#node-database').getAttribute('aria-label')) ?? '', /; 1 object;/);
  });
}

for (const width of [690, 500, 250]) {
  test(`the form of a map with long keys is as wide as its pane at ${width} px`, skip, async () => {
    const keys = '{"app.kubernetes.io/component": "coredns", "averylongkeywithoutanyplacetobreakit": "x"}';
    const definition = SHOP.replace('replicas: integer', `labels: 'map[string]string | default=${keys}'\n      replicas: integer`);
    const { page } = await views.preview(definition, { viewport: { width, height: 700 } });
    await page.click('#tab-instance');
    await page.locator('[id="field-spec.zones.0"]').waitFor();
    const wide = await page.locator('#panel-instance').evaluate((panel) => {
      const { right } = panel.getBoundingClientRect();
      return [...panel.querySelectorAll('.form .control, .form .head, .form label')]
        .filter((each) => each.getBoundingClientRect().right > right + 1)
        .map((each) => each.textContent);
    });
    assert.deepEqual(wide, []);
    const inputs = await page.locator('.rows input').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
    assert.ok(
      inputs.every((each) => each >= 50),
      JSON.stringify(inputs),
    );
    const counts = await page
      .locator('.head .count')
      .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height > 20).length);
    assert.equal(counts, 0, 'a count is on one line');
  });
}

test('beside the code the form has the room, and the error of a field that is typed in is seen', skip, async () => {
  const { page, problems } = await views.preview(SHOP, { viewport: { width: 690, height: 700 } });
  await page.click('#tab-instance');
  const seen = await page.locator('#panel-instance').evaluate((panel) => {
    const { bottom } = panel.getBoundingClientRect();
    return [...panel.querySelectorAll('.control, .group-field > .head')].filter((each) => each.getBoundingClientRect().bottom <= bottom)
      .length;
  });
  assert.ok(seen >= 8, `${seen} fields are seen at once`);
  const host = page.locator('[id="field-spec.ingress.host"]');
  await host.focus();
  await page.locator('[id="field-spec.replicas"]').evaluate((each) => {
    const panel = each.closest('#panel-instance');
    if (panel) {
      // The field is the last one that is seen.
      panel.scrollTop += each.getBoundingClientRect().bottom - panel.getBoundingClientRect().bottom + 4;
    }
  });
  await page.locator('[id="field-spec.replicas"]').evaluate((each) => {
    each.focus({ preventScroll: true });
  });
  await page.keyboard.type('many');
  const fault = page.locator('[id="field-spec.replicas-faults"] li');
  await fault.waitFor();
  const [inside, panel] = await Promise.all([fault.boundingBox(), page.locator('#panel-instance').boundingBox()]);
  assert.ok(inside && panel && inside.y + inside.height <= panel.y + panel.height + 1, 'the whole error is in the panel');
  assert.equal(await page.locator('[id="field-metadata.namespace-label"] .usual').textContent(), ' · default: default');
  assert.deepEqual(problems, []);
});
