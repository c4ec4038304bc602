// The colours of each theme, and the style of the picture made of them.

import { FONTS, SANS } from './text';

export interface Colors {
  background: string;
  column: string;
  card: string;
  border: string;
  text: string;
  faint: string;
  edge: string;
  accent: string;
  cycle: string;
  critical: string;
  ready: string;
  waiting: string;
  badges: readonly [string, string, string, string, string, string];
  badgeText: string;
  strong: boolean;
}

export type Theme = 'light' | 'dark' | 'contrast' | 'contrast-light';

export const COLORS: Record<Theme, Colors> = {
  light: {
    background: '#f7f8fb',
    column: '#eef0f6',
    card: '#ffffff',
    border: '#cfd5e3',
    text: '#1b2233',
    faint: '#5d677f',
    edge: '#9aa5bd',
    accent: '#2f5bea',
    cycle: '#d3273e',
    critical: '#c25e00',
    ready: '#1a7f4b',
    waiting: '#b07a00',
    badges: ['#2f6fde', '#0b8a83', '#b7791f', '#7a4fd0', '#c2416f', '#5b6780'],
    badgeText: '#ffffff',
    strong: false,
  },
  dark: {
    background: '#14171f',
    column: '#1a1e29',
    card: '#222837',
    border: '#3b445a',
    text: '#e8ecf5',
    faint: '#a0abc2',
    edge: '#66728d',
    accent: '#7ea2ff',
    cycle: '#ff6b7d',
    critical: '#ffa94d',
    ready: '#4ecb8b',
    waiting: '#f0c04f',
    badges: ['#3f7ff0', '#199e95', '#c48a2c', '#8b63e6', '#d35584', '#6b7893'],
    badgeText: '#ffffff',
    strong: false,
  },
  contrast: {
    background: '#000000',
    column: '#000000',
    card: '#000000',
    border: '#ffffff',
    text: '#ffffff',
    faint: '#ffffff',
    edge: '#ffffff',
    accent: '#6fc3ff',
    cycle: '#ff8080',
    critical: '#ffd75e',
    ready: '#7dff9b',
    waiting: '#ffd75e',
    badges: ['#ffffff', '#ffffff', '#ffffff', '#ffffff', '#ffffff', '#ffffff'],
    badgeText: '#000000',
    strong: true,
  },
  'contrast-light': {
    background: '#ffffff',
    column: '#ffffff',
    card: '#ffffff',
    border: '#000000',
    text: '#000000',
    faint: '#000000',
    edge: '#000000',
    accent: '#0033cc',
    cycle: '#a80000',
    critical: '#7a3d00',
    ready: '#005c1f',
    waiting: '#6b4a00',
    badges: ['#000000', '#000000', '#000000', '#000000', '#000000', '#000000'],
    badgeText: '#ffffff',
    strong: true,
  },
};

/** The style of the picture itself, which an exported picture carries along. */
export function pictureStyle(colors: Colors): string {
  const wide = colors.strong ? 2 : 1.25;
  const badges = colors.badges.map((color, number) => `.badge-${number} { fill: ${color}; }`).join('\n');
  return `
.graph { font-family: ${SANS}; user-select: none; -webkit-user-select: none; }
.graph .background { fill: ${colors.background}; }
.band rect { fill: ${colors.column}; ${colors.strong ? `stroke: ${colors.border}; stroke-dasharray: 2 6;` : ''} }
.band.inner rect { fill-opacity: .7; }
.band text { fill: ${colors.faint}; font-weight: 600; letter-spacing: .04em; }
.box { cursor: pointer; outline: none; }
.box .card { fill: ${colors.card}; stroke: ${colors.border}; stroke-width: ${wide}; }
/* A text that names a size of its own has that. */
.box .title { fill: ${colors.text}; font-weight: 600; } .box .title:not([font-size]) { font: ${FONTS.title}; }
.box .subtitle { fill: ${colors.faint}; } .box .subtitle:not([font-size]) { font: ${FONTS.subtitle}; }
.box .glyph { fill: none; stroke: ${colors.badgeText}; stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.box .badge-group { fill: ${colors.column}; stroke: ${colors.border}; }
.box .count { fill: ${colors.text}; font-size: 14px; font-weight: 700; text-anchor: middle; }
.box .middle { text-anchor: middle; }
.box .chevron { fill: none; stroke: ${colors.faint}; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.box:hover .chevron { stroke: ${colors.accent}; }
.frame { fill: ${colors.background}; fill-opacity: .55; stroke: ${colors.border}; stroke-width: ${wide}; }
.frame.selected { stroke: ${colors.accent}; stroke-width: ${wide + 1.75}; }
.frame-head .head { fill: ${colors.column}; ${colors.strong ? `stroke: ${colors.border};` : ''} }
.frame-head:is(:hover, :focus-visible) .head { stroke: ${colors.accent}; }
.box .end { text-anchor: end; }
${badges}
.tag { fill: ${colors.background}; stroke: ${colors.border}; }
.tag-text { fill: ${colors.faint}; font-weight: 600; text-anchor: middle; }
.box.external .card { stroke-dasharray: 5 4; }
.box.field .card { fill: ${colors.background}; }
.box.field .title:not([font-size]) { font: ${FONTS.field}; }
.box.field .subtitle:not([font-size]) { font: ${FONTS.fieldType}; }
.box.cyclic .card { stroke: ${colors.cycle}; stroke-width: ${wide + 0.75}; }
.box.error .card { stroke: ${colors.cycle}; }
.box.warning .card { stroke: ${colors.waiting}; }
.box .problems text { fill: ${colors.background}; font-size: 10px; font-weight: 700; text-anchor: middle; }
.box .of-error rect { fill: ${colors.cycle}; }
.box .of-warning rect { fill: ${colors.waiting}; }
.box.on-critical .card { stroke: ${colors.critical}; stroke-width: ${wide + 0.75}; }
.box.found .card { stroke: ${colors.waiting}; stroke-width: ${wide + 1.25}; }
.box:hover .card { stroke: ${colors.accent}; }
.box.selected .card, .box:focus-visible .card { stroke: ${colors.accent}; stroke-width: ${wide + 1.75}; }
.box.ignored .card { stroke-dasharray: 3 4; }
.box.ignored > * { opacity: .5; }
.box.ignored .title { text-decoration: line-through; }
.state { stroke: ${colors.card}; stroke-width: 2; }
.state-ready { fill: ${colors.ready}; }
.state-waiting, .state-pending { fill: ${colors.waiting}; }
.state-error { fill: ${colors.cycle}; }
.state-ignored, .state-refused { fill: ${colors.faint}; }
.state-unfinished { fill: ${colors.waiting}; }
.arrow path.line { fill: none; stroke: ${colors.edge}; stroke-width: ${wide + 0.25}; }
.arrow path.head { fill: ${colors.edge}; }
.arrow path.hit { fill: none; stroke: transparent; stroke-width: 12; cursor: pointer; }
.arrow .label { fill: ${colors.faint}; text-anchor: middle; } .arrow .label:not([font-size]) { font: ${FONTS.label}; }
.arrow .label.count { font-weight: 600; fill: ${colors.text}; }
.arrow .label-back { fill: ${colors.background}; ${colors.strong ? `stroke: ${colors.border};` : ''} }
.arrow.field path.line { stroke-dasharray: 2 4; opacity: .75; }
.arrow.on-critical path.line { stroke: ${colors.critical}; stroke-width: ${wide + 1.25}; }
.arrow.on-critical path.head { fill: ${colors.critical}; }
.arrow.lit path.line, .arrow:hover path.line { stroke: ${colors.accent}; stroke-width: ${wide + 0.9}; opacity: 1; }
.arrow.lit path.head, .arrow:hover path.head { fill: ${colors.accent}; }
.arrow.lit .label { fill: ${colors.text}; }
.arrow.error path.line { stroke: ${colors.cycle}; }
.arrow.error path.head { fill: ${colors.cycle}; }
.arrow.warning path.line { stroke: ${colors.waiting}; }
.arrow.warning path.head { fill: ${colors.waiting}; }
.arrow.cyclic path.line { stroke: ${colors.cycle}; stroke-width: ${wide + 1}; stroke-dasharray: 7 4; }
.arrow.cyclic path.head { fill: ${colors.cycle}; }
.arrow.cyclic .label { fill: ${colors.cycle}; }
.box.added .card { stroke: ${colors.ready}; stroke-width: ${wide + 0.75}; }
.box.changed .card { stroke: ${colors.critical}; stroke-width: ${wide + 0.75}; }
.box.removed .card { stroke: ${colors.cycle}; stroke-width: ${wide + 0.5}; stroke-dasharray: 6 4; fill-opacity: .4; }
.box.removed :is(.title, .subtitle) { fill: ${colors.faint}; text-decoration: line-through; }
.box.removed .badge { opacity: .55; }
.tag.of-added { fill: ${colors.ready}; stroke: ${colors.ready}; } .tag.of-removed { fill: ${colors.cycle}; stroke: ${colors.cycle}; }
.tag.of-changed { fill: ${colors.critical}; stroke: ${colors.critical}; }
.tag-text:is(.of-added, .of-removed, .of-changed) { fill: ${colors.background}; }
.arrow.added path.line { stroke: ${colors.ready}; stroke-width: ${wide + 1}; }
.arrow.added path.head { fill: ${colors.ready}; }
.arrow.changed path.line { stroke: ${colors.critical}; stroke-width: ${wide + 1}; }
.arrow.changed path.head { fill: ${colors.critical}; }
.arrow.removed path.line { stroke: ${colors.cycle}; stroke-dasharray: 6 4; }
.arrow.removed path.head { fill: ${colors.cycle}; }
.dim { opacity: .22; } .frame.dim, .frame-head.dim { opacity: .5; }
.far .arrow path.line { stroke-width: 3; }
.far .arrow.lit path.line, .far .arrow.cyclic path.line, .far .arrow.on-critical path.line { stroke-width: 6; }
`;
}
