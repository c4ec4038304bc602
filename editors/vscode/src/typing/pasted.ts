/** Where pasted YAML belongs: some lines of it, put at the column of the line that they are pasted into. */

const OPENS = /:\s*(?:#.*)?$/;

/**
 * What to insert instead of a text of several lines, so that all of them stand where the first one does. VS Code indents
 * lines after the first as far as the line that they are pasted into.
 *
 * `before` is the document up to the place. Undefined where the text fits as it is, or is part of a line.
 */
export function indented(text: string, before: string): string | undefined {
  const lines = text.replace(/^---[^\S\n]*\r?\n/, '').split(/\r?\n/);
  const written = lines.filter((line) => line.trim() !== '');
  const above = before.split(/\r?\n/);
  const here = above.pop() ?? '';
  if (written.length < 2 || here.trim() !== '') {
    return undefined;
  }
  const own = Math.min(...written.map(indentationOf));
  const wanted = columnBelow(above, here.length);
  if (own === wanted && here.length === 0) {
    return undefined;
  }
  const missing = ' '.repeat(wanted - here.length);
  return lines.map((line) => (line.trim() === '' ? '' : missing + line.slice(own))).join('\n');
}

function columnBelow(above: readonly string[], here: number): number {
  const last = [...above].reverse().find((line) => line.trim() !== '' && !line.trim().startsWith('#')) ?? '';
  const content = /^\s*(?:-\s+)*/.exec(last)?.[0].length ?? 0;
  return OPENS.test(last) && here <= content ? content + 2 : here;
}

function indentationOf(line: string): number {
  return line.length - line.trimStart().length;
}
