import { auditEvents } from '@gradeway/test/auditEvents';
import { form, type HttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grade, newGrader, submissionPath } from './graders.ts';
import { enroll, makeAnonymous, setSettings } from './items.ts';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

async function newScene() {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10', closes_at: '2020-01-01T00:00:00Z' });
  const path = `/api/v3/grading/quizzes/${scene.quizId}/submissions`;
  return { ...scene, path, teacher: newGrader(quiz, scene.courseId) };
}

const submittedEvents = (id: number) =>
  quiz.database.query<{ data: object }>(
    `SELECT body->'data' AS data FROM quiz.outbox WHERE type = 'quiz.submission.submitted.v1'
       AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
    [id],
  );
const given = ({ studentId }: Scene, fields: Record<string, string | Blob> = {}) =>
  form({ student_id: String(studentId), ...fields });

describe('a hand-in by staff', () => {
  test('a teacher hands in a PDF after the quiz closed, with a receipt, an event and an audit entry', async () => {
    const scene = await newScene();
    const { status, body, headers } = await scene.teacher.post(scene.path, given(scene, { file: quiz.pdf }));
    expect([status, headers.get('etag')]).toEqual([201, expect.stringMatching(/^"/)]);
    expect(body.data).toMatchObject({
      item_id: scene.quizId,
      student: { id: scene.studentId },
      submitted_by: { id: scene.teacher.id, name: scene.teacher.name },
      status: 'ungraded',
      late: null,
      files: [{ name: 'answers.pdf', pages: 1 }],
    });
    expect(headers.get('submission-receipt')).toBeTruthy();
    expect(await submittedEvents(body.data.id)).toEqual([
      {
        data: expect.objectContaining({
          student_id: scene.studentId,
          quiz_id: scene.quizId,
          late_waived: true,
        }),
      },
    ]);
    const object = { object_type: 'quiz_submission', object_id: String(body.data.id) };
    expect(await auditEvents(quiz.database, 'quiz', { action: 'submission.created', ...object })).toEqual([
      expect.objectContaining({ actor_id: scene.teacher.id }),
    ]);
  });

  test('a submission without a file is graded from paper, even for a student who has not paid', async () => {
    const scene = await newScene();
    const studentId = enroll(quiz, scene.courseId, scene.studentId + 1_000_000, { paid: false });
    const { status, body } = await scene.teacher.post(scene.path, given({ ...scene, studentId }));
    expect([status, body.data.files, body.data.annotated_url]).toEqual([201, [], null]);
    const graded = await grade(scene.teacher, body.data.id, { grade: 8 });
    expect(graded.body.data).toMatchObject({ grade: 8, submitted_by: { id: scene.teacher.id } });
  });

  test('an ungraded submission is replaced only on request, and a graded submission is never replaced', async () => {
    const scene = await newScene();
    const first = await scene.teacher.post(scene.path, given(scene, { file: quiz.pdf }));
    const refused = await scene.teacher.post(scene.path, given(scene));
    expect([refused.status, refused.body.message]).toEqual([409, 'Submission exists']);
    expect(refused.body.data).toMatchObject({ id: first.body.data.id, files: [{ name: 'answers.pdf' }] });
    const replaced = await scene.teacher.post(scene.path, given(scene, { replace: '1' }));
    expect([replaced.status, replaced.body.data.id, replaced.body.data.files]).toEqual([
      200,
      first.body.data.id,
      [],
    ]);
    await grade(scene.teacher, first.body.data.id, { grade: 3 });
    const graded = await scene.teacher.post(scene.path, given(scene, { replace: '1' }));
    expect([graded.status, graded.body.message]).toEqual([409, 'Submission already graded']);
  });

  test("a later upload by the student replaces the hand-in, which is then the student's own work", async () => {
    const scene = await newScene();
    const { body } = await scene.teacher.post(scene.path, given(scene));
    await setSettings(quiz, scene, 'closes_at = NULL');
    expect((await quiz.upload(scene)).status).toBe(200);
    const seen = await scene.teacher.get(submissionPath(body.data.id));
    expect(seen.body.data).toMatchObject({ submitted_by: null, files: [{ name: 'answers.pdf' }] });
  });

  test('a hand-in is 422 for a student who is not enrolled or a file that is not a PDF, and stores nothing', async () => {
    const scene = await newScene();
    const stored = await quiz.storedFiles();
    const unknown = await scene.teacher.post(
      scene.path,
      given({ ...scene, studentId: 999_999 }, { file: quiz.pdf }),
    );
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['student_id']]);
    const missing = await scene.teacher.post(scene.path, form({}));
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['student_id']]);
    const text = await scene.teacher.post(scene.path, given(scene, { file: new Blob(['text']) }));
    expect([text.status, text.body.errors]).toEqual([422, { file: ['The file must be a valid PDF.'] }]);
    expect(await quiz.storedFiles()).toBe(stored);
  });

  test('a hand-in for an erased student is 422, although the enrollment still exists', async () => {
    const scene = await newScene();
    await quiz.database.query('INSERT INTO quiz.erased_people (user_id, keeps_grades) VALUES ($1, true)', [
      scene.studentId,
    ]);
    for (const fields of [{}, { file: quiz.pdf }] as Record<string, Blob>[]) {
      const { status, body } = await scene.teacher.post(scene.path, given(scene, fields));
      expect([status, Object.keys(body.errors)]).toEqual([422, ['student_id']]);
    }
  });

  test.each([
    ['a draft', 'published = false', 'Not published'],
    ['an anonymous quiz', "release = 'manual', anonymous = true", 'Anonymous item'],
  ])('a hand-in for %s is 409', async (_, settings, message) => {
    const scene = await newScene();
    await setSettings(quiz, scene, settings);
    const { status, body } = await scene.teacher.post(scene.path, given(scene, { file: quiz.pdf }));
    expect([status, body.message]).toEqual([409, message]);
  });

  test('graders may not hand in, and instructors of other courses get 404', async () => {
    const scene = await newScene();
    const grader = newGrader(quiz, scene.courseId);
    quiz.peers.graders.add(`${grader.id}/${scene.courseId}`);
    const refused = await grader.post(scene.path, given(scene));
    expect([refused.status, refused.body.message]).toEqual([403, 'Unauthorized Access']);
    expect((await newGrader(quiz).post(scene.path, given(scene))).status).toBe(404);
    expect((await quiz.post(scene.path, scene.student, {})).status).toBe(403);
  });

  test('a repeated hand-in with the same idempotency key changes nothing and returns the same response', async () => {
    const scene = await newScene();
    const headers = { 'idempotency-key': `hand-in-${scene.quizId}` };
    const send = () => scene.teacher.post(scene.path, given(scene, { file: quiz.pdf }), headers);
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.body.data.id]).toEqual([201, 201, first.body.data.id]);
    expect(await submittedEvents(first.body.data.id)).toHaveLength(1);
  });
});

describe('everyone', () => {
  const list = async ({ quizId }: Scene, reader: HttpClient, query = ''): Promise<Everyone> =>
    (await reader.get(`/api/v3/grading/quizzes/${quizId}/students${query}`)).body;

  interface Everyone {
    data: { student: { id: number }; state: string; [field: string]: unknown }[];
    links: { next: string | null };
    meta: object;
  }

  /** Students called Alpha to Delta: missing, submitted, graded and excused. */
  async function newCourse() {
    const scene = await newScene();
    quiz.peers.enrollments.delete(`${scene.studentId}/${scene.courseId}`);
    const names = ['Alpha', 'Beta', 'Gamma', 'Delta'];
    const ids = names.map((lastName, index) =>
      enroll(quiz, scene.courseId, scene.studentId + 2_000_000 + index, { lastName }),
    );
    const [, submitted, graded, excused] = ids;
    for (const studentId of [submitted, graded] as number[]) {
      const { body } = await scene.teacher.post(scene.path, given({ ...scene, studentId }));
      if (studentId === graded) await grade(scene.teacher, body.data.id, { grade: 6 });
    }
    await quiz.database.query(
      'INSERT INTO quiz.allowances (item_id, student_id, excused, changed_by) VALUES ($1, $2, true, $3)',
      [scene.quizId, excused, scene.teacher.id],
    );
    return { ...scene, ids };
  }

  test('every student who has paid is listed by name with a state, whether or not they handed in work', async () => {
    const course = await newCourse();
    const [missing, submitted, graded, excused] = course.ids;
    enroll(quiz, course.courseId, course.studentId + 3_000_000, { paid: false });
    const { data, links, meta } = await list(course, course.teacher);
    expect(data.map(({ student, state }) => [student.id, state])).toEqual([
      [missing, 'missing'],
      [submitted, 'submitted'],
      [excused, 'excused'],
      [graded, 'graded'],
    ]);
    expect(data[0]).toEqual({
      student: { id: missing, name: 'Ada Alpha', email: `${missing}@school.example` },
      state: 'missing',
      submission_id: null,
      submitted_at: null,
      late: null,
      grade: null,
      final_grade: null,
      allowance: null,
    });
    expect(data[2]?.allowance).toMatchObject({ excused: true, student: { id: excused } });
    expect(data[3]).toMatchObject({ grade: 6, final_grade: 6, submission_id: expect.any(Number) });
    expect(links.next).toBeNull();
    const counts = { missing: 1, submitted: 1, graded: 1, excused: 1 };
    expect(meta).toEqual({ per_page: 50, total: 4, counts });
  });

  test('the list of students is filtered and paged, and its counts cover all students', async () => {
    const course = await newCourse();
    for (const [index, state] of ['missing', 'submitted', 'graded', 'excused'].entries()) {
      const { data, meta } = await list(course, course.teacher, `?state=${state}`);
      expect(data.map(({ student }) => student.id)).toEqual([course.ids[index]]);
      expect(meta).toMatchObject({ total: 4 });
    }
    const found = await list(course, course.teacher, '?search=gamma');
    expect(found.data.map(({ student }) => student.id)).toEqual([course.ids[2]]);
    const first = await list(course, course.teacher, '?per_page=3');
    const rest = await course.teacher.get(first.links.next ?? '');
    expect(rest.body.data.map(({ student }: { student: { id: number } }) => student.id)).toEqual([
      course.ids[2],
    ]);
    const cursor = new URL(first.links.next ?? '').searchParams.get('cursor');
    for (const query of [`?cursor=${cursor}&state=graded`, '?cursor=abc', '?state=all']) {
      const answer = await course.teacher.get(`/api/v3/grading/quizzes/${course.quizId}/students${query}`);
      expect(answer.status).toBe(422);
    }
  });

  test('graders cannot list the students of an anonymous quiz, and teachers see names but no work', async () => {
    const course = await newCourse();
    await makeAnonymous(quiz, course);
    const grader = newGrader(quiz, course.courseId);
    quiz.peers.graders.add(`${grader.id}/${course.courseId}`);
    const refused = await grader.get(`/api/v3/grading/quizzes/${course.quizId}/students`);
    expect([refused.status, refused.body.message]).toEqual([409, 'Anonymous item']);
    const { data, meta } = await list(course, course.teacher);
    const hidden = { submission_id: null, submitted_at: null, grade: null, final_grade: null, late: null };
    expect(data.map(({ state }) => state)).toEqual(['missing', 'submitted', 'excused', 'submitted']);
    for (const row of data) expect(row).toMatchObject(hidden);
    expect(meta).toMatchObject({ counts: { missing: 1, submitted: 2, graded: 0, excused: 1 } });
  });
});
