// Draws a graph as SVG in Node.js: its data as JSON on standard input, the picture on standard output.
// It runs the bundle of the pages, graph.js beside it, so that the picture is the same.

const { readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

/** Runs ELK's worker script in a context of its own and passes its messages on. */
function startWorker(source) {
  const worker = {
    onmessage: null,
    terminate: () => undefined,
    // The script takes only its own context's arrays for arrays.
    postMessage: (data) => self.onmessage({ data: parse(JSON.stringify(data)) }),
  };
  const self = { postMessage: (data) => setImmediate(() => worker.onmessage?.({ data })), setTimeout, clearTimeout, console };
  self.self = self;
  const context = vm.createContext(self);
  const parse = vm.runInContext("JSON.parse", context);
  vm.runInContext(source, context);
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
drawSvg(JSON.parse(readFileSync(0, 'utf8')), () => startWorker(workerSource)).then(write, (error) => {
  console.error(String(error?.message ?? error));
  process.exitCode = 1;
});
