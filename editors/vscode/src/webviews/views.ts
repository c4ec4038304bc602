/** The graphs and previews that are shown: opened by commands, kept up with the text and the cursor. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { type Place, placeOf } from '../commands/place';
import { GraphPanel } from '../graph/panel';
import { ObservedFiles, SCHEME } from '../preview/observedFiles';
import { PreviewPanel } from '../preview/panel';
import type { Session } from '../session';
import { tick } from '../walkthrough';
import type { ViewPanel } from './panel';
import { UsedGroups } from './usedGroups';

/** The server's word that a graph that was asked for may be another one now. */
const CHANGED = 'kro-ls/graphChanged';

export type Kind = 'graph' | 'preview';

function keyOf(kind: Kind, { uri, definition }: Place): string {
  return `${kind} ${uri}#${definition.toString()}`;
}

function placeIn(state: unknown): Place | undefined {
  const place = (state as { place?: Partial<Place> } | null | undefined)?.place;
  return typeof place?.uri === 'string' && typeof place.definition === 'number'
    ? { uri: place.uri, definition: place.definition }
    : undefined;
}

/** Whether a document can be opened; it is open then, for the server to know it. */
async function isThere(uri: string): Promise<boolean> {
  try {
    await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    return true;
  } catch {
    return false;
  }
}

export class Views implements vscode.Disposable {
  private readonly files = new ObservedFiles();
  private readonly groups = new UsedGroups();
  private readonly panels = new Map<string, ViewPanel>();
  private readonly activated = new vscode.EventEmitter<void>();
  /** Fires when `document` may be another one because of a view. */
  readonly onDidChangeActive = this.activated.event;
  private followed: LanguageClient | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly session: Session) {
    this.subscriptions = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        for (const panel of this.of(textEditor.document.uri.toString())) {
          void panel.select(selections[0]?.active ?? textEditor.selection.active);
        }
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === 'yaml' && document.uri.scheme !== SCHEME) {
          this.panels.forEach((panel) => {
            panel.edited();
          });
        }
      }),
      session.onDidChange(() => {
        if (this.panels.size > 0 && session.state === 'running') {
          void this.follow();
        }
      }),
      session.onDidFollow((uri) => {
        for (const panel of this.of(uri)) {
          void panel.update();
        }
      }),
    ];
  }

  /** The document that the user works on: that of the active view or editor. */
  get document(): vscode.TextDocument | undefined {
    const active = [...this.panels.values()].find(({ isActive }) => isActive);
    return active
      ? vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === active.uri)
      : vscode.window.activeTextEditor?.document;
  }

  /** Shows a view of the definition that is named, or at the cursor. */
  async show(kind: Kind, argument: unknown): Promise<void> {
    const named = await placeOf(this.session, argument);
    if (!named || !(await this.session.running())) {
      return;
    }
    const place = named.instance === undefined ? named : await this.withInstance(named);
    const known = this.panels.get(keyOf(kind, place));
    if (known) {
      known.reveal();
      if (place.resource !== undefined) {
        await known.selectResource(place.resource);
      }
      return;
    }
    if (kind === 'preview') {
      tick('hasShownPreview');
    }
    this.add(kind, place);
    await this.follow();
  }

  /** Has a panel live that VS Code kept while the window was loaded again; `state` is what its page gave to keep. */
  async restore(kind: Kind, panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const place = placeIn(state);
    if (!place || this.panels.has(keyOf(kind, place)) || !(await isThere(place.uri))) {
      panel.dispose();
      return;
    }
    this.add(kind, place, panel);
    await this.follow();
  }

  private add(kind: Kind, place: Place, restored?: vscode.WebviewPanel): void {
    const key = keyOf(kind, place);
    const closed = () => {
      this.panels.delete(key);
      this.activated.fire();
    };
    const panel =
      kind === 'graph'
        ? new GraphPanel(this.session, place, this.groups, closed, restored)
        : new PreviewPanel(this.session, place, this.groups, closed, this.files, restored);
    panel.onDidChangeViewState(() => {
      this.activated.fire();
    });
    this.panels.set(key, panel);
    this.activated.fire();
  }

  /** Selects the instance to use for its definition, which need not be open yet. */
  private async withInstance({ instance, item, ...place }: Place): Promise<Place> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
    const opened = { ...place, uri: document.uri.toString() };
    await this.session.chooseInstance({ uri: opened.uri, definition: opened.definition, instance, item });
    return opened;
  }

  dispose(): void {
    for (const panel of this.panels.values()) {
      panel.close();
    }
    this.files.dispose();
    this.groups.dispose();
    this.activated.dispose();
    this.subscriptions.forEach((each) => {
      each.dispose();
    });
  }

  /** Listens to the server's client; to a new one after a restart. */
  private async follow(): Promise<void> {
    const client = await this.session.running();
    if (!client || client === this.followed) {
      return;
    }
    this.followed = client;
    client.onNotification(CHANGED, ({ uri }: { uri: string }) => {
      for (const panel of this.of(uri)) {
        void panel.update();
      }
    });
  }

  private of(uri: string): ViewPanel[] {
    return [...this.panels.values()].filter((panel) => panel.uri === uri);
  }
}
