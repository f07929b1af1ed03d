import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, quizGraded, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

async function run(command: string): Promise<string> {
  const file = fileURLToPath(new URL('../dist/command.js', import.meta.url));
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: courses.database.url('courses'),
    EVENTS_URL: courses.database.url('broker'),
    SERVICE_SECRET: serviceSecret,
    WEBHOOK_ENCRYPTION_SECRET: 'a test secret for webhooks',
    AUTH_GRPC: courses.peers.authGrpc,
  };
  return (await promisify(execFile)(process.execPath, [file, command], { env })).stdout;
}

test('rebuildProjections restores names and the columns that lists search and sort by', async () => {
  const courseId = await courses.createCourse();
  const renamed = await courses.createStudent(courseId, { lastName: 'Before' });
  const damaged = await courses.createStudent(courseId, { lastName: 'Whole' });
  const user = courses.peers.users.find(({ userId }) => userId === renamed.id);
  Object.assign(user ?? {}, { lastName: 'After', revision: 2 });
  await courses.database.query("UPDATE courses.roster SET last_name = 'Broken' WHERE user_id = $1", [
    damaged.id,
  ]);

  const [roster] = await courses.database.query<{ users: number }>(
    'SELECT count(DISTINCT user_id)::int AS users FROM courses.roster',
  );
  expect(await run('rebuildProjections')).toBe(
    `courses: ${roster?.users} names fetched, 0 student counts and 0 statistics corrected\n`,
  );
  const path = `/api/v3/admin/courses/${courseId}/students`;
  const { body } = await courses.get<{ data: { name: string }[] }>(path);
  expect(body.data.map(({ name }) => name)).toEqual(['Ada After', 'Ada Whole']);
  expect((await courses.get(`${path}?search=whole`)).body).toMatchObject({ data: [{ id: damaged.id }] });
});

test('rebuildProjections corrects student counts, even during concurrent enrollments', async () => {
  const [whole, wrong] = [await courses.createCourse(), await courses.createCourse()];
  for (const courseId of [whole, wrong]) await courses.createStudent(courseId);
  await courses.database.query('UPDATE courses.courses SET student_count = 7 WHERE id = $1', [wrong]);
  const enrolled = Promise.all(Array.from({ length: 10 }, () => courses.createStudent(wrong)));
  expect(await run('rebuildProjections')).toMatch(/, 1 student counts and 0 statistics corrected\n$/);
  await enrolled;
  const counts = await courses.database.query(
    'SELECT id, student_count FROM courses.courses WHERE id = ANY($1) ORDER BY id',
    [[whole, wrong]],
  );
  expect(counts).toEqual([
    { id: whole, student_count: 1 },
    { id: wrong, student_count: 11 },
  ]);
});

test('rebuildProjections corrects the statistics of items, even during concurrent grading', async () => {
  const courseId = await courses.createCourse();
  let lastSubmission = 5_000;
  const gradeOf = (quizId: number, grade: number) => {
    lastSubmission += 1;
    const data = { course_id: courseId, student_id: lastSubmission, submission_id: lastSubmission };
    const graded = quizGraded({ ...data, quiz_id: quizId, grade });
    return courses.sendEvent('quiz.submission.graded.v1', graded);
  };
  const [wrong, lost, left, right] = [701, 702, 703, 704];
  for (const quizId of [wrong, wrong, lost, right]) await gradeOf(quizId, 7.25);
  const statistics = (source: string) =>
    courses.database.query(
      `SELECT item_id, graded::int, points::float8 FROM (${source}) AS s
       WHERE kind = 'quiz' AND item_id = ANY($1) AND graded > 0 ORDER BY item_id`,
      [[wrong, lost, left, right]],
    );
  await courses.database.query('UPDATE courses.gradebook_statistics SET graded = 9 WHERE item_id = $1', [
    wrong,
  ]);
  await courses.database.query('DELETE FROM courses.gradebook_statistics WHERE item_id = $1', [lost]);
  await courses.database.query("INSERT INTO courses.gradebook_statistics VALUES ('quiz', $1, 3, 30)", [left]);

  const graded = Promise.all(Array.from({ length: 10 }, (_, index) => gradeOf(wrong, index)));
  expect(await run('rebuildProjections')).toMatch(/ and 3 statistics corrected\n$/);
  await graded;
  expect(await statistics('SELECT * FROM courses.gradebook_statistics')).toEqual(
    await statistics(
      'SELECT kind, item_id, count(grade) AS graded, sum(grade) AS points FROM courses.grades GROUP BY 1, 2',
    ),
  );
  expect(await run('rebuildProjections')).toMatch(/ and 0 statistics corrected\n$/);
});

// The consumer makes six attempts, two seconds apart, before it gives up.
test('an event that exhausts its attempts becomes a dead letter, and replayDeadLetters applies it after the repair', async () => {
  const courseId = await courses.createCourse();
  const data = quizGraded({ course_id: courseId, student_id: 7, submission_id: 1, grade: 12 });
  await courses.database.query('ALTER TABLE courses.grades RENAME TO hidden');
  const event = createEvent('test', 'quiz.submission.graded.v1', 'submissions/1', data) as CloudEvent;
  await courses.publishEvent(event, { applied: false });
  await waitFor(() => courses.service.log().includes('message moved to the dead letters'), 45_000);
  await courses.database.query('ALTER TABLE courses.hidden RENAME TO grades');

  expect(await run('replayDeadLetters')).toBe(
    'courses: 1 dead letters replayed\ncourses-webhooks: 0 dead letters replayed\ncourses-mail: 0 dead letters replayed\n',
  );
  const path = `/api/v3/admin/courses/${courseId}/gradebook`;
  await waitFor(async () => {
    const { body } = await courses.get<{ data: { grades: object[] }[] }>(path);
    return body.data[0]?.grades.length === 1;
  });
});
