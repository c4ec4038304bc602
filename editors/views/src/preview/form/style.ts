// How the form looks.

import type { Colors } from '../../colors';
import { MONO } from '../../text';

export function formStyle(colors: Colors): string {
  const soft = colors.strong ? colors.background : `color-mix(in srgb, ${colors.faint} 12%, ${colors.card})`;
  return `
.preview .form { container-type: inline-size; }
.preview .form fieldset { display: grid; grid-template-columns: minmax(0, 1fr); gap: 9px; align-content: start; border: none; margin: 0; padding: 0; min-width: 0; }
.preview .form fieldset:disabled { opacity: ${colors.strong ? '1' : '.55'}; }
.preview .form .note { margin: 0 0 8px; padding: 6px 10px; border-left: 3px solid ${colors.waiting}; font-size: 12px; overflow-wrap: anywhere; }
.preview .field { display: grid; grid-template-columns: minmax(80px, 2fr) minmax(0, 3fr); gap: 2px 10px; align-items: start; font-size: 12px; }
.preview .field label { grid-row: 1 / span 3; padding-top: 4px; overflow-wrap: anywhere; cursor: pointer; }
.preview .form .name { font-weight: 550; }
.preview .form small.type, .preview .form .head .count { margin-left: 6px; color: ${colors.faint}; font-size: 11px; font-weight: 400; }
.preview .form .required { color: ${colors.cycle}; font-weight: 700; }
.preview .form .control { display: flex; gap: 6px; align-items: center; min-width: 0; min-height: 26px; }
.preview .form .control :is(input[type=text], select, textarea) { flex: 1; min-width: 0; width: auto; box-sizing: border-box; }
.preview .form .control textarea { font-family: ${MONO}; resize: vertical; color: ${colors.text}; background: ${colors.background}; border: 1px solid ${colors.border}; border-radius: 6px; padding: 4px 9px; }
.preview .form input[type=checkbox] { width: 16px; height: 16px; flex: none; margin: 0; accent-color: ${colors.accent}; }
.preview .form .value-text { flex: 1; overflow-wrap: anywhere; }
.preview .is-default > .control :is(input, select, .value-text):not(:focus) { color: ${colors.faint}; font-style: italic; }
.preview .is-default > .control select option { font-style: normal; color: ${colors.text}; }
.preview .is-default > .control input[type=checkbox], .preview .is-unset > .control input[type=checkbox] { opacity: ${colors.strong ? '1' : '.55'}; }
.preview .form .mark { flex: none; border: none; background: ${soft}; padding: 1px 7px; ${colors.strong ? `border: 1px dashed ${colors.border};` : ''} }
.preview .form .reset { flex: none; border-color: transparent; background: none; color: ${colors.faint}; padding: 1px 6px; font-size: 14px; line-height: 18px; }
.preview .form .reset:hover { color: ${colors.text}; }
.preview .form .reset.unused { visibility: hidden; width: 0; padding: 0; margin: 0; border: 0; }
.preview .form .help { grid-column: 2; margin: 0; color: ${colors.faint}; font-size: 11px; line-height: 1.35; overflow-wrap: anywhere; }
.preview .is-default > :is(label, .head) .usual { display: none; }
.preview .form .faults { grid-column: 2; list-style: none; margin: 0; padding: 0; font-size: 11.5px; line-height: 1.35; overflow-wrap: anywhere; }
.preview .form .faults:empty { display: none; }
.preview .form .faults li { color: ${colors.cycle}; }
.preview .form .faults li.warning { color: ${colors.waiting}; }
.preview .form > .faults { margin-bottom: 8px; }
.preview .form > .faults li { display: flex; gap: 6px; align-items: baseline; justify-content: space-between; }
.preview .form > .faults span { flex: 1; }
.preview .form .faults li::before { content: '! '; font-weight: 700; }
.preview .wrong > .control :is(input, select, textarea) { border-color: ${colors.cycle}; ${colors.strong ? 'border-width: 2px;' : ''} }
.preview .wrong > .control input[type=checkbox] { outline: 1.5px solid ${colors.cycle}; outline-offset: 1px; }
.preview .group-field > .head { display: flex; gap: 6px; align-items: center; min-height: 26px; font-size: 12px; }
.preview .group-field > .head .fold { min-width: 0; overflow-wrap: anywhere; }
.preview .form .head .count { flex: none; }
.preview .group-field > .head .reset { margin-left: auto; }
.preview .group-field > .head .reset.unused { margin-left: 0; }
.preview .fold { white-space: normal; border-color: transparent; background: none; padding: 2px 6px 2px 0; text-align: left; }
.preview .fold::before { content: '▾'; display: inline-block; width: 14px; color: ${colors.faint}; }
.preview .fold[aria-expanded=false]::before { content: '▸'; }
.preview .group-field > .body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 9px; border-left: 2px solid ${colors.border}; margin: 4px 0 2px 5px; padding-left: 12px; }
.preview .group-field > .body.other > :not(.faults) { display: none; }
.preview .group-field > :is(.help, .faults) { padding-left: 19px; }
.preview .group-field.wrong-inside > .head .name { color: ${colors.cycle}; }
.preview .rows { display: grid; grid-template-columns: minmax(0, 1fr); gap: 6px; }
.preview .rows:empty { display: none; }
.preview .rows > .field { grid-template-columns: fit-content(50%) minmax(0, 1fr); }
.preview .rows > .field label { min-width: 24px; }
.preview .rows > .field small.type { display: none; }
.preview .form .extras { list-style: none; margin: 0; padding: 0; font-size: 11.5px; }
.preview .form .extras:empty { display: none; }
.preview .form .extras li { display: flex; gap: 6px; align-items: center; justify-content: space-between; color: ${colors.waiting}; }
.preview .form .add { justify-self: start; }
.preview .row { display: flex; gap: 4px; }
@container (max-width: 300px) {
  .preview .form fieldset { gap: 7px; }
  .preview .field { grid-template-columns: minmax(0, 1fr); }
  .preview .field label { grid-row: auto; }
  .preview .form :is(.help, .faults) { grid-column: 1; }
}
`;
}
