/** Which YAML is ours: definitions of kro, CustomResourceDefinitions, instances of known kinds, tests and settings. */

const DEFINITION = /^["']?kind["']?[ ]*:[ ]*["']?ResourceGraphDefinition\b/m;
const OURS = /^["']?(?:kind["']?[ ]*:[ ]*["']?CustomResourceDefinition\b|apiVersion["']?[ ]*:[ ]*["']?kro\.run\/)/m;
const FLOW = /^\{/m;
const NAMES = /\b(?:ResourceGraphDefinition|CustomResourceDefinition|kro\.run\/)/;
const API_VERSION = /^["']?apiVersion["']?[ ]*:[ ]*["']?([\w.-]+)\//m;
const KIND = /^["']?kind["']?[ ]*:[ ]*["']?(\w+)/m;
const SETTINGS_FILE = /(?:^|\/)\.kro-ls\.yaml$/;
const TEST_FILE = /\.test\.ya?ml$/;
/** A key of a test file; also while it is being typed, or misspelt. */
const TESTS = /^["']?(?:def\w*|tests?)["']?[ ]*:/m;
const OBJECT = /^["']?apiVersion["']?[ ]*:/m;

/** Whether a text holds a ResourceGraphDefinition. */
export function holdsDefinition(text: string): boolean {
  return DEFINITION.test(text);
}

/** Whether the server has something to say about a file, which is at a path or URI. `instanceKinds` are `group/Kind`. */
export function concernsKro(file: string, text: string, instanceKinds: ReadonlySet<string>): boolean {
  return (
    DEFINITION.test(text) ||
    OURS.test(text) ||
    holdsFlow(text) ||
    holdsInstance(text, instanceKinds) ||
    SETTINGS_FILE.test(file) ||
    holdsTests(file, text)
  );
}

/** Whether a file holds tests of definitions. Other tools have test files too: theirs hold objects or other keys. */
export function holdsTests(file: string, text: string): boolean {
  return TEST_FILE.test(file) && TESTS.test(text) && !OBJECT.test(text);
}

/** Whether one of our names follows a line that begins with a brace; the text is looked through once. */
function holdsFlow(text: string): boolean {
  const start = text.search(FLOW);
  return start >= 0 && NAMES.test(text.slice(start));
}

function holdsInstance(text: string, instanceKinds: ReadonlySet<string>): boolean {
  return (
    instanceKinds.size > 0 &&
    documentsOf(text).some((document) => {
      const group = API_VERSION.exec(document)?.[1];
      const kind = KIND.exec(document)?.[1];
      return group !== undefined && kind !== undefined && instanceKinds.has(`${group}/${kind}`);
    })
  );
}

/** The YAML documents of a text. */
function documentsOf(text: string): string[] {
  return text.split(/^(?=---(?:\s|$))/m);
}
