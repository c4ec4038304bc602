/** The licence texts that are shipped with the extension. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';

describe('licence texts', () => {
  before(() => {
    execFileSync(process.execPath, [join('scripts', 'build.mjs')]);
  });
  for (const [file, names] of Object.entries({
    'LICENSES.txt': ['vscode-languageclient', 'vscode-jsonrpc', 'minimatch', 'semver'],
    'LICENSES-views.txt': ['elkjs', 'diff'],
  })) {
    for (const name of names) {
      test(`${name} is in ${file}`, () => {
        assert.match(readFileSync(join('dist', file), 'utf8'), new RegExp(`^${name} \\d`, 'm'));
      });
    }
  }
  test('the package takes them', () => {
    assert.match(readFileSync('.vscodeignore', 'utf8'), /^!dist\/LICENSES\*\.txt$/m);
  });
});
