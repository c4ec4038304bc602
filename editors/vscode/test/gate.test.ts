import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { Gate, type OpenDocument } from '../src/gate';

const OURS = 'kind: ResourceGraphDefinition\n';
const URI = 'file:///c%3A/a%20b/100%25.yaml';

let text: string;
let version: number;
let sent: string[];
let changes: number;
let dirty: boolean;
let opened: string[];
let gate: Gate;

const send = (method: unknown, params?: unknown) => {
  const { textDocument } = params as { textDocument: OpenDocument };
  sent.push(`${String(method)} ${textDocument.version.toString()}`);
  return Promise.resolve();
};

async function open(content: string) {
  text = content;
  version = 1;
  await gate.sendNotification('textDocument/didOpen', send, { textDocument: { uri: URI, version, text } });
}

async function edit(content: string) {
  text = content;
  version += 1;
  await gate.sendNotification('textDocument/didChange', send, { textDocument: { uri: URI, version } });
}

async function ask() {
  const next = () => Promise.resolve('asked');
  return gate.sendRequest('textDocument/hover', { textDocument: { uri: URI } }, undefined, next);
}

beforeEach(() => {
  sent = [];
  changes = 0;
  dirty = false;
  opened = [];
  gate = new Gate(
    (uri, content) => uri === URI && content.includes(OURS),
    (uri) => (uri === URI ? { uri, languageId: 'yaml', version, text, isDirty: dirty } : undefined),
    () => {
      changes += 1;
    },
    () => opened.push(sent.at(-1) ?? 'nothing'),
  );
});

describe('the gate', () => {
  test('passes on what is ours', async () => {
    await open(OURS);
    await edit(`${OURS}a: b`);
    assert.deepEqual(sent, ['textDocument/didOpen 1', 'textDocument/didChange 2']);
    assert.equal(await ask(), 'asked');
  });

  test('reports a document that the server opened, also to a new server', async () => {
    await open(OURS);
    await edit(`${OURS}a: b`);
    gate.reset();
    await open(OURS);
    assert.deepEqual(opened, ['textDocument/didOpen 1', 'textDocument/didOpen 1']);
  });

  test('keeps other YAML away, and answers for it', async () => {
    await open('a: b');
    await edit('a: c');
    await gate.sendNotification('textDocument/didClose', send, { textDocument: { uri: URI, version } });
    assert.deepEqual(sent, []);
    assert.equal(await ask(), null);
    assert.equal(changes, 0);
  });

  test('opens a document when it becomes ours, and sends the text that it has then as an edit', async () => {
    await open('a: b');
    await edit(OURS);
    await edit(`${OURS}a: b`);
    assert.deepEqual(sent, ['textDocument/didOpen 1', 'textDocument/didChange 2', 'textDocument/didChange 3']);
  });

  test('sends a changed document as an edit, when the server starts late', async () => {
    dirty = true;
    await open(OURS);
    assert.deepEqual(sent, ['textDocument/didOpen 0', 'textDocument/didChange 1']);
  });

  test('does not send an edit that the opened text held', async () => {
    await open('a: b');
    text = OURS;
    version = 3;
    await gate.sendNotification('textDocument/didChange', send, { textDocument: { uri: URI, version: 2 } });
    await gate.sendNotification('textDocument/didChange', send, { textDocument: { uri: URI, version: 3 } });
    assert.deepEqual(sent, ['textDocument/didOpen 2', 'textDocument/didChange 3']);
  });

  test('follows a document until it is closed', async () => {
    await open(OURS);
    await edit('a: b');
    assert.equal(gate.follows(URI), true);
    await gate.sendNotification('textDocument/didClose', send, { textDocument: { uri: URI, version } });
    assert.equal(gate.follows(URI), false);
    assert.deepEqual(sent, ['textDocument/didOpen 1', 'textDocument/didChange 2', 'textDocument/didClose 2']);
  });

  test('forgets everything with the server', async () => {
    await open(OURS);
    gate.reset();
    assert.equal(await ask(), null);
  });

  test('passes on what is about no document', async () => {
    const answer = await gate.sendRequest('workspace/executeCommand', {}, undefined, () => Promise.resolve(1));
    assert.equal(answer, 1);
  });
});
