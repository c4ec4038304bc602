// Builds the bundle that pages, webviews and the command line share, into the Python package; with --tests also the tests.

import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../../kro_ls/render/views/', import.meta.url));

const textModules = {
  name: 'text modules',
  setup(plugin) {
    plugin.onResolve({ filter: /\?text$/ }, ({ path }) => ({
      path: createRequire(import.meta.url).resolve(path.replace(/\?text$/, '')),
      namespace: 'text',
    }));
    plugin.onLoad({ filter: /.*/, namespace: 'text' }, async ({ path }) => ({
      contents: await readFile(path, 'utf8'),
      loader: 'text',
    }));
  },
};

const common = { bundle: true, target: 'es2022', plugins: [textModules], logLevel: 'warning', absWorkingDir: here };

await mkdir(target, { recursive: true });
await build({
  ...common,
  entryPoints: ['src/graph.ts'],
  outfile: `${target}graph.js`,
  format: 'iife',
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  banner: { js: '// kro-ls views (Apache-2.0) with elkjs (EPL-2.0, https://github.com/kieler/elkjs)' },
});
await copyFile(`${here}src/svg.cjs`, `${target}svg.cjs`);

if (process.argv.includes('--tests')) {
  const tests = (await readdir(`${here}test`)).filter((name) => name.endsWith('.test.ts') || name === 'benchmark.ts');
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: 'out/test',
    format: 'esm',
    platform: 'node',
    packages: 'external',
    sourcemap: 'inline',
  });
}
