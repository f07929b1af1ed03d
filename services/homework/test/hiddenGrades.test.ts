import { randomUUID } from 'node:crypto';
import { type Answer, createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { studentOperations } from '@gradeway/test/studentOperations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesForm, type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
let teacher: HttpClient;
beforeAll(async () => {
  homework = await startHomeworkService();
  // An administrator is a teacher of every course.
  teacher = createHttpClient({ baseUrl: homework.service.url, token: homework.admin });
  const account = { firstName: 'Grace', lastName: 'Hopper', email: '' };
  homework.peers.users.push({ userId: 1, ...account, role: 'admin', isBlocked: false, revision: 1 });
});
afterAll(() => homework.close());

/** A submission whose rating is held back. Its upload can be repeated. */
async function newScene() {
  const scene = await homework.setUp();
  const key = randomUUID();
  const { body } = await upload(scene, key);
  const path = `/api/v3/grading/homeworks/${scene.classId}`;
  expect((await teacher.delete(`${path}/release`)).status).toBe(200);
  const { id, files } = body.data as { id: number; files: { id: number; url: string }[] };
  return { ...scene, key, id, file: files[0], path, annotatedUrl: null as string | null };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

const upload = ({ classId, student }: Pick<Scene, 'classId' | 'student'>, key?: string) =>
  homework.call(`/api/v3/homeworks/${classId}/submissions`, student.token, {
    method: 'POST',
    body: filesForm([['answer.pdf', homework.pdf]]),
    headers: key ? { 'idempotency-key': key } : {},
  });

const submissionPath = (id: number) => `/api/v3/grading/homeworks/submissions/${id}`;

async function rate({ id, file, path }: Scene) {
  const items = [{ points: 7, text: 'Secret item' }];
  const rubric = { mode: 'add', max_points: 10, items };
  const made = (await teacher.put(`${path}/rubric`, rubric, { 'if-none-match': '*' })).body.data;
  const mark = { id: randomUUID(), file_id: file?.id, page: 1, kind: 'check', rect: [1, 1, 2, 2] };
  const body = {
    selection: [made.items[0].id],
    rubric_revision: made.revision,
    comment: 'Secret comment',
    annotations: [mark],
  };
  expect((await teacher.put(submissionPath(id), body, { 'if-match': '*' })).status).toBe(200);
}

async function opened(url: string, token?: string) {
  const { pathname, search } = new URL(url);
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await fetch(homework.service.url + pathname + search, { headers });
  return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()).toString('base64') };
}
const shown = ({ status, body }: Answer) => ({
  status,
  body: JSON.parse(JSON.stringify(body).replaceAll(/expires=[^"]*/g, '')),
});

/** The responses that a student gets from each available operation; for uploads, from repeating an upload. */
const views: Record<string, (scene: Scene) => Promise<{ status: number; body: unknown }>> = {
  listOwnHomeworks: async ({ student }) => shown(await homework.get('/api/v3/homeworks', student.token)),
  readOwnHomeworkSubmission: async ({ id, student }) =>
    shown(await homework.get(`/api/v3/homeworks/submissions/${id}`, student.token)),
  async submitHomework(scene) {
    const answer = await upload(scene, scene.key);
    const { status, body } = shown(answer);
    return { status, body: { ...body, receipt: answer.headers.get('submission-receipt') } };
  },
  listOwnHomeworkReviews: async ({ id, student }) =>
    shown(await homework.get(`/api/v3/homeworks/submissions/${id}/reviews`, student.token)),
  askForHomeworkReview: async ({ id, student }) => {
    const options = { method: 'POST', body: { text: 'Please look at it again.' } };
    return shown(await homework.call(`/api/v3/homeworks/submissions/${id}/reviews`, student.token, options));
  },
  setOwnHomeworkPages: async ({ id, student }) => {
    const options = { method: 'PUT', body: { pages: [] } };
    return shown(await homework.call(`/api/v3/homeworks/submissions/${id}/pages`, student.token, options));
  },
  downloadSubmission: ({ id, student }) =>
    opened(`http://school.example/api/v3/assignments/download/${id}`, student.token),
  readFile: ({ file }) => opened(file?.url ?? ''),
  readAnnotatedFile: async ({ annotatedUrl }) => ({
    status: annotatedUrl === null ? 404 : (await opened(annotatedUrl)).status,
    body: null,
  }),
};
const viewsOf = async (scene: Scene) =>
  Object.fromEntries(
    await Promise.all(Object.entries(views).map(async ([name, view]) => [name, await view(scene)])),
  );

test('the table has every operation of the service that students may call', () => {
  const paths = /^\/api\/v3\/(homeworks|assignments|files)\b/;
  expect(Object.keys(views).toSorted()).toEqual(studentOperations(paths));
});

test('a student whose rating is held back gets the same responses on every path as before the grading', async () => {
  const scene = await newScene();
  const before = await viewsOf(scene);
  await rate(scene);
  expect(await viewsOf(scene)).toEqual(before);
});

test('a student sees the rating from its release until it is withheld, after which earlier links are 404', async () => {
  const scene = await newScene();
  const before = await viewsOf(scene);
  await rate(scene);
  expect((await teacher.post(`${scene.path}/release`)).status).toBe(200);
  const path = `/api/v3/homeworks/submissions/${scene.id}`;
  const { data } = (await homework.get(path, scene.student.token)).body;
  expect(data).toMatchObject({ rating: 7, is_reviewed: true, instructor_comment: 'Secret comment' });
  const list = (await homework.get('/api/v3/homeworks', scene.student.token)).body.data;
  expect(list[0].submission).toMatchObject({ rating: 7, is_reviewed: true });
  expect((await opened(data.annotated_url)).status).toBe(200);
  expect((await teacher.delete(`${scene.path}/release`)).status).toBe(200);
  expect(await viewsOf({ ...scene, annotatedUrl: data.annotated_url })).toEqual(before);
  const staff = (await teacher.get(submissionPath(scene.id))).body.data;
  expect(staff).toMatchObject({ grade: 7, comment: 'Secret comment' });
  expect((await opened(staff.annotated_url)).status).toBe(200);
});

test('an upload while a rating is held back replaces the files, and the submission becomes ungraded again', async () => {
  const scene = await newScene();
  await rate(scene);
  const answer = await upload(scene);
  expect(answer.status).toBe(201);
  expect(answer.body.data).toMatchObject({ rating: null, is_reviewed: false });
  const { data } = (await teacher.get(submissionPath(scene.id))).body;
  expect(data).toMatchObject({ status: 'ungraded', grade: null, comment: null, selection: [], revision: 2 });
  expect(data.files).not.toMatchObject([{ id: scene.file?.id }]);
  const history = (await teacher.get(`${submissionPath(scene.id)}/history`)).body.data;
  expect(history).toMatchObject([{ grade: 7, comment: 'Secret comment', reason: 'graded' }]);
  const [event] = await homework.rows<{ data: object }>(
    `SELECT body->'data' AS data FROM homework.outbox
     WHERE type = 'homework.submission.ungraded.v1' AND body->'data'->>'submission_id' = $1::text`,
    scene.id,
  );
  const { classId, courseId, student } = scene;
  expect(event?.data).toEqual({
    ...{ submission_id: scene.id, class_id: classId, course_id: courseId, student_id: student.id },
    revision: 2,
  });
});

test('a release and a withdrawal of ratings are each published once', async () => {
  const scene = await newScene();
  for (let time = 0; time < 2; time += 1)
    expect((await teacher.post(`${scene.path}/release`)).status).toBe(200);
  const events = await homework.rows<{ type: string; data: object }>(
    `SELECT type, body->'data' AS data FROM homework.outbox
     WHERE type LIKE 'homework.grades.%' AND body->'data'->>'item_id' = $1::text ORDER BY position`,
    scene.classId,
  );
  const item = { item_id: scene.classId, course_id: scene.courseId };
  expect(events).toEqual([
    { type: 'homework.grades.withheld.v1', data: { ...item, released_at: null } },
    { type: 'homework.grades.released.v1', data: { ...item, released_at: expect.any(String) } },
  ]);
});

test('a change to an assignment keeps a release that was made while it waited', async () => {
  const scene = await newScene();
  await Promise.all([
    teacher.post(`${scene.path}/release`),
    homework.put(scene.classId, { assignment_description: 'Changed' }),
  ]);
  const { data } = (await teacher.get(scene.path)).body;
  expect(data).toMatchObject({ description: 'Changed', released_at: expect.any(String) });
});
