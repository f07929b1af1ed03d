import { requireReviewsOpen } from '@gradeway/shared/questions/reviews/reviewWindow';
import { expect, test } from 'vitest';

const until = new Date('2026-11-28T10:00:00Z');
const before = new Date(until.getTime() - 1);
const rule = { until: until.toISOString(), perSubmission: 1 };
const released = { release: 'manual', releasedAt: new Date('2026-11-01T00:00:00Z') } as const;
const withheld = { release: 'manual', releasedAt: null } as const;
const immediate = { release: 'immediate', releasedAt: null } as const;

test.each([
  ['graded and visible at once', { ...immediate, grade: 1 }, before],
  ['graded with 0', { ...immediate, grade: 0 }, before],
  ['graded and released', { ...released, grade: 1 }, before],
  ['left ungraded, and released', { ...released, grade: null }, before],
])('a review is possible: %s', (_, state, now) => {
  expect(() => requireReviewsOpen({ rule, ...state }, now)).not.toThrow();
});

test.each([
  ['hidden', { rule, ...withheld, grade: 1 }, before],
  ['not graded yet', { rule, ...immediate, grade: null }, before],
  ['too late', { rule, ...released, grade: 1 }, until],
  ['without a rule', { rule: null, ...released, grade: 1 }, before],
])('a review is refused: %s', (_, state, now) => {
  expect(() => requireReviewsOpen(state, now)).toThrow('ReviewsClosed');
});
