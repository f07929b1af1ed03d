import type { ConnectedPerson } from '@gradeway/test/connectedPerson';
import type { PersonEverywhere } from '@gradeway/test/personEverywhere';
import { expect } from 'vitest';

/** Expects everything that a connected person stored, in `person.json` of the export, and none of the secrets. */
export function expectExported(
  // biome-ignore lint/suspicious/noExplicitAny: each assertion describes the shape that it expects
  json: any,
  { student }: PersonEverywhere,
  { secrets }: ConnectedPerson,
): void {
  expect(json.auth.account[0]).toMatchObject({ first_name: student.firstName, email: student.email });
  expect(json.courses.grades).toHaveLength(2);
  expect(json.homework.gradings_received.map(({ comment }: { comment: string }) => comment)).toEqual([
    expect.stringContaining('(6)'),
    expect.stringContaining('(7)'),
  ]);
  expect(json.quiz.replaced_sheets).toHaveLength(1);
  expect(json.auth.tokens).toMatchObject([
    { name: `${student.firstName}'s laptop`, scopes: ['grades:read'], last_used_at: null },
  ]);
  const subject = `subject-of-${student.email}`;
  expect(json.auth.identities).toMatchObject([{ provider: 'school', subject, email: student.email }]);
  expect(json.auth.sso_sessions).toMatchObject([{ provider: 'school', subject }]);
  expect(json.courses.notifications).toMatchObject([{ language: 'ar' }]);
  expect(json.courses.messages.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['submission.received', 'work.published', 'grades.released']),
  );
  expect(json.courses.calendar).toEqual([{ created_at: expect.any(String) }]);
  expect(json.courses.calendar_events).toHaveLength(1);
  expect(json.homework.grade_files_about).toMatchObject([{ comment: `${student.firstName} again` }]);
  expect(json.quiz.grade_files_about).toMatchObject([{ comment: `${student.firstName} again` }]);
  for (const secret of ['argon2', 'unsubscribe_key', ...secrets])
    expect(JSON.stringify(json)).not.toContain(secret);
}
