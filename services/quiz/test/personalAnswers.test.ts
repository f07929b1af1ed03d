import { PersonalDataService } from '@gradeway/proto/personal';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { submissionPath } from './graders.ts';
import { gradeAnswer, newQuestionScene } from './questionScene.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

function newClient() {
  const address = quiz.service.grpcAddress;
  const options = { address, secret: serviceSecret, caller: 'auth', callee: 'quiz' } as const;
  const client = createGrpcStreamClient(PersonalDataService, options);
  const { signal } = new AbortController();
  return {
    async exported(userId: number) {
      const records: Record<string, Record<string, unknown>[]> = {};
      for await (const { record } of client.read('exportPerson', { userId }, { signal }))
        if (record) records[record.kind] = [...(records[record.kind] ?? []), JSON.parse(record.json)];
      return records;
    },
    async erase(userId: number, keepGrades: boolean) {
      const person = { userId, keepGrades, email: '', sourcedId: '' };
      for await (const _ of client.read('erasePerson', person, { signal }));
    },
    [Symbol.dispose]: () => client.close(),
  };
}

/** A graded answer sheet with pages, whose student asked for a review. */
async function newScene() {
  const scene = await newQuestionScene(quiz);
  const { own, ownPath, grader, path, questionIds } = scene;
  await own.put(`${ownPath}/pages`, { pages: [{ question_id: questionIds[0], page: 1 }] });
  await gradeAnswer(scene, grader, 0, { points: 1, comment: 'About you' });
  await gradeAnswer(scene, grader, 1, { points: 2 });
  await grader.patch(path, { reviews: { until: '2100-01-01T00:00:00Z', per_submission: 1 } });
  const asked = await own.post(`${ownPath}/reviews`, { text: 'Please look again at mine.' });
  const body = { state: 'closed', answer: 'As before.' };
  const review = `/api/v3/grading/quizzes/reviews/${asked.body.data.id}`;
  expect((await grader.put(review, body, { 'if-match': '*' })).status).toBe(200);
  return scene;
}

test('the export of a student has their answers, gradings and reviews, and the export of a grader has their work', async () => {
  const { studentId, grader, id, questionIds } = await newScene();
  using client = newClient();
  const student = await client.exported(studentId);
  const answers = student.answers?.[0]?.answers as object[];
  expect(answers).toMatchObject([
    { question_id: questionIds[0], points: 1, comment: 'About you', pages: [{ page: 1 }] },
    { question_id: questionIds[1], points: 2 },
  ]);
  expect(student.answer_gradings_received).toMatchObject([{ submission_id: id, points: 1 }, { points: 2 }]);
  expect(student.reviews).toMatchObject([{ text: 'Please look again at mine.', answer: 'As before.' }]);
  const own = await client.exported(grader.id);
  expect(own.answer_gradings_made).toMatchObject([{ points: 1, comment: 'About you' }, { points: 2 }]);
  expect(own.reviews_answered).toMatchObject([{ answer: 'As before.' }]);
  expect(JSON.stringify(own)).not.toContain('Please look again');
});

test('an erasure that keeps grades leaves points but no text, pages or reviews; any other leaves nothing', async () => {
  using client = newClient();
  const [kept, gone] = [await newScene(), await newScene()];
  await client.erase(kept.studentId, true);
  const { data } = (await kept.grader.get(submissionPath(kept.id))).body;
  expect(data).toMatchObject({ grade: 3, answers: [{ points: 1, comment: null, pages: [] }, { points: 2 }] });
  await client.erase(gone.studentId, false);
  const rows = async (id: number) => {
    const count = (table: string) =>
      `(SELECT count(*)::int FROM quiz.${table} WHERE submission_id = $1) AS ${table}`;
    const [row] = await quiz.database.query(
      `SELECT ${['answers', 'answer_gradings', 'reviews'].map(count).join(', ')}`,
      [id],
    );
    return row;
  };
  expect(await rows(kept.id)).toEqual({ answers: 2, answer_gradings: 2, reviews: 0 });
  expect(await rows(gone.id)).toEqual({ answers: 0, answer_gradings: 0, reviews: 0 });
  const comments = 'SELECT FROM quiz.answer_gradings WHERE submission_id = $1 AND comment IS NOT NULL';
  expect(await quiz.database.query(comments, [kept.id])).toEqual([]);
});
