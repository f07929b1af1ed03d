import { placePages } from '@gradeway/shared/questions/pages/placePages';
import { expect, test } from 'vitest';

const answers = [{ questionId: 1 }, { questionId: 2 }];
const file = (id: number, pages: number) => ({ id, sizes: Array.from({ length: pages }) });

test('a page may belong to several questions, and counts once for each', () => {
  const given = [1, 2, 1].map((questionId) => ({ questionId, fileId: null, page: 2 }));
  const { pagesOf, errors } = placePages(given, answers, [file(7, 2)]);
  const page = { fileId: 7, page: 2 };
  expect([[...pagesOf], errors]).toEqual([
    [
      [1, [page]],
      [2, [page]],
    ],
    [],
  ]);
});

test('an answer that is not named has no pages', () => {
  const { pagesOf } = placePages([{ questionId: 2, fileId: 7, page: 1 }], answers, [file(7, 1)]);
  expect(pagesOf.get(1)).toEqual([]);
});

test('an unknown question, an unknown or missing file, and a page after the last one are errors', () => {
  const given = [
    { questionId: 3, fileId: 7, page: 1 },
    { questionId: 1, fileId: 9, page: 1 },
    { questionId: 1, fileId: null, page: 1 },
    { questionId: 1, fileId: 8, page: 2 },
  ];
  const { errors } = placePages(given, answers, [file(7, 1), file(8, 1)]);
  expect(errors).toEqual([
    'There is no question 3.',
    'There is no file 9.',
    'The file is missing.',
    'The file 8 has no page 2.',
  ]);
});
