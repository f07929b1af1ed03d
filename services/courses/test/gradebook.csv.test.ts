import { get } from 'node:http';
import { userState } from '@gradeway/test/userEvents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, homeworkGraded, quizGraded, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService({ APP_TIMEZONE: 'Europe/Vienna' });
});
afterAll(() => courses.close());

const header = 'student_id,student_name,student_email,kind,item_id,title,grade,total_grade,graded_at';
const file = async (courseId: number) => {
  const answer = await courses.get<Buffer>(`/api/v3/admin/courses/${courseId}/gradebook?format=csv`);
  return { ...answer, body: answer.body.toString() };
};

test('the CSV file is a UTF-8 attachment with one row per grade, in the order of the JSON list', async () => {
  const courseId = await courses.createCourse();
  const zoe = await courses.createStudent(courseId, {
    firstName: 'Zoë',
    lastName: 'Ångström',
    email: 'z@example.org',
  });
  const bea = await courses.createStudent(courseId, { firstName: 'Bea', lastName: 'Bár' });
  await courses.createStudent(courseId, { firstName: 'Without', lastName: 'Grades' });
  const about = { course_id: courseId, student_id: zoe.id };
  await courses.sendEvent(
    'quiz.submission.graded.v1',
    quizGraded({ ...about, submission_id: 1, quiz_id: 4 }),
  );
  await courses.sendEvent(
    'homework.submission.graded.v1',
    homeworkGraded({ ...about, submission_id: 1, class_id: 3 }),
  );
  await courses.sendEvent(
    'homework.submission.graded.v1',
    homeworkGraded({ ...about, student_id: bea.id, submission_id: 2, class_id: 3 }),
  );
  const { status, body, headers } = await file(courseId);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toBe(`attachment; filename="gradebook-${courseId}.csv"`);
  expect(body.split('\r\n')).toEqual([
    header,
    `${zoe.id},Zoë Ångström,z@example.org,homework,3,Essay,8,10,2026-03-01 11:00:00`,
    `${zoe.id},Zoë Ångström,z@example.org,quiz,4,Quiz,17.5,20,2026-03-02 11:00:00`,
    `${bea.id},Bea Bár,,homework,3,Essay,8,10,2026-03-01 11:00:00`,
    '',
  ]);
});

test('the CSV file starts with a byte order mark if bom=1 requests it (D64)', async () => {
  const path = `/api/v3/admin/courses/${await courses.createCourse()}/gradebook?format=csv`;
  const read = async (query: string) => (await courses.get<Buffer>(path + query)).body.toString();
  expect(await read('&bom=1')).toBe(`\uFEFF${header}\r\n`);
  expect(await read('&bom=0')).toBe(`${header}\r\n`);
});

test('the CSV file of a course without grades is only the header', async () => {
  expect((await file(await courses.createCourse())).body).toBe(`${header}\r\n`);
});

test('cells are quoted according to RFC 4180, and formulas in user input are escaped', async () => {
  const courseId = await courses.createCourse();
  const evil = { firstName: '=HYPERLINK("http://evil.example","x")', lastName: '', email: '@SUM(1)' };
  const { id } = await courses.createStudent(courseId, evil);
  const about = { course_id: courseId, student_id: id };
  await courses.sendEvent(
    'quiz.submission.graded.v1',
    quizGraded({ ...about, submission_id: 11, quiz_id: 1, title: 'Commas, "quotes"\nand lines' }),
  );
  await courses.sendEvent(
    'quiz.submission.graded.v1',
    quizGraded({ ...about, submission_id: 12, quiz_id: 1, title: '-2+3', grade: 0 }),
  );
  const name = `"'=HYPERLINK(""http://evil.example"",""x"")"`;
  const start = `${id},${name},'@SUM(1),quiz,1,`;
  expect((await file(courseId)).body).toBe(
    [
      header,
      `${start}"Commas, ""quotes""\nand lines",17.5,20,2026-03-02 11:00:00`,
      `${start}'-2+3,0,20,2026-03-02 11:00:00`,
      '',
    ].join('\r\n'),
  );
});

test('the CSV file contains grades of deleted accounts, without name and address', async () => {
  const courseId = await courses.createCourse();
  const { id } = await courses.createStudent(courseId, { email: 'ada@example.org' });
  const about = { course_id: courseId, student_id: id, submission_id: 21, quiz_id: 1 };
  await courses.sendEvent('quiz.submission.graded.v1', quizGraded(about));
  await courses.sendEvent('user.deleted.v1', userState({ user_id: id, revision: 2 }));
  expect((await file(courseId)).body.split('\r\n')[1]).toBe(
    `${id},,,quiz,1,Quiz,17.5,20,2026-03-02 11:00:00`,
  );
});

test('the CSV file of a large course contains each grade exactly once', async () => {
  const courseId = await courses.createCourse();
  const many = 1_050;
  const load = (sql: string) => courses.database.query(`SET search_path = courses; ${sql}`);
  // Equal names make batches end between equal keys; some students have no name.
  await load(`
    INSERT INTO people SELECT 50000 + i, 'F' || i % 3, 'L' || i % 2, null, i % 50 = 0, 1 FROM generate_series(1, ${many}) i;
    INSERT INTO roster (course_id, user_id, is_graded) SELECT ${courseId}, 50000 + i, true FROM generate_series(1, ${many}) i;
    INSERT INTO grades SELECT 'quiz', 50000 + i, ${courseId}, 50000 + i, 1, 'Quiz', 1, 2, now(), 1 FROM generate_series(1, ${many}) i`);
  const lines = (await file(courseId)).body.trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(many);
  expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(many);

  const listed: number[] = [];
  for (let page = 1; page <= 6; page += 1) {
    const path = `/api/v3/admin/courses/${courseId}/gradebook?per_page=200&page=${page}`;
    const { body } = await courses.get<{ data: { student_id: number }[] }>(path);
    listed.push(...body.data.map(({ student_id }) => student_id));
  }
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(listed);
});

test('a client that disconnects midway causes no error in the service', async () => {
  const courseId = await courses.createCourse();
  const { id } = await courses.createStudent(courseId);
  const url = `${courses.service.url}/api/v3/admin/courses/${courseId}/gradebook?format=csv`;
  await courses.database.query(
    `INSERT INTO courses.grades SELECT 'quiz', 90000 + i, $1, $2, 1, repeat('long title ', 200), 1, 2, now(), 1
     FROM generate_series(1, 5000) i`,
    [courseId, id],
  );
  await courses.database.query('UPDATE courses.roster SET is_graded = true WHERE course_id = $1', [courseId]);
  const headers = { authorization: `Bearer ${courses.admin}` };
  await new Promise<void>((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (answer) => {
      expect(answer.statusCode).toBe(200);
      answer.once('data', () => answer.destroy()).once('close', resolve);
    });
    request.once('error', reject);
  });
  expect((await file(courseId)).body.length).toBeGreaterThan(10_000_000);
  expect(courses.service.log()).not.toContain('"level":"error"');
});
