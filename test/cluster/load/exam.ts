import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fixtures, now, type Student } from '@gradeway/test/fixtures';
import { form, pdf } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import type { Ledger } from '../../faults/table/ledger.ts';
import type { SystemUnderTest } from '../../faults/table/system.ts';

/** Students of one course, whose quizzes end at the same time. */
export interface Exam {
  fixtures: Fixtures;
  courseId: number;
  students: Student[];
}

export interface Delivery {
  /** Until the last upload was accepted. */
  seconds: number;
  /** Until half of them were accepted. */
  medianSeconds: number;
}

const usualBytes = 200_000;
// A careful client repeats a request that got 5xx or no response, under one Idempotency-Key, for this long.
const repeatForMs = 120_000;
const repeatPauseMs = 1_000;
// The interval at which students check whether their file has arrived.
const readPauseMs = 20;

export async function openExam(system: SystemUnderTest, studentCount: number): Promise<Exam> {
  const fixtures = new Fixtures(system);
  const courseId = await waitFor(() => fixtures.newCourse());
  const students: Student[] = [];
  // A few at once, because hashing their passwords uses all of the CPU.
  for (let each = 0; each < studentCount; each += 5)
    students.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(5, studentCount - each) }, async () => {
          const student = await fixtures.newStudent();
          await fixtures.enroll(courseId, student);
          return student;
        }),
      )),
    );
  return { fixtures, courseId, students };
}

/** Every student hands in a file for each of the new quizzes, all at once. */
export async function handInAll(
  exam: Exam,
  quizCount: number,
  ledger: Ledger,
  fileBytes = usualBytes,
): Promise<Delivery> {
  const quizIds: number[] = [];
  for (let each = 0; each < quizCount; each += 1) quizIds.push(await exam.fixtures.newQuiz(exam.courseId));
  const uploads = await Promise.all(
    quizIds.flatMap((quizId) =>
      exam.students.map((student) => prepare(exam, quizId, student, ledger, fileBytes)),
    ),
  );
  const startedAt = performance.now();
  const waited = await Promise.all(
    uploads.map(async (upload) => {
      await upload();
      return (performance.now() - startedAt) / 1000;
    }),
  );
  const sorted = waited.toSorted((a, b) => a - b);
  return {
    seconds: sorted.at(-1) ?? 0,
    medianSeconds: sorted[Math.floor(sorted.length / 2)] ?? 0,
  };
}

async function prepare(
  { courseId }: Exam,
  itemId: number,
  student: Student,
  ledger: Ledger,
  fileBytes: number,
): Promise<() => Promise<void>> {
  const file = await pdf('answers.pdf', { lines: [randomUUID()], bytes: fileBytes });
  const sha256 = createHash('sha256')
    .update(await file.bytes())
    .digest('hex');
  const entry: Ledger['uploads'][number] = {
    kind: 'quiz',
    itemId,
    studentId: student.id,
    sha256,
    outcome: 'unknown',
  };
  return async () => {
    ledger.uploads.push(entry);
    const fields = { course_id: `${courseId}`, quiz_id: `${itemId}`, duration: '60', start_at: now() };
    const headers = { 'idempotency-key': randomUUID() };
    const endsAt = Date.now() + repeatForMs;
    do {
      const answer = await student
        .request('POST', '/api/v3/quiz/submit-pdf', {
          body: form({ ...fields, file }),
          headers,
          signal: AbortSignal.timeout(repeatForMs),
        })
        .catch(() => undefined);
      ledger.countAnswer('POST /api/v3/quiz/submit-pdf', answer);
      if (answer && answer.status < 500) entry.outcome = answer.status < 300 ? 'accepted' : 'refused';
      else await sleep(repeatPauseMs);
    } while (entry.outcome === 'unknown' && Date.now() < endsAt);
  };
}

/**
 * Starts this many clients that refresh lists of students until the returned function is called, which returns the
 * number of pages per second.
 */
export function refreshPages({ students }: Exam, readers: number): () => Promise<number> {
  let [isOn, pages] = [true, 0];
  const startedAt = performance.now();
  const reading = Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      while (isOn) {
        await students[reader % students.length]?.get('/api/v3/quiz/submissions').catch(() => {});
        pages += 1;
        await sleep(readPauseMs);
      }
    }),
  );
  return async () => {
    const seconds = (performance.now() - startedAt) / 1000;
    isOn = false;
    await reading;
    return pages / seconds;
  };
}
