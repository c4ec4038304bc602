/** One graph beside the editor. */
import type { GraphRequest } from 'kro-views/src/messages';
import * as vscode from 'vscode';
import type { Place } from '../commands/place';
import type { Session } from '../session';
import { messageOf, ViewPanel } from '../webviews/panel';
import type { UsedGroups } from '../webviews/usedGroups';

/** What the view shows. */
type Shown = Omit<Extract<GraphRequest, { type: 'show' }>, 'type'>;

export class GraphPanel extends ViewPanel {
  private shown: Shown;

  constructor(session: Session, place: Place, groups: UsedGroups, closed: () => void, restored?: vscode.WebviewPanel) {
    super(session, place, groups, 'graph', closed, restored);
    this.shown = { definition: place.definition, fields: false, instance: false, comparison: false };
    this.panel.webview.onDidReceiveMessage((request: GraphRequest) => this.receive(request));
  }

  async update(): Promise<void> {
    try {
      await this.post({ type: 'graph', graph: await this.ask('kro-ls/graph', this.shown) });
    } catch (error) {
      await this.post({ type: 'gone', message: messageOf(error).replace('kro-ls/graph: ', '') });
    }
  }

  private async receive(request: GraphRequest): Promise<void> {
    switch (request.type) {
      case 'show': {
        const { definition, fields, instance, comparison } = request;
        this.shown = { definition: definition || this.place.definition, fields, instance, comparison };
        return this.update();
      }
      case 'export':
        await this.session.execute('kro.graph', {
          uri: this.uri,
          definition: this.shown.definition,
          format: request.format,
        });
        return;
      case 'save':
        return this.save(request.name, Buffer.from(request.content, request.base64 ? 'base64' : 'utf8'));
      default:
        return this.receiveCommon(request);
    }
  }

  private async save(name: string, content: Uint8Array): Promise<void> {
    const folder = vscode.Uri.joinPath(vscode.Uri.parse(this.uri), '..');
    const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name) });
    if (target) {
      await vscode.workspace.fs.writeFile(target, content);
    }
  }
}
