import { expect, test } from 'vitest';
import { foundCourses } from './foundCourses.ts';

const all = Array.from({ length: 40 }, (_, index) => ({
  title: index < 32 ? `Algebra ${index + 1}` : 'جبر',
}));

test('courses are found by part of the title, ignoring case, in pages of the usual size', () => {
  const { data, meta } = foundCourses(all, 'aLGE', 3);
  expect(data.map(({ title }) => title)).toEqual(['Algebra 31', 'Algebra 32']);
  expect(meta).toEqual({ current_page: 3, last_page: 3, total: 32 });
});

test('titles in other scripts are found, and a search without results is empty', () => {
  expect(foundCourses(all, 'جبر', 1).meta.total).toBe(8);
  expect(foundCourses(all, 'chemistry', 1)).toEqual({
    data: [],
    meta: { current_page: 1, last_page: 1, total: 0 },
  });
});
