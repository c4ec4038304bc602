// Between LSP's positions and the editor's offsets; both count UTF-16 code units.

import type { Text } from '@codemirror/state';

import type { Position } from '../../wire';

export function positionAt(text: Text, offset: number): Position {
  const line = text.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

export function offsetAt(text: Text, { line, character }: Position): number {
  const found = text.line(Math.min(line + 1, text.lines));
  return Math.min(found.from + character, found.to);
}
