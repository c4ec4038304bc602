/** One preview beside the editor, of the scenario that the user makes in it. */
import * as vscode from "vscode";
import type { Place } from "../commands/place";
import type { Session } from "../session";
import { type CommonRequest, messageOf, ViewPanel } from "../webviews/panel";

/** What the view asks for. */
type Request = CommonRequest | { type: "preview"; scenario: object } | { type: "test"; scenario: object; name: string };

/** LSP's code for a request that an edit, or a newer request, took the place of. */
const CONTENT_MODIFIED = -32801;
const PAUSE_MILLISECONDS = 60;

export class PreviewPanel extends ViewPanel {
  private scenario: object = {};
  private waiting: NodeJS.Timeout | undefined;
  /** The resource to select when the page is there. */
  private wanted: string | undefined;

  constructor(session: Session, place: Place, closed: () => void) {
    super(session, place, "preview", "Preview", closed);
    this.wanted = place.resource;
    this.panel.webview.onDidReceiveMessage((request: Request) => this.receive(request));
    this.panel.onDidDispose(() => {
      clearTimeout(this.waiting);
      void this.leave();
    });
  }

  override edited(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.update(), PAUSE_MILLISECONDS);
  }

  async update(): Promise<void> {
    const client = await this.session.running();
    try {
      const preview = await client?.sendRequest("kro-ls/preview", this.asked());
      await this.post({ type: "preview", preview });
    } catch (error) {
      if ((error as { code?: unknown }).code === CONTENT_MODIFIED) {
        this.edited();
      } else {
        await this.post({ type: "gone", message: messageOf(error) });
      }
    }
  }

  private async receive(request: Request): Promise<void> {
    switch (request.type) {
      case "preview":
        this.scenario = request.scenario;
        await this.update();
        if (this.wanted !== undefined) {
          await this.selectResource(this.wanted);
          this.wanted = undefined;
        }
        return;
      case "test":
        return this.saveTest(request.name);
      default:
        return this.receiveCommon(request);
    }
  }

  /** Has lenses and values tell of the definition again, and no more of the scenario. */
  private async leave(): Promise<void> {
    const { uri, definition } = this.place;
    const client = await this.session.running();
    await client?.sendNotification("kro-ls/previewClosed", { uri, definition });
  }

  private asked(): object {
    const { uri, definition } = this.place;
    return { uri, definition, scenario: this.scenario };
  }

  /** Writes the scenario as a test file where the user says, and opens it. */
  private async saveTest(name: string): Promise<void> {
    const client = await this.session.running();
    try {
      const test = await client?.sendRequest<{ text: string; title: string }>("kro-ls/previewTest", {
        ...this.asked(),
        name,
      });
      const folder = vscode.Uri.joinPath(vscode.Uri.parse(this.uri), "..");
      const defaultUri = vscode.Uri.joinPath(folder, test?.title ?? "");
      const target = test && (await vscode.window.showSaveDialog({ defaultUri, title: "Save the scenario as a test" }));
      if (target) {
        await vscode.workspace.fs.writeFile(target, Buffer.from(test.text));
        await vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.One });
      }
    } catch (error) {
      await this.post({ type: "problem", message: messageOf(error) });
    }
  }
}
