// What stands around the picture: the toolbar, the legend, the announcements; and how all of it looks.

import type { Colors } from './colors';

/** An HTML element with attributes and children; the views make all of their elements, so that no markup is parsed. */
export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The toggles and their initial states. */
export const SHOWN = { labels: true, critical: false, deletion: false, fields: false, instance: false, comparison: false, map: true };
export type Toggle = keyof typeof SHOWN;
export type Action = 'fold' | 'unfold' | 'fit' | 'in' | 'out' | 'group' | 'expand';
type Button = Exclude<Action, 'group' | 'expand'>;
export type ExportFormat = 'svg' | 'png' | 'mermaid' | 'dot';

export interface Chrome {
  root: HTMLElement;
  canvas: HTMLElement;
  title: HTMLElement;
  definitions: HTMLSelectElement;
  instances: HTMLSelectElement;
  groups: HTMLSelectElement;
  search: HTMLInputElement;
  found: HTMLElement;
  loading: HTMLElement;
  legend: HTMLElement;
  /** Where the minimap is put. */
  corner: HTMLElement;
  status: HTMLElement;
  banner: HTMLElement;
  toggles: Record<Toggle, HTMLButtonElement>;
  actions: Record<Button, HTMLButtonElement>;
  export: HTMLSelectElement;
}

function button(text: string, title: string, pressed?: boolean): HTMLButtonElement {
  // A screen reader says what a sign means.
  const label = /\w/.test(text) ? {} : { 'aria-label': title };
  return html('button', { type: 'button', title, ...label, ...(pressed === undefined ? {} : { 'aria-pressed': String(pressed) }) }, text);
}

const HELP =
  'Arrow keys go from box to box, Enter goes to the line, D shows the order of deletion, Shift+Enter marks the way to another box, C folds, or ' +
  'expands and collapses a group, E all of them, G forms other groups, H compares with the last commit, M shows the map, ' +
  '/ searches, + and - zoom, 0 shows everything, Escape takes the selection back.';

const GROUPINGS = [
  ['auto', 'Group: automatic'],
  ['prefix', 'Group: id prefix'],
  ['apiGroup', 'Group: API group'],
  ['namespace', 'Group: namespace'],
  ['none', 'Group: none'],
] as const;

export function makeChrome(): Chrome {
  const toggles = {
    labels: button('Labels', 'Show the expression on every arrow (L)', SHOWN.labels),
    critical: button('Critical path', 'Mark the longest chain of resources that wait for one another (P)', SHOWN.critical),
    deletion: button(
      'Deletion',
      'Show the order in which kro deletes the resources, instead of the passes that create them (D)',
      SHOWN.deletion,
    ),
    fields: button('Schema fields', 'Show which fields of the schema resources read (F)', SHOWN.fields),
    instance: button('Instance', 'Show what becomes of an instance: what is ignored, how many objects there are (I)', SHOWN.instance),
    comparison: button('Changes', 'Show what was added, removed and changed since the last commit, git HEAD (H)', SHOWN.comparison),
    map: button('Map', 'Show a map where the picture is larger than its pane (M)', SHOWN.map),
  };
  const actions = {
    fold: button('Fold', 'Fold what depends on the selected box alone into it (C)'),
    unfold: button('Unfold all', 'Show everything that is folded, and expand all groups or collapse them (E)'),
    out: button('−', 'Zoom out (-)'),
    in: button('+', 'Zoom in (+)'),
    fit: button('Fit', 'Show everything (0)'),
  };
  const title = html('strong', { id: 'kro-title' }, 'Dependency graph');
  const definitions = html('select', { 'aria-label': 'Definition', hidden: '' });
  const instances = html('select', { 'aria-label': 'Instance', title: 'The instance that the picture is of', hidden: '' });
  const groups = html(
    'select',
    { 'aria-label': 'Group by', title: 'Show groups of resources as one box each (G)' },
    ...GROUPINGS.map(([value, text]) => html('option', { value }, text)),
  );
  const search = html('input', {
    type: 'search',
    placeholder: 'Search id or kind',
    'aria-label': 'Search id or kind',
    spellcheck: 'false',
  });
  const found = html('span', { class: 'found-count' });
  const formats = html(
    'select',
    { 'aria-label': 'Export' },
    html('option', { value: '' }, 'Export…'),
    ...(['svg', 'png', 'mermaid', 'dot'] as const).map((format) =>
      html('option', { value: format }, { svg: 'SVG', png: 'PNG', mermaid: 'Mermaid', dot: 'DOT' }[format]),
    ),
  );
  const toolbar = html(
    'header',
    { role: 'group', 'aria-label': 'Graph' },
    title,
    definitions,
    html('span', { class: 'group' }, search, found),
    html(
      'span',
      { class: 'group' },
      toggles.labels,
      toggles.critical,
      toggles.deletion,
      toggles.fields,
      toggles.instance,
      instances,
      toggles.comparison,
    ),
    html('span', { class: 'group' }, groups, actions.fold, actions.unfold, formats),
  );
  const loading = html('div', { class: 'loading' }, html('span', { class: 'spinner', 'aria-hidden': 'true' }), 'Drawing the graph…');
  const legend = html('p', { class: 'legend' });
  const zoom = html('div', { class: 'zoom', role: 'group', 'aria-label': 'Zoom' }, toggles.map, actions.out, actions.in, actions.fit);
  const corner = html('div', { class: 'corner' }, zoom);
  const canvas = html('div', { class: 'canvas' }, loading, legend, corner);
  const status = html('div', { class: 'spoken', role: 'status', 'aria-live': 'polite' });
  const banner = html('p', { class: 'banner', role: 'alert', hidden: '' });
  const help = html('p', { class: 'spoken', id: 'kro-help' }, HELP);
  const root = html(
    'main',
    { class: 'kro-view', 'aria-labelledby': 'kro-title' },
    toolbar,
    html('div', { class: 'over' }, banner),
    canvas,
    status,
    help,
  );
  return {
    root,
    canvas,
    title,
    definitions,
    instances,
    groups,
    search,
    found,
    loading,
    legend,
    corner,
    status,
    banner,
    toggles,
    actions,
    export: formats,
  };
}

export function pageStyle(colors: Colors): string {
  return `
html, body { margin: 0; padding: 0; height: 100%; background: ${colors.background}; }
.kro-view { position: fixed; inset: 0; display: flex; flex-direction: column; color: ${colors.text}; background: ${colors.background};
  font: 13px/1.4 ui-sans-serif, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', Arial, sans-serif; }
.kro-view header { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; padding: 8px 14px; background: ${colors.card};
  border-bottom: 1px solid ${colors.border}; }
.kro-view header strong { font-size: 14px; margin-right: auto; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 100%; }
.kro-view .group { display: inline-flex; flex-wrap: wrap; gap: 4px; align-items: center; }
.kro-view button, .kro-view select, .kro-view input { font: inherit; font-size: 12px; color: ${colors.text}; background: ${colors.background};
  border: 1px solid ${colors.border}; border-radius: 6px; padding: 3px 9px; }
.kro-view button { cursor: pointer; white-space: nowrap; }
.kro-view aside button { white-space: normal; }
.kro-view button:hover:not(:disabled) { border-color: ${colors.accent}; }
.kro-view button:disabled { opacity: .45; cursor: default; }
.kro-view button[aria-pressed=true] { border-color: ${colors.accent}; color: ${colors.accent}; font-weight: 600; }
.kro-view :is(button, select, input, textarea):focus-visible { outline: 2px solid ${colors.accent}; outline-offset: 1px; }
.kro-view :is([role=tabpanel], .canvas > svg):focus-visible { outline: 2px solid ${colors.accent}; outline-offset: -2px; }
.kro-view input { width: 150px; }
.kro-view .found-count { min-width: 4.5em; color: ${colors.faint}; font-size: 12px; }
.kro-view .canvas { flex: 1; min-height: 0; position: relative; overflow: hidden; }
.kro-view .canvas > svg { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; display: block; }
.kro-view .canvas > svg:not(:focus-visible) { outline: none; }
.kro-view .canvas > svg:active { cursor: grabbing; }
.kro-view aside { position: absolute; z-index: 1; box-sizing: border-box; font-size: 12px; overflow: auto; padding: 12px 14px;
  background: ${colors.card}; border: 1px solid ${colors.border}; border-radius: 10px; box-shadow: 0 8px 28px rgb(0 0 0 / .18); }
.kro-view aside[hidden], .kro-view [hidden] { display: none; }
.kro-view aside h2 { margin: 0 0 2px; font-size: 14px; }
.kro-view aside h3 { margin: 10px 0 3px; font-size: 11px; text-transform: uppercase; letter-spacing: .05em; color: ${colors.faint}; }
.kro-view aside p { margin: 0; color: ${colors.faint}; }
.kro-view aside ul { margin: 0; padding: 0; list-style: none; }
.kro-view aside li button { width: 100%; text-align: left; border-color: transparent; padding: 3px 6px; margin-left: -6px; overflow-wrap: anywhere; }
.kro-view aside .close { position: sticky; float: right; top: 0; padding: 0 7px; font-size: 15px; line-height: 20px; }
.kro-view .legend { position: absolute; left: 0; bottom: 0; margin: 0; padding: 2px 14px 4px; font-size: 11px; color: ${colors.faint};
  background: ${colors.background}; border-top-right-radius: 6px; pointer-events: none; max-width: calc(100% - 190px); }
.kro-view .legend > span { margin-right: 14px; }
.kro-view .of-added { color: ${colors.ready}; } .kro-view .of-removed { color: ${colors.cycle}; } .kro-view .of-changed { color: ${colors.critical}; }
.kro-view .corner { position: absolute; z-index: 1; right: 10px; bottom: 8px; display: flex; flex-direction: column; align-items: flex-end; gap: 6px; pointer-events: none; }
.kro-view .corner > * { pointer-events: auto; }
.kro-view .zoom { display: flex; gap: 3px; }
.kro-view .zoom button { background: ${colors.card}; padding: 1px 8px; }
.kro-view .minimap { background: ${colors.card}; border: 1px solid ${colors.border}; border-radius: 6px; padding: 4px; cursor: crosshair; touch-action: none;
  box-shadow: 0 2px 10px rgb(0 0 0 / .18); }
.kro-view .minimap rect { fill-opacity: .75; }
.kro-view .minimap .around { fill: ${colors.column}; stroke: ${colors.border}; stroke-width: 4; }
.kro-view .minimap .badge-group { fill: ${colors.faint}; }
.kro-view .minimap .wrong { fill: ${colors.cycle}; fill-opacity: 1; }
.kro-view .minimap .selected { fill: ${colors.accent}; fill-opacity: 1; }
.kro-view .minimap .seen { fill: ${colors.accent}; fill-opacity: .14; stroke: ${colors.accent}; }
.kro-view aside pre { margin: 0; overflow-x: auto; font: 11px/1.45 ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
.kro-view aside pre span { display: block; }
.kro-view .loading:not([hidden]) { position: absolute; inset: 0; display: flex; gap: 10px; align-items: center; justify-content: center; color: ${colors.faint};
  animation: kro-appear .2s .15s backwards; }
.kro-view .loading.over:not([hidden]) { inset: 14px auto auto 50%; transform: translateX(-50%); z-index: 2; padding: 5px 14px; border-radius: 999px; pointer-events: none;
  background: ${colors.card}; border: 1px solid ${colors.border}; box-shadow: 0 2px 10px rgb(0 0 0 / .18); }
.kro-view .spinner { width: 16px; height: 16px; border: 2px solid ${colors.border}; border-top-color: ${colors.accent}; border-radius: 50%;
  animation: kro-spin .8s linear infinite; }
@keyframes kro-spin { to { transform: rotate(1turn); } }
@keyframes kro-appear { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .kro-view .spinner { animation-duration: 4s; } }
.kro-view code { color: inherit; background: none; padding: 0; font: 11px/1.5 ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
.kro-view aside .problem { border-left-width: 3px; border-radius: 0; margin: 2px 0; padding-left: 8px; }
.kro-view aside .problem.of-error { border-left-color: ${colors.cycle}; }
.kro-view aside .problem.of-warning { border-left-color: ${colors.waiting}; }
.kro-view aside li small { display: block; color: ${colors.faint}; font-size: 11px; }
.kro-view .banner { margin: 0; padding: 8px 14px; color: ${colors.cycle}; background: ${colors.card}; border-bottom: 1px solid ${colors.border}; }
.kro-view .over { position: relative; z-index: 2; }
.kro-view .banner.stale { position: absolute; left: 0; right: 0; }
.kro-view .banner:is(.note, .stale) { color: ${colors.text}; }
.kro-view .spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
}
