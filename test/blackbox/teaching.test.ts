import { unique } from '@gradeway/test/fixtures';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import {
  asAdmin,
  assignInstructor,
  enroll,
  newCourse,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
  waitForGrades,
} from './fixtures.ts';

const courses = '/api/v3/grading/courses';
const newInstructor = () => newStudent({ role: 'instructor' });

describe('instructors', () => {
  test('an administrator assigns, lists and removes the instructors of a course', async () => {
    const [admin, courseId, instructor] = [await asAdmin(), await newCourse(), await newInstructor()];
    const list = `/api/v3/admin/courses/${courseId}/instructors`;
    const assigned = await admin.put(`${list}/${instructor.id}`);
    expect([assigned.status, assigned.body]).toEqual([
      200,
      { data: { course_id: courseId, user_id: instructor.id, role: 'teacher' } },
    ]);
    const { id, firstName, lastName, email } = instructor;
    expect((await admin.get(list)).body.data).toEqual([
      { id, name: `${firstName} ${lastName}`, email, role: 'teacher' },
    ]);
    const student = await newStudent();
    const refused = await admin.put(`${list}/${student.id}`);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['user_id']]);
    for (const each of [id, id, student.id]) expect((await admin.delete(`${list}/${each}`)).status).toBe(204);
    expect((await admin.get(list)).body.data).toEqual([]);
  });

  test('an instructor who gets another role no longer teaches any course', async () => {
    const [admin, courseId, instructor] = [await asAdmin(), await newCourse(), await newInstructor()];
    await assignInstructor(courseId, instructor);
    await admin.patch(`/api/v3/admin/users/${instructor.id}`, { role: 'user' });
    const list = `/api/v3/admin/courses/${courseId}/instructors`;
    await waitFor(async () => (await admin.get(list)).body.data.length === 0);
    await waitFor(async () => (await instructor.get(courses)).status === 401);
  });
});

describe('a teacher', () => {
  test('a teacher finds a colleague, who then grades in the course, and graders find nobody', async () => {
    const [courseId, teacher, colleague] = [await newCourse(), await newInstructor(), await newInstructor()];
    await assignInstructor(courseId, teacher);
    const { id, firstName, lastName, email } = colleague;
    const search = `/api/v3/grading/instructors?search=${encodeURIComponent(email)}`;
    expect((await colleague.get(search)).status).toBe(403);
    const found = await teacher.get(search);
    expect([found.status, found.body.data]).toEqual([
      200,
      [{ id, name: `${firstName} ${lastName}`, email }],
    ]);
    const team = `/api/v3/grading/courses/${courseId}/instructors`;
    expect((await teacher.put(`${team}/${id}`, { role: 'grader' })).status).toBe(200);
    expect((await colleague.get(search)).status).toBe(403);
    expect((await colleague.get(courses)).body.data).toMatchObject([{ id: courseId, role: 'grader' }]);
  });
});

describe('a grader', () => {
  test('an instructor lists their courses with the submissions of both kinds, and reads their students', async () => {
    const scene = await newScene();
    const instructor = await newInstructor();
    await assignInstructor(scene.courseId, instructor);
    await enroll(scene.courseId, await newStudent(), false);
    await submitHomework(scene);
    await submitQuiz(scene);
    const [sheet] = await quizSubmissions(scene.quizId);
    await (await asAdmin()).post(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}`, { grade: 3, total_grade: 4 });
    await waitForGrades(scene.student, 1);
    expect((await instructor.get(courses)).body.data).toEqual([
      {
        id: scene.courseId,
        title: expect.any(String),
        role: 'teacher',
        students: 1,
        quizzes: { submissions: 1, graded: 1 },
        homeworks: { submissions: 1, graded: 0 },
      },
    ]);
    const own = `${courses}/${scene.courseId}`;
    expect((await instructor.get(`${own}/students`)).body.meta.total).toBe(2);
    expect((await instructor.get(`${own}/gradebook`)).body.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ student_id: scene.student.id })]),
    );
    // An installation may require it (`REAUTHENTICATION`).
    await instructor.post('/api/v3/reauthenticate', { password: instructor.password });
    const csv = await instructor.get(`${own}/gradebook?format=csv`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.body.toString()).toMatch(
      new RegExp(`\\r\\n${scene.student.id},.*,quiz,${scene.quizId},.*,3,4,`),
    );
  });

  test('a course that an instructor does not teach is 404', async () => {
    const [courseId, instructor] = [await newCourse(), await newInstructor()];
    for (const rest of ['students', 'gradebook', 'gradebook?format=csv']) {
      const { status, body } = await instructor.get(`${courses}/${courseId}/${rest}`);
      expect([status, body]).toEqual([404, { message: 'Not Found', errors: null }]);
    }
    expect((await instructor.get(courses)).body.data).toEqual([]);
  });

  test('a comment is added to the bank, found, used, changed and deleted', async () => {
    const [courseId, instructor] = [await newCourse(), await newInstructor()];
    await assignInstructor(courseId, instructor);
    const path = '/api/v3/grading/comments';
    const text = `Show the steps ${unique()}`;
    const made = await instructor.post(path, { text, course_id: courseId });
    const { id } = made.body.data;
    expect([made.status, made.body.data]).toEqual([
      201,
      { id, text, course_id: courseId, uses: 0, updated_at: expect.any(String) },
    ]);
    expect((await instructor.post(`${path}/${id}/use`)).status).toBe(204);
    const found = await instructor.get(`${path}?search=SHOW&course_id=${courseId}`);
    expect(found.body.data).toEqual([{ ...made.body.data, uses: 1 }]);
    expect((await instructor.patch(`${path}/${id}`, { course_id: null })).body.data.course_id).toBe(null);
    const other = await newInstructor();
    expect((await other.patch(`${path}/${id}`, { text: 'taken' })).status).toBe(404);
    expect((await instructor.delete(`${path}/${id}`)).status).toBe(204);
    expect((await instructor.get(path)).body.data).toEqual([]);
  });
});
