import { auditEvents } from '@gradeway/test/auditEvents';
import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { type Answer, createHttpClient, form } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, type Scene, startHomeworkService } from './homeworkService.ts';

const rubric = { mode: 'add', max_points: 10, items: [{ points: 10, text: 'Right' }] };
const past = '2026-01-01T00:00:00Z';
const future = '2099-01-01T00:00:00Z';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

let lastTeacher = 1_000_000;

function newTeacher(courseId: number, isGrader = false) {
  lastTeacher += 1;
  homework.peers.teaching.add(`${lastTeacher}/${courseId}`);
  if (isGrader) homework.peers.graders.add(`${lastTeacher}/${courseId}`);
  const token = homework.tokens.sign(lastTeacher, 'instructor');
  return { id: lastTeacher, ...createHttpClient({ baseUrl: homework.service.url, token }) };
}

const pathOf = (classId: number) => `/api/v3/grading/homeworks/${classId}`;
const put = ({ courseId, classId }: Scene, fields: object): Promise<Answer> =>
  newTeacher(courseId).put(pathOf(classId), fields);
const shown = async ({ student }: Scene) => (await homework.get('/api/v3/homeworks', student.token)).body;
const eventsOf = async (classId: number) =>
  homework.rows<{ type: string; title: string; is_deleted: boolean }>(
    `SELECT type, body->'data'->>'title' AS title, body->'data'->'is_deleted' AS is_deleted FROM homework.outbox
     WHERE type = 'homework.changed.v1' AND body->'data'->>'id' = $1
       OR type = 'homework.published.v1' AND body->'data'->>'item_id' = $1 ORDER BY position`,
    String(classId),
  );

test('a teacher creates the assignment of a class as a draft, and changes it', async () => {
  const scene = homework.setUpClass();
  const { courseId, classId } = scene;
  const created = await put(scene, {
    description: 'Read',
    opens_at: past,
    closes_at: '2099-01-01T02:00:00+02:00',
  });
  expect([created.status, created.body.data]).toEqual([
    201,
    {
      ...{ id: classId, kind: 'homeworks', course_id: courseId, course_title: `Course ${courseId}` },
      ...{ title: `Class ${classId}`, created_at: expect.stringMatching(/Z$/), description: 'Read' },
      ...{ opens_at: past, closes_at: future, total_grade: 10, published: false, release: 'immediate' },
      ...{ release_at: null, released_at: created.body.data.created_at, late: null, order: 'arrival' },
      ...{
        anonymous: false,
        graders_edit_rubric: true,
        reviews: null,
        assignment_file_url: null,
        questions_url: null,
      },
      ...{ time_zone: 'UTC', students: 1, submissions: 0, graded: 0, claimed: 0, has_rubric: false },
    },
  ]);
  const changed = await put(
    scene,
    form({ published: 'true', opens_at: '', file: homework.pdf }, 'homework.pdf'),
  );
  expect(changed.status).toBe(200);
  expect(changed.body.data).toMatchObject({
    published: true,
    opens_at: null,
    closes_at: future,
    description: 'Read',
  });
  expect(changed.body.data.assignment_file_url).toMatch(/\/api\/v3\/files\/homework\/\d+\?/);
  expect((await eventsOf(classId)).map(({ type }) => type)).toEqual([
    'homework.changed.v1',
    'homework.changed.v1',
    'homework.published.v1',
  ]);
});

test('only teachers change assignments; graders read them; for others they are 404', async () => {
  const scene = await homework.setUp();
  const other = homework.setUpClass();
  const path = pathOf(scene.classId);
  const answers = async ({ get, patch, put, post, delete: remove }: ReturnType<typeof newTeacher>) => [
    (await get(path)).status,
    (await patch(path, { description: 'Changed' })).status,
    (await put(path, { description: 'Replaced' })).status,
    (await post(`${path}/copy`, { class_id: other.classId })).status,
    (await remove(path)).status,
  ];
  expect(await answers(newTeacher(scene.courseId, true))).toEqual([200, 403, 403, 403, 403]);
  expect(await answers(newTeacher(other.courseId))).toEqual([404, 404, 404, 404, 404]);
  const teacher = newTeacher(scene.courseId);
  homework.peers.teaching.add(`${teacher.id}/${other.courseId}`);
  expect(await answers(teacher)).toEqual([200, 200, 200, 201, 204]);
  expect((await teacher.put(pathOf(99_999_999), {})).status).toBe(404);
});

test('a stale change to an assignment is 412 with its current state', async () => {
  const scene = await homework.setUp();
  const teacher = newTeacher(scene.courseId);
  const path = pathOf(scene.classId);
  const tag = (await teacher.get(path)).headers.get('etag') ?? '';
  expect((await teacher.patch(path, { description: 'New' }, { 'if-match': tag })).status).toBe(200);
  const stale = await teacher.patch(path, { description: 'Newer' }, { 'if-match': tag });
  expect([stale.status, stale.body.message, stale.body.data.description]).toEqual([
    412,
    'Changed meanwhile',
    'New',
  ]);
});

test('a copy is a draft in a class without an assignment, with the PDF and the rubric', async () => {
  const [scene, target] = [homework.setUpClass(), homework.setUpClass()];
  await put(scene, form({ description: 'Read', closes_at: future, release: 'manual', file: homework.pdf }));
  const teacher = newTeacher(scene.courseId);
  await teacher.put(`${pathOf(scene.classId)}/rubric`, rubric, { 'if-none-match': '*' });
  const copy = () => teacher.post(`${pathOf(scene.classId)}/copy`, { class_id: target.classId });
  expect((await copy()).body.errors).toEqual({ class_id: ['The selected class id is invalid.'] });
  homework.peers.teaching.add(`${teacher.id}/${target.courseId}`);
  const { status, body } = await copy();
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    ...{ id: target.classId, published: false, description: 'Read', release: 'manual', closes_at: null },
    ...{ has_rubric: true, assignment_file_url: expect.stringMatching(/files/) },
  });
  const object = { object_type: 'assignment', object_id: String(target.classId) } as const;
  const audited = await auditEvents(homework.database, 'homework', object);
  expect(audited.map(({ action, changes }) => [action, changes?.items])).toEqual([
    ['assignment.created', undefined],
    ['rubric.created', [null, rubric.items.length]],
  ]);
  const again = await copy();
  expect([again.status, again.body.message]).toEqual([409, 'Assignment exists']);
});

test('a student sees no draft and no assignment that opens later, and cannot upload to them', async () => {
  const scene = await homework.setUp();
  const { classId, student } = scene;
  expect((await shown(scene)).meta.total).toBe(1);
  await put(scene, { published: false });
  expect(await shown(scene)).toMatchObject({ data: [], meta: { total: 0 } });
  const [draft, unknown] = [
    await homework.submit(classId, student),
    await homework.submit(99_999_999, student),
  ];
  expect([draft.status, draft.body]).toEqual([404, unknown.body]);
  expect((await homework.homework(classId)).id).toBe(classId);
  await put(scene, { published: true, opens_at: future });
  expect(await shown(scene)).toMatchObject({ data: [], meta: { total: 0 } });
  const early = await homework.submit(classId, student);
  expect([early.status, early.body.message]).toEqual([403, 'HomeworkNotOpen']);
  await put(scene, { opens_at: past });
  expect((await shown(scene)).data).toMatchObject([{ id: classId, state: 'open' }]);
  expect((await homework.submit(classId, student)).status).toBe(201);
  const refused = await put(scene, { published: false });
  expect([refused.status, refused.body.message]).toEqual([409, 'Submissions exist']);
});

test("a student's link to the exercises is 404 while the assignment is hidden; a grader's link still opens", async () => {
  const scene = homework.setUpClass();
  const { body } = await put(scene, form({ published: '1', file: homework.pdf }));
  const [{ assignment_file_url }] = (await shown(scene)).data;
  const statusOf = async (link: string) => {
    const { pathname, search } = new URL(link);
    return (await homework.call(pathname + search, null)).status;
  };
  expect(await statusOf(assignment_file_url)).toBe(200);
  for (const hidden of [{ published: false }, { published: true, opens_at: future }]) {
    await put(scene, hidden);
    expect(await statusOf(assignment_file_url)).toBe(404);
    expect(await statusOf(body.data.assignment_file_url)).toBe(200);
  }
});

test('an assignment that becomes a draft during the first upload leaves no submission', async () => {
  const { classId, student } = await homework.setUp();
  const answer = await changeWhileWaiting({
    database: homework.database,
    schema: 'homework',
    lock: `SELECT FROM assignments WHERE class_id = ${classId} FOR UPDATE`,
    send: () => homework.submit(classId, student),
    change: `UPDATE assignments SET published = false WHERE class_id = ${classId}`,
  });
  expect([answer.status, answer.body.message]).toEqual([404, 'PDF Homework not found']);
  expect(await homework.rows('SELECT FROM homework.submissions WHERE class_id = $1', classId)).toEqual([]);
});

test('an assignment publishes an event when its class is renamed and when it is removed or restored', async () => {
  const { classId, courseId } = await homework.setUp();
  const state = { id: classId, course_id: courseId, created_at: '2026-01-01T00:00:00Z' };
  await homework.publish('class.changed.v1', { ...state, title: 'Renamed', revision: 2 });
  await waitFor(async () => (await eventsOf(classId)).at(-1)?.title === 'Renamed');
  const admin = createHttpClient({ baseUrl: homework.service.url, token: homework.admin });
  await admin.delete(`/api/v3/admin/homeworks/${classId}`);
  await homework.put(classId, {});
  expect((await eventsOf(classId)).map(({ type, is_deleted }) => [type, is_deleted])).toEqual([
    ...[
      ['homework.changed.v1', false],
      ['homework.published.v1', null],
    ],
    ['homework.changed.v1', false],
    ['homework.changed.v1', true],
    ...[
      ['homework.changed.v1', false],
      ['homework.published.v1', null],
    ],
  ]);
});
