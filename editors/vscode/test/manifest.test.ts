/** What `package.json` promises is there. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';

interface Manifest {
  activationEvents: string[];
  contributes: {
    commands: { command: string; title: string }[];
    menus: Record<string, { command: string }[]>;
    configurationDefaults: unknown;
    walkthroughs: {
      steps: {
        media: { markdown?: string; image?: Record<string, string> };
        description: string;
        completionEvents: string[];
      }[];
    }[];
  };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const names = manifest.contributes.commands.map(({ command }) => command);

test('every command does something, and nothing more', () => {
  const source = readFileSync('src/commands.ts', 'utf8');
  const handled = [...source.matchAll(/^ {4}'(kro\.\w+)':/gm)].map(([, name]) => name);
  assert.deepEqual(new Set(handled), new Set(names));
});

test('menus and walkthroughs name commands and files that exist', () => {
  const used = Object.values(manifest.contributes.menus).flatMap((items) => items.map(({ command }) => command));
  const steps = manifest.contributes.walkthroughs.flatMap((each) => each.steps);
  const linked = steps.flatMap(({ description }) => [...description.matchAll(/command:(kro\.\w+)/g)].map(([, name]) => name));
  for (const name of [...used, ...linked]) {
    assert.ok(name !== undefined && names.includes(name), name);
  }
  for (const { media } of steps) {
    const files = [media.markdown ?? [], Object.values(media.image ?? {})].flat();
    assert.ok(files.length > 0);
    for (const file of files) {
      assert.ok(existsSync(file) && statSync(file).size < 100_000, file);
    }
  }
});

test('every step of the walkthrough is ticked off by an event, whose context key is set', () => {
  const source = readFileSync('src/walkthrough.ts', 'utf8');
  for (const { completionEvents } of manifest.contributes.walkthroughs.flatMap((each) => each.steps)) {
    assert.ok(completionEvents.length > 0);
    for (const [, key] of completionEvents.flatMap((event) => [...event.matchAll(/^onContext:kro\.(.+)/g)])) {
      assert.ok(key !== undefined && source.includes(`'${key}'`), key);
    }
  }
});

test('no other YAML is claimed', () => {
  assert.deepEqual(
    manifest.activationEvents.filter((event) => event === '*' || event === 'onStartupFinished'),
    [],
  );
});

test('other YAML keeps its settings, but for an Enter that would change nothing, and room for deep nesting', () => {
  assert.deepEqual(manifest.contributes.configurationDefaults, {
    '[yaml]': { 'editor.acceptSuggestionOnEnter': 'smart', 'editor.stickyScroll.maxLineCount': 10 },
  });
});
