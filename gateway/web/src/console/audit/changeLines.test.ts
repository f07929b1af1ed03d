import { expect, test } from 'vitest';
import { changeLines } from './changeLines.ts';

const translation = { t: (english: string) => english, formatTime: String };

test('each field shows its value before and after', () => {
  const changes = { role: ['user', 'admin'], is_blocked: [false, true], email: [null, 'ada@school.example'] };
  expect(changeLines(changes, translation)).toEqual([
    { field: 'email', before: '–', after: 'ada@school.example' },
    { field: 'is_blocked', before: 'no', after: 'yes' },
    { field: 'role', before: 'user', after: 'admin' },
  ]);
});

test('a list is shown as JSON, and an entry without changes has no lines', () => {
  expect(changeLines({ event_types: [['*'], ['user.changed.v1', 'user.deleted.v1']] }, translation)).toEqual([
    { field: 'event_types', before: '["*"]', after: '["user.changed.v1","user.deleted.v1"]' },
  ]);
  expect(changeLines(null, translation)).toEqual([]);
});
