import { expect, test } from 'vitest';
import type { Item } from '../queue/gradingTypes.ts';
import { changedSettings, isConflict, releasesGrades, storedSettings } from './changedSettings.ts';

const late = {
  until: '2026-12-05T10:00:00Z',
  grace_minutes: 5,
  penalty_percent: 2.5,
  per: 'day' as const,
  floor_percent: 0,
};
const item = {
  title: 'Groups',
  opens_at: null,
  closes_at: '2026-12-01T10:00:30Z',
  duration_minutes: 90,
  questions_count: null,
  total_grade: 10,
  published: true,
  release: 'manual',
  release_at: null,
  late,
  order: 'arrival',
  anonymous: false,
  graders_edit_rubric: true,
  reviews: null,
} as Item;

/** The form as it opens. */
function opened(of = item): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(storedSettings(of))) form.set(name, value);
  for (const name of ['published', 'graders_edit_rubric', 'accepts_late']) form.set(name, 'on');
  return form;
}
const changes = (form: FormData, of = item) => Object.fromEntries(changedSettings(form, of));

test('an unchanged form changes nothing, although it shows times without seconds', () => {
  expect(changes(opened())).toEqual({});
});

test('a form changes only the settings that differ, and clears those that are empty', () => {
  const form = opened();
  form.set('title', ' Rings ');
  form.set('closes_at', '');
  form.set('shuffled', 'on');
  form.delete('published');
  expect(changes(form)).toEqual({ title: 'Rings', closes_at: '', order: 'shuffled', published: 'false' });
});

test('a late-work rule is sent whole when any of its fields changes, and removed when its checkbox is cleared', () => {
  const form = opened();
  form.set('late_penalty', '7,5');
  expect(JSON.parse(String(changes(form).late))).toEqual({ ...late, penalty_percent: 7.5 });
  form.delete('accepts_late');
  expect(changes(form)).toEqual({ late: '' });
});

test('immediate release clears the release time', () => {
  const scheduled = { ...item, release_at: '2026-12-06T10:00:00Z' };
  const form = opened(scheduled);
  form.set('release', 'immediate');
  form.delete('release_at');
  expect(changes(form, scheduled)).toEqual({ release: 'immediate', release_at: '' });
});

test('two people conflict only if they change the same setting', () => {
  const body = new FormData();
  body.set('title', 'Rings');
  expect(isConflict(body, item, { ...item, anonymous: true })).toBe(false);
  expect(isConflict(body, item, { ...item, title: 'Fields' })).toBe(true);
});

test('grades that a published item holds back are released by immediate release or a release time in the past', () => {
  const body = (fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  };
  const held = { ...item, released_at: null } as Item;
  expect(releasesGrades(body({ release: 'immediate' }), held)).toBe(true);
  expect(releasesGrades(body({ release_at: '2020-01-01T10:00:00Z' }), held)).toBe(true);
  expect(releasesGrades(body({ release_at: '2999-01-01T10:00:00Z' }), held)).toBe(false);
  expect(releasesGrades(body({ release_at: '', title: 'Rings' }), held)).toBe(false);
  expect(releasesGrades(body({ release: 'immediate' }), { ...held, published: false })).toBe(false);
  const released = { ...held, released_at: '2026-12-01T10:00:00Z' } as Item;
  expect(releasesGrades(body({ release: 'immediate' }), released)).toBe(false);
});

test('reviews are allowed with a time, and cleared without one', () => {
  const form = opened();
  form.set('reviews_until', '2026-12-24T10:00');
  form.set('reviews_count', '3');
  const { reviews } = changes(form);
  const rule = JSON.parse(String(reviews));
  expect(rule).toEqual({ until: expect.stringMatching(/^2026-12-24T\d\d:00:00Z$/), per_submission: 3 });
  const allowed = { ...item, reviews: rule } as Item;
  const cleared = opened(allowed);
  cleared.set('reviews_until', '');
  expect(changes(cleared, allowed)).toEqual({ reviews: '' });
});
