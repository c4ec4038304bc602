// How the editor looks. The colours are variables of the page (`style.ts`), so that another theme changes them in all editors.

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

import { MONO } from '../../text';

const at = (name: string): string => `var(--kro-${name})`;

export const editorTheme = [
  EditorView.theme({
    '&': { height: '100%', color: at('text'), backgroundColor: at('background'), fontSize: '12px' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': { fontFamily: MONO, lineHeight: '1.5', overflow: 'auto' },
    '.cm-content': { padding: '6px 0', caretColor: at('text') },
    '.cm-line': { padding: '0 8px' },
    '.cm-cursor, .cm-dropCursor': { borderLeftColor: at('text') },
    '&.cm-focused .cm-activeLine': { backgroundColor: at('line') },
    '.cm-activeLine': { backgroundColor: 'transparent' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      background: at('chosen'),
      outline: `1px solid ${at('chosen-outline')}`,
    },
    '.cm-placeholder': { color: at('faint') },
    '.cm-tooltip': {
      color: at('text'),
      backgroundColor: at('card'),
      border: `1px solid ${at('border')}`,
      borderRadius: '6px',
      boxShadow: '0 6px 20px rgb(0 0 0 / .2)',
      overflow: 'hidden',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: MONO, fontSize: '12px', maxHeight: '14em' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px', lineHeight: '1.5' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      color: at('text'),
      backgroundColor: at('chosen'),
      outline: `1px solid ${at('chosen-outline')}`,
      outlineOffset: '-1px',
    },
    '.cm-completionDetail': { color: at('faint'), fontStyle: 'normal', marginLeft: '1.2em' },
    '.cm-completionMatchedText': { textDecoration: 'none', color: at('accent'), fontWeight: '700' },
    '.cm-completionIcon': { display: 'none' },
    '.cm-tooltip.cm-completionInfo': { padding: '6px 10px', maxWidth: '340px' },
    '.cm-tooltip-hover': { padding: '2px 0', maxWidth: '420px' },
    '.cm-snippetField': { backgroundColor: at('line'), outline: `1px solid ${at('border')}` },
    '.cm-diagnostic': { padding: '4px 10px', borderLeft: '3px solid', whiteSpace: 'pre-wrap' },
    '.cm-diagnostic-error': { borderLeftColor: at('cycle') },
    '.cm-diagnostic-warning': { borderLeftColor: at('waiting') },
    '.cm-diagnosticAction': {
      font: 'inherit',
      color: at('accent'),
      background: 'none',
      border: `1px solid ${at('border')}`,
      borderRadius: '4px',
      padding: '1px 6px',
      marginLeft: '8px',
      cursor: 'pointer',
    },
    '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: `underline wavy ${at('cycle')}`, textDecorationSkipInk: 'none' },
    '.cm-lintRange-warning': { backgroundImage: 'none', textDecoration: `underline wavy ${at('waiting')}`, textDecorationSkipInk: 'none' },
    '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: at('line'), outline: `1px solid ${at('border')}` },
    '.markdown': {
      padding: '4px 10px',
      font: "12px/1.45 ui-sans-serif, system-ui, 'Segoe UI', sans-serif",
      maxHeight: '16em',
      overflow: 'auto',
    },
    '.markdown p, .markdown ul, .markdown pre': { margin: '3px 0', overflowWrap: 'anywhere' },
    '.markdown ul': { paddingLeft: '18px' },
    '.markdown pre, .markdown code': { fontFamily: MONO, fontSize: '11.5px', whiteSpace: 'pre-wrap' },
    '.markdown hr': { border: 'none', borderTop: `1px solid ${at('border')}` },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.definition(tags.propertyName), tags.propertyName], color: at('accent') },
      { tag: [tags.comment, tags.lineComment], color: at('faint'), fontStyle: 'italic' },
      { tag: [tags.labelName, tags.typeName, tags.keyword], color: at('critical') },
      { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: at('faint') },
    ]),
  ),
];
