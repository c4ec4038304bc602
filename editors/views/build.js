// Builds the bundles that pages, webviews and the command line share, into the Python package; with --tests also the tests.

import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bannerOf, licencesOf, packagesOf } from './licences.js';

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

/** Has a part that is imported when it is needed be a bundle of its own, beside the one that imports it. */
const parts = {
  name: 'parts',
  setup(plugin) {
    plugin.onResolve({ filter: /\/yamlEditor$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './editor.js', external: true } : undefined,
    );
  },
};

const bundles = [
  { name: 'graph', entry: 'src/graph.ts', format: 'iife' },
  { name: 'preview', entry: 'src/preview.ts', format: 'iife' },
  { name: 'editor', entry: 'src/preview/editor/yamlEditor.ts', format: 'esm' },
];

const common = { bundle: true, target: 'es2022', plugins: [textModules], logLevel: 'warning', absWorkingDir: here };

await mkdir(target, { recursive: true });
const metafiles = [];
for (const { name, entry, format } of bundles) {
  const { metafile, outputFiles } = await build({
    ...common,
    plugins: [textModules, parts],
    entryPoints: [entry],
    outfile: `${target}${name}.js`,
    format,
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    write: false,
  });
  const packages = bannerOf(packagesOf([metafile], here));
  await writeFile(`${target}${name}.js`, `// kro-ls views (Apache-2.0) with ${packages}\n${outputFiles[0].text}`);
  metafiles.push(metafile);
}
await writeFile(`${target}LICENSES.txt`, licencesOf(packagesOf(metafiles, here)));
for (const file of ['svg.cjs', 'skeleton.css']) {
  await copyFile(`${here}src/${file}`, `${target}${file}`);
}

if (process.argv.includes('--tests')) {
  const tests = (await readdir(`${here}test`)).filter(
    (name) => name.endsWith('.test.ts') || ['benchmark.ts', 'pictures.ts'].includes(name),
  );
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
