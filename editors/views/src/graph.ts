// The bundle: in a page it shows the view, elsewhere it gives the function that draws a picture.

import workerSource from 'elkjs/lib/elk-worker.min.js?text';

import type { Graph } from './data';
import { document as svgDocument } from './draw';
import { findGraphHost } from './hosts';
import { arrange } from './arrangement';
import { LayoutEngine, LayoutTimeout, type WorkerLike } from './elk';
import { EMPTY } from './layout';
import { PLAIN } from './look';
import { modelOf } from './model';
import { quick } from './quick';
import { GraphView } from './view';

function makeWorker(): WorkerLike {
  // A blob, because a webview's pages may not start workers from files. It is text that is part of this bundle.
  const url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }));
  return new Worker(url);
}

/** The size that a picture in a file is arranged for. */
const SCREEN = { width: 1600, height: 900 };

/** The picture of a graph as an SVG document. */
async function drawSvg(graph: Graph, worker: () => WorkerLike): Promise<string> {
  const model = modelOf(graph, new Set());
  const arrangements = arrange(model, SCREEN, true);
  const layout = await new LayoutEngine(worker).layout(model, arrangements, SCREEN).catch((error: unknown) => {
    if (error instanceof LayoutTimeout) {
      return quick(model, EMPTY);
    }
    throw error;
  });
  return svgDocument(model, layout, { ...PLAIN, labels: layout.labels }, null);
}

if (typeof document === 'undefined') {
  Object.assign(globalThis, { kroViews: { drawSvg, workerSource } });
} else {
  const start = (): void => {
    new GraphView(findGraphHost(), makeWorker);
  };
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', start);
  } else {
    start();
  }
}
