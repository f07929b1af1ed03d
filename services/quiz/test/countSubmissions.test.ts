import { SubmissionsService } from '@gradeway/proto/submissions';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
let client: ReturnType<typeof connect>;
beforeAll(async () => {
  quiz = await startQuizService();
  client = connect();
});
afterAll(async () => {
  client.close();
  await quiz.close();
});

function connect() {
  const address = quiz.service.grpcAddress;
  const options = { address, secret: serviceSecret, caller: 'courses', callee: 'quiz' } as const;
  return createGrpcClient(SubmissionsService, options);
}

const count = async (...courseIds: number[]) =>
  (await client.call('countSubmissions', { courseIds })).counts.toSorted(
    (one, other) => one.courseId - other.courseId,
  );
const submissionOf = async (quizId: number): Promise<number> =>
  (await quiz.get(`/api/v3/quiz/pdf-quizzes/${quizId}`, quiz.admin)).body.data.submissions[0].id;

test('all submissions and graded submissions are counted for each course', async () => {
  const [first, second, empty] = [await quiz.setUp(), await quiz.setUp(), await quiz.setUp()];
  for (const studentId of [first.studentId, 90_001]) {
    quiz.peers.enrollments.set(`${studentId}/${first.courseId}`, { paid: true });
    await quiz.upload({ ...first, studentId, student: quiz.tokens.sign(studentId, 'user') });
  }
  await quiz.upload(second);
  const path = `/api/v3/quiz/pdf-quizzes/grade/${await submissionOf(first.quizId)}`;
  for (const grade of [0, 7]) await quiz.post(path, quiz.admin, { grade, total_grade: 10 });
  expect(await count(first.courseId, second.courseId, empty.courseId, 2_000_000_000)).toEqual([
    { courseId: first.courseId, submissions: 2, graded: 1 },
    { courseId: second.courseId, submissions: 1, graded: 0 },
  ]);
  expect(await count()).toEqual([]);
});

test('submissions for a deleted quiz do not count', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  await quiz.database.query('UPDATE quiz.quizzes SET deleted_at = now() WHERE id = $1', [scene.quizId]);
  expect(await count(scene.courseId)).toEqual([]);
});

test('CountSubmissions accepts a thousand courses and rejects more', async () => {
  const ids = (length: number) => Array.from({ length }, (_, index) => 1_000_000 + index);
  expect(await count(...ids(1_000))).toEqual([]);
  // https://grpc.io/docs/guides/status-codes/
  await expect(count(...ids(1_001))).rejects.toMatchObject({ cause: { code: 3 } });
});
