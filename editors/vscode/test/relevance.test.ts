import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { concernsKro } from '../src/relevance';

const NONE: ReadonlySet<string> = new Set();
const FILE = '/shop/app.yaml';
const DEFINITION = `apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
spec:
  schema:
    apiVersion: v1alpha1
    kind: WebApp
  resources:
    - id: a
      template: {kind: ConfigMap}
`;

describe('what concerns kro', () => {
  const ours: [string, string][] = [
    ['a definition', DEFINITION],
    ['a definition with CRLF', DEFINITION.replaceAll('\n', '\r\n')],
    ['a definition whose kind is still to be typed', 'apiVersion: kro.run/v1alpha1\nki'],
    ['quotes', '"apiVersion": "kro.run/v1alpha1"\n"kind": "WebApp"\n'],
    ['JSON', '{"kind": "ResourceGraphDefinition"}'],
    ['the second document', `a: b\n---\n${DEFINITION}`],
    ['a CustomResourceDefinition', 'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n'],
    ["an instance in kro's own group", 'apiVersion: kro.run/v1alpha1\nkind: WebApp\n'],
  ];
  for (const [what, text] of ours) {
    test(what, () => {
      assert.equal(concernsKro(FILE, text, NONE), true);
    });
  }

  const others: [string, string][] = [
    ['nothing', ''],
    ['a Deployment', 'apiVersion: apps/v1\nkind: Deployment\n'],
    ['a comment about it', '# kind: ResourceGraphDefinition\na: b\n'],
    ['a CRD in a template', 'kind: List\nitems:\n  - kind: CustomResourceDefinition\n'],
    ['another group that ends alike', 'apiVersion: notkro.run/v1\nkind: WebApp\n'],
    ['a workflow', 'on: push\njobs: {}\n'],
  ];
  for (const [what, text] of others) {
    test(`not ${what}`, () => {
      assert.equal(concernsKro(FILE, text, NONE), false);
    });
  }

  test('an instance of a group of its own, once its kind is known', () => {
    const text = 'a: b\n---\napiVersion: acme.io/v1\nkind: Shop\n';
    assert.equal(concernsKro(FILE, text, NONE), false);
    assert.equal(concernsKro(FILE, text, new Set(['acme.io/Shop'])), true);
    assert.equal(concernsKro(FILE, 'kind: Shop\n---\napiVersion: acme.io/v1\n', new Set(['acme.io/Shop'])), false);
  });
});

describe('files that are ours by their names', () => {
  const files: [string, string, boolean][] = [
    ['/shop/app.test.yaml', 'definition: app.yaml\n', true],
    ['/shop/app.test.yml', '# tests\ndefinition: app.yaml\r\ntests: []\r\n', true],
    ['/shop/app.test.yaml', 'defintion: app.yaml\n', true],
    ['/shop/app.test.yaml', 'tests:\n  - name: a\n', true],
    ['/shop/.kro-ls.yaml', 'version: 0.9.3\n', true],
    ['/shop/app.yaml', 'definition: app.yaml\ntests: []\n', false],
    ['/shop/app.test.yaml', 'apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\ndefinition: a\n', false],
    ['/shop/app.test.yaml', 'suite: a\nassertions:\n  tests: 1\n', false],
    ['/shop/other.kro-ls.yaml', 'version: 0.9.3\n', false],
  ];
  for (const [file, text, expected] of files) {
    test(`${file}: ${JSON.stringify(text)}`, () => {
      assert.equal(concernsKro(file, text, NONE), expected);
    });
  }
});

describe('texts made to be slow', () => {
  const texts: [string, string][] = [
    ['lines that begin with a brace', '{ x: kro.runs\n'.repeat(100_000)],
    ['separators', '---\n'.repeat(200_000)],
    ['blanks', `kind${' '.repeat(500_000)}`],
    ['lines of kinds', 'kind: \n'.repeat(100_000)],
    ['keys of tests', 'definition'.repeat(100_000)],
    ['dots', `apiVersion: ${'a.'.repeat(300_000)}`],
  ];
  for (const [what, text] of texts) {
    test(what, () => {
      const started = process.cpuUsage();
      concernsKro('/a.test.yaml', text, new Set(['example.com/Bucket']));
      // Each takes some milliseconds; what goes through the rest of the text for each line takes minutes.
      assert.ok(process.cpuUsage(started).user < 5_000_000);
    });
  }
});
