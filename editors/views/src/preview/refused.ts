// What the view shows of a definition that kro refuses: the errors, and the resources that have no preview.

import { html } from '../chrome';
import type { Range } from '../wire';
import type { Fault, MissingResource, Preview } from '../wire';

export interface RefusalActions {
  reveal(range: Range): void;
}

/** The banner's list of errors, each with a link to its place in the text; the verdict itself is in the heading. */
export function refusalOf(preview: Preview, actions: RefusalActions): HTMLElement[] {
  if (preview.errors.length === 0) {
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
  return [html('p', {}, what), html('ul', { class: 'errors', 'aria-label': 'Errors' }, ...rows)];
}

/** What the banner says while a text of the scenario cannot be read; `ownerAt` says whose status a line is of. */
export function unreadOf({ faults }: Preview, ownerAt: (line: number) => string | null): HTMLElement[] {
  return faults
    .filter(({ line }) => line !== undefined)
    .map(({ of, line = 0, message }) => {
      const owner = of === 'observed' ? ownerAt(line) : null;
      const text = of === 'observed' ? `The status of ${owner ?? 'a node'}` : `Line ${line + 1} of the instance's YAML`;
      const what = of === 'observed' ? 'status' : 'instance';
      return html(
        'p',
        { title: message },
        html('strong', {}, `${text} cannot be read.`),
        ` What is dimmed is the result of the last ${what} that could be.`,
      );
    });
}

/** What the banner says of an instance that the API server refuses: in plain words, each leading to its field. */
export function refusedInstance({ faults, refusals, nodes }: Preview, focus: (path: Fault['path']) => void): HTMLElement[] {
  const errors = faults.filter(({ severity, line }) => severity === 'error' && line === undefined);
  return (['instance', 'then'] as const).flatMap((which) => {
    const own = errors.filter(({ of }) => of === which);
    if (own.length === 0) {
      return which === 'instance' ? refusals.slice(0, 1).map((text) => html('p', {}, text)) : [];
    }
    const rows = own.map(({ path, message, text = message }) => {
      const link = html('button', { type: 'button', class: 'error', title: text }, html('small', {}, path.join('.')), ` ${message}`);
      link.addEventListener('click', () => {
        focus(path);
      });
      return html('li', {}, link);
    });
    const verdict = `The API server refuses the ${which === 'then' ? 'edited ' : ''}instance: ${own.length} error${own.length === 1 ? '' : 's'}`;
    const what = which === 'instance' && nodes ? ' What is dimmed is the result of the last instance that it took.' : '';
    return [html('p', {}, html('strong', {}, verdict), what), html('ul', { class: 'errors', 'aria-label': verdict }, ...rows)];
  });
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
