import { expect, test } from 'vitest';
import { createClient } from '../src/createClient.ts';
import { operations } from '../src/generated/operations.ts';

const ofTheClient = ['iterate', 'download'];
const ofACall = [
  'signal',
  'timeoutMs',
  'onProgress',
  'ifMatch',
  'ifNoneMatch',
  'idempotencyKey',
  'headers',
  'body',
];

test('every operation is a function, and no operation shares a name with anything else', () => {
  const client = createClient({ baseUrl: 'http://localhost' });
  expect(Object.keys(client).toSorted()).toEqual([...Object.keys(operations), ...ofTheClient].toSorted());
});

test('no parameter has the same name as an option', () => {
  const names = Object.values(operations).flatMap(({ path, query = [] }) => [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    ...query,
  ]);
  expect(names.filter((name) => ofACall.includes(name ?? ''))).toEqual([]);
});

test('every list with pages can be iterated', () => {
  const paged = Object.entries(operations).filter(
    ([, { query = [] }]) => query.includes('page') || query.includes('cursor'),
  );
  expect(Object.keys(createClient({ baseUrl: 'http://localhost' }).iterate)).toEqual(paged.map(([id]) => id));
  expect(paged.length).toBeGreaterThan(20);
});

test('an operation that does not accept an Idempotency-Key gets none', () => {
  expect(operations.submitAnswerSheet.takesKey).toBe(true);
  expect(operations.createCourse.takesKey).toBeUndefined();
});
