/** A view beside the editor: passes messages between its page (`editors/views/src/messages.ts`) and the server. */
import type { CommonRequest } from 'kro-views/src/messages';
import type { Range } from 'kro-views/src/wire';
import * as vscode from 'vscode';
import type { Place } from '../commands/place';
import type { Session } from '../session';
import { pageOf } from './page';
import type { UsedGroups } from './usedGroups';

/** Where what the user chose in views is kept for the next ones. */
const REMEMBERED = 'kro.views';

/** The code of a request whose server ended. */
const PENDING_RESPONSE_REJECTED = -32097;

/** The name of a view, and the text that its page shows until its script draws it. */
const TEXTS = {
  graph: { title: 'Graph', waiting: 'Drawing the graph…' },
  preview: { title: 'Preview', waiting: 'Making the preview…' },
};

export abstract class ViewPanel {
  protected readonly panel: vscode.WebviewPanel;

  constructor(
    protected readonly session: Session,
    protected readonly place: Place,
    private readonly groups: UsedGroups,
    kind: keyof typeof TEXTS,
    closed: () => void,
    restored: vscode.WebviewPanel | undefined,
  ) {
    const { extensionUri } = session.context;
    const { title, waiting } = TEXTS[kind];
    const dist = vscode.Uri.joinPath(extensionUri, 'dist');
    const name = vscode.Uri.parse(place.uri).path.split('/').at(-1) ?? kind;
    const options = { enableScripts: true, localResourceRoots: [dist] };
    this.panel =
      restored ??
      vscode.window.createWebviewPanel(
        `kro.${kind}`,
        `${title} of ${name}`,
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { ...options, retainContextWhenHidden: true },
      );
    this.panel.webview.options = options;
    this.panel.iconPath = vscode.Uri.joinPath(extensionUri, 'images', 'icon.png');
    this.panel.onDidDispose(closed);
    const scripts = [vscode.Uri.joinPath(dist, `${kind}.js`)];
    this.panel.webview.html = pageOf(this.panel.webview, {
      title,
      scripts,
      styles: [],
      waiting,
      data: {
        remembered: JSON.stringify(session.context.globalState.get(REMEMBERED, {})),
        // The page has VS Code keep it, for `Views.restore`.
        place: JSON.stringify({ uri: place.uri, definition: place.definition }),
      },
    });
  }

  get uri(): string {
    return this.place.uri;
  }

  /** Whether it is the active one among all editors and views of the window. */
  get isActive(): boolean {
    return this.panel.active;
  }

  /** Fires when it becomes the active one, and when another one does. */
  get onDidChangeViewState(): vscode.Event<unknown> {
    return this.panel.onDidChangeViewState;
  }

  /** Sends what is shown as it is now. */
  abstract update(): Promise<void>;

  /** Takes note that a document was edited, which may hold the instance. */
  edited(): void {
    // The server itself reports what concerns a definition.
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  close(): void {
    this.panel.dispose();
  }

  /** Has the view select a resource. */
  async selectResource(id: string): Promise<void> {
    await this.post({ type: 'select', node: id });
  }

  /** Has the view select what the cursor is in. */
  async select({ line, character }: vscode.Position): Promise<void> {
    await this.post({ type: 'cursor', line, character });
  }

  /** Asks the server about the definition's document. Raises an error for people where there is no answer. */
  protected async ask(request: string, parameters: object): Promise<unknown> {
    const client = await this.session.running();
    if (!client) {
      throw new Error('The language server does not run. The kro entry in the status bar shows what you can do.');
    }
    try {
      return await client.sendRequest(request, { uri: this.uri, ...parameters });
    } catch (error) {
      const isGone = !client.isRunning() || (error as { code?: unknown }).code === PENDING_RESPONSE_REJECTED;
      throw isGone ? new Error('The language server ended. This is up to date again when it is back.') : error;
    }
  }

  protected async post(message: object): Promise<void> {
    await this.panel.webview.postMessage(message);
  }

  protected async receiveCommon(request: CommonRequest): Promise<void> {
    if (request.type === 'reveal') {
      await this.showPlace(request.range, request.takesFocus);
      return;
    }
    if (request.type === 'remember') {
      const { globalState } = this.session.context;
      const known = globalState.get<Readonly<Record<string, string>>>(REMEMBERED, {});
      await globalState.update(REMEMBERED, { ...known, [request.name]: request.value });
      return;
    }
    const { definition, instance } = request;
    await this.session.chooseInstance({ uri: this.uri, definition, ...(instance !== null && { instance }) });
    await this.update();
  }

  /** The column in which a document is to be shown. */
  protected columnOf(uri: string): vscode.ViewColumn {
    return this.groups.columnOf(uri, this.panel);
  }

  private async showPlace({ start, end }: Range, takesFocus: boolean): Promise<void> {
    const uri = vscode.Uri.parse(this.uri);
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const viewColumn = this.columnOf(this.uri);
    await vscode.window.showTextDocument(uri, { selection, viewColumn, preserveFocus: !takesFocus });
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
