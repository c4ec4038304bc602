// The form of the preview in a real browser: what it shows of a schema, and what becomes of what is typed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import type { Locator, Page } from 'playwright-core';

import { Views } from './browser';
import { editorOf, hasText, lacksText, replaceText, textIn } from './editing';
import { missing, ROOT } from './server';

const skip = { skip: missing };
const TOUR = readFileSync(`${ROOT}examples/schema-tour.yaml`, 'utf8');
const EMPTY = 'apiVersion: kro.run/v1alpha1\nkind: SchemaTour\nmetadata:\n  name: tour\nspec:\n  name: tour\n';
const views = new Views();
const open = (options?: object): ReturnType<Views['preview']> => views.preview(TOUR, options);

const input = (page: Page, path: string): Locator => page.locator(`[id="field-${path}"]`);
const field = (page: Page, path: string): Locator =>
  page.locator(`.field:has([id="field-${path}"]), .group-field:has(> .head [id="field-${path}"])`).last();
const mark = (page: Page, path: string): Locator => page.locator(`[id="field-${path}-mark"]`);

async function write(page: Page, text: string): Promise<void> {
  const answers = await page.evaluate(() => Number(document.body.dataset['answers'] ?? 0));
  await replaceText(editorOf(page), text);
  await page.waitForFunction((before) => Number(document.body.dataset['answers'] ?? 0) > before, answers);
}

function yamlHas(page: Page, text: string | RegExp): Promise<void> {
  return hasText(editorOf(page), text);
}

test('defaults are shown as defaults, and are reset to', skip, async () => {
  const { page, problems } = await open();
  await write(page, EMPTY);
  assert.equal(await input(page, 'spec.enabled').isChecked(), true, 'a boolean shows its default');
  assert.equal(await mark(page, 'spec.enabled').textContent(), 'default');
  assert.equal(await input(page, 'spec.count').inputValue(), '1');
  assert.equal(await mark(page, 'spec.count').textContent(), 'default');
  assert.equal(await input(page, 'spec.words.1').inputValue(), 'two', 'a list shows its default');
  assert.equal(await input(page, 'spec.settings.colour').inputValue(), 'blue', 'so does a map');
  assert.equal(
    await input(page, 'spec.level').evaluate((each) => (each as HTMLSelectElement).selectedOptions[0]?.textContent),
    'info (default)',
  );
  assert.equal(await input(page, 'spec.nickname').inputValue(), '');
  assert.equal(await mark(page, 'spec.nickname').textContent(), 'not set');

  await input(page, 'spec.enabled').click();
  await yamlHas(page, 'enabled: false');
  assert.equal(await mark(page, 'spec.enabled').isVisible(), false);
  await page.click('[title="Reset enabled (default: true)"]');
  assert.equal(await input(page, 'spec.enabled').isChecked(), true);
  await lacksText(editorOf(page), 'enabled');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'field-spec.enabled', 'the focus stays at the field');

  await input(page, 'spec.count').focus();
  await page.keyboard.type('7');
  await yamlHas(page, 'count: 7');
  await page.keyboard.press('ArrowUp');
  await yamlHas(page, 'count: 8');
  await page.keyboard.press('Backspace');
  await lacksText(editorOf(page), 'count');
  assert.equal(await input(page, 'spec.count').inputValue(), '', 'an emptied field stays empty while it is typed in');
  await page.keyboard.press('Tab');
  assert.equal(await input(page, 'spec.count').inputValue(), '1', 'and shows its default then');
  assert.deepEqual(problems, []);
});

test('a field shows its type, bounds, description and choices', skip, async () => {
  const { page } = await open();
  const help = async (path: string): Promise<string | null> => page.locator(`[id="field-${path}-help"]`).textContent();
  assert.equal(await help('spec.name'), '2 to 20 characters · matches ^[a-z]+$');
  assert.equal(await help('spec.ratio'), '0 to 1');
  assert.equal(await help('spec.usage'), 'Markers here are added to those of the type · 0 to 100');
  assert.equal(await help('spec.owner'), 'field is immutable');
  assert.equal(await help('spec.even'), 'self % 2 == 0 · self < 100');
  assert.equal(await help('spec.tags'), 'at most 10 items · no item twice');
  const types = {
    'spec.name': 'string',
    'spec.matrix': '[][]integer',
    'spec.groups': 'map[string][]string',
    'spec.level': 'string · default: info',
    'spec.ratio': 'number · default: 0.25',
    'spec.backend.endpoints': '[]object',
  };
  for (const [path, type] of Object.entries(types)) {
    assert.equal(await field(page, path).locator('small.type').first().textContent(), type, path);
  }
  assert.equal(await field(page, 'spec.name').locator('.required').count(), 1);
  assert.equal(await input(page, 'spec.name').getAttribute('aria-required'), 'true');
  assert.equal(await field(page, 'spec.count').locator('.required').count(), 0, 'what has a default need not be given');
  assert.match((await input(page, 'spec.name').getAttribute('aria-describedby')) ?? '', /field-spec.name-help/);
  const choices = await input(page, 'spec.level').locator('option').allTextContents();
  assert.deepEqual(choices, ['info (default)', 'debug', 'info', 'warn']);
});

test('a wrong value is shown as it is, with its error at the field', skip, async () => {
  const { page } = await open();
  await write(
    page,
    `${EMPTY.replace('name: tour\nspec', 'name: Foo_Bar\n  namespace: a.b\nspec')}  count: many\n  enabled: maybe\n  level: loud\n  words: 3\n  usage: 700\n  nope: 1\n  backend: {name: ok, endpoints: [{port: 9}]}\n`,
  );
  const faults = async (path: string): Promise<string> => (await field(page, path).locator('.faults').first().innerText()).trim();
  assert.equal(await input(page, 'spec.count').inputValue(), 'many');
  assert.equal(await faults('spec.count'), "'count' must be an integer, not a string");
  assert.equal(await input(page, 'spec.count').getAttribute('aria-invalid'), 'true');
  assert.equal(await field(page, 'spec.enabled').locator('.value-text').textContent(), 'maybe');
  assert.equal(await faults('spec.enabled'), "'enabled' must be a boolean, not a string");
  assert.equal(await input(page, 'spec.level').evaluate((each) => (each as HTMLSelectElement).selectedOptions[0]?.textContent), 'loud');
  assert.equal(await faults('spec.level'), "'loud' is not allowed for 'level'; expected 'debug', 'info' or 'warn'");
  assert.equal(await field(page, 'spec.words').locator('.raw').textContent(), '3');
  assert.equal(await faults('spec.words'), "'words' must be a list, not an integer");
  assert.equal(await faults('spec.usage'), "'700' is not allowed; it must be less than or equal to 100");
  assert.equal(
    await faults('metadata.name'),
    "'Foo_Bar' is not a valid name; expected lower-case letters, digits, '-' and '.', not '-' or '.' at the ends",
  );
  assert.equal(await faults('metadata.namespace'), "'a.b' is not allowed; it must not contain dots");
  assert.equal(await faults('spec.backend.endpoints.0.host'), "'host' is missing");
  assert.deepEqual(await page.locator('.form > .faults span').allInnerTexts(), ["unknown field 'nope'; the API server drops it"]);
  assert.doesNotMatch(await page.locator('main').innerText(), /rules were not checked/);
  await page.click('[title="Remove nope"]');
  await lacksText(editorOf(page), 'nope');

  await input(page, 'spec.count').fill('5');
  await page.waitForFunction(() => document.getElementById('field-spec.count')?.getAttribute('aria-invalid') === 'false');
  await input(page, 'spec.count').fill('5x');
  await page.waitForFunction(() => document.getElementById('field-spec.count')?.getAttribute('aria-invalid') === 'true');
  await yamlHas(page, 'count: "5x"');
});

test('lists, maps and objects in them grow and shrink, and the focus goes along', skip, async () => {
  const { page, problems } = await open();
  await write(page, EMPTY);
  const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);
  await page.click('[title="Add to words"]');
  assert.equal(await focused(), 'field-spec.words.2');
  await page.keyboard.type('three');
  await yamlHas(page, /words:\n\s*- one\n\s*- two\n\s*- three/);
  await page.click('[title="Remove words 1"]');
  await yamlHas(page, /words:\n\s*- two\n\s*- three/);
  assert.equal(await focused(), 'field-spec.words.0');
  await page.focus('[id="field-spec.groups+"]');
  await page.keyboard.type('team');
  await page.keyboard.press('Enter');
  assert.equal(await focused(), 'field-spec.groups.team');
  await page.click('[title="Add to groups team"]');
  await page.keyboard.type('ann');
  await yamlHas(page, /groups:\n\s*team:\n\s*- ann/);
  await page.click('[title="Add to ports"]');
  await input(page, 'spec.ports.0.host').fill('db');
  await yamlHas(page, /ports:\n\s*- host: db/);
  assert.equal(await mark(page, 'spec.ports.0.port').textContent(), 'default');
  await page.click('[title="Remove ports 1"]');
  await yamlHas(page, 'ports: []');
  await input(page, 'metadata.namespace').fill('shop');
  await yamlHas(page, 'namespace: shop');
  await page.click('[title="Reset namespace (default: default)"]');
  await lacksText(editorOf(page), 'namespace');
  assert.deepEqual(problems, []);
});

test('the form waits while the YAML cannot be read, and what is typed is never replaced', skip, async () => {
  const { page } = await open();
  await write(page, EMPTY);
  await write(page, `${EMPTY}  nickname: [\n`);
  assert.match(await page.locator('.form .note').innerText(), /^Line 7 of the YAML below cannot be read/);
  assert.match(await page.locator('.banner').innerText(), /^Line 7 of the instance's YAML cannot be read\. What is dimmed is the result/);
  assert.equal(await page.locator('.outdated .node').count(), 1, 'the last good result stays');
  assert.equal(await input(page, 'spec.name').isDisabled(), true);
  assert.equal(await input(page, 'spec.name').inputValue(), 'tour', 'what could be read last stays');
  assert.equal(await textIn(editorOf(page)), `${EMPTY}  nickname: [\n`);
  await write(page, `${EMPTY}  nickname: nick\n`);
  assert.equal(await input(page, 'spec.nickname').inputValue(), 'nick');
  await input(page, 'spec.nickname').focus();
  await page.keyboard.press('End');
  await page.keyboard.type('name', { delay: 15 });
  await input(page, 'spec.description').pressSequentially('words of a person', { delay: 15 });
  await yamlHas(page, 'nickname: nickname');
  await yamlHas(page, 'description: words of a person');
  assert.equal(await input(page, 'spec.nickname').inputValue(), 'nickname');
});
