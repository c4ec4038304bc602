/** Files with unsaved changes, which a test run ignores. VS Code saves them first unless `testing.saveBeforeTest` is off. */

interface Open {
  readonly fileName: string;
  readonly isDirty: boolean;
}

/** The names of the unsaved files that a test file may name, by its text. */
export function unsavedFiles(test: string, opened: readonly Open[]): string[] {
  const names = opened.filter(({ isDirty }) => isDirty).map(({ fileName }) => fileName.replace(/^.*[\\/]/, ''));
  return [...new Set(names)].filter((name) => test.includes(name)).sort();
}

/** The line about unsaved files for the output of a test run; empty if there are none. */
export function aboutUnsaved(names: readonly string[]): string {
  const changes = names.length === 1 ? 'has unsaved changes' : 'have unsaved changes';
  return names.length > 0 ? `${names.join(', ')} ${changes}: the tests ran with what is saved` : '';
}
