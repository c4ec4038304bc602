// What a view and the one who shows it (VS Code, the loopback page, a file) say to each other.

import type { AskedScenario, Graph, Preview, Question, Range } from './wire';

/** What every view asks for. */
export type CommonRequest =
  /** To show a place of the text; the focus goes there only where the user asks for that. */
  | { type: 'reveal'; range: Range; takesFocus: boolean }
  | { type: 'choose'; definition: number; instance: string | null }
  /** To have a choice of the user's again in the next view. */
  | { type: 'remember'; name: string; value: string };

/** Messages that every view receives. */
export type CommonMessage =
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
  /** To ask about a text that is typed in the page. */
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
