import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService({ MAX_UPLOAD_BYTES: '100000', REPLACED_FILES_KEPT: '2' });
});
afterAll(() => quiz.close());

const rows = (sql: string, ...values: unknown[]) => quiz.database.query<Record<string, unknown>>(sql, values);

test('an upload creates a pending submission with its file and its event', async () => {
  const scene = await quiz.setUp();
  const answer = await quiz.upload(scene);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: true, message: 'Submitted successfully' });
  const [submission] = await rows('SELECT * FROM quiz.submissions WHERE quiz_id = $1', scene.quizId);
  expect(submission).toMatchObject({ student_id: scene.studentId, course_id: scene.courseId, grade: null });
  const events = await rows(
    "SELECT body->'data' AS data FROM quiz.outbox WHERE type = 'quiz.submission.submitted.v1'",
  );
  expect(events.map(({ data }) => data)).toContainEqual({
    submission_id: submission?.id,
    quiz_id: scene.quizId,
    course_id: scene.courseId,
    student_id: scene.studentId,
    ...{ submitted_at: expect.stringMatching(/Z$/), late_waived: false, state_revision: 1 },
  });
});

test('a later upload replaces the sheet of the submission, and the earlier one is stored as replaced (D27)', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const [first] = await rows('SELECT id, file_id FROM quiz.submissions WHERE quiz_id = $1', scene.quizId);
  expect((await quiz.upload(scene)).status).toBe(200);
  const [second] = await rows('SELECT id, file_id FROM quiz.submissions WHERE quiz_id = $1', scene.quizId);
  expect(second?.id).toBe(first?.id);
  expect(second?.file_id).not.toBe(first?.file_id);
  const replaced = await rows('SELECT file_id FROM quiz.replaced_sheets WHERE submission_id = $1', first?.id);
  expect(replaced).toEqual([{ file_id: first?.file_id }]);
});

test('simultaneous uploads create one submission, and none of their sheets is lost', async () => {
  const scene = await quiz.setUp();
  const answers = await Promise.all([quiz.upload(scene), quiz.upload(scene), quiz.upload(scene)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const submissions = await rows('SELECT id FROM quiz.submissions WHERE quiz_id = $1', scene.quizId);
  expect(submissions).toHaveLength(1);
  const replaced = await rows(
    'SELECT id FROM quiz.replaced_sheets WHERE submission_id = $1',
    submissions[0]?.id,
  );
  expect(replaced).toHaveLength(2);
});

test('only the newest replaced sheets keep their bytes, and older ones keep their rows (D49)', async () => {
  const scene = await quiz.setUp();
  const before = await quiz.storedFiles();
  for (let uploads = 0; uploads < 5; uploads += 1) expect((await quiz.upload(scene)).status).toBe(200);
  const replaced = await rows(
    `SELECT f.key, f.name, f.size::integer, f.sha256, f.reduced_at IS NOT NULL AS reduced
     FROM quiz.replaced_sheets r JOIN quiz.files f ON f.id = r.file_id
     JOIN quiz.submissions s ON s.id = r.submission_id WHERE s.quiz_id = $1 ORDER BY r.submitted_at`,
    scene.quizId,
  );
  expect(replaced.map(({ reduced }) => reduced)).toEqual([true, true, false, false]);
  expect(replaced[0]).toMatchObject({ name: 'answers.pdf', size: quiz.pdf.size, sha256: expect.any(String) });
  // The current sheet and two replaced sheets.
  await waitFor(async () => (await quiz.storedFiles()) === before + 3);
  const names = await quiz.storedNames();
  expect(replaced.map(({ key }) => names.includes(String(key)))).toEqual([false, false, true, true]);
  const stored = 'SELECT id FROM quiz.files WHERE reduced_at IS NOT NULL AND bytes_deleted_at IS NULL';
  await waitFor(async () => (await rows(stored)).length === 0);
});

test('a graded submission accepts no further sheet, and a refused one leaves nothing behind', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const [submission] = await rows('SELECT id FROM quiz.submissions WHERE quiz_id = $1', scene.quizId);
  const path = `/api/v3/quiz/pdf-quizzes/grade/${submission?.id}`;
  expect((await quiz.post(path, quiz.admin, { grade: 8, total_grade: 10 })).status).toBe(200);
  const before = await quiz.storedFiles();
  const answer = await quiz.upload(scene);
  expect(answer.status).toBe(409);
  expect(answer.body).toEqual({ message: 'Submission already graded', errors: null });
  await waitFor(async () => (await quiz.storedFiles()) === before);
});

test.each([
  ['a file that is not a PDF', { file: new Blob(['%PDF-1.7 not really']) }, 422],
  ['a file over the limit', { file: new Blob([Buffer.alloc(100_001)]) }, 413],
  ['a missing field', { duration: undefined }, 422],
  ['an unknown course', { course_id: '99999' }, 404],
  ['an unknown quiz', { quiz_id: '99999' }, 404],
  ['a closed window', { start_at: '2026-01-01T00:00:00' }, 403],
])('an upload refused for %s leaves nothing on disk', async (_, change, status) => {
  const scene = await quiz.setUp();
  const before = await quiz.storedFiles();
  expect((await quiz.upload(scene, change)).status).toBe(status);
  await waitFor(async () => (await quiz.storedFiles()) === before);
  expect(await rows('SELECT id FROM quiz.files WHERE attached_at IS NULL')).toEqual([]);
});

test('the list shows the name of a student, which is loaded from auth', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${scene.quizId}`, quiz.admin);
  expect(body.data.submissions).toEqual([
    {
      id: expect.any(Number),
      student_name: `Ada Student ${scene.studentId}`,
      grade: null,
      total_grade: null,
      is_marked: 0,
      pdf_answer_url: expect.stringContaining('/api/v3/files/quiz/'),
    },
  ]);
});
