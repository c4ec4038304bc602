import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expand, launches, type Machine, onPath } from '../src/server/places';
import { interpreters, isSupported, versionIn, withoutPython } from '../src/server/python';

const linux: Machine = {
  platform: 'linux',
  home: '/home/ann',
  env: { PATH: '/usr/bin:.::bin:/opt/with space' },
};
const mac: Machine = { ...linux, platform: 'darwin', home: '/Users/ann' };
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\Ann',
  env: { Path: 'C:\\Python\\;"D:\\With Space";.;relative\\bin;\\\\server\\share' },
};
const NOTHING = { setting: '', folders: [], own: undefined };

describe('on the PATH', () => {
  test('a relative folder is left out, for a workspace decides what is in it', () => {
    assert.deepEqual(onPath('kro-ls', linux), ['/usr/bin/kro-ls', '/opt/with space/kro-ls']);
  });

  test('Windows has endings, quotes, and no fixed case of the variable', () => {
    assert.deepEqual(onPath('kro-ls', windows), ['C:\\Python\\kro-ls.exe', 'D:\\With Space\\kro-ls.exe', '\\\\server\\share\\kro-ls.exe']);
  });

  test('no PATH at all', () => {
    assert.deepEqual(onPath('kro-ls', { ...linux, env: {} }), []);
    assert.deepEqual(onPath('kro-ls', { ...windows, env: {} }), []);
  });
});

describe('where a server may be', () => {
  test("in the environment of each folder, then on the PATH, then the extension's own", () => {
    const found = launches({ setting: '', folders: ['/w/a', '/w/b'], own: '/store/server-1' }, mac);
    assert.deepEqual(
      found.map(({ command, origin }) => `${origin} ${command}`),
      [
        'environment /w/a/.venv/bin/kro-ls',
        'environment /w/a/venv/bin/kro-ls',
        'environment /w/b/.venv/bin/kro-ls',
        'environment /w/b/venv/bin/kro-ls',
        'path /usr/bin/kro-ls',
        'path /opt/with space/kro-ls',
        'extension /store/server-1/bin/python',
      ],
    );
    assert.deepEqual(found.at(-1)?.args, ['-I', '-m', 'kro_ls']);
  });

  test('on Windows', () => {
    const found = launches({ setting: '', folders: ['c:\\work\\100% ours'], own: 'C:\\store\\server-1' }, windows);
    assert.equal(found[0]?.command, 'c:\\work\\100% ours\\.venv\\Scripts\\kro-ls.exe');
    assert.equal(found.at(-1)?.command, 'C:\\store\\server-1\\Scripts\\python.exe');
  });

  test('a setting is the only place', () => {
    const found = launches({ setting: '~/bin/kro-ls', folders: ['/w'], own: '/store' }, linux);
    assert.deepEqual(found, [{ command: '/home/ann/bin/kro-ls', args: [], origin: 'setting' }]);
  });

  test('a workspace that is not trusted has no folders to offer', () => {
    assert.ok(launches(NOTHING, linux).every(({ origin }) => origin === 'path'));
  });
});

describe('a path as it is written', () => {
  test('home, folder and relative paths', () => {
    assert.equal(expand('~/x', '/w', linux), '/home/ann/x');
    assert.equal(expand('${workspaceFolder}/x', '/w', linux), '/w/x');
    assert.equal(expand('tools/x', '/w', linux), '/w/tools/x');
    assert.equal(expand('/x~y', '/w', linux), '/x~y');
  });

  test('on Windows', () => {
    assert.equal(expand('~\\x.exe', 'c:\\w', windows), 'C:\\Users\\Ann\\x.exe');
    assert.equal(expand('${workspaceFolder}\\x.exe', 'c:\\w', windows), 'c:\\w\\x.exe');
    assert.equal(expand('tools\\x.exe', 'c:\\w', windows), 'c:\\w\\tools\\x.exe');
    assert.equal(expand('D:/x.exe', 'c:\\w', windows), 'D:/x.exe');
  });
});

describe('Python', () => {
  test('newer ones are tried first, and on Windows the launcher before them', () => {
    assert.equal(interpreters(linux)[0]?.command, '/usr/bin/python3.14');
    assert.deepEqual(interpreters(windows)[0], { command: 'C:\\Python\\py.exe', args: ['-3'] });
  });

  test('3.11 is the oldest', () => {
    assert.equal(versionIn('3.11\r\n'), '3.11');
    assert.equal(versionIn('Python was not found; run without arguments to install'), undefined);
    assert.equal(versionIn(''), undefined);
    assert.deepEqual(['2.7', '3.9', '3.10', '3.11', '3.14', '4.0'].filter(isSupported), ['3.11', '3.14']);
  });

  test('what is missing is said with what was found', () => {
    const none = { python: undefined, older: [] };
    const old = { python: undefined, older: [{ command: '/usr/bin/python3', args: [], version: '3.9' }] };
    assert.match(withoutPython('', none), /3\.11 or newer, and no Python was found/);
    assert.match(withoutPython('', old), /only Python 3\.9 was found \(\/usr\/bin\/python3\)/);
    assert.match(withoutPython('/no/python', none), /\/no\/python, which .* names, is not there/);
    assert.match(withoutPython(process.execPath, none), /does not run as a Python/);
    assert.match(withoutPython('/usr/bin/python3', old), /is Python 3\.9/);
  });
});
