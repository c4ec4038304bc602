/** The page of a webview: a strict content security policy, scripts and styles of the extension alone. */
import { randomBytes } from 'node:crypto';
// Large scripts take a while; what this is the style of is there from the first frame.
import SKELETON_STYLE from '../../../views/src/skeleton.css';

/** What of `vscode.Webview` a page needs, so that it is tested without one. */
export interface Host<Uri> {
  readonly cspSource: string;
  asWebviewUri(uri: Uri): { toString(): string };
}

export interface Page<Uri> {
  readonly title: string;
  readonly scripts: readonly Uri[];
  readonly styles: readonly Uri[];
  /** The language of the page's own texts. */
  readonly language?: string;
  /** What is said, beside a spinner, until a script takes `#kro-skeleton` away. */
  readonly waiting?: string;
  /** The `data-` attributes of the body, for scripts. */
  readonly data?: Readonly<Record<string, string>>;
}

/** The HTML of a page whose scripts draw everything; no inline script, one inline style with a nonce, no network. */
export function pageOf<Uri>(webview: Host<Uri>, page: Page<Uri>): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `img-src ${webview.cspSource} data: blob:`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    // Layout is found in a worker, which the script starts from its own text.
    'worker-src blob:',
  ].join('; ');
  const at = (uri: Uri) => escape(webview.asWebviewUri(uri).toString());
  return [
    '<!DOCTYPE html>',
    `<html lang="${page.language ?? 'en'}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(page.title)}</title>`,
    ...page.styles.map((uri) => `<link rel="stylesheet" href="${at(uri)}">`),
    ...(page.waiting === undefined ? [] : [`<style nonce="${nonce}">${SKELETON_STYLE}</style>`]),
    '</head>',
    `<body${Object.entries(page.data ?? {})
      .map(([name, value]) => ` data-${name}="${escape(value)}"`)
      .join('')}>`,
    ...(page.waiting === undefined
      ? []
      : [`<div id="kro-skeleton" role="status"><span aria-hidden="true"></span>${escape(page.waiting)}</div>`]),
    ...page.scripts.map((uri) => `<script nonce="${nonce}" type="module" src="${at(uri)}"></script>`),
    '</body>',
    '</html>',
  ].join('\n');
}

function escape(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
