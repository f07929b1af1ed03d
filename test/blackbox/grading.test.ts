import { randomUUID } from 'node:crypto';
import type { Answer, HttpClient } from '@gradeway/test/httpClient';
import { readArchive } from '@gradeway/test/readArchive';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import {
  asAdmin,
  assignInstructor,
  newScene,
  newStudent,
  quizSubmissions,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

const grading = '/api/v3/grading';
const etag = (answer: Answer) => ({ 'if-match': answer.headers.get('etag') ?? '' });

const tenths = {
  mode: 'add',
  max_points: 10,
  items: [
    { points: 0.1, text: 'The sketch is right.', key: '1' },
    { points: 0.2, text: 'The units are right.', group: 'units' },
    { points: 5, text: 'The proof is complete.', explanation: 'All steps.' },
  ],
};

/** A scene with a submitted answer sheet and homework, and an instructor of the course. */
async function newGradedScene() {
  const scene = await newScene();
  const instructor = await newStudent({ role: 'instructor' });
  await assignInstructor(scene.courseId, instructor);
  await submitQuiz(scene);
  await submitHomework(scene);
  const [sheet] = await quizSubmissions(scene.quizId);
  return { ...scene, instructor, submissionId: sheet.id as number };
}

const path = (submissionId: number) => `${grading}/quizzes/submissions/${submissionId}`;

async function gradesIn(client: HttpClient, courseId: number, kind: string) {
  const { data } = (await client.get(`${grading}/courses/${courseId}/gradebook`)).body;
  return data.flatMap((row: { grades: { kind: string; grade: number; total_grade: number }[] }) =>
    row.grades.filter((grade) => grade.kind === kind).map((grade) => [grade.grade, grade.total_grade]),
  );
}

describe('graders', () => {
  test('a submission goes from the queue through the rubric to the gradebook and the student with the exact grade', async () => {
    const { instructor, student, courseId, quizId, submissionId } = await newGradedScene();
    const item = `${grading}/quizzes/${quizId}`;
    const [listed] = (await instructor.get(`${grading}/quizzes?course_id=${courseId}`)).body.data;
    expect(listed).toMatchObject({ id: quizId, course_id: courseId, submissions: 1, graded: 0, claimed: 0 });
    const queue = await instructor.get(`${item}/submissions?status=ungraded&search=${student.email}`);
    expect(queue.body).toMatchObject({
      data: [{ id: submissionId, student: { id: student.id } }],
      links: { next: null },
      meta: { per_page: 50, total: 1, graded: 0 },
    });
    const made = await instructor.put(`${item}/rubric`, tenths, { 'if-none-match': '*' });
    expect(made.status).toBe(201);
    const { items, revision } = made.body.data;
    const next = await instructor.post(`${item}/next`);
    expect(next.body.data).toMatchObject({ id: submissionId, rubric: { revision }, files: [{ pages: 1 }] });

    const selection = [items[0].id, items[1].id];
    const body = { selection, rubric_revision: revision, comment: 'Nearly' };
    const graded = await instructor.put(path(submissionId), body, etag(next));
    expect(graded.body.data).toMatchObject({ grade: 0.3, total_grade: 10, claimed_by: null });
    expect((await instructor.post(`${item}/next`)).status).toBe(204);
    await waitFor(async () => (await gradesIn(instructor, courseId, 'quiz')).length === 1);
    expect(await gradesIn(instructor, courseId, 'quiz')).toEqual([[0.3, 10]]);

    const { body: feedback } = await student.get(`/api/v3/quiz/submissions/${submissionId}`);
    expect(feedback.data).toMatchObject({ grade: 0.3, comment: 'Nearly' });
    const chosen = items
      .slice(0, 2)
      .map(({ text, points }: { text: string; points: number }) => ({ text, points }));
    expect(feedback.data.rubric).toEqual(chosen);
    const { data: figures } = (await instructor.get(`${item}/statistics`)).body;
    expect(figures).toMatchObject({ submissions: 1, graded: 1, mean: 0.3, graders: [{ id: instructor.id }] });
  });

  test('a change to the rubric has a dry run, takes effect and reaches the gradebook', async () => {
    const { instructor, courseId, quizId, submissionId } = await newGradedScene();
    const rubric = `${grading}/quizzes/${quizId}/rubric`;
    const made = await instructor.put(rubric, tenths, { 'if-none-match': '*' });
    const { items, revision } = made.body.data;
    const selected = { selection: [items[2].id], rubric_revision: revision };
    await instructor.put(path(submissionId), selected, { 'if-match': '*' });
    const change = { ...tenths, items: items.map((each: object) => ({ ...each, points: 4.5 })) };
    const dry = await instructor.put(`${rubric}?dry_run=1`, change, etag(made));
    expect(dry.body.data).toMatchObject({ regraded: 1, min_change: -0.5, max_change: -0.5 });
    expect((await instructor.put(rubric, change, etag(made))).status).toBe(200);
    const stale = await instructor.put(rubric, change, etag(made));
    expect([stale.status, stale.body.message, stale.body.data.revision]).toEqual([
      412,
      'Changed meanwhile',
      revision + 1,
    ]);
    await waitFor(async () => (await gradesIn(instructor, courseId, 'quiz'))[0]?.[0] === 4.5);
    const { data } = (await instructor.get(`${path(submissionId)}/history`)).body;
    expect(data.map(({ grade, reason }: { grade: number; reason: string }) => [grade, reason])).toEqual([
      [4.5, 'rubric'],
      [5, 'graded'],
    ]);
    const present = await instructor.get(rubric);
    expect((await instructor.delete(rubric, etag(present))).status).toBe(204);
    expect((await instructor.get(rubric)).status).toBe(404);
  });

  test('an undone grading disappears from the gradebook and for the student, and the submission returns to the queue', async () => {
    const { instructor, student, courseId, quizId, submissionId } = await newGradedScene();
    const body = { grade: 4, total_grade: 10, comment: 'Wrong sheet' };
    const graded = await instructor.put(path(submissionId), body, { 'if-match': '*' });
    await waitFor(async () => (await gradesIn(instructor, courseId, 'quiz')).length === 1);
    expect((await instructor.delete(`${path(submissionId)}/grade`)).status).toBe(428);
    expect((await instructor.delete(`${path(submissionId)}/grade`, etag(graded))).status).toBe(204);
    const repeated = await instructor.delete(`${path(submissionId)}/grade`, etag(graded));
    expect([repeated.status, repeated.body.data.grade]).toEqual([412, null]);
    await waitFor(async () => (await gradesIn(instructor, courseId, 'quiz')).length === 0);
    await waitFor(async () => (await student.get('/api/v3/grades')).body.meta.total === 0);
    const { data: own } = (await student.get('/api/v3/quiz/submissions')).body;
    expect(own).toMatchObject([{ id: submissionId, grade: null, is_marked: 0 }]);
    const next = await instructor.post(`${grading}/quizzes/${quizId}/next`);
    expect(next.body.data).toMatchObject({ id: submissionId, status: 'ungraded', comment: null });
  });

  test('preconditions, claims and size limits lead to the documented responses', async () => {
    const { instructor, courseId, submissionId } = await newGradedScene();
    const other = await newStudent({ role: 'instructor' });
    await assignInstructor(courseId, other);
    const claim = `${path(submissionId)}/claim`;
    expect((await instructor.put(claim)).status).toBe(200);
    const refused = await other.put(claim);
    expect([refused.status, refused.body.message]).toEqual([409, 'Claimed by another grader']);
    expect((await instructor.delete(claim)).status).toBe(204);

    const body = { grade: 1, total_grade: 10 };
    expect((await instructor.put(path(submissionId), body)).status).toBe(428);
    const stale = await instructor.put(path(submissionId), body, { 'if-match': '"old"' });
    expect([stale.status, stale.body.data.id]).toEqual([412, submissionId]);
    const [file] = stale.body.data.files;
    const pen = () => ({
      ...{ id: randomUUID(), file_id: file.id, page: 1, kind: 'pen', rect: [1, 1, 5, 5] },
      points: Array.from({ length: 2_000 }, () => [1.25, 2.75]),
    });
    // Larger than the gateway allows for other JSON bodies.
    const marks = Array.from({ length: 10 }, pen);
    const large = { ...body, annotations: marks, filler: 'x'.repeat(200 * 1024) };
    const marked = await instructor.put(path(submissionId), large, etag(stale));
    expect(marked.body.data.annotations).toHaveLength(10);
    const larger = { ...body, filler: 'x'.repeat(600 * 1024) };
    expect((await instructor.put(path(submissionId), larger, etag(marked))).status).toBe(413);
  });

  test('homework has its own queue and its own ratings', async () => {
    const { instructor, student, courseId, classId } = await newGradedScene();
    const item = `${grading}/homeworks/${classId}`;
    const [listed] = (await instructor.get(`${grading}/homeworks`)).body.data;
    expect(listed).toMatchObject({ id: classId, total_grade: 10, submissions: 1 });
    expect((await instructor.get(`${item}/submissions`)).body.data).toHaveLength(1);
    const made = await instructor.put(`${item}/rubric`, tenths, { 'if-none-match': '*' });
    const { items, revision } = made.body.data;
    const next = await instructor.post(`${item}/next`);
    const { id } = next.body.data;
    const body = { selection: [items[2].id], rubric_revision: revision, adjustment: 1.5 };
    const graded = await instructor.put(`${grading}/homeworks/submissions/${id}`, body, etag(next));
    expect(graded.body.data).toMatchObject({ grade: 7, total_grade: 10, adjustment: 1.5 });
    await waitFor(async () => (await gradesIn(instructor, courseId, 'homework')).length === 1);
    const own = await student.get(`/api/v3/homeworks/submissions/${id}`);
    expect(own.body.data).toMatchObject({ rating: 7, grade: 7, total_grade: 10 });
    const { data } = (await instructor.get(`${grading}/homeworks/submissions/${id}/history`)).body;
    expect(data).toHaveLength(1);
    expect((await instructor.get(`${item}/statistics`)).body.data).toMatchObject({ graded: 1, mean: 7 });
  });

  test('an administrator grades in every course, an instructor only in their own courses, and a student nowhere', async () => {
    const { student, quizId, submissionId } = await newGradedScene();
    const stranger = await newStudent({ role: 'instructor' });
    expect((await (await asAdmin()).get(path(submissionId))).status).toBe(200);
    for (const each of [path(submissionId), `${grading}/quizzes/${quizId}/submissions`]) {
      expect((await stranger.get(each)).status).toBe(404);
      const refused = await student.get(each);
      expect([refused.status, refused.body.message]).toEqual([403, 'Unauthorized Access']);
    }
    expect((await stranger.get(`${grading}/quizzes`)).body.data).toEqual([]);
  });

  test('comments by graders are in the export of a person, and are gone after the erasure', async () => {
    const { instructor, student, quizId, submissionId } = await newGradedScene();
    const admin = await asAdmin();
    const seen = await instructor.post(`${grading}/quizzes/${quizId}/next`);
    const [file] = seen.body.data.files;
    const mark = { id: randomUUID(), file_id: file.id, page: 1, kind: 'check', rect: [1, 1, 5, 5] };
    const body = { grade: 4, total_grade: 10, comment: 'Read page 7 again', annotations: [mark] };
    expect((await instructor.put(path(submissionId), body, etag(seen))).status).toBe(200);
    await admin.put(`${path(submissionId)}/claim`);
    const exported = async (id: number) => {
      const [json] = await readArchive((await admin.get(`/api/v3/admin/users/${id}/personal-data`)).body);
      return JSON.parse(json?.content.toString() ?? '').quiz;
    };
    const ofStudent = await exported(student.id);
    expect(ofStudent.submissions[0]).toMatchObject({ comment: 'Read page 7 again', selection: [] });
    expect(ofStudent.gradings_received[0]).toMatchObject({ comment: 'Read page 7 again', reason: 'graded' });
    expect(ofStudent.annotations[0]).toMatchObject({ id: file.id, marks: [{ kind: 'check' }] });
    expect((await exported(instructor.id)).gradings_made).toHaveLength(1);

    const erasure = `/api/v3/admin/users/${student.id}/erasure`;
    expect((await admin.post(erasure)).status).toBe(202);
    await waitFor(async () => (await admin.get(erasure)).body.data.status === 'done');
    const after = await instructor.get(path(submissionId));
    const gone = { comment: null, files: [], annotations: [], annotated_url: null, claimed_by: null };
    expect(after.body.data).toMatchObject({
      grade: 4,
      student: { name: 'Deleted user', email: '' },
      ...gone,
    });
    const { data } = (await instructor.get(`${path(submissionId)}/history`)).body;
    expect(data.map(({ comment }: { comment: string }) => comment)).toEqual([null]);
  });
});
