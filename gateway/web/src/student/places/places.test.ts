import { expect, test } from 'vitest';
import { changed, moved, nextQuestion, questionsOn } from './places.ts';

const questions = [7, 8, 9].map((id) => ({ id, label: String(id), title: null, max_points: 4 }));
const place = (question_id: number, page: number, file_id = 3) => ({ question_id, file_id, page });

test('an answer that is moved leaves all of its earlier pages, and other answers stay', () => {
  const places = [place(7, 1), place(7, 2), place(8, 1)];
  expect(moved(places, 7, { file_id: 3, page: 4 })).toEqual([place(8, 1), place(7, 4)]);
  expect(moved(places, 7, undefined)).toEqual([place(8, 1)]);
});

test('one page of an answer is changed, added or removed, and duplicates are dropped', () => {
  const places = [place(7, 1), place(8, 1), place(7, 2)];
  expect(changed(places, 7, 1, { file_id: 3, page: 4 })).toEqual([place(8, 1), place(7, 1), place(7, 4)]);
  expect(changed(places, 7, 2, { file_id: 4, page: 1 })).toEqual([
    ...[place(8, 1), place(7, 1), place(7, 2)],
    place(7, 1, 4),
  ]);
  expect(changed(places, 7, 0, undefined)).toEqual([place(8, 1), place(7, 2)]);
  expect(changed(places, 7, 2, { file_id: 3, page: 2 })).toEqual([place(8, 1), place(7, 1), place(7, 2)]);
  expect(changed(places, 9, 0, { file_id: 3, page: 1 })).toEqual([...places, place(9, 1)]);
});

test('the next question is the first without a page', () => {
  expect(nextQuestion(questions, [place(7, 1)])?.id).toBe(8);
  expect(nextQuestion(questions, [place(8, 1)])?.id).toBe(7);
  expect(nextQuestion(questions, [place(7, 1), place(8, 1), place(9, 1)])).toBeUndefined();
});

test('a page can hold answers to several questions, and the same page number of another file is a different page', () => {
  const places = [place(9, 1), place(7, 1), place(8, 2)];
  const idsOn = (page: number, file_id = 3) =>
    questionsOn({ page, file_id }, questions, places).map(({ id }) => id);
  expect(idsOn(1)).toEqual([7, 9]);
  expect(idsOn(1, 4)).toEqual([]);
});
