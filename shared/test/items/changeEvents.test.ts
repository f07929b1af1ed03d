import { changeEvents } from '@gradeway/shared/items/changeEvents';
import { administratorsSettings } from '@gradeway/shared/items/item';
import type { PublishedItem } from '@gradeway/shared/items/itemEvents';
import { expect, test } from 'vitest';

const item: PublishedItem = {
  ...{ ...administratorsSettings, opensAt: null, closesAt: null },
  ...{ id: 1, courseId: 2, title: 'Quiz', totalGrade: 10, isDeleted: false, revision: 1 },
  createdAt: new Date('2026-11-28T10:00:00Z'),
};
const draft = { ...item, published: false };
const heldBack: PublishedItem = { ...item, release: 'manual' };
const released = { ...heldBack, releasedAt: new Date('2026-11-28T11:00:00Z') };
const typesOf = (before: PublishedItem | null, after: PublishedItem) =>
  changeEvents('quiz', before, after).map(({ type }) => type);

test('an item is published when it is created as published, ceases to be a draft, or is restored', () => {
  const published = ['quiz.changed.v1', 'quiz.published.v1'];
  for (const before of [null, draft, { ...item, isDeleted: true }])
    expect(typesOf(before, item)).toEqual(published);
  expect(typesOf(null, draft)).toEqual(['quiz.changed.v1']);
  expect(typesOf(item, { ...item, title: 'Test' })).toEqual(['quiz.changed.v1']);
});

test('grades are released or withheld once per change of their visibility', () => {
  const shown = ['quiz.changed.v1', 'quiz.grades.released.v1'];
  const hidden = ['quiz.changed.v1', 'quiz.grades.withheld.v1'];
  for (const after of [item, released]) {
    expect(typesOf(heldBack, after)).toEqual(shown);
    expect(typesOf(after, heldBack)).toEqual(hidden);
  }
  expect(typesOf(released, item)).toEqual(['quiz.changed.v1']);
});

test('removing an item publishes only its removal', () => {
  expect(typesOf(item, { ...item, isDeleted: true })).toEqual(['quiz.changed.v1']);
});
