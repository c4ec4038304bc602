import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Environment, explain, InstallError } from '../src/server/environment';

const machine = { platform: process.platform, home: tmpdir(), env: process.env };
const python = { command: process.execPath, args: ['-e', 'process.exit(3)'], version: '3.12' };
const ignore = () => undefined;

function environment(wheel: boolean) {
  const folder = mkdtempSync(join(tmpdir(), 'kro 100% '));
  if (wheel) {
    mkdirSync(join(folder, 'server'));
    writeFileSync(join(folder, 'server', 'kro_ls-1-py3-none-any.whl'), '');
  }
  const storage = join(folder, 'storage');
  return { storage, made: new Environment(storage, folder, '2.0.0', machine) };
}

describe("the environment of the extension's own", () => {
  test('a build without a wheel says so', async () => {
    const { made } = environment(false);
    made.prepare();
    await assert.rejects(made.make(python, ignore, ignore, new AbortController().signal), /carries no server/);
  });

  test('what was not finished does not count', async () => {
    const { made } = environment(true);
    made.prepare();
    await assert.rejects(made.make(python, ignore, ignore, new AbortController().signal), InstallError);
    assert.equal(made.exists, false);
  });

  test('a folder that cannot be written is named, with what to do', () => {
    const { made, storage } = environment(true);
    writeFileSync(storage, '');
    assert.throws(() => {
      made.prepare();
    }, new RegExp(`^Error: The server cannot be installed into .*storage: .* kro\\.server\\.path`));
  });

  test('it can be cancelled', async () => {
    const { made } = environment(true);
    const stop = new AbortController();
    const slow = { ...python, args: ['-e', 'setTimeout(() => {}, 60_000)'] };
    made.prepare();
    const making = made.make(slow, ignore, ignore, stop.signal);
    stop.abort();
    await assert.rejects(making, /cancelled/);
    assert.equal(existsSync(made.folder), false);
  });

  test('one for an earlier version shows that the user agreed once', () => {
    const { made, storage } = environment(true);
    assert.equal(made.existedBefore, false);
    mkdirSync(join(storage, 'server-1.0.0'), { recursive: true });
    assert.equal(made.existedBefore, true);
  });
});

test('what pip and venv say, in words that help', () => {
  const said = (output: string) => explain(output, '/storage');
  assert.match(said('The virtual environment was not created because ensurepip is not available.'), /apt install/);
  assert.match(said('ERROR: Could not find a version that satisfies the requirement pygls'), /downloaded/);
  assert.match(said('first\r\nsomething broke\r\n'), /installed: something broke$/);
  const full = 'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n';
  assert.match(said(full), /no space left on the disk .* \/storage/);
  for (const refused of ["ERROR: [Errno 13] Permission denied: '/storage/a'", 'Error: Read-only file system']) {
    assert.match(said(`${refused}\n\n`), /into \/storage: .*(?:denied|Read-only).* Make the folder writable/);
  }
});
