/** Reads what `kro-ls test --format json` prints. */

export interface TestReport {
  readonly results: readonly TestResult[];
  readonly broken: readonly { readonly file: string; readonly message: string }[];
}

export interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly messages: readonly string[];
  readonly updated: boolean;
  /** What was changed in the test file, as a diff; an older kro-ls changes snapshots only. */
  readonly changes?: string;
}

/** A message, and the 0-based place that it begins with. */
export interface PlacedMessage {
  readonly text: string;
  readonly place: { readonly file: string; readonly line: number; readonly column: number } | undefined;
}

/** The report, or undefined where the output is something else, as of an older kro-ls. */
export function readReport(output: string): TestReport | undefined {
  try {
    const report = JSON.parse(output) as Partial<TestReport> | null;
    return report && Array.isArray(report.results) && Array.isArray(report.broken) ? (report as TestReport) : undefined;
  } catch {
    return undefined;
  }
}

/** Reads `file:line:column: text`; the file may be on a drive. Positions are 1-based there. */
export function placed(message: string): PlacedMessage {
  const [, file, line, column, text] = /^((?:[A-Za-z]:)?[^:\n]+):(\d+):(\d+): ([^]*)$/.exec(message) ?? [];
  return file !== undefined && text !== undefined
    ? { text, place: { file, line: Number(line) - 1, column: Number(column) - 1 } }
    : { text: message, place: undefined };
}
