import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutUnsaved, unsavedFiles } from '../src/testing/unsaved';

const TEST = 'definition: ../app.yaml\ntests:\n  - {name: a, instance: shop.yaml, expect: {}}\n';

test('the unsaved files that a test file names are listed', () => {
  const opened = [
    { fileName: '/work/app.yaml', isDirty: true },
    { fileName: 'C:\\work\\shop.yaml', isDirty: true },
    { fileName: '/work/other.yaml', isDirty: true },
  ];
  assert.deepEqual(unsavedFiles(TEST, opened), ['app.yaml', 'shop.yaml']);
  assert.deepEqual(unsavedFiles(TEST, [{ fileName: '/work/app.yaml', isDirty: false }]), []);
});

test('a run says what it did not see', () => {
  assert.equal(aboutUnsaved([]), '');
  assert.equal(aboutUnsaved(['app.yaml']), 'app.yaml has unsaved changes: the tests ran with what is saved');
  assert.match(aboutUnsaved(['app.yaml', 'shop.yaml']), /^app.yaml, shop.yaml have unsaved changes/);
});
