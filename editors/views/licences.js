// The licence texts of the packages that a bundle contains, as they are installed.

import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice|third-?party-?(?:notices?|licen[cs]es?))\b.*$/i;

/** The folders of the packages that esbuild took files from, by what it tells of its inputs; sorted by name. */
export function packagesOf(metafiles, folder) {
  const inputs = metafiles.flatMap((metafile) =>
    Object.values(metafile.outputs).flatMap((output) =>
      Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
    ),
  );
  const folders = inputs.flatMap((input) => {
    const path = resolve(folder, input.replace(/^\w[\w ]+:/, '')).split(sep);
    const at = path.lastIndexOf('node_modules');
    return at < 0 ? [] : [path.slice(0, at + (path[at + 1]?.startsWith('@') ? 3 : 2)).join(sep)];
  });
  const named = new Map([...new Set(folders)].map((each) => [`${describe(each).name} ${each}`, each]));
  return [...named.keys()].sort().map((key) => named.get(key));
}

/** Name, version, licence and home of a package. */
export function describe(folder) {
  const { name, version, license, homepage, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const source = typeof repository === 'string' ? repository : (repository?.url ?? '');
  return { name, version, license, home: homepage ?? source.replace(/^git\+|\.git$/g, '') };
}

/** The licence files of a package. Throws where it has none: then somebody must find out what to ship. */
export function licenceFilesOf(folder) {
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
  if (files.length === 0) {
    throw new Error(`${folder} is bundled and has no file with its licence`);
  }
  return files.sort().map((name) => join(folder, name));
}

/** One text with the licences of all packages. */
export function licencesOf(folders) {
  const sections = folders.map((folder) => {
    const { name, version, license, home } = describe(folder);
    const texts = licenceFilesOf(folder).map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim());
    return [`${name} ${version} (${license}), ${home}`, ...texts].join('\n\n');
  });
  const head = 'The bundles beside this file contain parts of the following packages. The rest is kro-ls (Apache-2.0).';
  const line = `\n\n${'-'.repeat(78)}\n\n`;
  return `${[head, ...sections].join(line)}\n`;
}

/** What the first line of a bundle says of its packages. */
export function bannerOf(folders) {
  return folders.map((folder) => `${describe(folder).name} (${describe(folder).license}, ${describe(folder).home})`).join(', ');
}
