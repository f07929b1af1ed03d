import { PersonalDataService } from '@gradeway/proto/personal';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, quizGraded, startCoursesService } from './coursesService.ts';
import { allowanceState, quizSubmitted } from './itemEvents.ts';

let courses: CoursesService;
let client: ReturnType<typeof connect>;
beforeAll(async () => {
  courses = await startCoursesService();
  client = connect();
});
afterAll(async () => {
  client.close();
  await courses.close();
});

function connect() {
  const address = courses.service.grpcAddress;
  const options = { address, secret: serviceSecret, caller: 'auth', callee: 'courses' } as const;
  return createGrpcStreamClient(PersonalDataService, options);
}

async function exported(userId: number, kind: string): Promise<unknown[]> {
  const { signal } = new AbortController();
  const records: unknown[] = [];
  for await (const { record } of client.read('exportPerson', { userId }, { signal }))
    if (record?.kind === kind) records.push(JSON.parse(record.json));
  return records;
}

async function erase(userId: number, { keepGrades } = { keepGrades: true }): Promise<void> {
  const { signal } = new AbortController();
  const person = { userId, keepGrades, email: '', sourcedId: '' };
  for await (const _ of client.read('erasePerson', person, { signal }));
}

test('the export and the erasure of a person include the courses they teach and their comment bank', async () => {
  const [courseId, former] = [await courses.createCourse('Algebra'), await courses.createCourse('Rings')];
  const { id, token } = await courses.createInstructor([courseId, former]);
  await courses.request('DELETE', `/api/v3/admin/courses/${former}/instructors/${id}`);
  const comment = { text: 'Show the steps.', course_id: courseId };
  await courses.request('POST', '/api/v3/grading/comments', token, comment);
  expect(await exported(id, 'teaching')).toEqual([
    { course_id: courseId, course_title: 'Algebra', role: 'teacher', is_assigned: true },
    { course_id: former, course_title: 'Rings', role: 'teacher', is_assigned: false },
  ]);
  expect(await exported(id, 'grading_comments')).toMatchObject([{ ...comment, uses: 0 }]);

  await erase(id);
  expect(await exported(id, 'teaching')).toEqual([]);
  expect(await exported(id, 'grading_comments')).toEqual([]);
  const about = { course_id: courseId, user_id: id };
  expect(await courses.outboxEvents('course.instructor.removed.v1', about)).toHaveLength(1);
  const list = `/api/v3/admin/courses/${courseId}/instructors`;
  expect((await courses.get(list)).body).toMatchObject({ data: [] });
  // Late requests from the erased person, with a token that is still valid, restore nothing.
  expect((await courses.request('POST', '/api/v3/grading/comments', token, comment)).status).toBe(422);
  const general = { text: 'Late' };
  expect((await courses.request('POST', '/api/v3/grading/comments', token, general)).status).toBe(401);
  expect((await courses.request('PUT', `${list}/${id}`)).status).toBe(404);
});

test('the export and the erasure of a student include submissions and allowances, except those of kept grades', async () => {
  const courseId = await courses.createCourse();
  const { id } = await courses.createStudent(courseId);
  const about = { course_id: courseId, student_id: id };
  const publish = async (submissionId: number, quizId: number) => {
    const work = { ...about, submission_id: submissionId, quiz_id: quizId };
    await courses.sendEvent('quiz.submission.submitted.v1', quizSubmitted(work));
    const allowance = { ...about, item_id: quizId, closes_at: '2026-03-05T09:00:00.000Z' };
    await courses.sendEvent('quiz.allowance.changed.v1', allowanceState(allowance));
    return work;
  };
  const graded = await publish(701, 71);
  await publish(702, 72);
  await courses.sendEvent('quiz.submission.graded.v1', quizGraded(graded));
  const work = (submissionId: number, quizId: number) => ({
    kind: 'quiz',
    submission_id: submissionId,
    course_id: courseId,
    item_id: quizId,
    submitted_at: '2026-03-02T09:00:00.000Z',
    late_waived: false,
  });
  const allowance = (quizId: number) => ({
    kind: 'quiz',
    item_id: quizId,
    closes_at: '2026-03-05T09:00:00.000Z',
    excused: false,
  });
  const stored = async () => [
    await exported(id, 'gradebook_submissions'),
    await exported(id, 'gradebook_allowances'),
  ];
  expect(await stored()).toEqual([
    [work(701, 71), work(702, 72)],
    [allowance(71), allowance(72)],
  ]);

  await erase(id);
  // The data that the penalty of the kept grade depends on.
  expect(await stored()).toEqual([[work(701, 71)], [allowance(71)]]);
  await erase(id, { keepGrades: false });
  await publish(703, 73);
  expect(await stored()).toEqual([[], []]);
});

test('the export and the erasure of a person include the accommodations', async () => {
  const courseId = await courses.createCourse('Algebra');
  const { id } = await courses.createStudent(courseId);
  const path = `/api/v3/grading/courses/${courseId}/accommodations/${id}`;
  await courses.request('PUT', path, courses.admin, { time_factor: 1.25, note: 'Dyslexia' });
  expect(await exported(id, 'accommodations')).toEqual([
    {
      course_id: courseId,
      course_title: 'Algebra',
      time_factor: 1.25,
      note: 'Dyslexia',
      changed_at: expect.any(String),
    },
  ]);
  await erase(id);
  expect(await exported(id, 'accommodations')).toEqual([]);
  expect((await courses.request('PUT', path, courses.admin, { time_factor: 2 })).status).toBe(422);
});

test('the export and the erasure of a person include their notification preferences and queued messages', async () => {
  const { id, token } = await courses.createStudent(await courses.createCourse());
  const path = '/api/v3/me/notifications';
  const choice = { language: 'ar', kinds: { 'work.due': 'mail' } };
  await courses.request('PUT', path, token, choice);
  const insert = `
    INSERT INTO courses.mail_messages (user_id, key, kind, item_kind, item_id, submission_id)
    VALUES ($1, 'received', 'submission.received', 'quiz', 81, 801)`;
  await courses.database.query(insert, [id]);
  const about = { kind: 'submission.received', item_kind: 'quiz', item_id: 81, submission_id: 801 };
  const message = { ...about, status: 'waiting', created_at: expect.any(String) };
  expect(await exported(id, 'notifications')).toEqual([choice]);
  expect(await exported(id, 'messages')).toEqual([message]);

  await erase(id);
  expect(await exported(id, 'notifications')).toEqual([]);
  expect(await exported(id, 'messages')).toEqual([]);
  expect((await courses.request('PUT', path, token, choice)).status).toBe(401);
});
