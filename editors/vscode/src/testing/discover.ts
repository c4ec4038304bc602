/** Finds the tests in a test file, with their lines. */
import { LineCounter, isMap, isScalar, isSeq, parseAllDocuments, type YAMLMap } from 'yaml';

export interface FoundTest {
  readonly name: string;
  /** 0-based, the line of its name. */
  readonly line: number;
  readonly endLine: number;
}

/** The tests of a file that `kro-ls test` would run, in its order; none for a file that is about something else. */
export function discoverTests(text: string): FoundTest[] {
  const lines = new LineCounter();
  const lineAt = (offset: number) => lines.linePos(offset).line - 1;
  return parseAllDocuments(text, { lineCounter: lines, strict: false, uniqueKeys: false }).flatMap((document) => {
    const root: unknown = document.contents;
    const tests = isMap(root) && root.has('definition') ? root.get('tests', true) : undefined;
    return isSeq(tests) ? tests.items.filter(isMap).flatMap((test) => testOf(test, lineAt)) : [];
  });
}

function testOf(test: YAMLMap, lineAt: (offset: number) => number): FoundTest[] {
  const name: unknown = test.get('name', true);
  if (!isScalar(name) || name.range == null || test.range == null) {
    return [];
  }
  return [{ name: String(name.value), line: lineAt(name.range[0]), endLine: lineAt(Math.max(test.range[1] - 1, 0)) }];
}
