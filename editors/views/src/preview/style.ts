// How the preview looks.

import type { Colors } from '../colors';
import { MONO } from '../text';

/** Where there is room, the instance has a column of its own. */
const WIDE = '1120px';
/** Where there is less, ids need the room of the marks beside them. */
const MEDIUM = '760px';
const NARROW = '620px';

export function previewStyle(colors: Colors): string {
  const tint = (color: string, percent = 14): string =>
    colors.strong ? colors.background : `color-mix(in srgb, ${color} ${percent}%, ${colors.card})`;
  /** A colour for texts, which stand on its tint. */
  const ink = (color: string): string => (colors.strong ? color : `color-mix(in srgb, ${color} 60%, ${colors.text})`);
  const state = (name: string, color: string): string => `
.preview .of-${name} .dot { border-color: ${color}; color: ${ink(color)}; background: ${tint(color)}; }
.preview .of-${name}.current .dot { background: ${ink(color)}; color: ${colors.background}; }
.preview .state-pill.of-${name} { color: ${ink(color)}; border-color: ${color}; background: ${tint(color)}; }`;
  const sign = (name: string, color: string): string => `
.preview .sign.state-${name} { color: ${ink(color)}; border-color: ${color}; background: ${tint(color)}; }
.preview .strip .state-${name} { background: ${color}; }`;
  const deed = (name: string, color: string): string => `
.preview .object.${name} { border-color: ${color}; }
.preview .object.${name} h3 { border-bottom-color: ${color}; background: ${tint(color, 9)}; }`;
  return `
.preview header strong { margin-right: 0; }
.preview header .group { margin-left: auto; }
.preview header select { max-width: 220px; }
.preview .state-pill { border: 1px solid; border-radius: 99px; padding: 1px 10px; font-size: 11px; font-weight: 700; letter-spacing: .04em; }
.preview .primary { border-color: ${colors.accent}; color: ${colors.accent}; font-weight: 600; }
.preview .banner p { margin: 0; overflow-wrap: anywhere; }
.preview .errors { list-style: none; margin: 4px 0 0; padding: 0; max-height: 8.5em; overflow-y: auto; }
.preview .errors .error { display: block; width: 100%; border-color: transparent; background: none; color: ${colors.text}; text-align: left; white-space: normal; padding: 2px 6px; margin-left: -6px; overflow-wrap: anywhere; }
.preview .errors .error:hover { background: ${tint(colors.cycle, 12)}; ${colors.strong ? 'text-decoration: underline;' : ''} }
.preview .errors .advice { color: ${colors.faint}; padding: 0 0 4px; }
.preview .errors small { color: ${colors.cycle}; font-weight: 600; margin-right: 4px; }
.refused .preview :is(.timeline, .objects, #panel-status, #panel-deletion, .node:is(.ready, .waiting, .pending, .ignored) .node-name) { ${colors.strong ? 'filter: grayscale(1);' : 'opacity: .5; filter: grayscale(.85);'} }
.outdated .preview :is(.timeline, .objects, .nodes, #panel-status, #panel-changes, #panel-deletion) { ${colors.strong ? 'filter: grayscale(1); outline: 2px dashed ' + colors.border + '; outline-offset: -2px;' : 'opacity: .5; filter: grayscale(.85);'} }
.outdated .preview .node:is(.selected) { ${colors.strong ? '' : 'opacity: 1;'} }
.preview .timeline { display: grid; grid-template-columns: auto 1fr; gap: 2px 16px; align-items: center; padding: 10px 14px 8px; border-bottom: 1px solid ${colors.border}; background: ${colors.card}; }
.preview .controls { display: flex; gap: 4px; }
.preview .controls button { min-width: 30px; }
.preview .track { display: flex; isolation: isolate; min-width: 0; overflow-x: auto; cursor: pointer; touch-action: none; user-select: none; padding: 4px 0; border-radius: 8px; outline: none; }
.preview .track:focus-visible { outline: 2px solid ${colors.accent}; }
.preview .stop { flex: 1 0 34px; display: flex; flex-direction: column; align-items: center; position: relative; }
.preview .stop::before { content: ''; position: absolute; top: 12px; left: -50%; width: 100%; height: 2px; background: ${colors.accent}; }
.preview .stop:first-child::before { display: none; }
.preview .stop.later::before { background: ${colors.border}; }
.preview .dot { position: relative; width: 22px; height: 22px; border: 2px solid ${colors.border}; border-radius: 50%; background: ${colors.background}; font-size: 11px; font-weight: 700; line-height: 22px; text-align: center; z-index: 1; }
.preview .stop.current .dot { box-shadow: 0 0 0 3px ${tint(colors.accent, 35)}; ${colors.strong ? `outline: 2px solid ${colors.accent}; outline-offset: 2px;` : ''} }
.preview .stop.later { opacity: ${colors.strong ? '1' : '.6'}; }
.preview .stop.edit::before { background: repeating-linear-gradient(90deg, ${colors.critical} 0 5px, transparent 5px 9px); }
.preview .stop.edit::after { content: 'edit'; position: absolute; top: 3px; left: 0; transform: translateX(-50%); z-index: 1; padding: 0 7px; border: 1px solid ${colors.critical}; border-radius: 99px;
  color: ${colors.critical}; background: ${colors.card}; font-size: 10px; font-weight: 600; line-height: 16px; }
.preview .deeds { height: 16px; font-size: 11px; font-weight: 600; display: flex; gap: 5px; }
.preview .deeds .created { color: ${colors.ready}; } .preview .deeds .updated { color: ${colors.waiting}; } .preview .deeds .deleted { color: ${colors.cycle}; }
${state('active', colors.ready)}${state('in-progress', colors.waiting)}${state('error', colors.cycle)}${state('failed', colors.cycle)}${state('refused', colors.cycle)}${state('unreadable', colors.cycle)}${state('deleting', colors.critical)}
.preview .pass-summary { grid-column: 1 / -1; margin: 0; color: ${colors.faint}; font-size: 12px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.preview .pass-summary strong { color: ${colors.text}; font-weight: 600; }
.preview .panes { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(260px, 2fr) minmax(280px, 3fr); }
.preview .panes > section { min-width: 0; min-height: 0; display: flex; flex-direction: column; }
.preview .panes > .left { border-right: 1px solid ${colors.border}; }
.preview [role=tablist] { display: flex; gap: 2px; padding: 6px 10px 0; border-bottom: 1px solid ${colors.border}; background: ${colors.card}; }
.preview [role=tab] { border-color: transparent; border-radius: 6px 6px 0 0; background: none; color: ${colors.faint}; border-bottom: 2px solid transparent; padding: 4px 10px 6px; }
.preview [role=tab][aria-selected=true] { color: ${colors.text}; border-bottom-color: ${colors.accent}; font-weight: 600; }
.preview .count { margin-left: 6px; font-size: 11px; font-weight: 600; color: ${colors.faint}; }
.preview [role=tab] .count { color: ${ink(colors.faint)}; background: ${tint(colors.faint, 20)}; border-radius: 99px; padding: 0 6px; }
.preview .panels { flex: 1; min-height: 0; display: flex; }
.preview [role=tabpanel] { display: none; flex: 1; min-width: 0; overflow: auto; padding: 10px 12px; }
.preview [role=tabpanel].chosen { display: block; }
.preview .nodes, .preview .deleted { list-style: none; margin: 0; padding: 0; }
.preview .node { border: 1px solid transparent; border-radius: 8px; margin-bottom: 2px; }
.preview .node.selected { border-color: ${colors.accent}; background: ${colors.card}; }
.preview .node-name { display: flex; align-items: center; gap: 8px; width: 100%; border-color: transparent; background: none; text-align: left; font-size: 13px; padding: 4px 8px; }
.preview .node-name:focus-visible { outline-offset: -2px; }
.preview .sign { flex: none; width: 18px; height: 18px; border: 1.5px solid; border-radius: 50%; font-size: 11px; font-weight: 700; line-height: 18px; text-align: center; }
${sign('ready', colors.ready)}${sign('waiting', colors.waiting)}${sign('pending', colors.faint)}${sign('unfinished', colors.waiting)}${sign('missing', colors.cycle)}${sign('ignored', colors.border)}${sign('error', colors.cycle)}
.preview .strip .state-pending { background: ${colors.strong ? colors.background : tint(colors.faint, 45)}; box-shadow: inset 0 0 0 1px ${colors.faint}; }
.preview .sign.state-ignored { color: ${colors.faint}; }
.preview .node .id { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 550; }
.preview .node .count { margin-left: -2px; }
.preview .node.ignored .id { text-decoration: line-through; color: ${colors.faint}; }
.preview .mark { font-size: 10px; color: ${colors.faint}; border: 1px solid ${colors.border}; border-radius: 99px; padding: 0 6px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; flex-shrink: 10000; min-width: 10px; }
.preview .strip { margin-left: auto; flex: 0 10000 auto; min-width: 24px; display: flex; gap: min(2px, .4cqi); padding: 3px 2px; overflow: hidden; }
.preview .strip i { flex: 0 1 auto; width: 5px; min-width: 0; height: 14px; border-radius: 2px; background: ${colors.column}; }
.preview .strip i.later { opacity: .3; }
.preview .strip i.now { outline: 1.5px solid ${colors.text}; outline-offset: 1px; }
.preview .why { display: block; width: 100%; box-sizing: border-box; border: none; background: none; color: ${colors.faint}; text-align: left; padding: 0 8px 5px 34px; overflow-wrap: anywhere; font-size: 12px; }
.preview .node.error .why { color: ${colors.cycle}; }
.preview .tools { display: flex; flex-wrap: wrap; gap: 4px; padding: 2px 8px 8px 34px; }
.preview #panel-changes > .tools { padding: 0 0 8px; }
.preview .left > .panels { container-type: size; }
.preview .instance.chosen { display: flex; flex-direction: column; gap: 10px; overflow: hidden; }
.preview .instance > .which { flex: none; }
.preview .instance > .yaml-editor { flex: 1 0 120px; }
.preview .instance .form { flex: 0 1 auto; min-height: 0; overflow: auto; padding: 2px; }
.preview .which { display: flex; gap: 4px; }
.preview .object { content-visibility: auto; contain-intrinsic-size: auto 260px; border: 1px solid ${colors.border}; border-radius: 8px; background: ${colors.card}; margin: 0 0 10px; overflow: hidden; }
${deed('created', colors.ready)}${deed('updated', colors.waiting)}${deed('deleted', colors.cycle)}
.preview .object.deleted h3 span { text-decoration: line-through; }
.preview .object.deleted .yaml { max-height: 5em; overflow: hidden; opacity: ${colors.strong ? '1' : '.6'}; }
.preview .object h3 { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; margin: 0; padding: 6px 10px; font-size: 12.5px; border-bottom: 1px solid ${colors.border}; }
.preview .object h3 small { margin-left: auto; font-weight: 400; color: ${colors.faint}; }
.preview .yaml { font: 12px/1.55 ${MONO}; overflow-x: auto; padding: 6px 0; }
.preview .line { white-space: pre; padding: 0 10px; min-height: 1.55em; width: max-content; min-width: 100%; box-sizing: border-box; }
.preview .line[data-source] { cursor: pointer; }
.preview .line[data-source]:hover { background: ${tint(colors.accent, 12)}; ${colors.strong ? 'text-decoration: underline;' : ''} }
.preview .line.here { background: ${tint(colors.accent, 22)}; box-shadow: inset 3px 0 ${colors.accent}; }
.preview .line:focus-visible { outline: 2px solid ${colors.accent}; outline-offset: -2px; }
.preview .line .key { color: ${colors.accent}; }
.preview .line .literal { color: ${ink(colors.critical)}; }
.preview .line.plus { background: ${tint(colors.ready, 18)}; color: ${ink(colors.ready)}; }
.preview .line.minus { background: ${tint(colors.cycle, 18)}; color: ${ink(colors.cycle)}; }
.preview .no-value { border-top: 1px solid ${colors.border}; margin-top: 8px; padding-top: 8px; }
.preview .no-value h3 { margin: 0 0 4px; font-size: 12px; }
.preview .no-value ul { list-style: none; margin: 0; padding: 0; }
.preview .no-value li > * { display: block; width: 100%; box-sizing: border-box; padding: 3px 6px; border-color: transparent; background: none; text-align: left; white-space: normal; overflow-wrap: anywhere; font-size: 12px; }
.preview .no-value code { margin-right: 8px; color: ${colors.accent}; font: 12px/1.5 ${MONO}; }
.preview .no-value span { color: ${colors.faint}; }
.preview .empty { color: ${colors.faint}; margin: 2px 0 10px; }
.preview .deleted li { display: flex; gap: 10px; padding: 4px 10px; font-size: 12px; }
.preview .deleted strong { font-weight: 550; }
.preview .deleted small { margin-left: auto; color: ${colors.faint}; }
@media (min-width: ${WIDE}) {
  .preview .panes { grid-template-columns: minmax(600px, 5fr) minmax(380px, 4fr); }
  .preview .left > [role=tablist] { display: none; }
  .preview .left > .panels { flex-direction: row-reverse; }
  .preview .left [role=tabpanel] { display: block; flex: 3; }
  .preview .left .instance { display: flex; flex: 2; flex-direction: column; gap: 10px; overflow: hidden; border-right: 1px solid ${colors.border}; }
}
@container (max-height: 560px) {
  .preview .panels .instance { overflow: auto; }
  .preview .panels .instance .form { flex: none; overflow: visible; }
  .preview .panels .instance > .yaml-editor { flex: none; height: 240px; }
}
@media (max-width: ${MEDIUM}) {
  .preview .node:not(.selected) .mark { display: none; }
}
@media (max-width: ${NARROW}) {
  .preview .panes { grid-template-columns: 1fr; grid-template-rows: 1fr 1fr; }
  .preview .panes > .left { border-right: none; border-bottom: 1px solid ${colors.border}; }
}
@media (max-width: 420px) {
  .preview .timeline { grid-template-columns: minmax(0, 1fr); }
}
`;
}
