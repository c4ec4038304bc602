// The preview by keys alone, in all themes, in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { Views } from './browser';
import { SHOP } from './definitions';
import { editorOf, hasText, lacksText, textIn, waitFor } from './editing';
import { missing } from './server';

const skip = { skip: missing };
const views = new Views();
const THEMES = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'high contrast': { colorScheme: 'dark', contrast: 'more' },
  'high contrast light': { colorScheme: 'light', contrast: 'more' },
} as const;
/** What WCAG asks for: level AA, and AAA where somebody asked for more. */
const ENOUGH = { light: 4.5, dark: 4.5, 'high contrast': 7, 'high contrast light': 7 };

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.id ?? '');
}

/** Presses a key until the focus is at an element. */
async function goTo(page: Page, wanted: string, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  while ((await focused(page)) !== wanted) {
    passed.push(await focused(page));
    assert.ok(passed.length < 150, `${key} does not lead to ${wanted}, only to ${[...new Set(passed)].join(', ')}`);
    await page.keyboard.press(key);
  }
}

/** The texts with too little contrast to what is behind them, with their ratios. */
function faintTexts(page: Page, enough: number): Promise<string[]> {
  return page.evaluate((least) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    type Color = [number, number, number, number];
    const read = (color: string): Color => {
      if (!canvas) {
        throw new Error('no canvas');
      }
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = ([r, g, b, a]: Color, [x, y, z]: Color): Color => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
    const parentOf = (element: Element): Element | null =>
      element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
    const behind = (element: Element | null): Color => {
      if (!element) {
        return [255, 255, 255, 1];
      }
      const color = read(getComputedStyle(element).backgroundColor);
      return color[3] === 1 ? color : over(color, behind(parentOf(element)));
    };
    const light = (color: Color): number => {
      const [r = 0, g = 0, b = 0] = color
        .slice(0, 3)
        .map((each) => (each / 255 <= 0.03928 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    /** What is dimmed or cannot be used is to be faint. */
    const isMuted = (element: Element | null): boolean =>
      element !== null &&
      (Number(getComputedStyle(element).opacity) < 1 || element.matches(':disabled, .unloaded') || isMuted(parentOf(element)));
    const all = (root: Document | ShadowRoot): Element[] =>
      [...root.querySelectorAll('*')].flatMap((each) => [each, ...(each.shadowRoot ? all(each.shadowRoot) : [])]);
    return all(document)
      .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()))
      .filter(
        (each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches('style, script, option, .spoken') && !isMuted(each),
      )
      .flatMap((each) => {
        const back = behind(each);
        const [one, other] = [light(over(read(getComputedStyle(each).color), back)), light(back)];
        const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        return ratio < least ? [`${ratio.toFixed(2)}: ${each.className || each.tagName}: ${each.textContent.trim().slice(0, 40)}`] : [];
      });
  }, enough);
}

for (const [theme, options] of Object.entries(THEMES)) {
  test(`the form is filled, a reason read, a pass chosen and a test saved by keys alone: ${theme}`, skip, async () => {
    const { page, problems } = await views.preview(SHOP, { ...options, viewport: { width: 1500, height: 900 } });
    const enough = ENOUGH[theme as keyof typeof THEMES];
    assert.deepEqual(await faintTexts(page, enough), []);

    await goTo(page, 'field-spec.replicas');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('many');
    await page.waitForSelector('.state-pill.of-refused');
    assert.deepEqual(await faintTexts(page, enough), []);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('5');
    await page.waitForSelector('.state-pill.of-active');
    assert.equal(await focused(page), 'field-spec.replicas', 'an answer leaves the focus where it is');
    await goTo(page, 'field-spec.ingress.enabled');
    await page.keyboard.press('Space');
    await page.waitForSelector('[data-node=ingress] .sign.state-ignored');

    await page.keyboard.press('/');
    assert.equal(await focused(page), 'filter-nodes');
    await goTo(page, 'node-registry');
    await goTo(page, 'node-database', 'ArrowDown');
    await page.keyboard.press('h');
    await page.waitForSelector('[data-node=database] .sign.state-waiting');
    assert.equal(await focused(page), 'node-database');
    await goTo(page, 'more-database');
    await page.keyboard.press('Enter');
    assert.match(await page.locator('[data-node=database] .full-text').innerText(), /kro says:/);
    assert.deepEqual(await faintTexts(page, enough), []);

    await waitFor(async () => {
      await page.keyboard.press('Shift+Tab');
      return page.evaluate(() => document.activeElement?.getAttribute('role') === 'slider');
    }, 'the time line');
    await page.keyboard.press('Home');
    assert.match(await page.locator('.pass-summary').innerText(), /^Pass 1 of/);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const at = await page.locator('[role=slider]').getAttribute('aria-valuenow');
    assert.notEqual(at, await page.locator('[role=slider]').getAttribute('aria-valuemax'));

    await waitFor(async () => {
      await page.keyboard.press('Shift+Tab');
      return page.evaluate(() => document.activeElement?.textContent === 'Save as test');
    }, 'the button that saves');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.equal(saved.suggestedFilename(), 'rgd.test.yaml');
    assert.deepEqual(problems, []);
  });
}

test('in an editor Tab accepts or indents, Escape and Tab leave, and Control with Space completes', skip, async () => {
  const { page } = await views.preview(SHOP, { viewport: { width: 1500, height: 900 } });
  const editor = editorOf(page);
  await hasText(editor, 'kind: OnlineShop');
  const before = await textIn(editor);
  await goTo(page, 'instance-yaml');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Tab');
  await waitFor(async () => (await textIn(editor)) === `${before}  `, 'an indented line');
  assert.equal(await focused(page), 'instance-yaml', 'Tab stays in the editor');
  await page.keyboard.press('Shift+Tab');
  await waitFor(async () => (await textIn(editor)) === before, 'the line as it was');

  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  assert.notEqual(await focused(page), 'instance-yaml', 'the editor is left');
  assert.equal(await textIn(editor), before);

  await goTo(page, 'instance-yaml', 'Shift+Tab');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('spec:\n  ');
  await page.keyboard.press('Control+Space');
  const list = page.locator('#instance-yaml .cm-tooltip-autocomplete');
  await list.locator('li', { hasText: 'replicas' }).waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await page.keyboard.type('repl');
  await list.locator('li[aria-selected]', { hasText: 'replicas' }).waitFor();
  // The list takes a key only when it has stood for a moment, so that nothing is accepted unseen.
  await page.waitForTimeout(150);
  await page.keyboard.press('Tab');
  await hasText(editor, /^ {2}replicas: ?/m);
});

test('what the definition does not declare inside an object is removed by its button, and the focus stays near', skip, async () => {
  const { page, problems } = await views.preview(SHOP, { viewport: { width: 1500, height: 900 } });
  const editor = editorOf(page);
  await hasText(editor, 'enabled: true');
  await goTo(page, 'instance-yaml');
  await page.keyboard.press('Control+Home');
  for (let line = 0; line < (await textIn(editor)).split('\n').findIndex((each) => each.includes('enabled:')); line++) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('nope: 1');
  const remove = page.getByRole('button', { name: 'Remove ingress nope' });
  await remove.waitFor();
  assert.equal(
    await page
      .locator('.extras li')
      .innerText()
      .then((text) => text.includes('is not declared by the definition')),
    true,
  );
  await waitFor(async () => {
    if (await page.evaluate(() => Boolean(document.activeElement?.closest('.editor')))) {
      await page.keyboard.press('Escape'); // the first one may close a list, and what it lets Tab do ends after two seconds
    }
    await page.keyboard.press('Shift+Tab');
    return remove.evaluate((each) => each === document.activeElement);
  }, 'the button that removes');
  await page.keyboard.press('Enter');
  await lacksText(editor, 'nope');
  assert.equal(await focused(page), 'field-spec.ingress', 'the focus is at the object that it was in');
  assert.deepEqual(problems, []);
});

test('a pass that is moved while the focus is in a list leaves the focus there', skip, async () => {
  const { page, problems } = await views.preview(SHOP, { viewport: { width: 1500, height: 900 } });
  const first = 'document.querySelector(".timeline [aria-label^=First]")';
  const object = (await page.locator('[data-object-of=account] .fold').getAttribute('id')) ?? '';
  for (const id of ['node-settings', object, 'filter-objects']) {
    await page.locator(`[id="${id}"]`).focus();
    await page.evaluate(`${first}.click(), document.querySelector(".timeline [aria-label^='One pass on']").click()`);
    assert.match(await page.locator('.pass-summary').innerText(), /^Pass 2 of/);
    await page.evaluate('document.querySelector(".timeline [aria-label^=\'One pass on\']").click()');
    assert.equal(await focused(page), id);
  }
  assert.deepEqual(problems, []);
});
