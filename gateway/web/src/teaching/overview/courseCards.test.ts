import { expect, test } from 'vitest';
import type { OwnCourse, WorkItem } from '../records/teachingTypes.ts';
import { courseCards } from './courseCards.ts';

const course = (id: number, fields: Partial<OwnCourse> = {}): OwnCourse => ({
  ...{ id, title: `Course ${id}`, role: 'teacher', students: 30 },
  quizzes: { submissions: 14, graded: 4 },
  homeworks: { submissions: 3, graded: 1 },
  ...fields,
});

const item = (id: number, fields: Partial<WorkItem> = {}): WorkItem => ({
  ...{ id, title: `Item ${id}`, kind: 'quizzes', state: 'open', course_id: 1, course_title: 'Course 1' },
  ...{ published: true, release: 'manual', released_at: null, opens_at: null, closes_at: null },
  ...{ total_grade: 10, submissions: 2, graded: 2, claimed: 0, has_rubric: false },
  ...fields,
});

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
const now = new Date('2026-12-01T09:00:00Z');
const cards = (courses: OwnCourse[], items: WorkItem[]) => courseCards(courses, items, now, dayOf);

test('a card counts the ungraded quiz and homework submissions', () => {
  expect(cards([course(1)], [])).toMatchObject([{ toGrade: 12, closesToday: false, due: [] }]);
});

test('submissions of an unavailable service are not counted', () => {
  expect(cards([course(1, { homeworks: null })], [])).toMatchObject([{ toGrade: 10 }]);
});

test("a card lists its course's open items that close next", () => {
  const times = [
    '2026-12-04T10:00:00Z',
    '2026-12-02T10:00:00Z',
    '2026-12-05T10:00:00Z',
    '2026-12-03T10:00:00Z',
  ];
  const items = [
    ...times.map((closes_at, index) => item(index + 1, { closes_at })),
    item(8, { state: 'closed', closes_at: '2026-11-01T10:00:00Z' }),
    item(9, { course_id: 2, closes_at: '2026-12-02T09:00:00Z' }),
  ];
  expect(cards([course(1)], items)[0]?.due.map(({ id }) => id)).toEqual([2, 4, 1]);
});

test('an item that only accepts late work is not due, and is not listed as closing today', () => {
  const items = [item(1, { closes_at: '2026-12-01T08:59:59Z' })];
  expect(cards([course(1)], items)).toMatchObject([{ due: [], closesToday: false }]);
});

test("whether an item closes today follows the server's day", () => {
  const closing = (day: string) => item(1, { closes_at: `${day}T10:00:00Z` });
  expect(cards([course(1)], [closing('2026-12-01')])[0]?.closesToday).toBe(true);
  expect(cards([course(1)], [closing('2026-12-02')])[0]?.closesToday).toBe(false);
});

test('grading continues with the oldest item that has something to grade', () => {
  const items = [item(3, { graded: 0 }), item(2, { graded: 1 }), item(1)];
  expect(cards([course(1)], items)[0]?.toContinue?.id).toBe(2);
});
