import { expect, test } from 'vitest';
import { changesIn, countsByFile, filtersOf, rowsOf } from './importPreview.ts';
import type { ImportRow } from './importTypes.ts';

const none = { create: 0, update: 0, delete: 0, unchanged: 0, ignored: 0, error: 0 };
const summary = {
  users: { ...none, create: 3, unchanged: 2 },
  courses: { ...none, update: 1 },
  classes: none,
  enrollments: { ...none, create: 3, error: 1 },
};

test('files without rows are left out of the counts', () => {
  expect(countsByFile({ summary }).map(({ file }) => file)).toEqual([
    'users.csv',
    'courses.csv',
    'enrollments.csv',
  ]);
});

test('errors come first, and filters without results are not offered', () => {
  expect(filtersOf(countsByFile({ summary }))).toEqual([
    { filter: 'error', count: 1 },
    { filter: 'changes', count: 7 },
    { filter: 'create', count: 6 },
    { filter: 'update', count: 1 },
    { filter: 'unchanged', count: 2 },
    { filter: 'all', count: 10 },
  ]);
  expect(changesIn(countsByFile({ summary }))).toBe(7);
});

test('an import that changes nothing has no changes to show', () => {
  const files = countsByFile({
    summary: { ...summary, users: { ...none, unchanged: 5 }, courses: none, enrollments: none },
  });
  expect(filtersOf(files).map(({ filter }) => filter)).toEqual(['unchanged', 'all']);
});

test('rows are filtered by their action', () => {
  const row = (line: number, action: ImportRow['action']): ImportRow => ({
    ...{ file: 'users.csv', line, sourced_id: String(line), action },
    ...{ changes: {}, messages: [] },
  });
  const rows = [row(2, 'create'), row(3, 'unchanged'), row(4, 'delete'), row(5, 'error')];
  const lines = (filter: Parameters<typeof rowsOf>[1]) => rowsOf(rows, filter).map(({ line }) => line);
  expect(lines('changes')).toEqual([2, 4]);
  expect(lines('error')).toEqual([5]);
  expect(lines('all')).toEqual([2, 3, 4, 5]);
});
