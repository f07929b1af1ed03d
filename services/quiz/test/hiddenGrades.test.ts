import { randomUUID } from 'node:crypto';
import { type Answer, createHttpClient } from '@gradeway/test/httpClient';
import { studentOperations } from '@gradeway/test/studentOperations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { grade, gradedEvents, makeRubric, newGrader, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** An answer sheet whose grade is held back. Its upload can be repeated. */
async function newScene() {
  const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
  const start_at = new Date().toISOString().slice(0, 19);
  const upload = () => quiz.upload(scene, { start_at }, { 'idempotency-key': `hidden-${scene.quizId}` });
  expect((await upload()).status).toBe(200);
  const { body } = await quiz.get('/api/v3/quiz/submissions', scene.student);
  const { id, pdf_answer_url: sheetUrl } = body.data[0] as { id: number; pdf_answer_url: string };
  const grader = newGrader(quiz, scene.courseId);
  const path = `/api/v3/grading/quizzes/${scene.quizId}`;
  const reviews = { until: '2100-01-01T00:00:00Z', per_submission: 20 };
  expect((await grader.patch(path, { reviews })).status).toBe(200);
  expect((await grader.delete(`${path}/release`)).status).toBe(200);
  return { ...scene, upload, id, sheetUrl, grader, path, annotatedUrl: null as string | null };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

async function gradeWithEverything(scene: Scene) {
  const { grader, id } = scene;
  const { files } = (await grader.get(submissionPath(id))).body.data;
  const items = [{ points: 7.25, text: 'Secret item' }];
  const queue = { ...scene, submissionIds: [id] };
  const rubric = await makeRubric(grader, queue, { mode: 'add', max_points: 10, items });
  const mark = { id: randomUUID(), file_id: files[0].id, page: 1, kind: 'check', rect: [1, 1, 2, 2] };
  const graded = await grade(grader, id, {
    selection: rubric.items.map((item) => item.id),
    rubric_revision: rubric.revision,
    comment: 'Secret comment',
    annotations: [mark],
  });
  expect(graded.status).toBe(200);
}

const open = (url: string) => {
  const { pathname, search } = new URL(url);
  return fetch(quiz.service.url + pathname + search);
};
async function opened(url: string) {
  const answer = await open(url);
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('base64') };
}
const shown = ({ status, body }: Answer) => ({
  status,
  body: JSON.parse(JSON.stringify(body).replaceAll(/expires=[^"]*/g, '')),
});
const own = (path: string) => async (scene: Scene) => shown(await quiz.get(path, scene.student));

/** The response to each operation that students may call; for uploads, the response to a repeated upload. */
const views: Record<string, (scene: Scene) => Promise<{ status: number; body: unknown }>> = {
  listAvailableQuizzes: own('/api/v3/quiz/available'),
  listOwnQuizSubmissions: own('/api/v3/quiz/submissions'),
  readOwnQuizSubmission: async ({ id, student }) =>
    shown(await quiz.get(`/api/v3/quiz/submissions/${id}`, student)),
  async submitAnswerSheet({ upload }) {
    const { status, body, headers } = await upload();
    return { status, body: { ...body, receipt: headers.get('submission-receipt') } };
  },
  listOwnQuizReviews: async ({ id, student }) =>
    shown(await quiz.get(`/api/v3/quiz/submissions/${id}/reviews`, student)),
  askForQuizReview: async ({ id, student }) => {
    const body = { text: 'Please look at it again.' };
    return shown(await quiz.post(`/api/v3/quiz/submissions/${id}/reviews`, student, body));
  },
  setOwnQuizPages: async ({ id, student }) => {
    const client = createHttpClient({ baseUrl: quiz.service.url, token: student });
    return shown(await client.put(`/api/v3/quiz/submissions/${id}/pages`, { pages: [] }));
  },
  readFile: ({ sheetUrl }) => opened(sheetUrl),
  readAnnotatedFile: async ({ annotatedUrl }) => ({
    status: annotatedUrl === null ? 404 : (await open(annotatedUrl)).status,
    body: null,
  }),
};
const viewsOf = async (scene: Scene) =>
  Object.fromEntries(
    await Promise.all(Object.entries(views).map(async ([name, view]) => [name, await view(scene)])),
  );

test('the table has every operation of the service that students may call', () => {
  const paths = /^\/api\/v3\/(quiz|files)\b/;
  expect(Object.keys(views).toSorted()).toEqual(studentOperations(paths));
});

test('a student whose grade is held back gets the same responses on every path as before the grading', async () => {
  const scene = await newScene();
  const before = await viewsOf(scene);
  await gradeWithEverything(scene);
  expect(await viewsOf(scene)).toEqual(before);
});

test('a student sees the grade from its release until it is withheld, after which earlier links are 404', async () => {
  const scene = await newScene();
  const before = await viewsOf(scene);
  await gradeWithEverything(scene);
  expect((await scene.grader.post(`${scene.path}/release`)).status).toBe(200);
  const list = await quiz.get('/api/v3/quiz/submissions', scene.student);
  expect(list.body.data).toMatchObject([{ grade: 7.25, total_grade: 10, is_marked: 1 }]);
  const { body } = await quiz.get(`/api/v3/quiz/submissions/${scene.id}`, scene.student);
  expect(body.data).toMatchObject({ grade: 7.25, comment: 'Secret comment' });
  expect(body.data.rubric).toEqual([{ text: 'Secret item', points: 7.25 }]);
  const seen = { ...scene, annotatedUrl: body.data.annotated_url as string };
  expect((await open(seen.annotatedUrl)).status).toBe(200);

  expect((await scene.grader.delete(`${scene.path}/release`)).status).toBe(200);
  expect(await viewsOf(seen)).toEqual(before);
  expect(await (await open(seen.annotatedUrl)).json()).toMatchObject({ message: 'Not Found' });
  const { annotated_url } = (await scene.grader.get(submissionPath(scene.id))).body.data;
  expect((await open(annotated_url)).status).toBe(200);
});

test('a signed link to an annotated PDF works only if it is unaltered', async () => {
  const scene = await newScene();
  await gradeWithEverything(scene);
  await scene.grader.post(`${scene.path}/release`);
  const { body } = await quiz.get(`/api/v3/quiz/submissions/${scene.id}`, scene.student);
  const url = body.data.annotated_url as string;
  expect(url).toContain(`for=${scene.studentId}&`);
  expect((await open(url.replace(/for=\d+&/, ''))).status).toBe(403);
  expect((await open(url.replace(/for=\d+&/, 'for=1&'))).status).toBe(403);
});

test('an upload while a grade is held back replaces the sheet, and the submission becomes ungraded again', async () => {
  const scene = await newScene();
  const { id, grader, quizId, courseId, studentId } = scene;
  await gradeWithEverything(scene);
  const claimed = await grader.put(`${submissionPath(id)}/claim`);
  const { files } = (await grader.get(submissionPath(id))).body.data;
  const answer = await quiz.upload(scene);
  expect([answer.status, answer.body]).toEqual([200, { status: true, message: 'Submitted successfully' }]);
  const { data } = (await grader.get(submissionPath(id))).body;
  expect(data).toMatchObject({
    ...{ status: 'ungraded', grade: null, total_grade: null, graded_by: null, comment: null, revision: 2 },
    ...{ selection: [], adjustment: 0, rubric_revision: null, annotations: [] },
    claimed_until: claimed.body.data.claimed_until,
  });
  expect(data.files[0].id).not.toBe(files[0].id);
  const history = (await grader.get(`${submissionPath(id)}/history`)).body;
  expect(history.data).toMatchObject([{ grade: 7.25, comment: 'Secret comment', reason: 'graded' }]);
  const events = await quiz.database.query<{ type: string; data: object }>(
    `SELECT type, body->'data' AS data FROM quiz.outbox
     WHERE type LIKE 'quiz.submission.%' AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
    [id],
  );
  expect(events.map(({ type }) => type.split('.')[2])).toEqual([
    'submitted',
    'graded',
    'ungraded',
    'submitted',
  ]);
  const ids = { submission_id: id, quiz_id: quizId, course_id: courseId, student_id: studentId };
  expect(events[2]?.data).toEqual({ ...ids, revision: 2 });
  const { body } = await grader.get(scene.path);
  expect(body.data).toMatchObject({ submissions: 1, graded: 0 });
});

test('a sheet that was received before the graded one is stored as replaced, and the hidden grade stays', async () => {
  const scene = await newScene();
  await gradeWithEverything(scene);
  await quiz.database.query(
    "UPDATE quiz.submissions SET submitted_at = now() + interval '1 minute' WHERE id = $1",
    [scene.id],
  );
  expect((await quiz.upload(scene)).status).toBe(200);
  expect((await scene.grader.get(submissionPath(scene.id))).body.data).toMatchObject({ grade: 7.25 });
});

test('an upload after the grade was released is refused, and the grade stays', async () => {
  const scene = await newScene();
  await gradeWithEverything(scene);
  await scene.grader.post(`${scene.path}/release`);
  const answer = await quiz.upload(scene);
  expect([answer.status, answer.body.message]).toEqual([409, 'Submission already graded']);
  expect((await scene.grader.get(submissionPath(scene.id))).body.data).toMatchObject({ grade: 7.25 });
});

test('the event of a grading contains when the grade became visible to students', async () => {
  const { id, grader, path } = await newScene();
  await grade(grader, id, { grade: 1 });
  const released = (await grader.post(`${path}/release`)).body.data.released_at as string;
  await grade(grader, id, { grade: 2 });
  await quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, quiz.admin, { grade: 3, total_grade: 10 });
  const [first, ...others] = await gradedEvents(quiz, id);
  expect(first).toMatchObject({ visible_from: null });
  for (const { visible_from, item_revision } of others) {
    expect(Math.trunc(Date.parse(String(visible_from)) / 1000)).toBe(Date.parse(released) / 1000);
    expect(item_revision).toBe(Number(first?.item_revision) + 1);
  }
  expect(others).toHaveLength(2);
});
