// Draws a graph as SVG in Node.js: its data and its groups as JSON on standard input, the picture on standard output.
// It runs the bundle of the pages, graph.js beside it, so that the picture is the same.

const { readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

/** Runs ELK's worker script, in a function that keeps its names to itself, and passes its messages on. */
function startWorker(source) {
  const self = { postMessage: (data) => setImmediate(() => worker.onmessage?.({ data })) };
  vm.compileFunction(source, ['self'])(self);
  const worker = { onmessage: null, terminate: () => undefined, postMessage: (data) => self.onmessage({ data }) };
  return worker;
}

function write(text) {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

vm.runInThisContext(readFileSync(join(__dirname, 'graph.js'), 'utf8'), 'graph.js');
const { drawSvg, workerSource } = globalThis.kroViews;
const { graph, groupBy } = JSON.parse(readFileSync(0, 'utf8'));
drawSvg(graph, () => startWorker(workerSource), groupBy).then(write, (error) => {
  console.error(String(error?.message ?? error));
  process.exitCode = 1;
});
