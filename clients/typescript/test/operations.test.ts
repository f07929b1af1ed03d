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

test('every operation is a function, and none has the name of something else', () => {
  const client = createClient({ baseUrl: 'http://localhost' });
  expect(Object.keys(client).toSorted()).toEqual([...Object.keys(operations), ...ofTheClient].toSorted());
});

test('no parameter has the name of an option', () => {
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

test('an operation without any header for it gets no Idempotency-Key', () => {
  expect(operations.submitAnswerSheet.takesKey).toBe(true);
  expect(operations.createCourse.takesKey).toBeUndefined();
});
