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
 * Replaces both replicas of a process while the first one receives an answer sheet, or forwards it. The upload goes to that
 * replica, not to the balancer, and ends when the replica has begun to stop.
 */
export async function uploadAcross(
  { system, fixtures, courseId }: School & { system: ReplicatedSystem },
  name: Extract<Name, 'gateway' | 'quiz'>,
  { root, ledger }: { root: string; ledger: Ledger },
): Promise<void> {
  const [old] = system.replicas(name);
  const [quizId, student] = [await fixtures.newQuiz(courseId), await fixtures.newStudent()];
  await fixtures.enroll(courseId, student);
  const bytes = await (await pdf()).bytes();
  const half = Math.floor(bytes.length / 2);
  const upload = startSlowUpload({
    url: `${old?.url}/api/v3/quiz/submit-pdf`,
    token: student.token ?? '',
    fields: { course_id: `${courseId}`, quiz_id: `${quizId}`, duration: '60', start_at: now() },
    field: 'file',
  });
  await upload.send(bytes.subarray(0, half));
  const replaced = system.replaceAll(name, root);
  // The old replica leaves the balancer, and then stops accepting connections.
  await waitFor(async () => (await fetch(`${old?.adminUrl}/readyz`)).status !== 200);
  await sleep(3_000);
  await upload.send(bytes.subarray(half));
  upload.end();
  const { status, body } = await upload.answer;
  expect(`${status} ${body}`).toMatch(/^200 /);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  ledger.uploads.push({ kind: 'quiz', itemId: quizId, studentId: student.id, sha256, outcome: 'accepted' });
  await replaced;
}
