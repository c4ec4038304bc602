// What the view shows of a definition that kro refuses: the errors, and the resources that have no preview.

import { html } from '../chrome';
import type { Range } from '../data';
import { verdictOn } from '../verdict';
import type { MissingResource, Preview } from './data';

export interface RefusalActions {
  reveal(range: Range): void;
}

/** What the banner says of the errors, each of which leads to its place in the text. */
export function refusalOf(preview: Preview, actions: RefusalActions): HTMLElement[] {
  const verdict = verdictOn(preview.errors.length);
  if (verdict === '') {
    return [];
  }
  const rows = preview.errors.map(({ code, message, range, node }) => {
    const place = [`line ${range.start.line + 1}`, ...(node === null ? [] : [node])].join(' · ');
    const link = html('button', { type: 'button', class: 'error', title: `${code}: ${message}` }, html('small', {}, place), ` ${message}`);
    link.addEventListener('click', () => {
      actions.reveal(range);
    });
    return html('li', {}, link);
  });
  const what = 'Nothing is created. Below is what the instance would be without the errors.';
  return [html('p', {}, html('strong', {}, verdict), ` ${what}`), html('ul', { class: 'errors', 'aria-label': 'Errors' }, ...rows)];
}

/** A row for a resource that is no node of the preview. */
export function missingRow({ id, reason, line }: MissingResource, actions: RefusalActions): HTMLElement {
  const row = html(
    'button',
    { type: 'button', class: 'node-name', tabindex: '-1', 'aria-label': `${id ?? 'a resource without an id'}; missing; ${reason}` },
    html('span', { class: 'sign state-missing', 'aria-hidden': 'true' }, '?'),
    html('span', { class: 'id' }, id ?? 'no id'),
    html('span', { class: 'mark' }, 'missing'),
  );
  const why = html('button', { type: 'button', class: 'why', tabindex: '-1' }, reason);
  const at = { line, character: 0 };
  for (const each of [row, why]) {
    each.addEventListener('click', () => {
      actions.reveal({ start: at, end: at });
    });
  }
  return html('li', { class: 'node missing' }, row, why);
}
