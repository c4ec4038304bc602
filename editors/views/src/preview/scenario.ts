// What the user changes in a preview. The server gets all of it with every question and keeps nothing.

import type { AskedScenario, ScenarioTexts } from '../wire';

/** The scenario as a page keeps it until it is loaded again. */
export interface KeptScenario {
  instance: string | null;
  then: string | null;
  observed: [id: string, text: string][];
  held: string[];
  removed: string[];
}

export class Scenario {
  /** The instance as YAML, null for the one that stands for the definition. */
  instance: string | null = null;
  /** What it is edited to when nothing changes any more, as YAML, if at all. */
  then: string | null = null;
  /** What the cluster says of a node's objects, as YAML, one document for each. */
  readonly observed = new Map<string, string>();
  /** The texts that could be read last, which count while somebody is in the middle of typing newer ones. */
  readable: ScenarioTexts | null = null;
  readonly held = new Set<string>();
  readonly removed = new Set<string>();

  get isEdited(): boolean {
    return this.instance !== null || this.then !== null || this.observed.size + this.held.size + this.removed.size > 0;
  }

  reset(): void {
    this.instance = this.then = this.readable = null;
    this.observed.clear();
    this.held.clear();
    this.removed.clear();
  }

  kept(): KeptScenario {
    const { instance, then } = this;
    return { instance, then, observed: [...this.observed], held: [...this.held], removed: [...this.removed] };
  }

  restore({ instance, then, observed, held, removed }: KeptScenario): void {
    this.reset();
    this.instance = instance;
    this.then = then;
    observed.forEach(([id, text]) => this.observed.set(id, text));
    held.forEach((id) => this.held.add(id));
    removed.forEach((id) => this.removed.add(id));
  }

  /** Forgets what is about nodes that are not there any more. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const known of [this.observed, this.held, this.removed]) {
      [...known.keys()].filter((id) => !ids.has(id)).forEach((id) => known.delete(id));
    }
  }

  asked(): AskedScenario {
    return {
      ...(this.instance === null ? {} : { instance: this.instance || EMPTY }),
      ...(this.then === null ? {} : { then: this.then || EMPTY }),
      ...(this.observed.size ? { observed: this.#entries().join('') } : {}),
      ...(this.held.size ? { notReady: [...this.held] } : {}),
      ...(this.removed.size ? { without: [...this.removed] } : {}),
      ...(this.readable ? { readable: this.readable } : {}),
    };
  }

  /** Whose status a 0-based line of all that is observed is of. */
  ownerOfObserved(line: number): string | null {
    const ids = [...this.observed.keys()];
    let end = 0;
    return ids.find((_, number) => line < (end += (this.#entries()[number] ?? '').split('\n').length - 1)) ?? ids.at(-1) ?? null;
  }

  #entries(): string[] {
    return [...this.observed].map(([id, text]) => observedEntry(id, text));
  }
}

/** A text in which there is nothing; one without characters would be no text. */
const EMPTY = '\n';

const SEPARATOR = /^---[ \t]*$/m;

/** The texts of a node's objects as one that the user edits. */
export function observedText(texts: readonly string[]): string {
  return texts.map((text) => (text.trim() === '{}' ? '\n' : text)).join('---\n');
}

/** One entry of the YAML mapping `observed`: an object, or a list where there are several. */
function observedEntry(id: string, text: string): string {
  const key = `${JSON.stringify(id)}:`;
  const parts = text.split(SEPARATOR).map((part) => (hasContent(part) ? part : '{}'));
  return parts.length === 1
    ? `${key}\n${indented(parts[0] ?? '', '  ')}\n`
    : `${key}\n${parts.map((part) => `  -\n${indented(part, '    ')}\n`).join('')}`;
}

function hasContent(text: string): boolean {
  return text.split('\n').some((line) => line.trim() !== '' && !line.trim().startsWith('#'));
}

function indented(text: string, by: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^\n+/, '')
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? line : by + line))
    .join('\n');
}
