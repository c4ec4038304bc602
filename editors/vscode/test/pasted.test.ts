/** Where pasted manifests go. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { indented } from '../src/typing/pasted';

const MANIFEST = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\n';

describe('a pasted manifest', () => {
  test('goes to the column of its first line', () => {
    const below = '    - id: web\n      template:\n        ';
    assert.equal(indented(MANIFEST, below), MANIFEST);
  });

  test('goes below the key that it belongs to, wherever the cursor was', () => {
    const wanted = '        apiVersion: v1\n        kind: Service\n        metadata:\n          name: web\n';
    assert.equal(indented(MANIFEST, '    - id: web\n      template:\n'), wanted);
    assert.equal(indented(`---\n${MANIFEST}`, '    - id: web\n      template:\n'), wanted);
    assert.equal(indented(MANIFEST, '    - template:\n'), wanted);
  });

  test('loses the indentation that it had', () => {
    const deep = '      a: 1\n      b:\n        c: 2';
    assert.equal(indented(deep, 'spec:\n  '), 'a: 1\nb:\n  c: 2');
  });

  test('stays as it is where it fits, in a line, or as one line', () => {
    assert.equal(indented(MANIFEST, ''), undefined);
    assert.equal(indented(MANIFEST, 'name: web\n'), undefined);
    assert.equal(indented(MANIFEST, '  name: '), undefined);
    assert.equal(indented('name: web', 'template:\n  '), undefined);
  });

  test('keeps the lines of Windows apart', () => {
    assert.equal(indented('a: 1\r\nb: 2', 'spec:\r\n  '), 'a: 1\nb: 2');
  });
});
