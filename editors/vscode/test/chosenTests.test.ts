import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testsOf } from '../src/testing/chosen';

const item = (sortText: string, children: object[] = []) => ({
  sortText,
  children: new Map(children.map((child, index) => [index.toString(), child])),
});

test('the tests of a file are updated in its order', () => {
  const [second, first] = [item('000001'), item('000000')];
  assert.deepEqual(testsOf(item('', [second, first])), [first, second]);
});

test('a test, and the message of a failure, are about that test', () => {
  const one = item('000000');
  assert.deepEqual(testsOf(one), [one]);
  assert.deepEqual(testsOf({ message: {}, test: one }), [one]);
  assert.deepEqual(testsOf(undefined), []);
  assert.deepEqual(testsOf({}), []);
});
