// The three places that show the view: VS Code's webview, the loopback page, a file of its own.

import type { Graph } from './data';
import type { GraphHost, GraphMessage, Host } from './host';

interface VsCodeApi {
  postMessage(message: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The host of a graph, which may stand in a file. */
export function findGraphHost(): GraphHost {
  const data = document.getElementById('kro-data');
  return data ? fileHost(JSON.parse(data.textContent) as FileData) : findHost();
}

/** The host that a server is with. */
export function findHost<Request, Message>(): Host<Request, Message> {
  return typeof acquireVsCodeApi === 'function' ? vsCodeHost(acquireVsCodeApi()) : pageHost();
}

function vsCodeHost<Request, Message>(api: VsCodeApi): Host<Request, Message> {
  return {
    reveals: true,
    saves: true,
    edits: true,
    send(request) {
      api.postMessage(request);
    },
    listen(told) {
      window.addEventListener('message', (event: MessageEvent<Message>) => {
        told(event.data);
      });
    },
  };
}

function pageHost<Request, Message>(): Host<Request, Message> {
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
    send(request) {
      if (socket.readyState === WebSocket.OPEN) {
        socket.send(JSON.stringify(request));
      } else {
        waiting.push(request);
      }
    },
    listen(told) {
      socket.addEventListener('message', (event: MessageEvent<string>) => {
        told(JSON.parse(event.data) as Message);
      });
      socket.addEventListener('close', () => {
        told({ type: 'gone', message: 'The editor has ended, so this page does not change any more.' } as Message);
      });
    },
  };
}

/** What `kro-ls graph --format html` writes into its file. */
interface FileData {
  graphs: Graph[];
  texts: { mermaid: string; dot: string }[];
}

function fileHost({ graphs, texts }: FileData): GraphHost {
  let tell: (message: GraphMessage) => void = () => undefined;
  let shown = 0;
  return {
    reveals: false,
    saves: false,
    edits: false,
    send(request) {
      if (request.type === 'show') {
        shown = request.definition;
        const graph = graphs[shown];
        if (graph) {
          const { fields, fieldEdges, instance, ...rest } = graph;
          const withFields = request.fields && fields && fieldEdges ? { ...rest, fields, fieldEdges } : rest;
          const all = request.instance && instance ? { ...withFields, instance } : withFields;
          // As from a server: the answer comes after the question was sent.
          queueMicrotask(() => {
            tell({ type: 'graph', graph: all });
          });
        }
      } else if (request.type === 'export') {
        tell({ type: 'text', text: texts[shown]?.[request.format] ?? '', title: `graph.${request.format === 'dot' ? 'dot' : 'mmd'}` });
      }
    },
    listen(told) {
      tell = told;
    },
  };
}
