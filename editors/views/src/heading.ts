// What the toolbar and the legend say of a graph: its name and counts, what can be picked.

import { counted } from './boxes';
import { html, type Chrome } from './chrome';
import type { Graph } from './wire';
import type { Grouper } from './grouper';
import type { GroupBy } from './grouping';
import { legendOf } from './legend';
import { verdictOn } from './verdict';

/** How groups are named. */
export const GROUPED: Readonly<Record<GroupBy, string>> = {
  none: 'none',
  prefix: 'id prefix',
  namespace: 'namespace',
  apiGroup: 'API group',
};

/** Writes what is to be said of a graph around its picture. Without `picksInstances`, another instance cannot be asked for. */
export function describeGraph(chrome: Chrome, graph: Graph, grouper: Grouper, hasFolded: boolean, picksInstances: boolean): void {
  const { definitions } = chrome;
  chrome.title.textContent = titleOf(graph);
  definitions.hidden = graph.definitions.length < 2;
  definitions.replaceChildren(
    ...graph.definitions.map((name, number) => html('option', { value: String(number) }, name ?? `definition ${number + 1}`)),
  );
  definitions.value = String(graph.definition);
  offerInstances(chrome.instances, graph, picksInstances);
  chrome.actions.unfold.disabled = !hasFolded && grouper.groups.members.size === 0;
  chrome.actions.unfold.textContent = grouper.isAllExpanded ? 'Collapse all' : grouper.groups.members.size ? 'Expand all' : 'Unfold all';
  chrome.legend.replaceChildren(...legendOf(graph));
  const automatic = chrome.groups.options[0];
  if (automatic) {
    automatic.textContent = `Group: automatic${grouper.choice === 'auto' ? ` (${GROUPED[grouper.groups.by]})` : ''}`;
  }
}

/** Shows a message: a note that stands above the picture, or over it one that comes and goes while somebody types. */
export function showMessage({ banner }: Chrome, message: string | null, kind: 'note' | 'stale'): void {
  banner.textContent = message;
  banner.hidden = message === null;
  banner.className = `banner ${kind}`;
}

function titleOf(graph: Graph): string {
  const count = graph.nodes.filter((node) => node.change !== 'removed').length;
  const cycles = graph.cycles.length;
  const { instance } = graph;
  return [
    graph.name ?? 'Dependency graph',
    `${count} resource${count === 1 ? '' : 's'}`,
    cycles ? `${cycles} cycle${cycles > 1 ? 's' : ''}` : '',
    counted(graph.nodes.flatMap((node) => node.problems)),
    instance ? verdictOn(instance.errors) || `${instance.label}: ${instance.state ?? 'refused'}` : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function offerInstances(select: HTMLSelectElement, { instance, instances = [] }: Graph, canPick: boolean): void {
  select.hidden = !instance || !canPick;
  const made = instances.length ? 'Whichever is found first' : 'A generated sample';
  const choices = [...instances, { uri: '', label: made }];
  select.replaceChildren(...choices.map(({ uri, label }) => html('option', { value: uri }, label)));
  select.value = instance?.uri ?? '';
}
