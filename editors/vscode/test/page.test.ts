import assert from "node:assert/strict";
import { test } from "node:test";
import { URI } from "vscode-uri";
import { pageOf } from "../src/webviews/page";

const webview = {
  cspSource: "https://*.vscode-cdn.net",
  asWebviewUri: (uri: URI) => uri.with({ scheme: "https", authority: "file.vscode-cdn.net" }),
};

for (const file of ["/home/ann/100% ours/view.js", "/c:/Users/Ann & Co/view.js"]) {
  test(`a page with ${file}`, () => {
    const html = pageOf(webview, { title: "<graph>", scripts: [URI.file(file)], styles: [URI.file(file)] });
    assert.match(html, /default-src 'none'/);
    assert.doesNotMatch(html, /unsafe-|<script>|onload=| & /);
    assert.match(html, /<title>&lt;graph&gt;<\/title>/);
    const nonce = /script-src 'nonce-([^']+)'/.exec(html)?.[1];
    assert.ok(nonce && html.includes(`<script nonce="${nonce}"`));
    assert.notEqual(html, pageOf(webview, { title: "<graph>", scripts: [URI.file(file)], styles: [URI.file(file)] }));
  });
}
