/** The licence texts that are shipped with the bundles. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { licenceFilesOf, licencesOf, packagesOf } from '../licences.js';

const BUILT = join('..', '..', 'kro_ls', 'render', 'views');

function packageWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'licences-'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', version: '1.0', license: 'MIT', homepage: 'https://x.example' }));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

for (const file of ['elkjs/LICENSE.md', 'diff/LICENSE', '@codemirror/view/LICENSE', '@lezer/yaml/LICENSE', 'style-mod/LICENSE']) {
  test(`the text of ${file} is with the bundles`, () => {
    const text = readFileSync(join('..', 'node_modules', file), 'utf8')
      .replaceAll('\r\n', '\n')
      .trim();
    assert.ok(text.length > 500);
    assert.ok(readFileSync(join(BUILT, 'LICENSES.txt'), 'utf8').includes(text));
  });
}

test('the first line of a bundle names its packages', () => {
  const first = (name: string) => readFileSync(join(BUILT, name), 'utf8').split('\n')[0] ?? '';
  assert.match(first('graph.js'), /elkjs \(EPL-2\.0/);
  assert.match(first('preview.js'), /diff \(BSD-3-Clause/);
  assert.match(first('editor.js'), /@codemirror\/view \(MIT/);
  assert.doesNotMatch(first('preview.js'), /codemirror/, 'the editor is loaded when it is first needed');
});

test('packages are those that files were taken from', () => {
  const inputs = {
    'src/graph.ts': { bytesInOutput: 1 },
    'node_modules/elkjs/lib/main.js': { bytesInOutput: 1 },
    'node_modules/elkjs/lib/other.js': { bytesInOutput: 1 },
    [`text:${resolve('../node_modules/esbuild/lib/main.js')}`]: { bytesInOutput: 1 },
    'node_modules/diff/libesm/index.js': { bytesInOutput: 0 },
    'node_modules/@eslint/js/src/index.js': { bytesInOutput: 1 },
  };
  const found = packagesOf([{ outputs: { 'graph.js': { inputs } } }], '..');
  assert.deepEqual(
    found,
    ['@eslint/js', 'elkjs', 'esbuild'].map((name) => resolve('..', 'node_modules', name)),
  );
});

test('all files with licences and notices are shipped', () => {
  const text = licencesOf([
    packageWith({ 'LICENSE-MIT': 'may', 'NOTICE.txt': 'notice', 'ThirdPartyNotices.txt': 'others', 'README.md': 'read' }),
  ]);
  for (const part of ['x 1.0 (MIT), https://x.example', 'may', 'notice', 'others']) {
    assert.ok(text.includes(part), part);
  }
  assert.ok(!text.includes('read'));
});

test('a package without a licence text is not bundled', () => {
  assert.throws(() => licenceFilesOf(packageWith({ 'README.md': 'MIT' })), /no file with its licence/);
});
