import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Questions, untilUnmodified } from '../src/preview/contentModified';

const modified = Object.assign(new Error('a newer request took the place of this one'), { code: -32801 });

/** Asks with these errors as the first answers; gives the result and how often it was asked. */
async function asked(errors: readonly Error[]): Promise<[result: string, times: number]> {
  const left = [...errors];
  const ask = () => {
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve('the test');
  };
  const result = await untilUnmodified(ask).catch((error: unknown) => (error as Error).message);
  return [result, errors.length - left.length];
}

test('a request that an edit took the place of is made again', async () => {
  assert.deepEqual(await asked([modified, modified]), ['the test', 2]);
});

test('any other error is the answer, and so is the last of many attempts', async () => {
  assert.deepEqual(await asked([new Error('no such definition'), modified]), ['no such definition', 1]);
  const [result, times] = await asked(Array.from({ length: 1000 }, () => modified));
  assert.equal(result, modified.message);
  assert.ok(times < 100);
});

test('only the last question is asked again', async () => {
  const questions = new Questions();
  const first = questions.ask(() => Promise.reject(modified));
  const second = questions.ask(() => Promise.resolve('the newer one'));
  assert.deepEqual(await Promise.all([first, second]), [undefined, 'the newer one']);
  await assert.rejects(
    questions.ask(() => Promise.reject(modified)),
    modified,
  );
});
