import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { now } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { readArchive } from '@gradeway/test/readArchive';
import { startSlowUpload } from '@gradeway/test/slowUpload';
import type { Outcome, Received } from '../../faults/table/ledger.ts';
import type { LoadParts } from '../../faults/table/load.ts';
import type { School } from '../../faults/table/school.ts';

const uploadMs = 5_000;
const archivedFiles = 3;
const archivedBytes = 1_000_000;

/** Submits an answer sheet of 300 KB over a slow connection: its body takes five seconds. */
async function uploadSlowly({ school, ledger, takeUnit }: LoadParts): Promise<void> {
  const unit = takeUnit('quiz');
  if (!unit) return void (await sleep(500));
  const { itemId, student } = unit;
  const file = Buffer.from(
    await (await pdf('slow.pdf', { lines: [randomUUID()], bytes: 300_000 })).arrayBuffer(),
  );
  const sha256 = createHash('sha256').update(file).digest('hex');
  const entry = {
    kind: 'quiz' as const,
    itemId,
    studentId: student.id,
    sha256,
    outcome: 'unknown' as Outcome,
  };
  ledger.uploads.push(entry);
  const upload = startSlowUpload({
    url: `${school.system.baseUrl}/api/v3/quiz/submit-pdf`,
    token: student.token ?? '',
    fields: { course_id: `${school.courseId}`, quiz_id: `${itemId}`, duration: '60', start_at: now() },
    field: 'file',
  });
  const parts = 10;
  const size = Math.ceil(file.length / parts);
  let isAnswered = false;
  const answer = upload.answer
    .catch(() => undefined)
    .finally(() => {
      isAnswered = true;
    });
  for (let part = 0; part < parts && !isAnswered; part += 1) {
    upload.send(file.subarray(part * size, (part + 1) * size)).catch(() => {});
    await sleep(uploadMs / parts);
  }
  if (!isAnswered) upload.end();
  const received = await answer;
  ledger.countAnswer('POST /api/v3/quiz/submit-pdf (slow)', received);
  if (received && received.status < 500) entry.outcome = received.status < 300 ? 'accepted' : 'refused';
}

/** A client that downloads the ZIP archive of a separate course at 1 MB/s, and reads every file in it. */
async function archiveReader({ fixtures, system }: School): Promise<(shared: LoadParts) => Promise<void>> {
  const scene = await fixtures.newScene();
  const files = await Promise.all(
    Array.from({ length: archivedFiles }, (_, each) => pdf(`${each}.pdf`, { bytes: archivedBytes })),
  );
  const { status: answered } = await fixtures.submitHomework(scene, files);
  if (answered !== 201) throw new Error(`creating the homework for the archive returned ${answered}`);
  const { token } = await fixtures.asAdmin();
  const path = `/api/v3/admin/courses/${scene.courseId}/submissions.zip`;
  return async ({ ledger }) => {
    let answer: Received;
    try {
      const response = await fetch(system.baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
      const received: Uint8Array[] = [];
      for await (const chunk of response.body ?? []) {
        received.push(chunk);
        await sleep(chunk.length / 1_000);
      }
      // And manifest.csv.
      const isWhole = async () => (await readArchive(Buffer.concat(received))).length === archivedFiles + 1;
      if (response.status !== 200 || (await isWhole())) answer = response;
    } catch {}
    ledger.countAnswer(`GET ${path}`, answer);
    await sleep(2_000);
  };
}

/** A student who logs in and requests their own submissions. */
async function visitor({ fixtures }: School): Promise<(shared: LoadParts) => Promise<void>> {
  const { email, password } = await fixtures.newStudent();
  return async ({ ledger }) => {
    const login = await fixtures.logIn(email, password).catch(() => undefined);
    ledger.countAnswer('POST /api/v3/login', login);
    const student = fixtures.callAs(login?.body?.access_token);
    for (const path of login?.status === 200
      ? ['/api/v3/quiz/submissions', '/api/v3/homeworks', '/api/v3/grades']
      : []) {
      const answer = await student.get(path).catch(() => undefined);
      ledger.countAnswer(`GET ${path}`, answer);
    }
    await sleep(3_000);
  };
}

/**
 * The clients of the tests under load: grading, uploads of five seconds, downloads of archives, logins. On two cores,
 * more of them would mostly delay the starting processes.
 */
export async function mixedLoad(school: School) {
  const archives = await archiveReader(school);
  return {
    workers: 2,
    pauseMs: 1_200,
    refills: true,
    others: [uploadSlowly, uploadSlowly, archives, await visitor(school)],
  };
}
