// The Markdown of the server's descriptions as elements: paragraphs, lists, code. What else it may hold is shown as it is.

import { html } from '../../chrome';

const FENCE = /^(`{3,})\S*\n([^]*?)\n\1$/;
const RULE = /^-{3,}$/;
const INLINE = /(`+) ?(.+?) ?\1|\*\*(.+?)\*\*|\[([^\]]+)\]\([^)\s]+\)|\\([!-/:-@[-`{-~])/g;

export function markdownOf(text: string): HTMLElement {
  return html('div', { class: 'markdown' }, ...blocksOf(text).map(blockOf));
}

/** Paragraphs and blocks of code, which may have empty lines inside. */
function blocksOf(text: string): string[] {
  return (
    text
      .match(/(`{3,})[^]*?\n\1|[^]+?(?=\n\s*\n|\n```|$)/g)
      ?.map((each) => each.trim())
      .filter(Boolean) ?? []
  );
}

function blockOf(text: string): HTMLElement {
  const code = FENCE.exec(text);
  if (code) {
    return html('pre', {}, code[2] ?? '');
  }
  if (RULE.test(text)) {
    return html('hr');
  }
  const lines = text.split('\n');
  return lines.every((line) => /^[-*] /.test(line))
    ? html('ul', {}, ...lines.map((line) => html('li', {}, ...inline(line.slice(2)))))
    : html('p', {}, ...inline(text));
}

function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, , code, strong, link, escaped] = found;
    parts.push(
      text.slice(at, found.index),
      code !== undefined ? html('code', {}, code) : strong !== undefined ? html('strong', {}, ...inline(strong)) : (link ?? escaped ?? ''),
    );
    at = found.index + whole.length;
  }
  return [...parts, text.slice(at)].filter((each) => each !== '');
}
