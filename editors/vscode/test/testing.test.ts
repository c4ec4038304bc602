import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { discoverTests } from '../src/testing/discover';
import { placed, readReport } from '../src/testing/report';

const FILE = `# tests
definition: app.yaml
tests:
  - name: one
    expect: {state: ACTIVE}

  - expect:
      state: ERROR
    name: "two: it's"
  - {name: three, expect: {}}
`;

describe('the tests in a file', () => {
  for (const [ends, text] of [
    ['LF', FILE],
    ['CRLF', FILE.replaceAll('\n', '\r\n')],
  ] as const) {
    test(`names with their lines, ${ends}`, () => {
      const found = discoverTests(text);
      assert.deepEqual(
        found.map(({ name, line }) => [name, line]),
        [
          ['one', 3],
          ["two: it's", 8],
          ['three', 9],
        ],
      );
      assert.ok(found.every(({ line, endLine }) => endLine >= line));
    });
  }

  test('none in a file about something else, or half-typed', () => {
    for (const text of ['', 'tests: [{name: a}]', 'definition: a\ntests:', 'definition: a\ntests: [1, {nam: b}]', 'a: [']) {
      assert.deepEqual(discoverTests(text), []);
    }
  });
});

describe('a message', () => {
  test('with its place', () => {
    const { text, place } = placed('app.test.yaml:8:39: expected 4, found 3\n  |\n8 | x: y:1:2: z');
    assert.deepEqual(place, { file: 'app.test.yaml', line: 7, column: 38 });
    assert.match(text, /^expected 4, found 3\n/);
  });

  test('with a drive', () => {
    assert.equal(placed('C:\\a b\\app.test.yaml:8:1: no').place?.file, 'C:\\a b\\app.test.yaml');
  });

  test('without a place', () => {
    assert.deepEqual(placed('something else'), { text: 'something else', place: undefined });
  });
});

test('output that is not a report', () => {
  assert.equal(readReport('No such option: --format'), undefined);
  assert.equal(readReport('null'), undefined);
  assert.deepEqual(readReport('{"results": [], "broken": []}'), { results: [], broken: [] });
});
