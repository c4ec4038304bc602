// The details of the selected box, in a panel beside the picture. What is wrong there and what reads what lead to the text.

import { html } from './chrome';
import type { Cause, Range } from './wire';
import { counted, objects } from './boxes';
import { kindsOf } from './grouping';
import type { Box, Model } from './model';
import type { Revealer } from './reveal';

export class Details {
  readonly root;
  readonly #body = html('div');

  constructor(
    readonly revealer: Revealer,
    close: () => void,
  ) {
    const button = html('button', { type: 'button', class: 'close', 'aria-label': 'Close the details', title: 'Close (Escape)' }, '×');
    button.addEventListener('click', close);
    this.root = html('aside', { 'aria-label': 'Details of the selection', hidden: '' }, button, this.#body);
    this.root.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') {
        close();
      }
    });
  }

  /** Shows the details of a box, or none where there is no box. */
  show(box: Box | undefined, model: Model): void {
    this.root.hidden = box === undefined;
    if (!box) {
      return;
    }
    const { state } = box;
    const status = state ? [html('p', {}, `${state.state}, ${objects(state.objects)}${state.reason ? `: ${state.reason}` : ''}`)] : [];
    const needs = model.arrows.filter((each) => each.to === box.id).flatMap((each) => each.causes);
    const users = model.arrows
      .filter((each) => each.from === box.id)
      .flatMap((each) => each.causes.map((cause) => ({ ...cause, by: model.boxes.get(each.to)?.title ?? each.to })));
    const what = box.type === 'Group' ? `${box.members.length} resources` : [box.subtitle, box.apiVersion].filter(Boolean).join(' · ');
    this.#body.replaceChildren(
      html('h2', {}, box.title),
      html('p', {}, [what, box.column === null ? '' : model.columnTitle(box.column).replace(' ', '\u00a0')].filter(Boolean).join(' · ')),
      ...status,
      ...changesOf(box),
      ...membersOf(box),
      ...this.#list(counted(box.problems), box.problems, ({ message, severity, range }) =>
        this.#line(range, { class: `problem of-${severity}` }, message),
      ),
      ...this.#list('Reads', needs, (cause) => this.#cause(cause, cause.path)),
      ...this.#list('Read by', users, (cause) => this.#cause(cause, `${cause.by} · ${cause.path}`)),
    );
  }

  #list<Each>(title: string, all: readonly Each[], line: (each: Each) => Node): Node[] {
    return all.length ? [html('h3', {}, title), html('ul', {}, ...all.map((each) => html('li', {}, line(each))))] : [];
  }

  #cause({ expression, range }: Cause, where: string): Node {
    return this.#line(range, {}, html('code', {}, expression), html('small', {}, where));
  }

  /** A line that leads to a place of the text. */
  #line(range: Range, attributes: Record<string, string>, ...children: (Node | string)[]): Node {
    const made = html('button', { type: 'button', ...attributes }, ...children);
    made.addEventListener('click', () => {
      this.revealer.show(range);
    });
    return made;
  }
}

const CHANGES = { added: 'Added', removed: 'Removed', changed: 'Changed' };

/** What became of a box, with the lines that differ. */
function changesOf({ change, difference, members }: Box): Node[] {
  if (change === null || members.length > 0) {
    return [];
  }
  const styles: Readonly<Record<string, string>> = { '+': 'of-added', '-': 'of-removed' };
  const lines = difference.map((line) => html('span', { class: styles[line[0] ?? ''] ?? '' }, line || ' '));
  return [
    html('h3', { class: `of-${change}` }, `${CHANGES[change]} since the commit`),
    ...(lines.length ? [html('pre', {}, ...lines)] : []),
  ];
}

/** The kinds of a group's members, and those that changed. */
function membersOf({ members }: Box): Node[] {
  if (members.length === 0) {
    return [];
  }
  const changed = members.filter((box) => box.change);
  const item = (text: string, style = ''): Node => html('li', { class: style }, text);
  return [
    html('h3', {}, 'Kinds'),
    html(
      'ul',
      {},
      ...kindsOf(members)
        .split(', ')
        .map((text) => item(text)),
    ),
    ...(changed.length
      ? [
          html('h3', {}, 'Changes'),
          html('ul', {}, ...changed.map((box) => item(`${box.title} ${box.change ?? ''}`, `of-${box.change ?? ''}`))),
        ]
      : []),
  ];
}
