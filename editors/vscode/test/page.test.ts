import assert from 'node:assert/strict';
import { test } from 'node:test';
import { URI } from 'vscode-uri';
import { pageOf } from '../src/webviews/page';

const webview = {
  cspSource: 'https://*.vscode-cdn.net',
  asWebviewUri: (uri: URI) => uri.with({ scheme: 'https', authority: 'file.vscode-cdn.net' }),
};

for (const file of ['/home/ann/100% ours/view.js', '/c:/Users/Ann & Co/view.js']) {
  test(`a page with ${file}`, () => {
    const html = pageOf(webview, { title: '<graph>', scripts: [URI.file(file)], styles: [URI.file(file)] });
    assert.match(html, /default-src 'none'/);
    assert.doesNotMatch(html, /unsafe-|<script>|onload=| & /);
    assert.match(html, /<title>&lt;graph&gt;<\/title>/);
    const nonce = /script-src 'nonce-([^']+)'/.exec(html)?.[1];
    assert.ok(nonce && html.includes(`<script nonce="${nonce}"`));
    assert.notEqual(html, pageOf(webview, { title: '<graph>', scripts: [URI.file(file)], styles: [URI.file(file)] }));
  });
}

test('a page says what it waits for until its script draws, as its policy allows', () => {
  const html = pageOf(webview, {
    title: 'Graph',
    scripts: [],
    styles: [],
    waiting: 'Drawing <all>',
    data: { remembered: '{"map":"off"}' },
  });
  const nonce = /style-src \S+ 'nonce-([^']+)'/.exec(html)?.[1] ?? 'none';
  assert.ok(html.includes(`<style nonce="${nonce}">`));
  assert.match(html, /<div id="kro-skeleton" role="status"><span aria-hidden="true"><\/span>Drawing &lt;all&gt;<\/div>/);
  assert.match(html, /<body data-remembered="\{&quot;map&quot;:&quot;off&quot;\}">/);
  assert.doesNotMatch(pageOf(webview, { title: 'Graph', scripts: [], styles: [] }), /<style|kro-skeleton/);
});
