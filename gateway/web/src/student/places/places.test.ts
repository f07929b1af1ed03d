import { expect, test } from 'vitest';
import { moved, nextQuestion, questionsOn } from './places.ts';

const questions = [7, 8, 9].map((id) => ({ id, label: String(id), title: null, max_points: 4 }));
const place = (question_id: number, page: number, file_id = 3) => ({ question_id, file_id, page });

test('an answer that is moved leaves all of its earlier pages, and others stay', () => {
  const places = [place(7, 1), place(7, 2), place(8, 1)];
  expect(moved(places, 7, { file_id: 3, page: 4 })).toEqual([place(8, 1), place(7, 4)]);
  expect(moved(places, 7, undefined)).toEqual([place(8, 1)]);
});

test('the next question is the first without a page', () => {
  expect(nextQuestion(questions, [place(7, 1)])?.id).toBe(8);
  expect(nextQuestion(questions, [place(8, 1)])?.id).toBe(7);
  expect(nextQuestion(questions, [place(7, 1), place(8, 1), place(9, 1)])).toBeUndefined();
});

test('a page serves several questions, and the same page of another file none of them', () => {
  const places = [place(9, 1), place(7, 1), place(8, 2)];
  const idsOn = (page: number, file_id = 3) =>
    questionsOn({ page, file_id }, questions, places).map(({ id }) => id);
  expect(idsOn(1)).toEqual([7, 9]);
  expect(idsOn(1, 4)).toEqual([]);
});
