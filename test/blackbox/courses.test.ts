import { unique } from '@gradeway/test/fixtures';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import {
  asAdmin,
  enroll,
  logIn,
  newAccount,
  newCourse,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
  waitForGrades,
} from './fixtures.ts';

const courses = '/api/v3/admin/courses';
const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe('courses and classes', () => {
  test('courses and classes are created, read, listed, changed and deleted', async () => {
    const admin = await asAdmin();
    const title = `Course ${unique()}`;
    const made = await admin.post(courses, { title, description: 'All of it' });
    const { id } = made.body.data;
    expect([made.status, made.body]).toEqual([
      201,
      { data: { id, title, description: 'All of it', created_at: dateTime } },
    ]);
    expect((await admin.get(`${courses}/${id}`)).body).toEqual(made.body);
    expect((await admin.get(courses)).body.data[0].id).toBeGreaterThanOrEqual(id);
    const changed = await admin.patch(`${courses}/${id}`, { description: null });
    expect(changed.body.data).toEqual({ ...made.body.data, description: null });

    const madeClass = await admin.post(`${courses}/${id}/classes`, { title: 'Monday' });
    const classId = madeClass.body.data.id;
    expect([madeClass.status, madeClass.body.data]).toEqual([
      201,
      { id: classId, course_id: id, title: 'Monday', created_at: dateTime },
    ]);
    expect(
      (await admin.patch(`/api/v3/admin/classes/${classId}`, { title: 'Tuesday' })).body.data.title,
    ).toBe('Tuesday');
    expect((await admin.get(`${courses}/${id}/classes`)).body.data).toEqual([
      { ...madeClass.body.data, title: 'Tuesday' },
    ]);
    expect((await admin.delete(`/api/v3/admin/classes/${classId}`)).status).toBe(204);
    expect((await admin.get(`${courses}/${id}/classes`)).body.data).toEqual([]);

    expect((await admin.delete(`${courses}/${id}`)).status).toBe(204);
    for (const path of [
      `${courses}/${id}`,
      `${courses}/${id}/classes`,
      `${courses}/${id}/students`,
      `${courses}/${id}/gradebook`,
    ])
      expect((await admin.get(path)).body).toEqual({ message: 'Not Found', errors: null });
  });

  test('a course must have a title', async () => {
    const { status, body } = await (await asAdmin()).post(courses, { title: '  ' });
    expect([status, body]).toEqual([
      422,
      { message: 'Invalid Data', errors: { title: ['The title field is required.'] } },
    ]);
  });
});

describe('enrollment', () => {
  test('a student has a course, paid for or not, until the enrollment is deleted', async () => {
    const admin = await asAdmin();
    const [student, courseId] = [await newStudent(), await newCourse()];
    const path = `${courses}/${courseId}/students/${student.id}`;
    const own = async () => (await student.get('/api/v3/courses')).body.data;
    const enrolled = await admin.put(path, { paid: false });
    expect([enrolled.status, enrolled.body]).toEqual([
      200,
      { data: { course_id: courseId, user_id: student.id, paid: false } },
    ]);
    expect(await own()).toEqual([{ id: courseId, title: expect.any(String), paid: false }]);
    await admin.put(path, { paid: true });
    expect(await own()).toEqual([{ id: courseId, title: expect.any(String), paid: true }]);
    expect((await admin.delete(path)).status).toBe(204);
    expect(await own()).toEqual([]);
    expect((await admin.delete(path)).status).toBe(404);
  });

  test('enrolling an unknown account or in an unknown course is 404, and 422 without `paid`', async () => {
    const admin = await asAdmin();
    const [account, courseId] = [await newAccount(), await newCourse()];
    expect((await admin.put(`${courses}/${courseId}/students/2147483647`, { paid: true })).status).toBe(404);
    expect((await admin.put(`${courses}/2147483647/students/${account.id}`, { paid: true })).status).toBe(
      404,
    );
    const { status, body } = await admin.put(`${courses}/${courseId}/students/${account.id}`, {});
    expect([status, Object.keys(body.errors)]).toEqual([422, ['paid']]);
  });

  test('unpaid enrollments are counted as cart items at login (D14)', async () => {
    const account = await newAccount();
    for (const paid of [false, false, true]) await enroll(await newCourse(), account, paid);
    expect((await logIn(account.email, account.password)).body.cart_items).toBe(2);
  });
});

test('the name of a person with one name has no trailing space, wherever it is joined (D56)', async () => {
  const scene = await newScene();
  const student = await newStudent({ first_name: `Suharto${unique()}`, last_name: null });
  const { firstName: name } = student;
  await enroll(scene.courseId, student);
  await submitQuiz({ ...scene, student });
  const homework = await submitHomework({ ...scene, student });
  const admin = await asAdmin();
  await admin.post(`/api/v3/admin/homeworks/grade/${homework.body.data.id}`, { rating: 8 });
  await waitForGrades(student, 1);

  expect((await student.get('/api/v3/me')).body.data).toMatchObject({ name, last_name: '' });
  const students = (await admin.get(`${courses}/${scene.courseId}/students?per_page=200`)).body.data;
  // By last name: an empty one comes first.
  expect(students.map((each: { name: string }) => each.name)).toEqual([
    name,
    `${scene.student.firstName} ${scene.student.lastName}`,
  ]);
  const [sheet] = await quizSubmissions(scene.quizId);
  expect(sheet.student_name).toBe(name);
  const { body } = await admin.get(`/api/v3/admin/homeworks/${scene.classId}`);
  expect(body.submissions[0].student_name).toBe(name);
  const csv = await admin.get(`${courses}/${scene.courseId}/gradebook?format=csv`);
  expect(csv.body.toString()).toContain(`\r\n${student.id},${name},`);
  const entries = (await admin.get(`/api/v3/admin/audit?actor_id=${student.id}`)).body.data;
  expect(new Set(entries.map(({ actor }: { actor: { name: string } }) => actor.name))).toEqual(
    new Set([name]),
  );
});

describe('the gradebook', () => {
  test('the gradebook has a row for each enrolled student with every grade, as JSON and as CSV', async () => {
    const scene = await newScene();
    const other = await newStudent({ first_name: '=SUM(1)', last_name: 'Zz, "quoted"' });
    await enroll(scene.courseId, other);
    await submitQuiz(scene);
    const { id } = (await submitHomework(scene)).body.data;
    const admin = await asAdmin();
    await admin.post(`/api/v3/admin/homeworks/grade/${id}`, { rating: 8 });
    const [submission] = await quizSubmissions(scene.quizId);
    await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${submission.id}`, { grade: 3.5, total_grade: 4 });
    await waitForGrades(scene.student, 2);

    const { body } = await admin.get(`${courses}/${scene.courseId}/gradebook`);
    expect(body.meta).toMatchObject({ total: 2, per_page: 50 });
    expect(body.data).toEqual([
      {
        student_id: scene.student.id,
        student_name: `${scene.student.firstName} ${scene.student.lastName}`,
        student_email: scene.student.email,
        grades: [
          {
            kind: 'homework',
            item_id: scene.classId,
            title: expect.any(String),
            grade: 8,
            total_grade: 10,
            graded_at: dateTime,
          },
          {
            kind: 'quiz',
            item_id: scene.quizId,
            title: expect.any(String),
            grade: 3.5,
            total_grade: 4,
            graded_at: dateTime,
          },
        ],
      },
      { student_id: other.id, student_name: '=SUM(1) Zz, "quoted"', student_email: other.email, grades: [] },
    ]);

    const csv = await admin.get(`${courses}/${scene.courseId}/gradebook?format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = csv.body.toString().split('\r\n');
    expect(lines[0]).toBe(
      'student_id,student_name,student_email,kind,item_id,title,grade,total_grade,graded_at',
    );
    expect(lines[2]).toMatch(new RegExp(`^${scene.student.id},.*,quiz,${scene.quizId},.*,3.5,4,`));
    expect((await admin.get(`${courses}/${scene.courseId}/gradebook?format=xml`)).status).toBe(422);
  });

  test('the grid has a column for each item of the course, as JSON and as a file', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    await submitHomework(scene);
    const [submission] = await quizSubmissions(scene.quizId);
    const admin = await asAdmin();
    await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${submission.id}`, { grade: 3.5, total_grade: 4 });
    const path = `${courses}/${scene.courseId}/gradebook?format=grid`;
    const states = async () => {
      const [row] = (await admin.get(path)).body.data.students;
      return row.cells.map(({ state }: { state: string }) => state).toSorted();
    };
    await waitFor(async () => (await states()).join() === 'graded,submitted');
    const { data } = (await admin.get(path)).body;
    const kinds = data.items.map(({ kind }: { kind: string }) => kind).toSorted();
    expect(kinds).toEqual(['homework', 'quiz']);
    expect(data.students[0]).toMatchObject({ points: 3.5, possible: 4, percent: 87.5 });
    const csv = await admin.get(path, { accept: 'text/csv' });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.body.toString()).toMatch(/\r\n\d+,.*,3\.5,4,87\.5\r\n$/);
  });

  test('a student reads their own grades in every course', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    const [submission] = await quizSubmissions(scene.quizId);
    await (await asAdmin()).post(`/api/v3/quiz/pdf-quizzes/grade/${submission.id}`, {
      grade: 1,
      total_grade: 2,
    });
    const grades = await waitForGrades(scene.student, 1);
    expect(grades).toEqual([
      {
        kind: 'quiz',
        title: expect.any(String),
        course_id: scene.courseId,
        grade: 1,
        total_grade: 2,
        graded_at: dateTime,
        late: null,
        final_grade: 1,
      },
    ]);
    expect((await (await asAdmin()).get('/api/v3/grades')).status).toBe(403);
  });
});
