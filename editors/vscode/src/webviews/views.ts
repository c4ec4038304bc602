/** The graphs and previews that are shown: opened by commands, kept up with the text and the cursor. */
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { type Place, placeOf } from "../commands/place";
import { GraphPanel } from "../graph/panel";
import { ObservedFiles, SCHEME } from "../preview/observedFiles";
import { PreviewPanel } from "../preview/panel";
import type { Session } from "../session";
import { tick } from "../walkthrough";
import type { ViewPanel } from "./panel";

/** The server's word that a graph that was asked for may be another one now. */
const CHANGED = "kro-ls/graphChanged";

type Kind = "graph" | "preview";

export class Views implements vscode.Disposable {
  private readonly files = new ObservedFiles();
  private readonly panels = new Map<string, ViewPanel>();
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
        if (document.languageId === "yaml" && document.uri.scheme !== SCHEME) {
          this.panels.forEach((panel) => {
            panel.edited();
          });
        }
      }),
      session.onDidChange(() => {
        if (this.panels.size > 0 && session.state === "running") {
          void this.follow();
        }
      }),
    ];
  }

  /** Shows a view of the definition that is named, or at the cursor. */
  async show(kind: Kind, argument: unknown): Promise<void> {
    const named = placeOf(argument);
    if (!named || !(await this.session.running())) {
      return;
    }
    const place = named.instance === undefined ? named : await this.withInstance(named);
    const key = `${kind} ${place.uri}#${place.definition.toString()}`;
    const known = this.panels.get(key);
    if (known) {
      known.reveal();
      if (place.resource !== undefined) {
        await known.selectResource(place.resource);
      }
      return;
    }
    if (kind === "preview") {
      tick("hasShownPreview");
    }
    const closed = () => this.panels.delete(key);
    this.panels.set(
      key,
      kind === "graph"
        ? new GraphPanel(this.session, place, closed)
        : new PreviewPanel(this.session, place, closed, this.files),
    );
    await this.follow();
  }

  /** Has an instance stand for its definition, which need not be open yet. */
  private async withInstance({ instance, item, ...place }: Place): Promise<Place> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
    const opened = { ...place, uri: document.uri.toString() };
    await this.session.execute("kro.chooseInstance", {
      uri: opened.uri,
      definition: opened.definition,
      instance,
      item,
    });
    return opened;
  }

  dispose(): void {
    for (const panel of this.panels.values()) {
      panel.close();
    }
    this.files.dispose();
    this.subscriptions.forEach((each) => {
      each.dispose();
    });
  }

  /** Listens to the server; to a new one after a restart, which is asked for everything again. */
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
    for (const panel of this.panels.values()) {
      void panel.update();
    }
  }

  private of(uri: string): ViewPanel[] {
    return [...this.panels.values()].filter((panel) => panel.uri === uri);
  }
}
