import { expect, test } from 'vitest';
import { firstPage, knownRows, pagesOfRows, withPage } from './cursorPages.ts';

const next = (cursor: string) =>
  `http://school.example/api/v3/grading/quizzes/3/submissions?status=all&cursor=${cursor}`;

test('each page leads to the one after it', () => {
  const two = withPage(withPage(firstPage, 0, 200, next('a')), 1, 200, next('b'));
  expect(two.cursors).toEqual([null, 'a', 'b']);
  expect(knownRows(two)).toBe(401);
  const all = withPage(two, 2, 17, null);
  expect(all.isComplete).toBe(true);
  expect(knownRows(all)).toBe(417);
});

test('only the pages of the visible rows are loaded', () => {
  const pages = withPage(withPage(firstPage, 0, 200, next('a')), 1, 200, next('b'));
  expect(pagesOfRows(pages, 190, 210).map(({ index, first }) => [index, first])).toEqual([
    [0, 0],
    [1, 200],
  ]);
  expect(pagesOfRows(pages, 390, 420).map(({ cursor }) => cursor)).toEqual(['a', 'b']);
});

test('loading an unchanged page again changes nothing', () => {
  const pages = withPage(withPage(firstPage, 0, 200, next('a')), 1, 20, null);
  expect(withPage(pages, 0, 200, next('a'))).toBe(pages);
  expect(withPage(pages, 1, 20, null)).toBe(pages);
});

test('a page that now ends elsewhere drops the pages after it', () => {
  const pages = withPage(withPage(firstPage, 0, 200, next('a')), 1, 200, next('b'));
  expect(withPage(pages, 0, 200, next('c')).cursors).toEqual([null, 'c']);
});

test('a list that has become shorter is complete', () => {
  const pages = withPage(withPage(firstPage, 0, 200, next('a')), 1, 200, next('b'));
  const shorter = withPage(pages, 0, 120, null);
  expect(shorter).toEqual({ cursors: [null], lengths: [120], isComplete: true });
});

test('an empty list has no rows', () => {
  expect(knownRows(withPage(firstPage, 0, 0, null))).toBe(0);
});
