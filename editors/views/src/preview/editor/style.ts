// How the page shows its editors: their frames, and the problems under them.

import type { Colors } from '../../colors';
import { MONO } from '../../text';

/** The variables that the theme reads. */
function editorColors({ background, card, border, text, faint, accent, critical, cycle, waiting, strong }: Colors): string {
  const tint = (color: string, percent: number): string =>
    strong ? background : `color-mix(in srgb, ${color} ${percent}%, ${background})`;
  return Object.entries({
    background,
    card,
    border,
    text,
    faint,
    accent,
    critical,
    cycle,
    waiting,
    line: tint(faint, 9),
    chosen: strong ? tint(accent, 0) : tint(accent, 24),
    'chosen-outline': strong ? accent : 'transparent',
  })
    .map(([name, color]) => `--kro-${name}: ${color};`)
    .join(' ');
}

export function editorStyle(colors: Colors): string {
  return `
.preview { ${editorColors(colors)} }
.preview .yaml-editor { display: flex; flex-direction: column; gap: 4px; min-height: 0; min-width: 0; }
.preview .editor { flex: 1; min-height: 0; border: 1px solid ${colors.border}; border-radius: 6px; overflow: hidden; }
.preview .editor.unloaded { margin: 0; padding: 6px 8px; color: ${colors.text}; background: ${colors.background}; font: 12px/1.5 ${MONO}; overflow: auto; }
.preview .editor:focus-within { outline: 2px solid ${colors.accent}; outline-offset: 0; }
.preview .node .yaml-editor { margin: 0 8px 8px; }
.preview .node .editor { flex: none; height: 16em; resize: vertical; }
.preview .way-out { flex: none; margin: 0; color: ${colors.faint}; font-size: 11px; line-height: 1.3; }
.preview .yaml-editor:not(:focus-within) > .way-out { display: none; }
.preview .problems { flex: none; list-style: none; margin: 0; padding: 0; font-size: 11.5px; line-height: 1.4; }
.preview .problems:empty { display: none; }
.preview .problems button { display: block; width: 100%; padding: 1px 6px; border-color: transparent; background: none; color: ${colors.text}; text-align: left; white-space: normal; overflow-wrap: anywhere; }
.preview .problems small { color: ${colors.cycle}; font-weight: 600; margin-right: 4px; }
.preview .problems .warning small { color: ${colors.waiting}; }
`;
}
