// What stands below the picture: what arrows mean, and what changed.

import { html } from './chrome';
import type { Change, Graph } from './wire';

const WORDS: readonly [Change, string][] = [
  ['added', '+'],
  ['removed', '−'],
  ['changed', '~'],
];

export function legendOf(graph: Graph): Node[] {
  const arrows = 'An arrow leads from a resource to the resources that read it.';
  const { comparison } = graph;
  if (!comparison || (comparison.message !== null && !graph.nodes.some((node) => node.change))) {
    return [html('span', {}, arrows)];
  }
  return [
    html('span', {}, arrows),
    html(
      'span',
      { class: 'compared' },
      `Since ${comparison.ref}: `,
      ...counts('resources', graph.nodes),
      ' · ',
      ...counts('references', graph.edges),
    ),
  ];
}

function counts(noun: string, all: readonly { change?: Change | undefined }[]): Node[] {
  const found = WORDS.map(([change, mark]) => ({ change, mark, count: all.filter((each) => each.change === change).length }));
  const made = found
    .filter(({ count }) => count > 0)
    .map(({ change, mark, count }) => html('b', { class: `of-${change}` }, `${mark}${count} ${change} `));
  return [html('span', {}, `${noun} `), ...(made.length ? made : [html('span', {}, 'unchanged ')])];
}
