import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Environment, explain, InstallError } from "../src/server/environment";

const machine = { platform: process.platform, home: tmpdir(), env: process.env };
const python = { command: process.execPath, args: ["-e", "process.exit(3)"], version: "3.12" };
const ignore = () => undefined;

function environment(wheel: boolean) {
  const folder = mkdtempSync(join(tmpdir(), "kro 100% "));
  if (wheel) {
    mkdirSync(join(folder, "server"));
    writeFileSync(join(folder, "server", "kro_ls-1-py3-none-any.whl"), "");
  }
  const storage = join(folder, "storage");
  return { storage, made: new Environment(storage, folder, "2.0.0", machine) };
}

describe("the environment of the extension's own", () => {
  test("a build without a wheel says so", async () => {
    const { made } = environment(false);
    await assert.rejects(made.make(python, ignore, ignore, new AbortController().signal), /carries no server/);
  });

  test("what was not finished does not count", async () => {
    const { made } = environment(true);
    await assert.rejects(made.make(python, ignore, ignore, new AbortController().signal), InstallError);
    assert.equal(made.exists, false);
  });

  test("it can be cancelled", async () => {
    const { made } = environment(true);
    const stop = new AbortController();
    const slow = { ...python, args: ["-e", "setTimeout(() => {}, 60_000)"] };
    const making = made.make(slow, ignore, ignore, stop.signal);
    stop.abort();
    await assert.rejects(making, /cancelled/);
    assert.equal(existsSync(made.folder), false);
  });

  test("one for an earlier version tells that the user agreed once", () => {
    const { made, storage } = environment(true);
    assert.equal(made.existedBefore, false);
    mkdirSync(join(storage, "server-1.0.0"), { recursive: true });
    assert.equal(made.existedBefore, true);
  });
});

test("what pip and venv say, in words that help", () => {
  assert.match(explain("The virtual environment was not created because ensurepip is not available."), /apt install/);
  assert.match(explain("ERROR: Could not find a version that satisfies the requirement pygls"), /downloaded/);
  assert.match(explain("first\r\nPermission denied\r\n"), /installed: Permission denied$/);
});
