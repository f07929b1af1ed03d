import { checkInput } from '@gradeway/shared/http/validation';
import { settingChanges, settingFields } from '@gradeway/shared/items/itemSchema';
import { expect, test } from 'vitest';
import { z } from 'zod';

const schema = z.object(settingFields).transform(settingChanges);
const parse = (input: unknown) => checkInput(schema, input);
const late = { until: '2026-12-01T12:00:00+02:00', penalty_percent: 10.25, per: 'day' };

test('settings have the same meaning as JSON and as the text of a form', () => {
  const value = {
    clearsFile: false,
    opensAt: new Date('2026-11-28T08:00:00Z'),
    published: true,
    anonymous: false,
    late: {
      ...{ until: '2026-12-01T10:00:00.000Z', graceMinutes: 0 },
      ...{ penaltyPercent: 10.25, per: 'day', floorPercent: 0 },
    },
  };
  const opens_at = '2026-11-28T10:00:00.9+02:00';
  expect(parse({ opens_at, published: true, anonymous: false, late })).toEqual({ value });
  expect(parse({ opens_at, published: '1', anonymous: 'false', late: JSON.stringify(late) })).toEqual({
    value,
  });
});

test('null or an empty form field clears a time, late work and the file', () => {
  const value = { clearsFile: true, closesAt: null, late: null };
  for (const none of [null, ''])
    expect(parse({ closes_at: none, late: none, file: none })).toEqual({ value });
});

test('settings that are always set cannot be cleared', () => {
  const names = ['published', 'release', 'order', 'anonymous', 'graders_edit_rubric'];
  for (const name of names)
    for (const none of [null, '']) expect(Object.keys(parse({ [name]: none }).errors ?? {})).toEqual([name]);
});

test('a time must have a zone and exist', () => {
  for (const time of ['2026-11-28T10:00:00', '2026-11-28', '2026-02-30T10:00:00Z', 'tomorrow', 5])
    expect(Object.keys(parse({ opens_at: time }).errors ?? {})).toEqual(['opens_at']);
});

test('every error in the late-work rule is reported for `late`', () => {
  const mistakes = [
    ...[{}, 'no JSON', [], 5, { ...late, until: '2026-12-01T12:00:00' }, { ...late, per: 'week' }],
    ...[-1, 100.5, 0.125, null].map((penalty_percent) => ({ ...late, penalty_percent })),
    ...[-1, 10_081, 0.5].map((grace_minutes) => ({ ...late, grace_minutes })),
    { ...late, floor_percent: 101 },
  ];
  for (const mistake of mistakes)
    expect([mistake, Object.keys(parse({ late: mistake }).errors ?? {})]).toEqual([mistake, ['late']]);
});
