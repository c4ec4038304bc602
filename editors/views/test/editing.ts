// The editors of a page, as a person uses them.

import type { Locator, Page } from 'playwright-core';

/** The text of an editor, by the id of its element. */
export function editorOf(page: Page, id = 'instance-yaml'): Locator {
  return page.locator(`[id="${id}"] .cm-content`);
}

export function textIn(editor: Locator): Promise<string> {
  return editor
    .locator('.cm-line')
    .evaluateAll((lines) => lines.map((line) => (line.querySelector('.cm-placeholder') ? '' : line.textContent)).join('\n'));
}

/** Replaces all that is written, at once, as one who pastes. */
export async function replaceText(editor: Locator, text: string): Promise<void> {
  await editor.focus();
  await editor.page().keyboard.press('Control+a');
  if (text === '') {
    await editor.page().keyboard.press('Delete');
    return;
  }
  await editor.evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Waits until an editor has a text, or one that fits. */
export async function hasText(editor: Locator, wanted: string | RegExp): Promise<void> {
  await waitFor(
    async () => (wanted instanceof RegExp ? wanted.test(await textIn(editor)) : (await textIn(editor)).includes(wanted)),
    `the text ${wanted}`,
  );
}

export async function lacksText(editor: Locator, unwanted: string): Promise<void> {
  await waitFor(async () => !(await textIn(editor)).includes(unwanted), `a text without ${unwanted}`);
}

const PATIENCE_MILLISECONDS = 10_000;

/** Waits for what is true of the page at some time. */
export async function waitFor(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await isTrue())) {
    if (Date.now() > end) {
      throw new Error(`waited in vain for ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
