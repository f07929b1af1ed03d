import { randomInt } from 'node:crypto';
import type { HttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { beforeAll, describe, expect, test } from 'vitest';
import { asAdmin, newAccount, newScene, submitHomework, submitQuiz } from './fixtures.ts';

// Every list that shows people finds them by the same terms (D57).
const digits = String(randomInt(10_000_000, 99_999_999));
const person = {
  first_name: 'Jose\u0301 Ñandú',
  last_name: 'O’Brien-Łukasz',
  email: `Jose.${digits}@school.example`,
  mobile: `+4366${digits}`,
};
const terms = [
  'jose',
  'JOSE NANDU',
  'jose\u0301',
  "o'brien",
  'OʼBRIEN-LUKASZ',
  "Ñandú O'Brien",
  "o'brien-lukasz  jose",
  `JOSE.${digits}@SCHOOL`,
  `+43 66-${digits.slice(0, 4)} ${digits.slice(4)}`,
  `66 ${digits}`,
];
const others = ['josé@', `lukasz jose.${digits}`, 'brien lukasz', `+44 66${digits}`];

let admin: HttpClient;
const lists: Record<string, string> = {};
let userId: number;

beforeAll(async () => {
  admin = await asAdmin();
  const scene = await newScene();
  userId = scene.student.id;
  await submitQuiz(scene);
  await submitHomework(scene);
  // Another person, whom no search term may find.
  await newAccount({ role: 'user' });
  const changed = await admin.patch(`/api/v3/admin/users/${userId}`, person);
  expect(changed.status).toBe(200);
  Object.assign(lists, {
    accounts: '/api/v3/admin/users?role=user&',
    students: `/api/v3/admin/courses/${scene.courseId}/students?`,
    'submissions for a quiz': `/api/v3/grading/quizzes/${scene.quizId}/submissions?`,
    'submissions for a homework': `/api/v3/grading/homeworks/${scene.classId}/submissions?`,
  });
  // The change reaches each service as an event.
  for (const name of Object.keys(lists))
    await waitFor(async () => (await found(name, `+4366${digits}`)).length === 1);
});

/** The ids of the people in a list that a search finds. */
async function found(name: string, search: string): Promise<number[]> {
  const { status, body } = await admin.get(`${lists[name]}search=${encodeURIComponent(search)}`);
  expect(status).toBe(200);
  return body.data.map((row: { id: number; student?: { id: number } }) => row.student?.id ?? row.id);
}

describe.each(['accounts', 'students', 'submissions for a quiz', 'submissions for a homework'])(
  'a search in the list of %s',
  (name) => {
    test.each(terms)('a search finds a person by “%s” (D57)', async (term) => {
      expect(await found(name, term)).toContain(userId);
    });

    test.each(others)('a search does not find the person by “%s”', async (term) => {
      expect(await found(name, term)).not.toContain(userId);
    });
  },
);
