// How lists with headings and tools look, and texts that are shown short.

import type { Colors } from '../colors';
import { MONO } from '../text';

export function listStyle(colors: Colors): string {
  return `
.preview [hidden] { display: none !important; }
.preview .loading:not([hidden]) { z-index: 2; background: ${colors.background}; }
.preview .list-tools:not([hidden]) { display: flex; flex-wrap: wrap; gap: 4px; align-items: center; padding-bottom: 8px; }
.preview .list-tools input { flex: 1 1 90px; min-width: 70px; width: auto; }
.preview .list-tools .found-count:empty { display: none; }
.preview .list-tools .found-count { min-width: 0; }
.preview .section { margin-bottom: 6px; list-style: none; }
.preview .section-head { width: 100%; font-size: 12px; font-weight: 600; color: ${colors.text}; padding: 4px 2px; border-radius: 4px; }
.preview .section-head .count { color: ${colors.faint}; font-weight: 400; }
.preview .section-rows { list-style: none; margin: 0; padding: 0 0 0 6px; }
.preview .empty { list-style: none; }
/* Where there is little room, kinds go first, for they claim none; then marks and the strip; ids last. */
.preview .node .id { flex: 0 1 auto; min-width: 4em; }
.preview .node-kind { flex: 1 1 0; min-width: 0; color: ${colors.faint}; font-size: 11px; text-align: right; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.preview .object h3 .fold { white-space: normal; min-width: 0; font: inherit; color: inherit; font-weight: 600; padding: 0; overflow-wrap: anywhere; }
.preview .object.folded h3 { border-bottom: none; }
.preview .object.folded { content-visibility: visible; }
.preview .long-text { min-width: 0; }
.preview .timeline .long-text { grid-column: 1 / -1; }
.preview .short-line { display: flex; gap: 6px; align-items: flex-start; min-width: 0; }
.preview .short-line > :first-child { flex: 0 1 auto; min-width: 0; }
.preview .node .why { width: auto; padding-bottom: 0; margin-bottom: 5px; white-space: normal; }
.preview .clamped { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.preview .more { flex: none; padding: 0 7px; font-size: 11px; line-height: 16px; color: ${colors.accent}; border-color: transparent; background: none; }
.preview .full:not([hidden]) { display: grid; gap: 6px; margin: 2px 8px 8px 12px; padding: 6px 8px; border: 1px solid ${colors.border}; border-radius: 6px; background: ${colors.background}; }
.preview .timeline .full:not([hidden]) { margin: 6px 0 2px; max-height: 30vh; overflow: auto; }
.preview .full-text { flex: 1; min-width: 0; margin: 0; font: 12px/1.5 ${MONO}; white-space: pre-wrap; overflow-wrap: anywhere; user-select: text; cursor: text; }
.preview .full-text:focus-visible { outline: 2px solid ${colors.accent}; outline-offset: 2px; }
.preview .copy { justify-self: end; font-size: 11px; }
@media (max-width: 760px) { .preview .node-kind { display: none; } }
`;
}
