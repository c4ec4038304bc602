/** What esbuild reports about a bundle, as far as it matters here. */
export interface Metafile {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
}

export function packagesOf(metafiles: readonly Metafile[], folder: string): string[];
export function licenceFilesOf(folder: string): string[];
export function licencesOf(folders: readonly string[]): string;
export function bannerOf(folders: readonly string[]): string;
