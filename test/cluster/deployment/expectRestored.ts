import { createHash } from 'node:crypto';
import { Fixtures, type Scene } from '@gradeway/test/fixtures';
import { waitFor } from '@gradeway/test/waitFor';
import { expect } from 'vitest';

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Restored {
  baseUrl: string;
  adminEmail: string;
  adminPassword: string;
}

/**
 * Expects a restored system to have the student of a scene with the old password, and the student's answer sheet and homework, which
 * are files with this SHA-256.
 */
export async function expectRestored(system: Restored, scene: Scene, digest: string): Promise<void> {
  const { baseUrl } = system;
  const restored = new Fixtures(system);
  await waitFor(async () => (await fetch(`${baseUrl}/readyz`)).ok);
  const { email, password } = scene.student;
  const { status, body } = await restored.logIn(email, password);
  expect(status).toBe(200);
  expect((await restored.logIn(email, 'another password')).status).toBe(401);
  const student = restored.callAs(body.access_token);
  const { data } = (await student.get('/api/v3/quiz/submissions')).body;
  expect(data).toMatchObject([{ quiz_id: scene.quizId }]);

  const admin = await restored.asAdmin();
  const quiz = await admin.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`);
  const homework = await admin.get(`/api/v3/admin/homeworks/${scene.classId}`);
  for (const answer of [quiz, homework]) {
    const [link] = /https?:[^"]*signature=[^"]*/.exec(JSON.stringify(answer.body)) ?? [''];
    const { pathname, search } = new URL(link);
    const bytes = await (await fetch(baseUrl + pathname + search)).bytes();
    expect(sha256(bytes)).toBe(digest);
  }
}
