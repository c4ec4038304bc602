// The three places that show the view: VS Code's webview, the loopback page, a file of its own.

import type { Change, Graph } from './wire';
import type { Choice } from './grouper';
import type { GraphHost, Host } from './host';
import type { GraphMessage } from './messages';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The host of a graph, which may stand in a file. */
export function findGraphHost(): GraphHost {
  const data = document.getElementById('kro-data');
  return data ? fileHost(JSON.parse(data.textContent) as FileData) : findHost();
}

/** The host that a server is with. */
export function findHost<Request, Message, View>(): Host<Request, Message, View> {
  return typeof acquireVsCodeApi === 'function' ? vsCodeHost(acquireVsCodeApi()) : pageHost();
}

/** What VS Code keeps of a page: what it shows, and for the extension the definition that it is of. */
interface KeptPage<View> {
  readonly place: unknown;
  readonly view: View | null;
}

function vsCodeHost<Request, Message, View>(api: VsCodeApi): Host<Request, Message, View> {
  const place = JSON.parse(document.body.dataset['place'] ?? 'null') as unknown;
  const kept = (api.getState() as KeptPage<View> | undefined)?.view ?? null;
  const keep = (view: View | null): void => {
    api.setState({ place, view } satisfies KeptPage<View>);
  };
  keep(kept);
  const known = JSON.parse(document.body.dataset['remembered'] ?? '{}') as Record<string, string>;
  return {
    reveals: true,
    saves: true,
    edits: true,
    comparison: 'offered',
    groupBy: 'auto',
    recall: (name) => known[name] ?? null,
    remember(name, value) {
      known[name] = value;
      api.postMessage({ type: 'remember', name, value });
    },
    kept,
    keep,
    send(request) {
      api.postMessage(request);
    },
    listen(listener) {
      window.addEventListener('message', (event: MessageEvent<Message>) => {
        listener(event.data);
      });
    },
  };
}

/** What a browser keeps: cookies for pages of servers, whose ports differ, and its storage for files, which have no cookies. */
const browserMemory = {
  recall(name: string): string | null {
    const found = document.cookie.split('; ').find((each) => each.startsWith(`kro_${name}=`));
    return found ? decodeURIComponent(found.slice(found.indexOf('=') + 1)) : stored((storage) => storage.getItem(`kro_${name}`));
  },
  remember(name: string, value: string): void {
    document.cookie = `kro_${name}=${encodeURIComponent(value)}; path=/; max-age=31536000; SameSite=Strict`;
    stored((storage) => {
      storage.setItem(`kro_${name}`, value);
      return null;
    });
  },
};

/** What is done with the storage, null where the browser has none for this page. */
function stored(use: (storage: Storage) => string | null): string | null {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}

/** For a page whose state is lost, because it is never loaded again. */
const keepsNothing = { kept: null, keep: (): void => undefined };

function pageHost<Request, Message, View>(): Host<Request, Message, View> {
  const socket = new WebSocket(`ws://${location.host}${location.pathname}live`);
  const waiting: Request[] = [];
  socket.addEventListener('open', () => {
    waiting.splice(0).forEach((request) => {
      socket.send(JSON.stringify(request));
    });
  });
  return {
    reveals: true,
    saves: false,
    edits: false,
    comparison: 'offered',
    groupBy: 'auto',
    ...browserMemory,
    ...keepsNothing,
    send(request) {
      if (socket.readyState === WebSocket.OPEN) {
        socket.send(JSON.stringify(request));
      } else {
        waiting.push(request);
      }
    },
    listen(listener) {
      socket.addEventListener('message', (event: MessageEvent<string>) => {
        listener(JSON.parse(event.data) as Message);
      });
      socket.addEventListener('close', () => {
        listener({
          type: 'gone',
          message: 'The language server has ended, and this page with it: open it again from the editor.',
        } as Message);
      });
    },
  };
}

/** What `kro-ls graph --format html` writes into its file. */
interface FileData {
  graphs: Graph[];
  texts: { mermaid: string; dot: string }[];
  groupBy: Choice;
}

function fileHost({ graphs, texts, groupBy }: FileData): GraphHost {
  let receive: (message: GraphMessage) => void = () => undefined;
  let shown = 0;
  return {
    reveals: false,
    saves: false,
    edits: false,
    comparison: graphs.some((graph) => graph.comparison) ? 'shown' : 'none',
    groupBy,
    ...browserMemory,
    ...keepsNothing,
    send(request) {
      if (request.type === 'show') {
        shown = request.definition;
        const graph = graphs[shown];
        if (graph) {
          const { fields, fieldEdges, instance, ...rest } = request.comparison ? graph : withoutComparison(graph);
          const withFields = request.fields && fields && fieldEdges ? { ...rest, fields, fieldEdges } : rest;
          const all = request.instance && instance ? { ...withFields, instance } : withFields;
          // As from a server: the answer comes after the question was sent.
          queueMicrotask(() => {
            receive({ type: 'graph', graph: all });
          });
        }
      } else if (request.type === 'export') {
        receive({ type: 'text', text: texts[shown]?.[request.format] ?? '', title: `graph.${request.format === 'dot' ? 'dot' : 'mmd'}` });
      }
    },
    listen(listener) {
      receive = listener;
    },
  };
}

/** A graph as it is now, without what it is compared with. */
function withoutComparison({ comparison, ...graph }: Graph): Graph {
  if (!comparison) {
    return graph;
  }
  return { ...graph, nodes: graph.nodes.flatMap(withoutChange), edges: graph.edges.flatMap(withoutChange) };
}

/** Returns a part without its mark of change, and nothing for a removed part. */
function withoutChange<Part extends { change?: Change }>(part: Part): Part[] {
  const now = { ...part };
  delete now.change;
  return part.change === 'removed' ? [] : [now];
}
