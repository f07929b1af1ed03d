import { auditEvents } from '@gradeway/test/auditEvents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, quizGraded, startCoursesService } from './coursesService.ts';
import { type FakeSubmissionServices, startFakeSubmissionServices } from './fakeSubmissionServices.ts';

let services: FakeSubmissionServices;
let courses: CoursesService;
beforeAll(async () => {
  services = await startFakeSubmissionServices();
  courses = await startCoursesService(services.env);
});
afterAll(async () => {
  await courses.close();
  await services.close();
});

interface Listed {
  data: { id: number; title: string; students: number; quizzes: object | null; homeworks: object | null }[];
  meta: Record<string, unknown>;
}

const path = '/api/v3/grading/courses';
const list = (token: string, query = '') => courses.get<Listed>(path + query, token);
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const forbidden = { status: 403, body: { message: 'Unauthorized Access', errors: null } };
const none = { submissions: 0, graded: 0 };

describe('the courses of a grader', () => {
  test('an instructor gets their own courses with paid students and the submissions of both kinds', async () => {
    const [courseId, empty] = [await courses.createCourse('Algebra'), await courses.createCourse('Biology')];
    const { token } = await courses.createInstructor([courseId, empty]);
    for (const paid of [true, true, false]) await courses.createStudent(courseId, { paid });
    const ended = await courses.createStudent(courseId);
    await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/students/${ended.id}`);
    services.counts.quiz.push({ courseId, submissions: 5, graded: 2 });
    services.counts.homework.push({ courseId, submissions: 3, graded: 3 });
    expect(await list(token)).toMatchObject({
      status: 200,
      body: {
        data: [
          {
            id: courseId,
            title: 'Algebra',
            students: 2,
            quizzes: { submissions: 5, graded: 2 },
            homeworks: { submissions: 3, graded: 3 },
          },
          { id: empty, title: 'Biology', students: 0, quizzes: none, homeworks: none },
        ],
        meta: { total: 2, per_page: 50 },
      },
    });
  });

  test('the courses of a grader are sorted by title, ignoring case, in pages', async () => {
    const titles = ['beta', 'Émile', 'Alpha', 'Zeta', 'eta', 'alpha'];
    const ids = await Promise.all(titles.map((title) => courses.createCourse(title)));
    const { token } = await courses.createInstructor(ids);
    const listed = (await list(token)).body.data.map(({ title }) => title);
    expect(listed).toEqual(['alpha', 'Alpha', 'beta', 'Émile', 'eta', 'Zeta']);
    const page = await list(token, '?per_page=2&page=2');
    expect(page.body.data.map(({ title }) => title)).toEqual(['beta', 'Émile']);
    expect(page.body.meta).toMatchObject({ total: 6, last_page: 3 });
    expect((await list(token, '?page=9')).body.data).toEqual([]);
    expect((await list(token, '?per_page=1000')).body.meta.per_page).toBe(200);
    expect(await list(token, '?page=x')).toMatchObject({ status: 422, body: { message: 'Invalid Data' } });
  });

  test('an administrator gets all courses, and an instructor without courses an empty list', async () => {
    const courseId = await courses.createCourse('AAAA first of all');
    const { total } = (await list(courses.admin, '?per_page=1')).body.meta;
    await courses.createCourse('Without instructors');
    const all = await list(courses.admin, '?per_page=1');
    expect(all.body).toMatchObject({ data: [{ id: courseId }], meta: { total: Number(total) + 1 } });
    const { token } = await courses.createInstructor([]);
    expect(await list(token)).toMatchObject({ status: 200, body: { data: [], meta: { total: 0 } } });
  });

  test('a deleted course is in no list of a grader', async () => {
    const courseId = await courses.createCourse('AAA deleted');
    const { token } = await courses.createInstructor([courseId]);
    await courses.request('DELETE', `/api/v3/admin/courses/${courseId}`);
    expect((await list(token)).body.data).toEqual([]);
    const ids = (await list(courses.admin, '?per_page=200')).body.data.map(({ id }) => id);
    expect(ids).not.toContain(courseId);
  });

  test('other roles get 403 for the courses of a grader, and requests without a token 401', async () => {
    for (const role of ['user', 'parent'] as const)
      expect(await list(courses.tokens.sign(900, role))).toMatchObject(forbidden);
    expect((await list('')).status).toBe(401);
  });
});

describe('a course of a grader', () => {
  test('an instructor gets the same students and gradebook as administrators, including the CSV file', async () => {
    const courseId = await courses.createCourse();
    const { token } = await courses.createInstructor([courseId]);
    const student = await courses.createStudent(courseId, { firstName: 'Alan', lastName: 'Turing' });
    await courses.createStudent(courseId, { firstName: 'Zoe', lastName: 'Young' });
    const about = { course_id: courseId, student_id: student.id, submission_id: 71, quiz_id: 4 };
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded(about));
    for (const rest of ['students', 'students?search=TUR&per_page=1', 'gradebook', 'gradebook?format=csv']) {
      const own = await courses.get<unknown>(`${path}/${courseId}/${rest}`, token);
      const admins = await courses.get<unknown>(`/api/v3/admin/courses/${courseId}/${rest}`);
      const text = JSON.stringify(admins.body).replaceAll('/api/v3/admin/courses/', `${path}/`);
      expect([own.status, JSON.stringify(own.body)], rest).toEqual([200, text]);
      for (const name of ['content-type', 'content-disposition'])
        expect(own.headers.get(name)).toBe(admins.headers.get(name));
      const asAdmin = await courses.get<unknown>(`${path}/${courseId}/${rest}`);
      expect(JSON.stringify(asAdmin.body)).toBe(text);
    }
  });

  test('exporting the gradebook is audited with the instructor as the actor', async () => {
    const courseId = await courses.createCourse();
    const { id, token } = await courses.createInstructor([courseId]);
    await courses.get(`${path}/${courseId}/gradebook?format=csv`, token);
    const entry = {
      object_type: 'course',
      object_id: String(courseId),
      action: 'gradebook.exported' as const,
    };
    expect(await auditEvents(courses.database, 'courses', entry)).toMatchObject([
      { actor_id: id, actor_role: 'instructor' },
    ]);
  });

  test.each(['students', 'gradebook', 'gradebook?format=csv', 'students?page=0', 'gradebook?format=xml'])(
    '%s of a course that an instructor does not teach is 404, as of one that does not exist',
    async (rest) => {
      const courseId = await courses.createCourse();
      const { id, token } = await courses.createInstructor([courseId]);
      const other = await courses.createInstructor([await courses.createCourse()]);
      expect(await courses.get(`${path}/${courseId}/${rest}`, other.token)).toMatchObject(notFound);
      for (const each of [token, courses.admin])
        for (const unknown of ['2000000000', 'x', '0'])
          expect(await courses.get(`${path}/${unknown}/${rest}`, each)).toMatchObject(notFound);
      await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/instructors/${id}`);
      expect(await courses.get(`${path}/${courseId}/${rest}`, token)).toMatchObject(notFound);
    },
  );

  test('an invalid query for students or gradebook is 422, another role 403, and a missing token 401', async () => {
    const courseId = await courses.createCourse();
    const { token } = await courses.createInstructor([courseId]);
    const student = await courses.createStudent(courseId);
    for (const [rest, field] of [
      ['students?page=0', 'page'],
      ['gradebook?format=xml', 'format'],
      ['gradebook?per_page=x', 'per_page'],
    ] as const)
      expect(await courses.get(`${path}/${courseId}/${rest}`, token)).toMatchObject({
        status: 422,
        body: { message: 'Invalid Data', errors: { [field]: expect.any(Array) } },
      });
    for (const rest of ['students', 'gradebook']) {
      expect(await courses.get(`${path}/${courseId}/${rest}`, student.token)).toMatchObject(forbidden);
      expect(await courses.get(`${path}/2000000000/${rest}`, student.token)).toMatchObject(forbidden);
      expect((await courses.get(`${path}/${courseId}/${rest}`, '')).status).toBe(401);
    }
  });
});

test('the counts of an unreachable service are null, and the counts of the other service remain', async () => {
  const peers = await startFakeSubmissionServices();
  const own = await startCoursesService(peers.env);
  try {
    const courseId = await own.createCourse();
    const { token } = await own.createInstructor([courseId]);
    peers.counts.homework.push({ courseId, submissions: 2, graded: 1 });
    peers.counts.quiz.push({ courseId, submissions: 9, graded: 9 });
    await peers.stop('quiz');
    expect((await own.get<Listed>(path, token)).body.data).toMatchObject([
      { id: courseId, quizzes: null, homeworks: { submissions: 2, graded: 1 } },
    ]);
    await peers.stop('homework');
    expect(await own.get<Listed>(path, token)).toMatchObject({
      status: 200,
      body: { data: [{ id: courseId, students: 0, quizzes: null, homeworks: null }] },
    });
  } finally {
    await own.close();
    await peers.close();
  }
});
