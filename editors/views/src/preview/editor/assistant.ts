// What the server knows about a text that is typed in the page. Each question brings the text along.

import type { Item, Position, Range } from '../../wire';
import type { PreviewHost } from '../../host';

/** Which text it is: an instance of the definition, or what the cluster says of objects of a kind. */
export type TextOf = { of: 'instance' } | { of: 'observed'; apiVersion: string; kind: string };

/** What is asked about it. */
export type Asked =
  { method: 'completion' | 'hover'; position: Position } | { method: 'description'; item: CompletionItem } | { method: 'diagnostics' };

/** Asks about a text; null where the server has nothing to say. */
export type Ask = <One extends Asked>(asked: One, text: string) => Promise<Answers[One['method']] | null>;

/** LSP's `CompletionItem`, as far as it is used. */
export interface CompletionItem extends Item {
  label: string;
  detail?: string;
  kind?: number;
  sortText?: string;
  filterText?: string;
  insertTextFormat?: number;
  textEdit?: TextEdit;
}

export interface CompletionList {
  isIncomplete: boolean;
  items: CompletionItem[];
}

export interface TextEdit {
  range: Range;
  newText: string;
}

export interface Hover {
  contents: { value: string };
  range?: Range | null;
}

/** LSP's `Diagnostic`, with the edits that mend it. */
export interface FoundProblem {
  range: Range;
  severity: number;
  message: string;
  relatedInformation?: { message: string }[];
  fixes: { title: string; edits: TextEdit[] }[];
}

export interface Answers {
  completion: CompletionList;
  description: { value: string };
  hover: Hover;
  diagnostics: FoundProblem[];
}

export class Assistant {
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #last = 0;

  constructor(readonly host: PreviewHost) {}

  /** Returns what asks about the text that `which` names at the time. */
  about(which: () => TextOf): Ask {
    return (asked, text) => {
      const number = ++this.#last;
      this.host.send({ type: 'assist', number, question: { ...which(), text, ...asked } });
      return new Promise((resolve) => {
        this.#waiting.set(number, (answer) => {
          resolve(answer as Answers[(typeof asked)['method']] | null);
        });
      });
    };
  }

  answered(number: number, answer: unknown): void {
    this.#waiting.get(number)?.(answer);
    this.#waiting.delete(number);
  }
}
