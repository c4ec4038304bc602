import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { placed, readReport } from '../src/testing/report';

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
