import { releasedAtAfter } from '@gradeway/shared/items/releasedAtAfter';
import { expect, test } from 'vitest';

const [earlier, now, later] = [0, 1, 2].map((hour) => new Date(Date.UTC(2026, 10, 28, hour))) as [
  Date,
  Date,
  Date,
];
const heldBack = { release: 'manual', releaseAt: null, releasedAt: null } as const;
const released = { ...heldBack, releasedAt: earlier };
const immediate = { release: 'immediate', releaseAt: null, releasedAt: null } as const;

test('a manual release hides grades, even if they were visible', () => {
  for (const before of [immediate, released, heldBack])
    expect(releasedAtAfter(before, { release: 'manual' }, now)).toEqual(heldBack);
});

test('an immediate release shows grades and cancels a scheduled release', () => {
  const scheduled = { ...heldBack, releaseAt: later };
  expect(releasedAtAfter(scheduled, { release: 'immediate' }, now)).toEqual(immediate);
});

test('a time in the future schedules the release', () => {
  expect(releasedAtAfter(heldBack, { releaseAt: later }, now)).toEqual({ ...heldBack, releaseAt: later });
});

test('a time that has passed releases at once, and does not move an earlier release', () => {
  expect(releasedAtAfter(heldBack, { releaseAt: earlier }, now)).toEqual({ ...heldBack, releasedAt: now });
  expect(releasedAtAfter(released, { releaseAt: now }, now)).toEqual(released);
});

test('a change of other settings keeps the release', () => {
  const scheduled = { ...heldBack, releaseAt: later };
  for (const before of [immediate, released, heldBack, scheduled])
    expect(releasedAtAfter(before, {}, now)).toEqual(before);
});
