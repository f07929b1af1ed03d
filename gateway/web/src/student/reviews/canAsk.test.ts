import { expect, test } from 'vitest';
import type { OwnSubmission } from '../submission/useOwnSubmission.ts';
import { canAsk } from './canAsk.ts';

const submission = (reviews: OwnSubmission['reviews'], isGraded = true) => ({
  reviews,
  grading: isGraded ? ({} as NonNullable<OwnSubmission['grading']>) : null,
});
const allowed = { until: '2026-12-01T12:00:00Z', left: 1 };
const asking = { submission: submission(allowed), all: [], hasEnded: false };

test('a review is offered while the service allows one, even of work that graders left ungraded', () => {
  expect(canAsk(7, asking)).toBe(true);
  expect(canAsk(null, { ...asking, submission: submission(allowed, false) })).toBe(true);
});

test('no review is offered when reviews are closed, used up or refused', () => {
  expect(canAsk(7, { ...asking, submission: submission(null) })).toBe(false);
  expect(canAsk(7, { ...asking, submission: submission({ ...allowed, left: 0 }) })).toBe(false);
  expect(canAsk(7, { ...asking, hasEnded: true })).toBe(false);
});

test('a question can be reviewed again only after its open review is closed, and others at any time', () => {
  const all = [
    { question_id: 7, state: 'open' as const },
    { question_id: 8, state: 'closed' as const },
  ];
  expect([7, 8, null].map((id) => canAsk(id, { ...asking, all }))).toEqual([false, true, true]);
});

test('if the service does not say, a review is offered once work is graded', () => {
  expect(canAsk(7, { ...asking, submission: submission(undefined) })).toBe(true);
  expect(canAsk(7, { ...asking, submission: submission(undefined, false) })).toBe(false);
});
