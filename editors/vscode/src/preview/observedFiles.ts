/**
 * Documents in which people write what the cluster says of a node's objects, for a preview. They live in memory: a text
 * counts as it is typed, and saving only keeps VS Code from asking about it.
 */
import * as vscode from 'vscode';

/** The server's scheme; `docs/editor-commands.md` describes the rest of the URI. */
export const SCHEME = 'kro-observed';
const SAVE_MILLISECONDS = 1000;
const MOST_TRIES = 50;
const TRY_MILLISECONDS = 100;

interface Stored {
  readonly content: Uint8Array;
  readonly created: number;
  readonly changed: number;
}

export class ObservedFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly stored = new Map<string, Stored>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly typed = new vscode.EventEmitter<{ uri: string; text: string }>();
  readonly onDidChangeFile = this.fileChanged.event;
  /** Fires with every edit of a document. */
  readonly onDidType = this.typed.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.subscriptions = [
      vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.uri.scheme === SCHEME && contentChanges.length > 0) {
          this.typed.fire({ uri: document.uri.toString(), text: document.getText() });
          this.saveSoon(document);
        }
      }),
    ];
    // Those of before the window was loaded again have no text; their previews kept it.
    void this.close(() => true);
  }

  /** Shows a document, with this text unless it is open already. */
  async show(uri: vscode.Uri, text: string, viewColumn: vscode.ViewColumn): Promise<void> {
    const key = uri.toString();
    if (tabsOf((each) => each === key).length === 0) {
      const now = Date.now();
      this.stored.set(key, { content: Buffer.from(text), created: now, changed: now });
      this.fileChanged.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }
    await vscode.window.showTextDocument(uri, { viewColumn, preview: false });
  }

  /** Closes the tabs of documents, and forgets them. */
  async close(isMeant: (uri: string) => boolean): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === SCHEME && isMeant(document.uri.toString())) {
        await saved(document);
      }
    }
    await vscode.window.tabGroups.close(tabsOf(isMeant), true);
    [...this.stored.keys()].filter(isMeant).forEach((key) => this.stored.delete(key));
  }

  dispose(): void {
    this.waiting.forEach((timer) => {
      clearTimeout(timer);
    });
    this.subscriptions.forEach((each) => {
      each.dispose();
    });
  }

  private saveSoon(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.waiting.get(key));
    const save = () => {
      this.waiting.delete(key);
      void saved(document);
    };
    this.waiting.set(key, setTimeout(save, SAVE_MILLISECONDS));
  }

  // What VS Code asks of a file system.

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { content, created, changed } = this.find(uri);
    return { type: vscode.FileType.File, ctime: created, mtime: changed, size: content.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.find(uri).content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const now = Date.now();
    const created = this.stored.get(uri.toString())?.created ?? now;
    this.stored.set(uri.toString(), { content, created, changed: now });
    this.fileChanged.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private find(uri: vscode.Uri): Stored {
    const stored = this.stored.get(uri.toString());
    if (!stored) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return stored;
  }
}

/**
 * Saves a document completely. VS Code refuses to save while another save is running, and then marks the document as
 * clean even if it was edited in the meantime, so only the result of `save` can be trusted.
 */
async function saved(document: vscode.TextDocument): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES && !document.isClosed && !(await document.save()); tries += 1) {
    await new Promise((go) => setTimeout(go, TRY_MILLISECONDS));
  }
}

function tabsOf(isMeant: (uri: string) => boolean): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(({ input }) => {
    const uri = input instanceof vscode.TabInputText ? input.uri : undefined;
    return uri?.scheme === SCHEME && isMeant(uri.toString());
  });
}
