// Pictures and texts become files: saved by the host, or downloaded by the browser.

import { html } from './chrome';
import { document as svgDocument } from './draw';
import type { GraphHost } from './host';
import type { Layout } from './layout';
import type { Look } from './look';
import type { Model } from './model';
import { currentColors } from './theme';

export class Files {
  constructor(readonly host: GraphHost) {}

  save(name: string, content: string, type: string): void {
    if (this.host.saves) {
      this.host.send({ type: 'save', name, content, base64: false });
    } else {
      download(name, new Blob([content], { type }));
    }
  }

  /** Saves a picture in the colours that it is seen in, as SVG or as PNG. */
  async savePicture(name: string, format: 'svg' | 'png', model: Model, layout: Layout, look: Look): Promise<void> {
    const { theme, colors } = currentColors();
    const svg = svgDocument(model, layout, { ...look, found: new Set(), zoom: 1 }, theme, colors);
    if (format === 'svg') {
      this.save(`${name}.svg`, svg, 'image/svg+xml');
    } else {
      await this.#savePng(`${name}.png`, svg);
    }
  }

  async #savePng(name: string, svg: string): Promise<void> {
    const blob = await toPng(svg);
    if (!this.host.saves) {
      download(name, blob);
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      const content = (reader.result as string).replace(/^[^,]*,/, '');
      this.host.send({ type: 'save', name, content, base64: true });
    };
    reader.readAsDataURL(blob);
  }
}

export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  html('a', { href: url, download: name }).click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}

/** The largest side of a PNG, in pixels: browsers refuse larger canvases. */
const LARGEST_SIDE = 8192;

async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  await image.decode();
  const scale = Math.min(2, LARGEST_SIDE / Math.max(image.width, image.height));
  const canvas = html('canvas');
  canvas.width = Math.round(image.width * scale);
  canvas.height = Math.round(image.height * scale);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) {
        resolve(blob);
      } else {
        reject(new Error('the browser made no PNG'));
      }
    });
  });
}
