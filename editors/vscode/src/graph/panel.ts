/** One graph beside the editor: passes messages between the view (`editors/views/src/host.ts`) and the server. */
import * as vscode from "vscode";
import type { Place } from "../commands/place";
import type { Session } from "../session";
import { pageOf } from "../webviews/page";

interface Point {
  readonly line: number;
  readonly character: number;
}

/** What the view asks for. */
type Request =
  | { type: "show"; definition: number; fields: boolean; instance: boolean }
  | { type: "reveal"; range: { start: Point; end: Point } }
  | { type: "export"; format: "mermaid" | "dot" }
  | { type: "save"; name: string; content: string; base64: boolean };

export class GraphPanel {
  private readonly panel: vscode.WebviewPanel;
  private shown: { definition: number; fields: boolean; instance: boolean };

  constructor(
    private readonly session: Session,
    private readonly place: Place,
    closed: () => void,
  ) {
    this.shown = { definition: place.definition, fields: false, instance: false };
    const { extensionUri } = session.context;
    const dist = vscode.Uri.joinPath(extensionUri, "dist");
    const name = vscode.Uri.parse(place.uri).path.split("/").at(-1) ?? "graph";
    this.panel = vscode.window.createWebviewPanel(
      "kro.graph",
      `Graph of ${name}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [dist] },
    );
    this.panel.iconPath = vscode.Uri.joinPath(extensionUri, "images", "icon.png");
    this.panel.webview.onDidReceiveMessage((request: Request) => this.receive(request));
    this.panel.onDidDispose(closed);
    const scripts = [vscode.Uri.joinPath(dist, "graph.js")];
    this.panel.webview.html = pageOf(this.panel.webview, { title: "Dependency graph", scripts, styles: [] });
  }

  get uri(): string {
    return this.place.uri;
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  close(): void {
    this.panel.dispose();
  }

  /** Sends the graph as it is now. */
  async update(): Promise<void> {
    const client = await this.session.running();
    try {
      const graph = await client?.sendRequest("kro-ls/graph", { uri: this.uri, ...this.shown });
      await this.panel.webview.postMessage({ type: "graph", graph });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.panel.webview.postMessage({ type: "gone", message });
    }
  }

  /** Has the view select what the cursor is in. */
  async select({ line, character }: vscode.Position): Promise<void> {
    await this.panel.webview.postMessage({ type: "cursor", line, character });
  }

  private async receive(request: Request): Promise<void> {
    switch (request.type) {
      case "show": {
        const { definition, fields, instance } = request;
        this.shown = { definition: definition || this.place.definition, fields, instance };
        return this.update();
      }
      case "reveal":
        return this.showPlace(request.range);
      case "export":
        await this.session.execute("kro.graph", {
          uri: this.uri,
          definition: this.shown.definition,
          format: request.format,
        });
        return;
      case "save":
        return this.save(request.name, Buffer.from(request.content, request.base64 ? "base64" : "utf8"));
    }
  }

  private async showPlace({ start, end }: { start: Point; end: Point }): Promise<void> {
    const uri = vscode.Uri.parse(this.uri);
    const visible = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === this.uri);
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const viewColumn = visible?.viewColumn ?? vscode.ViewColumn.One;
    await vscode.window.showTextDocument(uri, { selection, viewColumn });
  }

  private async save(name: string, content: Uint8Array): Promise<void> {
    const folder = vscode.Uri.joinPath(vscode.Uri.parse(this.uri), "..");
    const target = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(folder, name) });
    if (target) {
      await vscode.workspace.fs.writeFile(target, content);
    }
  }
}
