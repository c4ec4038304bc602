// The details of the selected box, beside the picture.

import { html } from './chrome';
import type { Cause, Range } from './wire';
import { counted, objects } from './boxes';
import { kindsOf } from './grouping';
import type { Box, Model } from './model';

export function detailsOf(box: Box, model: Model, reveal: (range: Range) => void): Node[] {
  const { state } = box;
  const status = state ? [html('p', {}, `${state.state}, ${objects(state.objects)}${state.reason ? `: ${state.reason}` : ''}`)] : [];
  const needs = model.arrows.filter((each) => each.to === box.id).flatMap((each) => each.causes);
  const users = model.arrows
    .filter((each) => each.from === box.id)
    .flatMap((each) => each.causes.map((cause) => ({ ...cause, by: model.boxes.get(each.to)?.title ?? each.to })));
  const what = box.type === 'Group' ? `${box.members.length} resources` : [box.subtitle, box.apiVersion].filter(Boolean).join(' · ');
  return [
    html('h2', {}, box.title),
    html('p', {}, [what, box.column === null ? '' : model.columnTitle(box.column).replace(' ', '\u00a0')].filter(Boolean).join(' · ')),
    ...status,
    ...changesOf(box),
    ...membersOf(box),
    ...problemsOf(box, reveal),
    ...list('Reads', needs, (cause) => cause.path, reveal),
    ...list('Read by', users, (cause) => `${cause.by} · ${cause.path}`, reveal),
  ];
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

function problemsOf(box: Box, reveal: (range: Range) => void): Node[] {
  if (box.problems.length === 0) {
    return [];
  }
  const items = box.problems.map((problem) => {
    const line = html('button', { type: 'button', class: `problem of-${problem.severity}` }, problem.message);
    line.addEventListener('click', () => {
      reveal(problem.range);
    });
    return html('li', {}, line);
  });
  return [html('h3', {}, counted(box.problems)), html('ul', {}, ...items)];
}

function list<Each extends Cause>(title: string, causes: Each[], where: (cause: Each) => string, reveal: (range: Range) => void): Node[] {
  if (causes.length === 0) {
    return [];
  }
  const items = causes.map((cause) => {
    const line = html('button', { type: 'button' }, html('code', {}, cause.expression), html('small', {}, where(cause)));
    line.addEventListener('click', () => {
      reveal(cause.range);
    });
    return html('li', {}, line);
  });
  return [html('h3', {}, title), html('ul', {}, ...items)];
}
