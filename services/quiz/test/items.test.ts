import { auditEvents } from '@gradeway/test/auditEvents';
import { form } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf, type Grader, newGrader } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

const base = '/api/v3/grading/quizzes';
const rubric = { mode: 'add', max_points: 12, items: [{ points: 12, text: 'Right' }] };
const late = { until: '2099-02-01T00:00:00Z', penalty_percent: 12.5, per: 'day' };

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** A teacher and a grader of a new course. */
async function newTeam() {
  const { courseId, studentId, student, quizId } = await quiz.setUp();
  const [teacher, grader] = [newGrader(quiz, courseId), newGrader(quiz, courseId)];
  quiz.peers.graders.add(`${grader.id}/${courseId}`);
  return { courseId, studentId, student, quizId, teacher, grader };
}

async function created(teacher: Grader, fields: Record<string, unknown>) {
  const { status, body } = await teacher.post(base, { title: 'Quiz', ...fields });
  expect([status, body.errors]).toEqual([201, undefined]);
  return { ...body.data, path: `${base}/${body.data.id}` };
}

const eventsOf = async (id: number): Promise<string[]> =>
  (
    await quiz.database.query<{ type: string }>(
      `SELECT type FROM quiz.outbox WHERE coalesce(body->'data'->>'id', body->'data'->>'item_id') = $1
         AND type NOT LIKE 'audit%' ORDER BY position`,
      [String(id)],
    )
  ).map(({ type }) => type.replace(/^quiz\.|\.v1$/g, ''));

test('a teacher creates a quiz with every setting, which is a draft', async () => {
  const { courseId, teacher } = await newTeam();
  const settings = {
    ...{ title: 'Algebra', course_id: courseId, duration_minutes: 45, questions_count: 4, total_grade: 20 },
    ...{ opens_at: '2099-01-01T10:00:00+02:00', closes_at: '2099-01-01T12:00:00Z', late },
    ...{ release: 'manual', release_at: '2099-03-01T00:00:00Z', order: 'shuffled', anonymous: true },
    graders_edit_rubric: false,
  };
  const { path, ...item } = await created(teacher, settings);
  expect(item).toEqual({
    ...settings,
    ...{ id: expect.any(Number), kind: 'quizzes', course_title: `Course ${courseId}`, published: false },
    ...{ created_at: expect.stringMatching(/Z$/), opens_at: '2099-01-01T08:00:00Z' },
    late: { ...late, grace_minutes: 0, floor_percent: 0 },
    ...{ questions_pdf_url: null, questions_url: null, time_zone: 'UTC', released_at: null, reviews: null },
    ...{ students: 1, submissions: 0, graded: 0, claimed: 0, has_rubric: false },
  });
  const read = await teacher.get(path);
  expect([read.status, read.body.data, etagOf(read)]).toEqual([200, item, expect.stringMatching(/^"item-/)]);
  expect(await eventsOf(item.id)).toEqual(['changed']);
});

test('a quiz created with a form has its question PDF, and is visible immediately if it is published', async () => {
  const { courseId, teacher } = await newTeam();
  const fields = {
    title: 'Quiz',
    course_id: String(courseId),
    published: '1',
    closes_at: '',
    file: quiz.pdf,
  };
  const { status, body } = await teacher.post(base, form(fields));
  expect([status, body.data.published, body.data.closes_at]).toEqual([201, true, null]);
  expect(body.data.released_at).toBe(body.data.created_at);
  const { pathname, search } = new URL(body.data.questions_pdf_url);
  expect((await quiz.get(pathname + search, '')).status).toBe(200);
  expect(await eventsOf(body.data.id)).toEqual(['changed', 'published']);
  const path = `${base}/${body.data.id}`;
  expect((await teacher.patch(path, { file: null })).body.data.questions_pdf_url).toBeNull();
});

test('only teachers change quizzes; graders read them; for others they are 404', async () => {
  const { courseId, teacher, grader } = await newTeam();
  const { path } = await created(teacher, { course_id: courseId });
  const other = newGrader(quiz, (await newTeam()).courseId);
  const answers = async (client: Grader) => [
    (await client.get(path)).status,
    (await client.patch(path, { title: 'Changed' })).status,
    (await client.post(`${path}/copy`, { course_id: courseId })).status,
    (await client.post(base, { title: 'Quiz', course_id: courseId })).status,
    (await client.delete(path)).status,
  ];
  expect(await answers(grader)).toEqual([200, 403, 403, 403, 403]);
  expect(await answers(other)).toEqual([404, 404, 404, 422, 404]);
  expect(await answers(teacher)).toEqual([200, 200, 201, 201, 204]);
  expect(await answers(teacher)).toEqual([404, 404, 404, 201, 404]);
});

test('a course that does not exist and one that the teacher does not teach are both 422', async () => {
  const [{ courseId, teacher }, other] = [await newTeam(), await newTeam()];
  const { path } = await created(teacher, { course_id: courseId });
  const send = (course_id: number) => [
    teacher.post(base, { course_id }),
    teacher.patch(path, { course_id, title: '' }),
    teacher.post(`${path}/copy`, { course_id }),
  ];
  const [unknown, foreign] = await Promise.all(
    [99_999_999, other.courseId].map(async (id) => (await Promise.all(send(id))).map(({ body }) => body)),
  );
  expect(unknown).toEqual(foreign);
  const course_id = ['The selected course id is invalid.'];
  expect(unknown).toMatchObject([{ errors: { course_id, title: [expect.any(String)] } }, {}, {}]);
  for (const body of unknown ?? [])
    expect(body).toMatchObject({ message: 'Invalid Data', errors: { course_id } });
  const admin = newGrader(quiz, undefined, 'admin');
  expect((await admin.post(base, { course_id: 99_999_999, title: 'Quiz' })).body.errors).toEqual({
    course_id,
  });
});

test('a change keeps absent settings, clears null ones, and rejects contradictions', async () => {
  const { courseId, teacher } = await newTeam();
  const { path } = await created(teacher, { course_id: courseId, closes_at: '2099-01-01T00:00:00Z', late });
  const errorsOf = async (changes: object) =>
    Object.keys((await teacher.patch(path, changes)).body.errors ?? {});
  expect(await errorsOf({ opens_at: '2099-01-01T00:00:00Z' })).toEqual(['closes_at']);
  expect(await errorsOf({ closes_at: null })).toEqual(['late']);
  expect(await errorsOf({ release_at: '2099-01-01T00:00:00Z' })).toEqual(['release_at']);
  expect(await errorsOf({ anonymous: true })).toEqual(['anonymous']);
  expect(await errorsOf({ title: null, course_id: null })).toEqual(['title', 'course_id']);
  const { body } = await teacher.patch(path, { late: null, total_grade: 5 });
  expect(body.data).toMatchObject({ closes_at: '2099-01-01T00:00:00Z', late: null, total_grade: 5 });
});

test('a change without effect is not published', async () => {
  const { courseId, teacher } = await newTeam();
  const settings = { course_id: courseId, closes_at: '2099-01-01T00:00:00Z', late, total_grade: 10 };
  const { path, id } = await created(teacher, settings);
  expect((await teacher.patch(path, settings)).status).toBe(200);
  expect(await eventsOf(id)).toEqual(['changed']);
});

test('a stale change to a quiz is 412 with its current state; counts and links do not make it stale', async () => {
  const { courseId, teacher, student, studentId } = await newTeam();
  const { path, id } = await created(teacher, { course_id: courseId, published: true });
  const tag = etagOf(await teacher.get(path));
  await quiz.upload({ courseId, classId: 0, quizId: id, studentId, student });
  const changed = await teacher.patch(path, { title: 'Second' }, { 'if-match': tag });
  expect([changed.status, changed.body.data.submissions]).toEqual([200, 1]);
  const stale = await teacher.patch(path, { title: 'Third' }, { 'if-match': tag });
  expect([stale.status, stale.body]).toEqual([
    412,
    { message: 'Changed meanwhile', errors: null, data: changed.body.data },
  ]);
  expect(etagOf(stale)).toBe(etagOf(changed));
  const contradiction = { published: false, opens_at: '2026-01-01T00:00:00' };
  expect((await teacher.patch(path, contradiction, { 'if-match': tag })).status).toBe(422);
  expect((await teacher.patch(path, { published: false }, { 'if-match': tag })).status).toBe(412);
  expect((await teacher.patch(path, { published: false })).body.message).toBe('Submissions exist');
});

test('changing the release hides or shows grades, and is audited and published once', async () => {
  const { courseId, teacher } = await newTeam();
  const { path, id } = await created(teacher, { course_id: courseId });
  const steps = [
    [{ release: 'manual' }, null],
    [{ release_at: '2026-01-01T00:00:00Z' }, expect.any(String)],
    [{ release: 'manual', release_at: '2099-01-01T00:00:00Z' }, null],
    [{ release: 'immediate' }, expect.any(String)],
    [{ release: 'immediate' }, expect.any(String)],
  ];
  for (const [changes, released_at] of steps)
    expect((await teacher.patch(path, changes)).body.data).toMatchObject({ released_at });
  expect((await teacher.get(path)).body.data).toMatchObject({ release_at: null });
  const [withheld, released] = ['grades.withheld', 'grades.released'];
  const visible = (await eventsOf(id)).filter((type) => type.startsWith('grades.'));
  expect(visible).toEqual([withheld, released, withheld, released]);
  const audited = await auditEvents(quiz.database, 'quiz', { object_type: 'quiz', object_id: String(id) });
  const actions = audited.map(({ action }) => action).filter((action) => action.startsWith('grades.'));
  expect(actions).toEqual(visible);
});

test('a copy is a draft without times, with the question PDF, the settings and the rubric', async () => {
  const [{ courseId, teacher }, other] = [await newTeam(), await newTeam()];
  quiz.peers.teaching.add(`${teacher.id}/${other.courseId}`);
  const settings = {
    total_grade: 7,
    duration_minutes: 30,
    release: 'manual',
    anonymous: true,
    order: 'shuffled',
  };
  const times = { opens_at: '2098-01-01T00:00:00Z', closes_at: '2099-01-01T00:00:00Z', late };
  const { path } = await created(teacher, { course_id: courseId, published: true, ...settings, ...times });
  await teacher.patch(path, form({ file: quiz.pdf }));
  await teacher.put(`${path}/rubric`, rubric, { 'if-none-match': '*' });
  const { status, body } = await teacher.post(`${path}/copy`, { course_id: other.courseId });
  expect(status).toBe(201);
  expect(body.data).toMatchObject({
    ...{ title: 'Quiz', course_id: other.courseId, published: false, has_rubric: true, ...settings },
    ...{ opens_at: null, closes_at: null, late: null, release_at: null },
  });
  expect((await teacher.get(`${base}/${body.data.id}/rubric`)).body.data).toMatchObject(rubric);
  const audited = await auditEvents(quiz.database, 'quiz', {
    object_type: 'quiz',
    object_id: String(body.data.id),
  });
  expect(audited.map(({ action, changes }) => [action, changes?.items])).toEqual([
    ['quiz.created', undefined],
    ['rubric.created', [null, rubric.items.length]],
  ]);
  // The copy has its own file.
  await teacher.patch(path, { file: null });
  const { pathname, search } = new URL(body.data.questions_pdf_url);
  expect((await quiz.get(pathname + search, '')).status).toBe(200);
  const titled = await teacher.post(`${path}/copy`, { course_id: courseId, title: 'Again' });
  expect(titled.body.data).toMatchObject({ title: 'Again', course_id: courseId });
});

test('the list of quizzes has the state of each and can be filtered by it', async () => {
  const { courseId, teacher, quizId: open } = await newTeam();
  const ids = { open, draft: 0, closed: 0, scheduled: 0, accepting: 0 };
  const closes_at = '2026-01-01T00:00:00Z';
  const fields = {
    draft: { published: false },
    closed: { closes_at },
    scheduled: { opens_at: '2099-01-01T00:00:00Z' },
    accepting: { closes_at, late },
  };
  for (const [name, given] of Object.entries(fields))
    ids[name as keyof typeof fields] = (
      await created(teacher, { course_id: courseId, published: true, ...given })
    ).id;
  const listed = async (query: string) =>
    (await teacher.get(`${base}${query}`)).body.data.map(({ id }: { id: number }) => id);
  const { draft, closed, scheduled, accepting } = ids;
  expect(await listed('?state=draft')).toEqual([draft]);
  expect(await listed('?state=closed')).toEqual([closed]);
  expect(await listed('?state=open')).toEqual([accepting, scheduled, open]);
  for (const all of ['', '?state=all', `?course_id=${courseId}`])
    expect(await listed(all)).toEqual([accepting, scheduled, closed, draft, open]);
  expect((await teacher.get(`${base}?state=old`)).status).toBe(422);
});

test('only teachers change the rubric of a quiz that does not allow graders to', async () => {
  const { courseId, teacher, grader } = await newTeam();
  const { path } = await created(teacher, { course_id: courseId });
  const put = (client: Grader, headers: Record<string, string>) =>
    client.put(`${path}/rubric`, rubric, headers);
  expect((await put(grader, { 'if-none-match': '*' })).status).toBe(201);
  await teacher.patch(path, { graders_edit_rubric: false });
  expect((await put(grader, { 'if-match': '*' })).status).toBe(403);
  expect((await grader.delete(`${path}/rubric`, { 'if-match': '*' })).status).toBe(403);
  expect((await grader.get(`${path}/rubric`)).status).toBe(200);
  expect((await put(teacher, { 'if-match': '*' })).status).toBe(200);
});
