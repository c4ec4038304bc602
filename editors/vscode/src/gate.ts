/**
 * Keeps YAML that is not ours away from the server: a document is followed from when it concerns kro until it is closed.
 *
 * The language client offers every YAML document. All of its messages pass through here, so that this one place decides.
 */
import type { CancellationToken } from 'vscode';
import type { MessageSignature } from 'vscode-languageclient';

/** What the gate needs to know of an open document. */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: string;
  /** Whether it was changed since it was saved. */
  readonly isDirty?: boolean;
}

type Method = string | MessageSignature;
type Send<R> = (type: Method, params?: R) => Promise<void>;
type Ask<P, R> = (type: Method, params?: P, token?: CancellationToken) => Promise<R>;

export class Gate {
  /** The followed documents, each with the version in which the server received it. */
  private readonly followed = new Map<string, number>();

  constructor(
    private readonly concerns: (uri: string, text: string) => boolean,
    private readonly find: (uri: string) => OpenDocument | undefined,
    private readonly changed: () => void,
    /** Called once the server has received a document. */
    private readonly onOpened: (uri: string) => void,
  ) {}

  follows(uri: string): boolean {
    return this.followed.has(uri);
  }

  /** Forgets everything, because the server has ended. */
  reset(): void {
    this.followed.clear();
    this.changed();
  }

  readonly sendNotification = async <R>(type: Method, next: Send<R>, params: R): Promise<void> => {
    const uri = uriOf(params);
    const method = nameOf(type);
    if (uri === undefined || !method.startsWith('textDocument/')) {
      return next(type, params);
    }
    if (method === 'textDocument/didOpen') {
      const { textDocument } = params as { textDocument: { text: string; version: number } };
      const document = this.find(uri);
      if (document?.isDirty && this.concerns(uri, document.text)) {
        await this.openEdited(document, next);
      } else if (this.concerns(uri, textDocument.text)) {
        this.follow(uri, textDocument.version);
        await next(type, params);
        this.onOpened(uri);
      }
    } else if (method === 'textDocument/didChange') {
      await this.change(uri, type, next, params);
    } else if (method === 'textDocument/didClose') {
      if (this.followed.delete(uri)) {
        this.changed();
        await next(type, params);
      }
    } else if (this.followed.has(uri)) {
      await next(type, params);
    }
  };

  readonly sendRequest = <P, R>(type: Method, params: P | undefined, token: CancellationToken | undefined, next: Ask<P, R>): Promise<R> => {
    const uri = uriOf(params);
    if (uri !== undefined && !this.followed.has(uri)) {
      return Promise.resolve(null as R);
    }
    return next(type, params, token);
  };

  private follow(uri: string, version: number): void {
    this.followed.set(uri, version);
    this.changed();
  }

  /** Opens a text that is being written: it is sent as an edit, so that unwritten parts are not reported as missing at once. */
  private async openEdited<R>({ uri, languageId, version, text }: OpenDocument, next: Send<R>): Promise<void> {
    this.follow(uri, version);
    const opened = { uri, languageId, version: version - 1, text: '' };
    await next('textDocument/didOpen', { textDocument: opened } as R);
    await next('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] } as R);
    this.onOpened(uri);
  }

  private async change<R>(uri: string, type: Method, next: Send<R>, params: R): Promise<void> {
    const opened = this.followed.get(uri);
    if (opened === undefined) {
      const document = this.find(uri);
      if (document && this.concerns(uri, document.text)) {
        await this.openEdited(document, next);
      }
      return;
    }
    // The text that was opened late held this edit already.
    const { version } = (params as { textDocument: { version: number } }).textDocument;
    if (version > opened) {
      await next(type, params);
    }
  }
}

function nameOf(type: Method): string {
  return typeof type === 'string' ? type : type.method;
}

function uriOf(params: unknown): string | undefined {
  const uri = (params as { textDocument?: { uri?: unknown } } | null | undefined)?.textDocument?.uri;
  return typeof uri === 'string' ? uri : undefined;
}
