// What the view and the one who shows it (VS Code, the loopback page, a file) say to each other.

import type { Graph, Range } from './data';

/** What the view asks for. */
export type Request =
  | { type: 'show'; definition: number; fields: boolean; instance: boolean }
  | { type: 'reveal'; range: Range }
  | { type: 'export'; format: 'mermaid' | 'dot' }
  | { type: 'save'; name: string; content: string; base64: boolean };

/** What the view is told. */
export type Message =
  | { type: 'graph'; graph: Graph }
  | { type: 'gone'; message: string }
  | { type: 'cursor'; line: number; character: number }
  | { type: 'text'; text: string; title: string };

export interface Host {
  /** Whether a click can lead to a line of a document. */
  readonly reveals: boolean;
  /** Whether the host saves files itself; otherwise the browser downloads them. */
  readonly saves: boolean;
  send(request: Request): void;
  listen(told: (message: Message) => void): void;
}
