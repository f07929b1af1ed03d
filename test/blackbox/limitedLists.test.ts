import { type Scene, unique } from '@gradeway/test/fixtures';
import { form, type HttpClient } from '@gradeway/test/httpClient';
import { describe, expect, inject, test } from 'vitest';
import {
  asAdmin,
  assignInstructor,
  enroll,
  newAccount,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';
import { limitedTo, signedClient } from './limitedClients.ts';

const { isLocal } = inject('system');

const rubric = { mode: 'add', max_points: 10, items: [{ points: 6, text: 'The proof is complete.' }] };

describe.skipIf(!isLocal)('a token that is limited to courses', () => {
  /** A token that is limited to two courses, their records, and those of a third course. */
  async function newScenes() {
    const [one, two, other] = await Promise.all([newScene(), newScene(), newScene()]);
    return { one, two, other, limited: await limitedTo([one.courseId, two.courseId]) };
  }

  /** The ids on all pages of a list with a page size of one, checked against the total of each page. */
  async function idsIn(path: string, client: HttpClient): Promise<number[]> {
    const ids: number[] = [];
    let next: string | null = `${path}${path.includes('?') ? '&' : '?'}per_page=1`;
    while (next) {
      const { status, body } = await client.get(next);
      expect(status).toBe(200);
      ids.push(...body.data.map(({ id }: { id: number }) => id));
      const total = body.meta?.total ?? body.total;
      const last = body.meta?.last_page ?? body.last_page;
      expect([total, last]).toEqual([2, 2]);
      const { href = null } = body.links?.next ? { href: body.links.next } : { href: body.next_page_url };
      next = href;
    }
    return ids;
  }

  test('lists contain the records of its courses only, with their totals and pages', async () => {
    const { one, two, limited } = await newScenes();
    const idsOf = (read: (scene: Scene) => number) => [read(two), read(one)].toSorted();
    const expected = {
      '/api/v3/admin/courses': idsOf(({ courseId }) => courseId),
      '/api/v3/grading/courses': idsOf(({ courseId }) => courseId),
      '/api/v3/admin/homeworks': idsOf(({ classId }) => classId),
      '/api/v3/grading/homeworks': idsOf(({ classId }) => classId),
      '/api/v3/quiz/pdf-quizzes': idsOf(({ quizId }) => quizId),
      '/api/v3/grading/quizzes': idsOf(({ quizId }) => quizId),
      '/api/v3/admin/users': idsOf(({ student }) => student.id),
      '/api/v3/admin/users?role=user': idsOf(({ student }) => student.id),
    };
    for (const [path, ids] of Object.entries(expected))
      expect([path, (await idsIn(path, limited)).toSorted()]).toEqual([path, ids]);
  });

  test('a filter by course narrows a list within its courses', async () => {
    const { one, other, limited } = await newScenes();
    for (const path of ['/api/v3/admin/homeworks', '/api/v3/grading/homeworks', '/api/v3/grading/quizzes']) {
      const own = await limited.get(`${path}?course_id=${one.courseId}`);
      const ids = own.body.data.map(({ id }: { id: number }) => id);
      expect(ids).toEqual([path.endsWith('quizzes') ? one.quizId : one.classId]);
      const { body } = await limited.get(`${path}?course_id=${other.courseId}`);
      expect([body.data, body.meta?.total ?? body.total]).toEqual([[], 0]);
    }
  });

  test('users are the students, paid or not, and the instructors of its courses', async () => {
    const [courseId, elsewhere] = [await newCourse(), await newCourse()];
    const people = await limitedTo([courseId]);
    const [student, instructor, stranger, colleague] = await Promise.all([
      newAccount(),
      newAccount({ role: 'instructor' }),
      newAccount(),
      newAccount({ role: 'instructor' }),
    ]);
    await enroll(courseId, student, false);
    await assignInstructor(courseId, instructor);
    await enroll(elsewhere, stranger);
    await assignInstructor(elsewhere, colleague);
    expect((await idsIn('/api/v3/admin/users', people)).toSorted()).toEqual(
      [student.id, instructor.id].toSorted(),
    );
    const search = async (term: string) =>
      (await people.get(`/api/v3/grading/instructors?search=${term}`)).body.data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await search(instructor.email)).toEqual([instructor.id]);
    expect(await search(colleague.email)).toEqual([]);

    const change = async ({ id }: { id: number }) =>
      (await people.patch(`/api/v3/admin/users/${id}`, { first_name: unique() })).status;
    expect([await change(student), await change(instructor)]).toEqual([200, 200]);
    expect((await people.get(`/api/v3/admin/users/${student.id}/devices`)).status).toBe(200);
    expect([await change(stranger), await change(colleague)]).toEqual([404, 404]);
    await (await asAdmin()).delete(`/api/v3/admin/courses/${courseId}/students/${student.id}`);
    expect(await change(student)).toBe(404);
    expect((await people.get(`/api/v3/admin/users/${student.id}`)).status).toBe(404);
  });

  test('it does everything in its courses that a token without a limit does', async () => {
    const { one, limited } = await newScenes();
    const { courseId, classId, quizId } = one;
    await submitQuiz(one);
    const homework = await submitHomework(one);
    const [sheet] = await quizSubmissions(quizId);
    const account = await newAccount();
    const answers = [
      await limited.get(`/api/v3/admin/courses/${courseId}`),
      await limited.patch(`/api/v3/admin/courses/${courseId}`, { description: 'Changed' }),
      await limited.post(`/api/v3/admin/courses/${courseId}/classes`, { title: 'Class' }),
      await limited.put(`/api/v3/admin/courses/${courseId}/students/${account.id}`, { paid: true }),
      await limited.delete(`/api/v3/admin/courses/${courseId}/students/${account.id}`),
      await limited.get(`/api/v3/admin/courses/${courseId}/gradebook`),
      await limited.get(`/api/v3/admin/courses/${courseId}/submissions.zip`),
      await limited.get(`/api/v3/admin/homeworks/${classId}`),
      await limited.put(`/api/v3/admin/homeworks/${classId}`, form({ description: 'Read.' })),
      await limited.post(`/api/v3/admin/homeworks/grade/${homework.body.data.id}`, { rating: 7 }),
      await limited.get(`/api/v3/assignments/download/${homework.body.data.id}`),
      await limited.get(`/api/v3/quiz/pdf-quizzes/${quizId}`),
      await limited.patch(`/api/v3/quiz/pdf-quizzes/${quizId}`, { title: unique() }),
      await limited.post(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}`, { grade: 7, total_grade: 10 }),
      await limited.get(`/api/v3/quiz/pdf-quizzes/grade/${sheet.id}/history`),
      await limited.get(`/api/v3/grading/quizzes/submissions/${sheet.id}`),
      await limited.get(`/api/v3/grading/courses/${courseId}/students`),
      await limited.delete(`/api/v3/quiz/pdf-quizzes/${await newQuiz(courseId)}`),
    ];
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  });

  test('nothing is copied, moved or imported from or to another course', async () => {
    const { one, other, limited } = await newScenes();
    const admin = await asAdmin();
    const items = '/api/v3/grading/quizzes';
    await admin.put(`${items}/${other.quizId}/rubric`, rubric, { 'if-none-match': '*' });
    const quizId = await newQuiz(one.courseId);
    const from = { kind: 'quizzes', item_id: other.quizId };
    const course = { course_id: other.courseId };
    const inForm = form({ title: unique(), course_id: String(other.courseId) });
    const statuses = [
      await limited.post(`${items}/${quizId}/copy`, course),
      await limited.post(`/api/v3/grading/homeworks/${one.classId}/copy`, { class_id: other.classId }),
      await limited.patch(`${items}/${quizId}`, course),
      await limited.patch(`/api/v3/quiz/pdf-quizzes/${quizId}`, course),
      await limited.post('/api/v3/quiz/pdf-quizzes', inForm),
      await limited.post(`${items}/${quizId}/rubric/import`, { from }, { 'if-none-match': '*' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([422, 422, 422, 404, 404, 422]);
    const unlimited = await admin.post(`${items}/${quizId}/copy`, course);
    expect(unlimited.status).toBe(201);
  });

  test("an instructor's token is limited to those of its courses that the instructor teaches", async () => {
    const { one, two, other } = await newScenes();
    const instructor = await newStudent({ role: 'instructor' });
    await assignInstructor(one.courseId, instructor);
    await assignInstructor(other.courseId, instructor);
    const owner = { id: instructor.id, role: 'instructor' } as const;
    const client = await signedClient(owner, [one.courseId, two.courseId]);
    const statusOf = async ({ courseId }: Scene) =>
      (await client.get(`/api/v3/grading/courses/${courseId}/students`)).status;
    expect([await statusOf(one), await statusOf(two), await statusOf(other)]).toEqual([200, 404, 404]);
    const { body } = await client.get('/api/v3/grading/courses');
    expect([body.data.map(({ id }: { id: number }) => id), body.meta.total]).toEqual([[one.courseId], 1]);
    const items = await client.get('/api/v3/grading/homeworks');
    expect(items.body.data.map(({ id }: { id: number }) => id)).toEqual([one.classId]);
  });
});
