import { readFile } from 'node:fs/promises';
import { inTransaction, openDatabase } from '@gradeway/shared/database/connection';
import { type IdempotencyKey, IdempotencyStore } from '@gradeway/shared/database/idempotencyStore';
import { createLogger } from '@gradeway/shared/process/logger';
import { createEmptyDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import type { Sequelize } from 'sequelize';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const definition = new URL('../../migrations/idempotency-1.sql', import.meta.url);

let database: TestDatabase;
let sequelize: Sequelize;
let store: IdempotencyStore;
beforeAll(async () => {
  database = await createEmptyDatabase();
  sequelize = openDatabase({ url: database.url('quiz'), name: 'test', pool: 8 });
  await sequelize.query(await readFile(definition, 'utf8'));
  await sequelize.query('CREATE TABLE effects (name text NOT NULL)');
  store = new IdempotencyStore(sequelize, createLogger('test', 'silent'));
});
afterAll(async () => {
  await store.close();
  await sequelize.close();
  await database.drop();
});

let lastKey = 0;
function newKey(change: Partial<IdempotencyKey> = {}): IdempotencyKey {
  lastKey += 1;
  return { userId: 1, value: `key ${lastKey}`, fingerprint: 'request', message: undefined, ...change };
}

/** A use case with one row as its effect. */
const addEffect = (key: IdempotencyKey | undefined, name: string, result: unknown = name) =>
  inTransaction(sequelize, async (transaction) => {
    await sequelize.query('INSERT INTO effects VALUES ($1)', { bind: [name], transaction });
    await store.recordResult(key, result, transaction);
    return result;
  });

const countEffects = async (name: string) =>
  (await database.query('SELECT FROM quiz.effects WHERE name = $1', [name])).length;

describe('a use case', () => {
  test('a use case runs every time without a key', async () => {
    for (const expected of [1, 2]) {
      await store.once(undefined, () => addEffect(undefined, 'unkeyed'));
      expect(await countEffects('unkeyed')).toBe(expected);
    }
  });

  test('a use case runs once for a key, and a repetition returns the recorded result', async () => {
    const key = newKey();
    const results = [];
    for (const id of [1, 2, 3])
      results.push(await store.once(key, () => addEffect(key, 'repeated', { id, at: null })));
    expect(results).toEqual(Array(3).fill({ id: 1, at: null }));
    expect(await countEffects('repeated')).toBe(1);
  });

  test('a use case runs once for simultaneous requests, and all return its result', async () => {
    const key = newKey();
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map((id) => store.once(key, () => addEffect(key, 'simultaneous', id))),
    );
    expect(new Set(results).size).toBe(1);
    expect(await countEffects('simultaneous')).toBe(1);
  });

  test('a use case returns the result of a simultaneous request, even if it would be refused itself', async () => {
    const key = newKey();
    const result = await store.once<unknown>(key, async () => {
      await addEffect(key, 'faster');
      throw new Error('the submission has changed');
    });
    expect(result).toBe('faster');
  });

  test("a use case runs separately for another user's identical key", async () => {
    const key = newKey();
    const other = { ...key, userId: 2 };
    for (const each of [key, other]) await store.once(each, () => addEffect(each, 'of two users'));
    expect(await countEffects('of two users')).toBe(2);
  });

  test('a use case is refused for a key that another request used', async () => {
    const key = newKey({ message: 'ValidationError' });
    await store.once(key, () => addEffect(key, 'first'));
    const other = { ...key, fingerprint: 'another request' };
    await expect(store.once(other, () => addEffect(other, 'second'))).rejects.toMatchObject({
      code: 'invalid',
      message: 'ValidationError',
      fields: { idempotency_key: ['The idempotency key was used for another request.'] },
    });
    expect(await countEffects('second')).toBe(0);
  });

  test('a use case may be repeated with the same key after it was refused', async () => {
    const key = newKey();
    const refuse = async () => Promise.reject(new Error('refused'));
    await expect(store.once(key, refuse)).rejects.toThrow('refused');
    expect(await store.once(key, () => addEffect(key, 'accepted later'))).toBe('accepted later');
  });

  test('a use case records no result when its transaction is rolled back', async () => {
    const key = newKey();
    const rolledBack = inTransaction(sequelize, async (transaction) => {
      await store.recordResult(key, 'lost', transaction);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect(await store.once(key, () => addEffect(key, 'kept'))).toBe('kept');
  });

  test('a use case runs again when its key has expired after 24 hours', async () => {
    const key = newKey();
    await store.once(key, () => addEffect(key, 'expired'));
    const age = "UPDATE quiz.idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1";
    await database.query(age, [key.value]);
    expect(await store.once(key, () => addEffect(key, 'expired', 'second result'))).toBe('second result');
    expect(await store.once(key, () => addEffect(key, 'expired'))).toBe('second result');
    expect(await countEffects('expired')).toBe(2);
  });
});
