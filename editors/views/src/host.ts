// A view's way to the one who shows it.

import type { Choice } from './grouper';
import type { CommonRequest, GraphMessage, GraphRequest, PreviewMessage, PreviewRequest } from './messages';
import type { KeptScenario } from './preview/scenario';

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
  listen(listener: (message: Message) => void): void;
}

/** A host as far as it shows places of the text. */
export interface RevealHost {
  readonly reveals: boolean;
  send(request: Extract<CommonRequest, { type: 'reveal' }>): void;
}

export type GraphHost = Host<GraphRequest, GraphMessage, KeptGraph>;
export type PreviewHost = Host<PreviewRequest, PreviewMessage, KeptScenario>;
