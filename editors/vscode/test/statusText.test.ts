/** The status bar has the verdict of kro in the words of the lenses and of the preview. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Diagnostic } from 'vscode';
import { inWorkspace, itemText, serverEntry, verdictOn, versionChoices, type VersionSetting } from '../src/statusText';

test('a definition with errors is refused', () => {
  assert.equal(itemText(4, true, '0.9.4'), 'kro refuses this: 4 errors');
  assert.equal(verdictOn(1, true), 'kro refuses this: 1 error');
  assert.equal(itemText(0, true, '0.9.4'), 'kro 0.9.4');
  assert.equal(verdictOn(0, true), 'kro accepts this');
});

test('of another document errors are counted', () => {
  assert.equal(itemText(2, false, '0.9.4'), 'kro 0.9.4 2');
  assert.equal(verdictOn(2, false), '2 errors');
});

test('without a server, what brings one comes first, with the reason why the last try failed', () => {
  assert.deepEqual(serverEntry('missing', undefined, undefined), {
    label: '$(cloud-download) Install the language server',
    command: 'kro.installServer',
    isFirst: true,
  });
  const again = serverEntry('missing', 'pip ended with 1', undefined);
  assert.match(again.label, /Try again/);
  assert.equal(again.detail, 'The last try failed: pip ended with 1');
  assert.equal(serverEntry('failed', undefined, undefined).isFirst, true);
  assert.deepEqual(serverEntry('running', undefined, 'from the PATH'), {
    label: '$(debug-restart) Restart the language server',
    description: 'running, from the PATH',
    command: 'kro.restartServer',
    isFirst: false,
  });
});

test('the errors of all files are counted as such', () => {
  const error = { source: 'kro', severity: 0 } as unknown as Diagnostic;
  const other = { source: 'YAML', severity: 0 } as unknown as Diagnostic;
  assert.equal(
    inWorkspace([
      ['a', []],
      ['b', [other]],
    ]),
    undefined,
  );
  assert.equal(
    inWorkspace([
      ['a', [error, error]],
      ['b', [other]],
      ['c', [error]],
    ]),
    '3 errors in 2 files of the workspace',
  );
});

test('the versions of kro and of Kubernetes can be chosen', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    contributes: { configuration: { properties: Record<string, VersionSetting> }[] };
  };
  const properties = Object.assign({}, ...manifest.contributes.configuration.map((each) => each.properties)) as Record<
    string,
    VersionSetting
  >;
  for (const name of ['kro.version', 'kro.kubernetesVersion']) {
    const choices = versionChoices(properties[name] ?? {});
    assert.equal(choices[0], '', name);
    assert.ok(choices.length > 3, name);
  }
  assert.deepEqual(versionChoices({}), []);
});
