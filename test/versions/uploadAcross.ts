import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { startSlowUpload } from '@gradeway/test/slowUpload';
import { waitFor } from '@gradeway/test/waitFor';
import { expect } from 'vitest';
import type { Ledger } from '../faults/table/ledger.ts';
import type { Name, ReplicatedSystem } from '../faults/table/replicas.ts';
import type { School } from '../faults/table/school.ts';

/**
 * Replaces both replicas of a process while the first one receives or forwards a file: homework or an answer sheet. The upload goes
 * to that replica, not to the balancer, and ends when the replica has begun to stop.
 */
export async function uploadAcross(
  { system, fixtures, courseId }: School & { system: ReplicatedSystem },
  name: Extract<Name, 'gateway' | 'homework' | 'quiz'>,
  { root, ledger }: { root: string; ledger: Ledger },
): Promise<void> {
  const [old] = system.replicas(name);
  const student = await fixtures.newStudent();
  await fixtures.enroll(courseId, student);
  const bytes = await (await pdf()).bytes();
  const half = Math.floor(bytes.length / 2);
  const { kind, itemId, path, accepted, ...part } =
    name === 'homework' ? await newHomework() : await newAnswerSheet();
  const upload = startSlowUpload({ url: `${old?.url}${path}`, token: student.token ?? '', ...part });
  await upload.send(bytes.subarray(0, half));
  const replaced = system.replaceAll(name, root);
  // The old replica leaves the balancer, and then stops accepting connections.
  await waitFor(async () => (await fetch(`${old?.adminUrl}/readyz`)).status !== 200);
  await sleep(3_000);
  await upload.send(bytes.subarray(half));
  upload.end();
  const { status, body } = await upload.answer;
  expect(`${status} ${body}`).toMatch(new RegExp(`^${accepted} `));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  ledger.uploads.push({ kind, itemId, studentId: student.id, sha256, outcome: 'accepted' });
  await replaced;

  async function newHomework() {
    const classId = await fixtures.newClass(courseId);
    await fixtures.newAssignment(classId);
    const path = `/api/v3/homeworks/${classId}/submissions`;
    return { kind: 'homework', itemId: classId, path, accepted: 201, field: 'files' } as const;
  }

  async function newAnswerSheet() {
    const quizId = await fixtures.newQuiz(courseId);
    const fields = { course_id: `${courseId}`, quiz_id: `${quizId}`, duration: '60', start_at: now() };
    const path = '/api/v3/quiz/submit-pdf';
    return { kind: 'quiz', itemId: quizId, path, accepted: 200, field: 'file', fields } as const;
  }
}
