import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const list = async (token: string, query = '') => {
  const answer = await homework.get(`/api/v3/homeworks${query}`, token);
  return answer.body as { data: Record<string, unknown>[]; links: object; meta: object };
};

test('a student gets the assignments of paid courses, newest class first, with their own submission', async () => {
  const first = await homework.setUp({ assignment_description: 'Do it.' });
  const second = await homework.setUp();
  const unpaid = await homework.setUp();
  await homework.setUp();
  const { student } = first;
  homework.peers.enrollments.set(`${student.id}/${second.courseId}`, { paid: true });
  homework.peers.enrollments.set(`${student.id}/${unpaid.courseId}`, { paid: false });
  await homework.submitted(first.classId, homework.enroll(first.courseId));
  const submission = await homework.submitted(first.classId, student);
  await homework.grade(submission.id, { rating: 9, comment: 'Fine' });

  const { data, links, meta } = await list(student.token);
  const { submissions: _, ...assignment } = await homework.homework(first.classId);
  expect(data).toEqual([
    {
      id: second.classId,
      title: `Class ${second.classId}`,
      course_id: second.courseId,
      course_title: `Course ${second.courseId}`,
      has_assignment: true,
      assignment_deadline: null,
      assignment_description: null,
      assignment_file_url: null,
      created_at: expect.stringMatching(/^2026-01-01 00:0\d:\d\d$/),
      late_rule: null,
      questions: [],
      submission: null,
      state: 'open',
      seconds_until: null,
      remaining_seconds: null,
    },
    {
      ...assignment,
      late_rule: null,
      questions: [],
      submission: {
        ...submission,
        ...{ rating: 9, instructor_comment: 'Fine', is_reviewed: true, late: null, final_grade: 9 },
      },
      state: 'open',
      seconds_until: null,
      remaining_seconds: null,
    },
  ]);
  const path = `${homework.service.url}/api/v3/homeworks`;
  expect(links).toEqual({ first: `${path}?page=1`, last: `${path}?page=1`, prev: null, next: null });
  expect(meta).toEqual({ current_page: 1, from: 1, last_page: 1, per_page: 15, to: 2, total: 2 });
});

test.each([
  ['open until its deadline', 90, 'open', 90],
  ['closed for good after its deadline', -1, 'closed', null],
])('homework is %s (D63)', async (_, minutes, state, minutesUntil) => {
  const assignment_deadline = new Date(Date.now() + minutes * 60_000).toISOString().slice(0, 19);
  const { student } = await homework.setUp({ assignment_deadline });
  const [item] = (await list(student.token)).data;
  const seconds = item?.seconds_until as number | null;
  expect([item?.state, seconds && Math.ceil(seconds / 60)]).toEqual([state, minutesUntil]);
});

test("the list of a student's homework is paginated", async () => {
  const { student } = await homework.setUp();
  const other = await homework.setUp();
  homework.peers.enrollments.set(`${student.id}/${other.courseId}`, { paid: true });
  const { data, meta } = await list(student.token, '?per_page=1&page=2');
  expect(data).toHaveLength(1);
  expect(meta).toMatchObject({ from: 2, to: 2, last_page: 2, total: 2 });
});

test('a student without courses gets an empty list', async () => {
  expect(await list(homework.tokens.sign(77_777, 'user'))).toMatchObject({
    data: [],
    meta: { total: 0, from: null, to: null },
  });
});

test.each(['page=0', 'per_page=x'])(
  "the query ?%s for a student's homework is Invalid Data",
  async (query) => {
    const answer = await homework.get(`/api/v3/homeworks?${query}`, homework.tokens.sign(77_777, 'user'));
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ message: 'Invalid Data' });
  },
);

test("the list of a student's homework is 403 for other roles and 401 without a token", async () => {
  for (const role of ['admin', 'instructor', 'parent'] as const) {
    const answer = await homework.get('/api/v3/homeworks', homework.tokens.sign(5, role));
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({ message: 'Unauthorized Access', errors: null });
  }
  const answer = await homework.call('/api/v3/homeworks', null);
  expect(answer.status).toBe(401);
  expect(answer.body).toEqual({ message: 'UnauthorizedRequest', errors: null });
});
