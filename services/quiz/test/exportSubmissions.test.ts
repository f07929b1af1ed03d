import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportedSubmissions } from '@gradeway/test/exportedSubmissions';
import { form, pdf } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const exported = (courseId: number, options?: { annotated: boolean }) =>
  exportedSubmissions('quiz', quiz.service.grpcAddress, courseId, options);

test('every current answer sheet of a course is exported with its bytes, its quiz and its student', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  await quiz.upload(scene);
  const [submission] = await quiz.database.query<{ id: number }>(
    'SELECT id FROM quiz.submissions WHERE quiz_id = $1',
    [scene.quizId],
  );
  await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${submission?.id}`, quiz.admin, {
    grade: 7.5,
    total_grade: 20,
  });
  const content = Buffer.from(await quiz.pdf.arrayBuffer());
  const files = await exported(scene.courseId);
  expect(files).toMatchObject([
    {
      itemId: scene.quizId,
      itemTitle: 'Quiz',
      submissionId: submission?.id,
      studentId: scene.studentId,
      studentName: `Ada Student ${scene.studentId}`,
      studentEmail: '',
      name: 'answers.pdf',
      grade: 7.5,
      totalGrade: 20,
      missing: false,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    },
  ]);
  expect(files[0]?.content.equals(content)).toBe(true);
});

test('a sheet that the store has lost is marked as missing', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const [file] = await quiz.database.query<{ key: string }>(
    'SELECT f.key FROM quiz.files f JOIN quiz.submissions s ON s.file_id = f.id WHERE s.quiz_id = $1',
    [scene.quizId],
  );
  const key = file?.key ?? '';
  await rm(join(quiz.service.directory, 'files', key.slice(0, 2), key));
  expect(await exported(scene.courseId)).toMatchObject([{ missing: true, content: Buffer.alloc(0) }]);
});

// One file below and one above the size up to which a file is read only once. The receiver then verifies its SHA-256,
// unless a copy is rendered.
test.each([
  { bytes: 1_000, annotated: true },
  { bytes: 2_000_000, annotated: true },
  { bytes: 2_000_000, annotated: false },
])(
  'a sheet with different bytes in the store is marked as damaged, and the next one is exported: %o',
  async ({ bytes, annotated }) => {
    const scene = await quiz.setUp();
    await quiz.upload(scene, { file: await pdf('large.pdf', { bytes }) });
    const [file] = await quiz.database.query<{ key: string }>(
      'SELECT f.key FROM quiz.files f JOIN quiz.submissions s ON s.file_id = f.id WHERE s.quiz_id = $1',
      [scene.quizId],
    );
    const key = file?.key ?? '';
    const path = join(quiz.service.directory, 'files', key.slice(0, 2), key);
    const fields = form({ title: 'Second', course_id: String(scene.courseId) });
    const { body } = await quiz.post('/api/v3/quiz/pdf-quizzes', quiz.admin, fields);
    await quiz.upload({ ...scene, quizId: body.data.id });
    const content = await readFile(path);
    for (const other of [
      Buffer.from(content.toReversed()),
      content.subarray(1),
      Buffer.concat([content, content]),
    ]) {
      await writeFile(path, other);
      const [damaged, next] = await exported(scene.courseId, { annotated });
      expect(damaged).toMatchObject({ missing: true, damaged: true, content: Buffer.alloc(0) });
      expect(next).toMatchObject({ missing: false, damaged: false, size: next?.content.length });
    }
  },
);

test('a large export of answer sheets is complete, including a deleted quiz', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const fields = form({ title: 'Second', course_id: String(scene.courseId) });
  const { body } = await quiz.post('/api/v3/quiz/pdf-quizzes', quiz.admin, fields);
  const second: { id: number } = body.data;
  const many = 330;
  await quiz.database.query(
    `WITH f AS (INSERT INTO quiz.files (key, name, size, sha256, crc32, attached_at)
       SELECT 'lost' || i || '-' || $1::integer, 'a.pdf', 1, 'x', 0, now() FROM generate_series(1, $3::integer) i
       RETURNING id, key)
     INSERT INTO quiz.submissions (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at)
       SELECT $1::integer, $2::integer, 100000 + substr(split_part(key, '-', 1), 5)::integer, id, now(), 30, now() FROM f`,
    [second.id, scene.courseId, many],
  );
  // A submission without a sheet adds no file.
  await quiz.database.query(
    `INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
     VALUES ($1, $2, 99999, now(), 30, now())`,
    [second.id, scene.courseId],
  );
  await quiz.database.query('UPDATE quiz.quizzes SET deleted_at = now() WHERE id = $1', [second.id]);
  const files = await exported(scene.courseId);
  expect(files).toHaveLength(many + 1);
  expect(new Set(files.map(({ studentId }) => studentId)).size).toBe(many + 1);
  expect(files.at(-1)).toMatchObject({ itemTitle: 'Second', missing: true });
});
