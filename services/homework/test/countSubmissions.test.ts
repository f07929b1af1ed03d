import { SubmissionsService } from '@gradeway/proto/submissions';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
let client: ReturnType<typeof connect>;
beforeAll(async () => {
  homework = await startHomeworkService();
  client = connect();
});
afterAll(async () => {
  client.close();
  await homework.close();
});

function connect() {
  const address = homework.service.grpcAddress;
  const options = { address, secret: serviceSecret, caller: 'courses', callee: 'homework' } as const;
  return createGrpcClient(SubmissionsService, options);
}

const count = async (...courseIds: number[]) =>
  (await client.call('countSubmissions', { courseIds })).counts.toSorted(
    (one, other) => one.courseId - other.courseId,
  );

test('all submissions and graded submissions are counted for each course', async () => {
  const [first, second, empty] = [await homework.setUp(), await homework.setUp(), await homework.setUp()];
  const { id } = await homework.submitted(first.classId, first.student);
  await homework.submitted(first.classId, homework.enroll(first.courseId));
  await homework.submitted(second.classId, second.student);
  for (const rating of [1, 7]) await homework.grade(id, { rating });
  expect(await count(first.courseId, second.courseId, empty.courseId, 2_000_000_000)).toEqual([
    { courseId: first.courseId, submissions: 2, graded: 1 },
    { courseId: second.courseId, submissions: 1, graded: 0 },
  ]);
  expect(await count()).toEqual([]);
});

test('submissions for a removed assignment do not count', async () => {
  const { courseId, classId, student } = await homework.setUp();
  await homework.submitted(classId, student);
  await homework.call(`/api/v3/admin/homeworks/${classId}`, homework.admin, { method: 'DELETE' });
  expect(await count(courseId)).toEqual([]);
});

test('CountSubmissions accepts a thousand courses and rejects more', async () => {
  const ids = (length: number) => Array.from({ length }, (_, index) => 1_000_000 + index);
  expect(await count(...ids(1_000))).toEqual([]);
  // https://grpc.io/docs/guides/status-codes/
  await expect(count(...ids(1_001))).rejects.toMatchObject({ cause: { code: 3 } });
});
