/** One preview beside the editor, of the scenario that the user makes in it. */
import type { PreviewRequest } from 'kro-views/src/messages';
import type { AskedScenario, SavedTest } from 'kro-views/src/wire';
import * as vscode from 'vscode';
import type { Place } from '../commands/place';
import type { Session } from '../session';
import { type ObservedFiles, SCHEME } from './observedFiles';
import { isContentModified, Questions, untilUnmodified } from './contentModified';
import { messageOf, ViewPanel } from '../webviews/panel';
import type { UsedGroups } from '../webviews/usedGroups';

const PAUSE_MILLISECONDS = 60;

let lastNumber = 0;

/** The URI of a document that was not there before: VS Code may keep the text of one that was closed. */
function newUri(node: string, apiVersion: string, kind: string): vscode.Uri {
  lastNumber += 1;
  const name = `${node.replaceAll('/', '.')}.status.yaml`;
  return vscode.Uri.from({ scheme: SCHEME, path: `/${apiVersion}/${kind}/${lastNumber.toString()}/${name}` });
}

export class PreviewPanel extends ViewPanel {
  /** The nodes whose status is edited, by the URIs of the documents. */
  private readonly observed = new Map<string, string>();
  private scenario: AskedScenario = {};
  private waiting: NodeJS.Timeout | undefined;
  private readonly questions = new Questions();
  /** Whether the selection was sent to the page after it was loaded. */
  private hasSelected = false;

  constructor(
    session: Session,
    place: Place,
    groups: UsedGroups,
    closed: () => void,
    private readonly files: ObservedFiles,
    restored?: vscode.WebviewPanel,
  ) {
    super(session, place, groups, 'preview', closed, restored);
    this.panel.webview.onDidReceiveMessage((request: PreviewRequest) => this.receive(request));
    const typed = files.onDidType(({ uri, text }) => {
      const node = this.observed.get(uri);
      if (node !== undefined) {
        void this.post({ type: 'observed', node, text });
      }
    });
    this.panel.onDidDispose(() => {
      clearTimeout(this.waiting);
      typed.dispose();
      void this.discard([...this.observed.values()]);
      void this.leave();
    });
  }

  override edited(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.update(), PAUSE_MILLISECONDS);
  }

  async update(): Promise<void> {
    try {
      const preview = await this.questions.ask(() => this.ask('kro-ls/preview', this.asked()));
      if (preview !== undefined) {
        await this.post({ type: 'preview', preview });
      }
    } catch (error) {
      if (isContentModified(error)) {
        this.edited();
      } else {
        await this.post({ type: 'gone', message: messageOf(error) });
      }
    }
  }

  /** Has the page select the resource that was asked for, or else the one that the cursor is in. */
  private async selectFirst(): Promise<void> {
    if (this.place.resource !== undefined) {
      return this.selectResource(this.place.resource);
    }
    const column = this.columnOf(this.uri);
    const editor = vscode.window.visibleTextEditors.find(
      ({ document, viewColumn }) => document.uri.toString() === this.uri && viewColumn === column,
    );
    if (editor) {
      await this.select(editor.selection.active);
    }
  }

  private async receive(request: PreviewRequest): Promise<void> {
    switch (request.type) {
      case 'preview':
        this.scenario = request.scenario;
        await this.update();
        if (!this.hasSelected) {
          this.hasSelected = true;
          await this.selectFirst();
        }
        return;
      case 'test':
        this.scenario = request.scenario; // which may have been changed since it was last shown
        return this.saveTest();
      case 'assist':
        return this.assist(request);
      case 'edit':
        return this.edit(request);
      case 'discard':
        return this.discard(request.nodes);
      default:
        return this.receiveCommon(request);
    }
  }

  /** Has the server help with a text that is typed in the page. */
  private async assist({ number, question }: Extract<PreviewRequest, { type: 'assist' }>): Promise<void> {
    const { uri, definition } = this.place;
    const client = await this.session.running();
    // A question that comes too late has no answer.
    const answer: unknown = await client?.sendRequest('kro-ls/previewAssistance', { uri, definition, question }).catch(() => null);
    await this.post({ type: 'assistance', number, answer: answer ?? null });
  }

  /** Lets lenses and values show the definition again instead of the scenario. */
  private async leave(): Promise<void> {
    const { uri, definition } = this.place;
    const client = await this.session.running();
    await client?.sendNotification('kro-ls/previewClosed', { uri, definition });
  }

  /** Shows the status of a node's objects in its editor, or in a new one beside the definition's. */
  private async edit({ node, apiVersion, kind, text }: Extract<PreviewRequest, { type: 'edit' }>): Promise<void> {
    const known = [...this.observed].find(([, each]) => each === node)?.[0];
    const uri = known === undefined ? newUri(node, apiVersion, kind) : vscode.Uri.parse(known);
    this.observed.set(uri.toString(), node);
    await this.files.show(uri, text, this.columnOf(known ?? this.uri));
  }

  /** Closes the documents of nodes. */
  private async discard(nodes: string[]): Promise<void> {
    const uris = new Set([...this.observed].filter(([, node]) => nodes.includes(node)).map(([uri]) => uri));
    uris.forEach((uri) => this.observed.delete(uri));
    await this.files.close((uri) => uris.has(uri));
  }

  private asked(): object {
    const { uri, definition } = this.place;
    return { uri, definition, scenario: this.scenario };
  }

  /** Adds the scenario to the definition's test file, or writes a new one where the user says, and shows the test. */
  private async saveTest(): Promise<void> {
    const client = await this.session.running();
    if (client === undefined) {
      return;
    }
    const ask = (file?: vscode.Uri, text?: string) =>
      untilUnmodified(() =>
        client.sendRequest<SavedTest>('kro-ls/previewTest', {
          ...this.asked(),
          ...(file && { file: file.toString() }),
          ...(text !== undefined && { text }),
        }),
      );
    try {
      const usual = vscode.Uri.joinPath(vscode.Uri.parse(this.uri), '..', (await ask()).title);
      const there = await textOf(usual);
      const target =
        there === undefined ? await vscode.window.showSaveDialog({ defaultUri: usual, title: 'Save the scenario as a test' }) : usual;
      if (target === undefined) {
        return;
      }
      const test = await ask(target, there ?? (await textOf(target)));
      await this.write(target, test.text);
      await this.showTest(target, test.name);
    } catch (error) {
      await this.post({ type: 'problem', message: messageOf(error) });
    }
  }

  /** Writes a file; one that is open is edited, so that nothing typed in it is lost. */
  private async write(target: vscode.Uri, text: string): Promise<void> {
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === target.toString());
    if (document === undefined) {
      return vscode.workspace.fs.writeFile(target, Buffer.from(text));
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(target, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  }

  private async showTest(target: vscode.Uri, name: string): Promise<void> {
    const editor = await vscode.window.showTextDocument(target, { viewColumn: this.columnOf(target.toString()) });
    const at = editor.document.getText().lastIndexOf(name);
    if (at >= 0) {
      const place = editor.document.positionAt(at);
      editor.selection = new vscode.Selection(place, place);
      editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}

/** The text of a file as it is in the editor or on disk; undefined where there is none. */
async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    await vscode.workspace.fs.stat(file);
  } catch {
    return undefined;
  }
  return (await vscode.workspace.openTextDocument(file)).getText();
}
