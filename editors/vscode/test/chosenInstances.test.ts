import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { type Choice, ChosenInstances } from '../src/chosenInstances';

const SHOP = { uri: 'file:///shop.yaml', definition: 0, instance: 'file:///small.yaml', item: 1 };
const OTHER = { uri: 'file:///other.yaml', definition: 0, instance: 'file:///other-instance.yaml' };

let memory: Map<string, unknown>;
let sent: Choice[];
let failure: object | undefined;

function later() {
  const memento = {
    keys: () => [...memory.keys()],
    get: <T>(key: string, otherwise: T) => (memory.get(key) ?? otherwise) as T,
    update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
  };
  return new ChosenInstances(memento as never, (choice) => {
    sent.push(choice);
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the language client does
    return failure ? Promise.reject(failure) : Promise.resolve({});
  });
}

beforeEach(async () => {
  memory = new Map();
  sent = [];
  failure = undefined;
  await later().keep(SHOP);
  await later().keep(OTHER);
});

describe('the chosen instances', () => {
  test('are sent to a server that opens the definition, those of others are not', async () => {
    await later().sendFor(SHOP.uri);
    assert.deepEqual(sent, [SHOP]);
  });

  test('are the last ones, and none where the choice was taken back', async () => {
    await later().keep({ ...SHOP, instance: 'file:///large.yaml' });
    await later().sendFor(SHOP.uri);
    await later().keep({ uri: SHOP.uri, definition: 0 });
    await later().sendFor(SHOP.uri);
    assert.deepEqual(
      sent.map(({ instance }) => instance),
      ['file:///large.yaml'],
    );
  });

  test('are forgotten where there is no such instance any more, and only there', async () => {
    failure = { code: -32097 };
    await later().sendFor(SHOP.uri);
    failure = { code: -32602 };
    await later().sendFor(SHOP.uri);
    await later().sendFor(SHOP.uri);
    assert.equal(sent.length, 2);
  });
});
