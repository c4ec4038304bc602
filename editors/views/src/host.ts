// What a view and the one who shows it (VS Code, the loopback page, a file) say to each other.

import type { Graph, Range } from './data';
import type { Choice } from './grouper';
import type { Preview } from './preview/data';
import type { Question } from './preview/editor/assistant';
import type { AskedScenario, KeptScenario } from './preview/scenario';

/** What every view asks for. */
type CommonRequest =
  /** To show a place of the text; the focus goes there only where the user asks for that. */
  | { type: 'reveal'; range: Range; takesFocus: boolean }
  | { type: 'choose'; definition: number; instance: string | null }
  /** To have a choice of the user's again in the next view. */
  | { type: 'remember'; name: string; value: string };

/** What every view is told. */
type CommonMessage =
  /** There is nothing to show, perhaps only at the moment. */
  { type: 'gone'; message: string } | { type: 'cursor'; line: number; character: number } | { type: 'text'; text: string; title: string };

export type GraphRequest =
  | CommonRequest
  | { type: 'show'; definition: number; fields: boolean; instance: boolean; comparison: boolean }
  | { type: 'export'; format: 'mermaid' | 'dot' }
  | { type: 'save'; name: string; content: string; base64: boolean };

export type GraphMessage = CommonMessage | { type: 'graph'; graph: Graph };

export type PreviewRequest =
  | CommonRequest
  | { type: 'preview'; scenario: AskedScenario }
  | { type: 'test'; scenario: AskedScenario }
  /** To be told about a text that is typed in the page. */
  | { type: 'assist'; number: number; question: Question }
  /** To open a document in which the user edits what the cluster says of a node's objects. */
  | { type: 'edit'; node: string; apiVersion: string; kind: string; text: string }
  /** To close the documents of nodes. */
  | { type: 'discard'; nodes: string[] };

export type PreviewMessage =
  | CommonMessage
  | { type: 'preview'; preview: Preview }
  | { type: 'problem'; message: string }
  | { type: 'assistance'; number: number; answer: unknown }
  | { type: 'select'; node: string }
  /** What the user wrote in the document of a node. */
  | { type: 'observed'; node: string; text: string };

/** Which graph a page shows, and what it shows of it. */
export interface KeptGraph {
  definition: number;
  shown: Readonly<Record<string, boolean>>;
}

export interface Host<Request, Message, View> {
  /** Whether a click can lead to a line of a document. */
  readonly reveals: boolean;
  /** Whether the host saves files itself; otherwise the browser downloads them. */
  readonly saves: boolean;
  /** Whether the host opens documents to edit. */
  readonly edits: boolean;
  /** Whether a comparison with a commit can be asked for, is there from the start, or neither. */
  readonly comparison: 'offered' | 'shown' | 'none';
  /** The groups to begin with. */
  readonly groupBy: Choice;
  /** What was remembered in this view or an earlier one. */
  recall(name: string): string | null;
  remember(name: string, value: string): void;
  /** What the page had shown before it was loaded again, as when VS Code's window was; null for a new page. */
  readonly kept: View | null;
  /** Takes note of what the page shows, for when it is loaded again. */
  keep(view: View): void;
  send(request: Request): void;
  listen(told: (message: Message) => void): void;
}

/** A host as far as it shows places of the text. */
export interface RevealHost {
  readonly reveals: boolean;
  send(request: Extract<CommonRequest, { type: 'reveal' }>): void;
}

export type GraphHost = Host<GraphRequest, GraphMessage, KeptGraph>;
export type PreviewHost = Host<PreviewRequest, PreviewMessage, KeptScenario>;
