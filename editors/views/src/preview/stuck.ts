// What the view shows of an instance that is not ready in the cluster that its file comes from: the causes.

import { html } from '../chrome';
import type { Preview, StuckCause } from '../wire';
import type { RefusalActions } from './refused';

/** The banner's list of causes, each with a link to its place in the definition, if it has one there. */
export function stuckOf({ stuck }: Preview, actions: RefusalActions): HTMLElement[] {
  if (stuck.length === 0) {
    return [];
  }
  const verdict = 'In its cluster the instance is not ready';
  const rows = stuck.map((cause) => html('li', {}, causeRow(cause, actions), advice(cause)));
  return [html('p', {}, html('strong', {}, verdict)), html('ul', { class: 'errors', 'aria-label': verdict }, ...rows)];
}

function causeRow({ message, node, range }: StuckCause, actions: RefusalActions): HTMLElement {
  const place = [...(range ? [`line ${range.start.line + 1}`] : []), ...(node === null ? [] : [node])].join(' · ');
  const parts = [...(place ? [html('small', {}, place), ' '] : []), message];
  if (!range) {
    return html('p', {}, ...parts);
  }
  const link = html('button', { type: 'button', class: 'error' }, ...parts);
  link.addEventListener('click', () => {
    actions.reveal(range);
  });
  return link;
}

function advice({ fault, unblock, fetch }: StuckCause): HTMLElement {
  const commands = fetch.map((each) => html('code', {}, each));
  const more = commands.length === 0 ? [] : [' · see also ', ...commands.flatMap((each, index) => (index === 0 ? [each] : [', ', each]))];
  return html('p', { class: 'advice' }, `Matter of ${fault}. To unblock: ${unblock}`, ...more);
}
