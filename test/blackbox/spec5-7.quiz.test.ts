import { unique } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import {
  asAdmin,
  callAs,
  enroll,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  quizSubmissions,
  submitQuiz,
  waitForGrades,
} from './fixtures.ts';

const standard404 = { message: 'Not Found', errors: null };

describe('GET /quiz/pdf-quizzes/{id}', () => {
  test('a quiz has every field of the PDF quiz object and all its submissions', async () => {
    const scene = await newScene();
    const title = `Quiz ${unique()}`;
    const quizId = await newQuiz(scene.courseId, {
      ...{
        title,
        file: await pdf('questions.pdf'),
        questions_count_of_quiz_pdf: '12',
        total_grade_for_quiz_pdf: '7.5',
      },
    });
    await submitQuiz({ ...scene, quizId });
    const { status, body } = await (await asAdmin()).get(`/api/v3/quiz/pdf-quizzes/${quizId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: quizId,
        title,
        questions_pdf_url: expect.stringMatching(
          /^https?:\/\/.*\/api\/v3\/files\/quiz\/\d+\?expires=\d+&signature=/,
        ),
        questions_count_of_quiz_pdf: 12,
        total_grade_for_quiz_pdf: 7.5,
        submissions: [
          {
            id: expect.any(Number),
            student_name: `${scene.student.firstName} ${scene.student.lastName}`,
            grade: null,
            total_grade: null,
            is_marked: 0,
            pdf_answer_url: expect.stringContaining('/api/v3/files/quiz/'),
          },
        ],
      },
    });
  });

  test('a quiz without options has null for them, and no submissions', async () => {
    const quizId = await newQuiz(await newCourse());
    const { body } = await (await asAdmin()).get(`/api/v3/quiz/pdf-quizzes/${quizId}`);
    expect(body.data).toMatchObject({
      ...{
        questions_pdf_url: null,
        questions_count_of_quiz_pdf: null,
        total_grade_for_quiz_pdf: null,
        submissions: [],
      },
    });
  });

  test.each(['2147483647', 'abc', '1.5', '-1', '99999999999'])('the id %s is 404', async (id) => {
    const { status, body } = await (await asAdmin()).get(`/api/v3/quiz/pdf-quizzes/${id}`);
    expect([status, body]).toEqual([404, standard404]);
  });

  test('the submission of a deleted account has the name "Deleted user" (D29)', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    await (await asAdmin()).delete(`/api/v3/admin/users/${scene.student.id}`);
    await waitFor(async () => (await quizSubmissions(scene.quizId))[0].student_name === 'Deleted user');
  });
});

describe('GET /quiz/pdf-quizzes', () => {
  test('the list of quizzes has data, links and meta, newest first, 15 items a page', async () => {
    const courseId = await newCourse();
    const older = await newQuiz(courseId);
    const newer = await newQuiz(courseId);
    const { body } = await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes');
    expect(Object.keys(body).toSorted()).toEqual(['data', 'links', 'meta']);
    expect(Object.keys(body.links).toSorted()).toEqual(['first', 'last', 'next', 'prev']);
    expect(body.meta).toMatchObject({
      current_page: 1,
      from: 1,
      per_page: 15,
      path: expect.stringMatching(/\/api\/v3\/quiz\/pdf-quizzes$/),
    });
    const ids = (await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes?per_page=100')).body.data.map(
      ({ id }: { id: number }) => id,
    );
    expect(ids.indexOf(newer)).toBeLessThan(ids.indexOf(older));
    expect((await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes?per_page=1000')).body.meta.per_page).toBe(
      100,
    );
  });

  test('links of the list of quizzes keep the other parameters, and a page past the end is empty', async () => {
    const { body } = await (await asAdmin()).get('/api/v3/quiz/pdf-quizzes?per_page=1&page=99999');
    expect([body.data, body.meta.from, body.meta.to, body.links.next]).toEqual([[], null, null, null]);
    expect(body.links.first).toMatch(/\?per_page=1&page=1$/);
  });

  test.each(['page=0', 'per_page=0', 'page=abc', 'per_page=%00'])(
    'the query %s is 422 Invalid Data (D5)',
    async (query) => {
      const { status, body } = await (await asAdmin()).get(`/api/v3/quiz/pdf-quizzes?${query}`);
      expect([status, body.message]).toEqual([422, 'Invalid Data']);
    },
  );

  test('the submissions of a quiz are listed oldest first', async () => {
    const scene = await newScene();
    const second = await newStudent();
    await enroll(scene.courseId, second);
    await submitQuiz(scene);
    await submitQuiz({ ...scene, student: second });
    const names = (await quizSubmissions(scene.quizId)).map(
      ({ student_name }: { student_name: string }) => student_name,
    );
    expect(names).toEqual(
      [scene.student, second].map(({ firstName, lastName }) => `${firstName} ${lastName}`),
    );
  });
});

describe('POST /quiz/pdf-quizzes/grade/{id}', () => {
  const submitted = async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    return { ...scene, id: (await quizSubmissions(scene.quizId))[0].id as number };
  };
  const grade = async (id: number | string, body: unknown) =>
    (await asAdmin()).post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, body);
  const saved = { status: true, message: 'Grade Saved Successfully' };

  test('a grading marks the submission, and the student reads both grades', async () => {
    const { id, quizId, student } = await submitted();
    const { status, body } = await grade(id, { grade: 7.25, total_grade: 10 });
    expect([status, body]).toEqual([200, saved]);
    expect((await quizSubmissions(quizId))[0]).toMatchObject({ is_marked: 1, grade: 7.25, total_grade: 10 });
    const own = await student.get('/api/v3/quiz/submissions');
    expect(own.body.data).toEqual([
      expect.objectContaining({ id, grade: 7.25, total_grade: 10, is_marked: 1 }),
    ]);
    const [entry] = await waitForGrades(student, 1);
    expect(entry).toMatchObject({ kind: 'quiz', grade: 7.25, total_grade: 10 });
  });

  test('a second grading overwrites the first, which stays in the history (D24)', async () => {
    const { id, quizId, student } = await submitted();
    await grade(id, { grade: 3, total_grade: 5 });
    await grade(id, { grade: 4.5, total_grade: 5 });
    expect((await quizSubmissions(quizId))[0]).toMatchObject({ grade: 4.5, total_grade: 5 });
    const { body } = await (await asAdmin()).get(`/api/v3/quiz/pdf-quizzes/grade/${id}/history`);
    expect(body.data.map((entry: { grade: number }) => entry.grade)).toEqual([4.5, 3]);
    await waitFor(async () => (await student.get('/api/v3/grades')).body.data[0]?.grade === 4.5);
  });

  test('numeric strings and four decimals are accepted, and numbers are returned (D23)', async () => {
    const { id, quizId } = await submitted();
    expect((await grade(id, { grade: '0.1234', total_grade: '999999.9999' })).body).toEqual(saved);
    expect((await quizSubmissions(quizId))[0]).toMatchObject({ grade: 0.1234, total_grade: 999999.9999 });
  });

  test('a grade of 0 and a grade equal to the total are accepted', async () => {
    const { id } = await submitted();
    expect((await grade(id, { grade: 0, total_grade: 1 })).status).toBe(200);
    expect((await grade(id, { grade: 1, total_grade: 1 })).status).toBe(200);
  });

  test.each([
    [{}, ['grade', 'total_grade']],
    [{ grade: 5 }, ['total_grade']],
    [{ total_grade: 5 }, ['grade']],
    [{ grade: null, total_grade: '' }, ['grade', 'total_grade']],
    [{ grade: 'x', total_grade: 5 }, ['grade']],
    [{ grade: -0.1, total_grade: 5 }, ['grade']],
    [{ grade: 0, total_grade: 0 }, ['total_grade']],
    [{ grade: 1, total_grade: 1_000_000 }, ['total_grade']],
    [{ grade: 0.00001, total_grade: 5 }, ['grade']],
    [{ grade: true, total_grade: [5] }, ['grade', 'total_grade']],
    [{ grade: '1e3', total_grade: 5000 }, ['grade']],
    [[], ['grade', 'total_grade']],
  ])('the grading %j is 422 with errors for %j', async (given, fields) => {
    const { id, quizId } = await submitted();
    const { status, body } = await grade(id, given);
    expect([status, body.message, Object.keys(body.errors).toSorted()]).toEqual([
      422,
      'Invalid Data',
      fields,
    ]);
    expect((await quizSubmissions(quizId))[0].is_marked).toBe(0);
  });

  test('a grade greater than the total is 422 with the message of D23', async () => {
    const { id } = await submitted();
    const { status, body } = await grade(id, { grade: 5.0001, total_grade: 5 });
    const errors = { grade: ['The grade may not be greater than the total grade.'] };
    expect([status, body]).toEqual([422, { message: 'Invalid Data', errors }]);
  });

  test.each([2_147_483_647, 'abc', '99999999999'])('grading submission %s is 404', async (id) => {
    const { status, body } = await grade(id, { grade: 1, total_grade: 1 });
    expect([status, body]).toEqual([404, standard404]);
  });
});

test.each(['user', 'instructor'])(
  'the role %s gets 403 on the quiz endpoints for administrators',
  async (role) => {
    const caller = await newStudent({ role });
    const answers = await Promise.all([
      caller.get('/api/v3/quiz/pdf-quizzes'),
      caller.get('/api/v3/quiz/pdf-quizzes/1'),
      caller.post('/api/v3/quiz/pdf-quizzes/grade/1', { grade: 1, total_grade: 1 }),
    ]);
    for (const { status, body } of answers)
      expect([status, body]).toEqual([403, { message: 'Unauthorized Access', errors: null }]);
    expect((await callAs().get('/api/v3/quiz/pdf-quizzes')).status).toBe(401);
  },
);
