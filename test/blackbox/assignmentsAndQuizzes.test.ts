import { unique } from '@gradeway/test/fixtures';
import { form, pdf } from '@gradeway/test/httpClient';
import { describe, expect, test } from 'vitest';
import {
  asAdmin,
  callAs,
  enroll,
  newAssignment,
  newClass,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

const quizzes = '/api/v3/quiz/pdf-quizzes';

describe('assignments', () => {
  test('an assignment is created, changed field by field and removed, and its submissions stay', async () => {
    const admin = await asAdmin();
    const scene = await newScene();
    await submitHomework(scene);
    const path = `/api/v3/admin/homeworks/${scene.classId}`;
    const fields = {
      assignment_deadline: '2099-01-02T03:04:05',
      assignment_description: 'Read it.',
      file: await pdf(),
    };
    const changed = await admin.put(path, form(fields));
    expect([changed.status, changed.body.data]).toMatchObject([
      200,
      {
        assignment_deadline: '02/01/2099 03:04 AM',
        assignment_description: 'Read it.',
        submissions: [{ id: expect.any(Number) }],
      },
    ]);
    const cleared = await admin.put(path, form({ assignment_deadline: '' }));
    expect(cleared.body.data).toMatchObject({
      assignment_deadline: null,
      assignment_description: 'Read it.',
      assignment_file_url: expect.any(String),
    });
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.delete(path)).status).toBe(404);
    const again = await admin.put(path, form({ assignment_description: 'Again.' }));
    expect([again.status, again.body.data.submissions.length]).toEqual([201, 1]);
  });

  test('an assignment for an unknown class is 404, and one with invalid fields is 422', async () => {
    const admin = await asAdmin();
    const unknown = await admin.put(
      '/api/v3/admin/homeworks/2147483647',
      form({ assignment_description: 'x' }),
    );
    expect([unknown.status, unknown.body.message]).toEqual([404, 'PDF Homework not found']);
    const classId = await newClass(await newCourse());
    const wrong = form({ assignment_deadline: 'tomorrow', file: new File(['no PDF'], 'a.pdf') });
    const { status, body } = await admin.put(`/api/v3/admin/homeworks/${classId}`, wrong);
    expect([status, body.message, Object.keys(body.errors).toSorted()]).toEqual([
      422,
      'Invalid Data',
      ['assignment_deadline', 'file'],
    ]);
  });
});

describe('handing in homework', () => {
  test('a student who has paid submits homework until it is reviewed', async () => {
    const scene = await newScene();
    const first = await submitHomework(scene, [await pdf('draft.pdf')]);
    expect(first.status).toBe(201);
    const second = await submitHomework(scene, [await pdf('final.pdf'), await pdf('appendix.pdf')]);
    expect([second.status, second.body.data.id]).toEqual([201, first.body.data.id]);
    expect(second.body.data.files.map(({ name }: { name: string }) => name)).toEqual([
      'final.pdf',
      'appendix.pdf',
    ]);
    await (await asAdmin()).post(`/api/v3/admin/homeworks/grade/${first.body.data.id}`, { rating: 5 });
    const late = await submitHomework(scene);
    expect([late.status, late.body.message]).toEqual([409, 'Submission already graded']);
  });

  test('homework is refused after the deadline, without payment, or if it is not a PDF', async () => {
    const scene = await newScene();
    const stranger = await newStudent();
    expect((await submitHomework({ ...scene, student: stranger })).body.message).toBe(
      'PayFirstToAccessTheCourse',
    );
    await enroll(scene.courseId, stranger);
    await newAssignment(scene.classId, { assignment_deadline: '2020-01-01T00:00:00' });
    expect((await submitHomework(scene)).body.message).toBe('HomeworkDeadlineExpired');
    expect((await submitHomework({ ...scene, classId: 2_147_483_647 })).body.message).toBe(
      'PDF Homework not found',
    );
    const wrong = await submitHomework(scene, [await pdf(), new File(['x'], 'b.pdf')]);
    expect([wrong.status, wrong.body.errors]).toEqual([422, { files: ['The file must be a valid PDF.'] }]);
    const eleven = await Promise.all(Array.from({ length: 11 }, () => pdf()));
    expect((await submitHomework(scene, eleven)).status).toBe(422);
  });

  test('the files of a submission can be downloaded as one archive', async () => {
    const scene = await newScene();
    const { id } = (await submitHomework(scene, [await pdf('a.pdf'), await pdf('a.pdf')])).body.data;
    const { status, headers, body } = await scene.student.get(`/api/v3/assignments/download/${id}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/zip']);
    expect(body.length).toBe(Number(headers.get('content-length')));
    for (const name of ['a.pdf', 'a (2).pdf']) expect(body.includes(name)).toBe(true);
    const missing = await (await asAdmin()).get('/api/v3/assignments/download/2147483647');
    expect([missing.status, missing.body.message]).toEqual([404, 'PDF Homework not found']);
  });
});

describe('quizzes', () => {
  test('a quiz is created, changed as JSON and as a form, and deleted', async () => {
    const admin = await asAdmin();
    const courseId = await newCourse();
    const title = `Quiz ${unique()}`;
    const fields = {
      title,
      course_id: String(courseId),
      opens_at: '2026-01-01T00:00:00',
      closes_at: '2099-01-01T00:00:00',
      duration_minutes: '45.5',
    };
    const made = await admin.post(quizzes, form({ ...fields, file: await pdf() }));
    expect(made.status).toBe(201);
    expect(made.body.data).toEqual({
      id: expect.any(Number),
      title,
      course_id: courseId,
      submissions: [],
      questions_count_of_quiz_pdf: null,
      total_grade_for_quiz_pdf: null,
      duration_minutes: 45.5,
      opens_at: '2026-01-01 00:00:00',
      closes_at: '2099-01-01 00:00:00',
      questions_pdf_url: expect.stringContaining('signature='),
    });
    const path = `${quizzes}/${made.body.data.id}`;
    const asJson = await admin.patch(path, { total_grade_for_quiz_pdf: 12.5, closes_at: null });
    expect(asJson.body.data).toMatchObject({ total_grade_for_quiz_pdf: 12.5, closes_at: null, title });
    const before = made.body.data.questions_pdf_url;
    const asForm = await admin.patch(
      path,
      form({ file: await pdf('new.pdf'), questions_count_of_quiz_pdf: '3' }),
    );
    expect(asForm.body.data.questions_count_of_quiz_pdf).toBe(3);
    expect(asForm.body.data.questions_pdf_url.split('?')[0]).not.toBe(before.split('?')[0]);
    expect((await callAs().get(before)).status).toBe(403);
    const unchanged = await admin.patch(path, {});
    expect([unchanged.status, unchanged.body.data]).toEqual([
      200,
      { ...asForm.body.data, questions_pdf_url: expect.any(String) },
    ]);
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.get(path)).status).toBe(404);
  });

  test('a quiz must have a title and an existing course', async () => {
    const admin = await asAdmin();
    const { body } = await admin.post(quizzes, form({ title: '' }));
    expect(Object.keys(body.errors).toSorted()).toEqual(['course_id', 'title']);
    expect((await admin.post(quizzes, form({ title: 'x', course_id: '2147483647' }))).status).toBe(404);
  });

  test('submissions of a deleted quiz can still be graded, and the quiz leaves the list', async () => {
    const scene = await newScene();
    await submitQuiz(scene);
    const [{ id }] = await quizSubmissions(scene.quizId);
    const admin = await asAdmin();
    const listed = async () =>
      (await admin.get(`${quizzes}?per_page=100`)).body.data.map((quiz: { id: number }) => quiz.id);
    expect(await listed()).toContain(scene.quizId);
    await admin.delete(`${quizzes}/${scene.quizId}`);
    expect(await listed()).not.toContain(scene.quizId);
    expect((await admin.post(`${quizzes}/grade/${id}`, { grade: 1, total_grade: 1 })).status).toBe(200);
  });

  test('students who have paid find the quiz with its question PDF', async () => {
    const [courseId, other] = [await newCourse(), await newCourse()];
    const student = await newStudent();
    await enroll(courseId, student);
    await enroll(other, student, false);
    const quizId = await newQuiz(courseId, { file: await pdf() });
    await newQuiz(other);
    const { body } = await student.get('/api/v3/quiz/available');
    expect(body.data).toEqual([
      expect.objectContaining({
        id: quizId,
        course_id: courseId,
        questions_pdf_url: expect.any(String),
        state: 'open',
        seconds_until: null,
        remaining_seconds: null,
      }),
    ]);
    expect((await callAs().get(body.data[0].questions_pdf_url)).status).toBe(200);
  });
});
