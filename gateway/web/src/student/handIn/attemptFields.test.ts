import { expect, test } from 'vitest';
import { attemptFields } from './attemptFields.ts';

const quiz = {
  id: 3,
  course_id: 2,
  title: 'First steps',
  questions_pdf_url: null,
  questions_count_of_quiz_pdf: null,
  questions: null,
  total_grade_for_quiz_pdf: null,
  opens_at: null,
  closes_at: null,
  duration_minutes: 45,
  started_at: '2026-11-21 10:15:00',
  state: 'open',
  seconds_until: 1_800,
  remaining_seconds: 1_800,
} as const;
const now = new Date('2026-11-21T10:40:12.345Z');

test("the recorded start is sent in the school's time zone", () => {
  expect(attemptFields(quiz, now)).toEqual({
    course_id: '2',
    quiz_id: '3',
    duration: '45',
    start_at: '2026-11-21T10:15:00',
  });
});

test('without a recorded start the current time is sent, never a future one', () => {
  expect(attemptFields({ ...quiz, started_at: null }, now).start_at).toBe('2026-11-21T10:40:12Z');
});

test('a quiz without a duration gets the maximum', () => {
  expect(attemptFields({ ...quiz, duration_minutes: null }, now).duration).toBe('43200');
});
