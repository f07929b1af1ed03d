import { expect, test } from 'vitest';
import { type Release, releasedAtAfter } from '../../src/items/releasedAtAfter.ts';

const [earlier, now, later] = [9, 10, 11].map((hour) => new Date(Date.UTC(2026, 10, 28, hour))) as [
  Date,
  Date,
  Date,
];
const immediate: Release = { release: 'immediate', releaseAt: null, releasedAt: null, anonymous: false };
const hidden: Release = { ...immediate, release: 'manual' };
const scheduled: Release = { ...hidden, releaseAt: later };
const due: Release = { ...hidden, releaseAt: earlier };
const released: Release = { ...hidden, releasedAt: earlier };

test.each<[string, Release, Parameters<typeof releasedAtAfter>[1], Release]>([
  ['a change to other settings keeps a release', released, {}, released],
  ['a change to other settings keeps a scheduled release', scheduled, {}, scheduled],
  ['`manual` hides grades that are visible at once', immediate, { release: 'manual' }, hidden],
  ['`manual` hides released grades', released, { release: 'manual' }, hidden],
  ['`immediate` shows hidden grades', hidden, { release: 'immediate' }, immediate],
  ['`immediate` ends a schedule', scheduled, { release: 'immediate' }, immediate],
  ['a time in the future schedules a release', hidden, { releaseAt: later }, scheduled],
  ['a past time releases immediately', hidden, { releaseAt: earlier }, { ...hidden, releasedAt: now }],
  ['a scheduled time that is due releases', due, {}, { ...hidden, releasedAt: now }],
  ['a scheduled time is cleared', scheduled, { releaseAt: null }, hidden],
])('%s', (_, before, changes, after) => {
  expect(releasedAtAfter(before, changes, now)).toEqual(after);
});

test('a past time does not move an earlier release', () => {
  expect(releasedAtAfter(released, { releaseAt: now }, now)).toEqual(released);
});

test('a quiz stays anonymous while its grades are hidden', () => {
  const before = { ...hidden, anonymous: true };
  expect(releasedAtAfter(before, { releaseAt: later }, now).anonymous).toBe(true);
});

test('anonymity ends with the release, and does not return when the grades are hidden again', () => {
  const after = releasedAtAfter({ ...hidden, anonymous: true }, { releaseAt: now }, now);
  expect(after).toMatchObject({ releasedAt: now, anonymous: false });
  expect(releasedAtAfter(after, { release: 'manual' }, now).anonymous).toBe(false);
  expect(releasedAtAfter({ ...released, anonymous: true }, { release: 'manual' }, now).anonymous).toBe(false);
});

test('anonymity can be turned on again for grades that are hidden again', () => {
  expect(releasedAtAfter(released, { release: 'manual', anonymous: true }, now).anonymous).toBe(true);
});
