// The bundle: in a page it shows the view, elsewhere it gives the function that draws a picture.

import workerSource from 'elkjs/lib/elk-worker.min.js?text';

import type { Graph } from './wire';
import { document as svgDocument } from './draw';
import { findGraphHost } from './hosts';
import { arrange } from './arrangement';
import { LayoutEngine, LayoutTimeout, type WorkerLike } from './elk';
import { Grouper, type Choice } from './grouper';
import { EMPTY, type Layout } from './layout';
import { layoutOf, type Wanted } from './layouts';
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

/** The picture of a graph as an SVG document. Its groups are frames, because nothing in a file expands. */
async function drawSvg(graph: Graph, worker: () => WorkerLike, groupBy: Choice): Promise<string> {
  const grouper = new Grouper();
  grouper.choice = groupBy;
  const full = modelOf(graph, new Set());
  grouper.update(full, SCREEN);
  grouper.toggleAll();
  const { model, base } = grouper.update(full, SCREEN);
  const layout = await found(new LayoutEngine(worker), { model, base }).catch((error: unknown) => {
    if (error instanceof LayoutTimeout) {
      return quick(model, EMPTY);
    }
    throw error;
  });
  return svgDocument(model, layout, { ...PLAIN, labels: layout.labels }, null);
}

async function found(engine: LayoutEngine, wanted: Wanted): Promise<Layout> {
  return layoutOf(wanted, arrange(wanted.base, SCREEN, true), SCREEN, (model, arrangements, pane) =>
    engine.layout(model, arrangements, pane),
  );
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
