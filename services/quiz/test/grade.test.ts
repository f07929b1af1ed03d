import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

async function newSubmission() {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const [submission] = await quiz.database.query<{ id: number }>(
    'SELECT id FROM quiz.submissions WHERE quiz_id = $1',
    [scene.quizId],
  );
  const path = `/api/v3/quiz/pdf-quizzes/grade/${submission?.id}`;
  return { ...scene, id: submission?.id, path };
}

const gradedEvents = async (id: number | undefined) => {
  const rows = await quiz.database.query<{ data: object }>(
    `SELECT body->'data' AS data FROM quiz.outbox
     WHERE type = 'quiz.submission.graded.v1' AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
    [id],
  );
  return rows.map(({ data }) => data);
};

test('a grading publishes an event with the title of the quiz, unless it changes nothing', async () => {
  const { id, path, quizId, courseId, studentId } = await newSubmission();
  for (const grade of [4, 4, '4.0', 5]) await quiz.post(path, quiz.admin, { grade, total_grade: 10 });
  const common = {
    submission_id: id,
    quiz_id: quizId,
    course_id: courseId,
    student_id: studentId,
    title: 'Quiz',
    total_grade: 10,
    comment: null,
    graded_by: 1,
    graded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    visible_from: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    item_revision: expect.any(Number),
  };
  expect(await gradedEvents(id)).toEqual([
    { ...common, grade: 4, revision: 1 },
    { ...common, grade: 5, revision: 2 },
  ]);
  const { body } = await quiz.get(`${path}/history`, quiz.admin);
  expect(body.data.map(({ grade }: { grade: number }) => grade)).toEqual([5, 4, 4, 4]);
});

test('one of two simultaneous gradings with the same If-Match returns 412', async () => {
  const { id, path } = await newSubmission();
  const seen = (await quiz.get(`${path}/history`, quiz.admin)).headers.get('etag') ?? '';
  const answers = await Promise.all(
    [3, 7].map((grade) => quiz.post(path, quiz.admin, { grade, total_grade: 10 }, { 'if-match': seen })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  expect(await gradedEvents(id)).toHaveLength(1);
});

test.each([
  ['of another state', 'revision = revision + 1, grade = 2, total_grade = 10', 412],
  ['of the same revision and upload', 'flags = flags', 200],
])('a grading that waits for a row %s responds as if it came later', async (_state, assignment, status) => {
  const { id, path } = await newSubmission();
  const seen = (await quiz.get(`${path}/history`, quiz.admin)).headers.get('etag') ?? '';
  const answer = await changeWhileWaiting({
    database: quiz.database,
    schema: 'quiz',
    lock: `SELECT FROM submissions WHERE id = ${id} FOR UPDATE`,
    send: () => quiz.post(path, quiz.admin, { grade: 7, total_grade: 10 }, { 'if-match': seen }),
    change: `UPDATE submissions SET ${assignment} WHERE id = ${id}`,
  });
  expect(answer.status).toBe(status);
  expect(await gradedEvents(id)).toHaveLength(status === 200 ? 1 : 0);
  const { body } = await quiz.get(`${path}/history`, quiz.admin);
  expect(body.data).toHaveLength(status === 200 ? 1 : 0);
});
