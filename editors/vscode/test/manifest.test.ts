/** What `package.json` promises is there. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

interface Manifest {
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string }[];
    menus: Record<string, { command: string }[]>;
    configurationDefaults: unknown;
    walkthroughs: { steps: { media: { markdown: string }; description: string }[] }[];
  };
}

const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const names = manifest.contributes.commands.map(({ command }) => command);

test("every command does something, and nothing more", () => {
  const source = readFileSync("src/commands.ts", "utf8");
  const handled = [...source.matchAll(/^ {4}"(kro\.\w+)":/gm)].map(([, name]) => name);
  assert.deepEqual(new Set(handled), new Set(names));
});

test("menus and walkthroughs name commands and files that exist", () => {
  const used = Object.values(manifest.contributes.menus).flatMap((items) => items.map(({ command }) => command));
  const steps = manifest.contributes.walkthroughs.flatMap((each) => each.steps);
  const linked = steps.flatMap(({ description }) =>
    [...description.matchAll(/command:(kro\.\w+)/g)].map(([, name]) => name),
  );
  for (const name of [...used, ...linked]) {
    assert.ok(name !== undefined && names.includes(name), name);
  }
  for (const { media } of steps) {
    assert.ok(existsSync(media.markdown), media.markdown);
  }
});

test("no other YAML is claimed", () => {
  assert.deepEqual(
    manifest.activationEvents.filter((event) => event === "*" || event === "onStartupFinished"),
    [],
  );
});

test("other YAML keeps its settings, but for an Enter that would change nothing", () => {
  assert.deepEqual(manifest.contributes.configurationDefaults, {
    "[yaml]": { "editor.acceptSuggestionOnEnter": "smart" },
  });
});
