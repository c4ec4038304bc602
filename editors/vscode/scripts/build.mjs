// Bundles the extension, or with --tests its tests. `extension.js` is small and loads `main.js` when it is needed.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { licencesOf, packagesOf } from 'kro-views/licences.js';

const common = {
  bundle: true,
  platform: 'node',
  target: 'node18',
  format: 'cjs',
  external: ['vscode'],
  loader: { '.css': 'text' },
  logLevel: 'warning',
};

if (process.argv.includes('--tests')) {
  const tests = readdirSync('test', { recursive: true }).filter((name) => name.endsWith('.test.ts'));
  await build({
    ...common,
    entryPoints: tests.map((name) => join('test', name)),
    outdir: 'out/test',
    outbase: 'test',
    packages: 'external',
    sourcemap: 'inline',
  });
} else {
  const { metafile } = await build({
    ...common,
    entryPoints: ['src/extension.ts', 'src/main.ts'],
    outdir: 'dist',
    external: ['vscode', './main'],
    minify: true,
    metafile: true,
  });
  writeFileSync(join('dist', 'LICENSES.txt'), licencesOf(packagesOf([metafile], '.')));
  // The pictures are those of the command line and of other editors' browser pages.
  execFileSync(process.execPath, ['build.js'], { cwd: join('..', 'views'), stdio: 'inherit' });
  const views = join('..', '..', 'kro_ls', 'render', 'views');
  for (const script of ['graph.js', 'preview.js', 'editor.js']) {
    copyFileSync(join(views, script), join('dist', script));
  }
  copyFileSync(join(views, 'LICENSES.txt'), join('dist', 'LICENSES-views.txt'));
}
