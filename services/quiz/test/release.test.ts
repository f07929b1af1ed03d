import { auditEvents } from '@gradeway/test/auditEvents';
import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { startService } from '@gradeway/test/serviceProcess';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeRubric,
  grade,
  gradedEvents,
  makeRubric,
  newGrader,
  newQueue,
  type Queue,
  submissionPath,
} from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** A quiz whose grades are held back, and one of its teachers. */
async function newScene(submissions = 1) {
  const queue = await newQueue(quiz, submissions);
  const teacher = newGrader(quiz, queue.courseId);
  await hide(queue);
  const [id] = queue.submissionIds as [number];
  return { ...queue, queue, teacher, id, release: `${queue.path}/release` };
}

const hide = ({ quizId }: Queue) =>
  quiz.database.query("UPDATE quiz.quizzes SET release = 'manual' WHERE id = $1", [quizId]);
const schedule = (quizIds: number[], at: string) =>
  quiz.database.query(
    `UPDATE quiz.quizzes SET release_at = now() + $2::interval, released_at = NULL, release = 'manual'
     WHERE id = ANY ($1::integer[])`,
    [quizIds, at],
  );

/** A quiz's own events, without the events of its submissions, oldest first. */
const eventsOf = async (quizId: number) =>
  await quiz.database.query<{ type: string; data: Record<string, unknown> }>(
    `SELECT type, body->'data' AS data FROM quiz.outbox
     WHERE type LIKE 'quiz.grades.%' AND body->'data'->>'item_id' = $1::text
       OR type = 'quiz.changed.v1' AND body->'data'->>'id' = $1::text
     ORDER BY position`,
    [quizId],
  );
const typesOf = async (quizId: number) => (await eventsOf(quizId)).map(({ type }) => type);
const audited = (quizId: number) =>
  auditEvents(quiz.database, 'quiz', { object_type: 'quiz', object_id: String(quizId) });
const releases = async (quizId: number) =>
  (await audited(quizId)).filter(({ action }) => action.startsWith('grades.'));

describe('releasing grades', () => {
  test('a release returns the item, publishes its new state and one public event, and is audited', async () => {
    const { teacher, release, quizId, courseId } = await newScene();
    const answer = await teacher.post(release);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).not.toBeNull();
    const { data } = answer.body;
    expect(data).toMatchObject({ id: quizId, kind: 'quizzes', release: 'manual', release_at: null });
    expect(data.released_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const [, changed, released, ...others] = await eventsOf(quizId);
    const releasedAt = released?.data.released_at as string;
    expect(changed).toMatchObject({ type: 'quiz.changed.v1', data: { released_at: releasedAt } });
    expect(released).toEqual({
      type: 'quiz.grades.released.v1',
      data: { item_id: quizId, course_id: courseId, released_at: releasedAt },
    });
    expect(Math.trunc(Date.parse(releasedAt) / 1000)).toBe(Date.parse(data.released_at) / 1000);
    expect(others).toEqual([]);
    expect(await releases(quizId)).toMatchObject([
      { action: 'grades.released', actor_id: teacher.id, changes: { released_at: [null, releasedAt] } },
    ]);
  });

  test('a release of released grades changes nothing and publishes nothing', async () => {
    const { teacher, release, quizId } = await newScene();
    const first = await teacher.post(release);
    const before = await eventsOf(quizId);
    const again = await teacher.post(release);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await eventsOf(quizId)).toEqual(before);
    expect(await releases(quizId)).toHaveLength(1);
  });

  test('a release of grades that are visible immediately changes nothing and publishes nothing', async () => {
    const queue = await newQueue(quiz, 1);
    const before = await eventsOf(queue.quizId);
    const answer = await newGrader(quiz, queue.courseId).post(`${queue.path}/release`);
    expect(answer.body.data).toMatchObject({
      release: 'immediate',
      released_at: answer.body.data.created_at,
    });
    expect(await eventsOf(queue.quizId)).toEqual(before);
    expect(await releases(queue.quizId)).toEqual([]);
  });

  test('withholding hides the grades from then on, even those that are visible immediately', async () => {
    const queue = await newQueue(quiz, 1);
    const teacher = newGrader(quiz, queue.courseId);
    const answer = await teacher.delete(`${queue.path}/release`);
    expect(answer.body.data).toMatchObject({ release: 'manual', release_at: null, released_at: null });
    const types = ['quiz.changed.v1', 'quiz.changed.v1', 'quiz.grades.withheld.v1'];
    expect(await typesOf(queue.quizId)).toEqual(types);
    expect((await eventsOf(queue.quizId)).at(-1)?.data).toEqual({
      ...{ item_id: queue.quizId, course_id: queue.courseId, released_at: null },
    });
    expect((await teacher.delete(`${queue.path}/release`)).status).toBe(200);
    expect(await typesOf(queue.quizId)).toEqual(types);
    expect(await releases(queue.quizId)).toMatchObject([{ action: 'grades.withheld', actor_id: teacher.id }]);
  });

  test('withholding cancels a scheduled release, without a public event, because students notice nothing', async () => {
    const { teacher, release, quizId } = await newScene();
    await schedule([quizId], '1 day');
    expect((await teacher.delete(release)).body.data).toMatchObject({ release_at: null, released_at: null });
    expect(await typesOf(quizId)).not.toContain('quiz.grades.withheld.v1');
    expect(await releases(quizId)).toMatchObject([{ changes: { release_at: [expect.any(String), null] } }]);
  });

  test('a release by PATCH is published and audited like the release endpoint', async () => {
    const { teacher, path, quizId } = await newScene();
    expect((await teacher.patch(path, { release: 'immediate' })).status).toBe(200);
    expect((await teacher.patch(path, { release: 'manual' })).status).toBe(200);
    const types = (await typesOf(quizId)).filter((type) => type.startsWith('quiz.grades.'));
    expect(types).toEqual(['quiz.grades.released.v1', 'quiz.grades.withheld.v1']);
    const actions = (await releases(quizId)).map(({ action }) => action);
    expect(actions).toEqual(['grades.released', 'grades.withheld']);
  });

  test('only a teacher of the course releases and withholds', async () => {
    const { release, courseId, student, quizId } = await newScene();
    const grader = newGrader(quiz, courseId);
    quiz.peers.graders.add(`${grader.id}/${courseId}`);
    const other = newGrader(quiz);
    const before = await eventsOf(quizId);
    for (const method of ['post', 'delete'] as const) {
      const answers = [await grader[method](release), await other[method](release)];
      expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
        [403, 'Unauthorized Access'],
        [404, 'Not Found'],
      ]);
    }
    expect((await quiz.post(release, student, undefined)).status).toBe(403);
    expect((await newGrader(quiz, courseId).post('/api/v3/grading/quizzes/999999/release')).status).toBe(404);
    expect(await eventsOf(quizId)).toEqual(before);
  });

  test('simultaneous releases take effect once', async () => {
    const { teacher, release, quizId } = await newScene();
    const answers = await Promise.all([1, 2, 3, 4].map(() => teacher.post(release)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const released = (await typesOf(quizId)).filter((type) => type === 'quiz.grades.released.v1');
    expect(released).toHaveLength(1);
    expect(await releases(quizId)).toHaveLength(1);
  });
});

describe('a scheduled release', () => {
  const isReleased = async (quizId: number) => (await releases(quizId)).length > 0;

  test('a scheduled release takes effect at its time, and its audit entry has no actor', async () => {
    const { teacher, path, quizId } = await newScene();
    // In whole seconds, as times are stored.
    const releaseAt = new Date(Math.trunc(Date.now() / 1000) * 1000 + 2_000).toISOString();
    expect((await teacher.patch(path, { release_at: releaseAt })).body.data.released_at).toBeNull();
    await waitFor(() => isReleased(quizId));
    const { data } = (await teacher.get(path)).body;
    expect(data.release_at).toBeNull();
    expect(Date.parse(data.released_at)).toBeGreaterThanOrEqual(Date.parse(releaseAt));
    expect((await typesOf(quizId)).filter((type) => type === 'quiz.grades.released.v1')).toHaveLength(1);
    expect(await releases(quizId)).toMatchObject([
      { action: 'grades.released', actor_id: null, changes: { release_at: [releaseAt, null] } },
    ]);
  });

  test('a release that came due while no replica was running takes effect after the restart', async () => {
    const { quizId } = await newScene();
    quiz.service.kill('SIGKILL');
    await schedule([quizId], '-1 hour');
    await quiz.service.start();
    await waitFor(() => isReleased(quizId));
  });

  test('releases that are due take effect once, however many replicas run', async () => {
    const { database, peers, tokens } = quiz;
    const quizIds: number[] = [];
    for (let made = 0; made < 20; made += 1) quizIds.push((await newScene()).quizId);
    const second = await startService({ service: 'quiz', database, peers, tokens });
    try {
      await schedule(quizIds, '-1 minute');
      await waitFor(async () => (await Promise.all(quizIds.map(isReleased))).every(Boolean));
      for (const quizId of quizIds) {
        expect(await releases(quizId)).toHaveLength(1);
        const types = (await typesOf(quizId)).filter((type) => type === 'quiz.grades.released.v1');
        expect(types).toHaveLength(1);
      }
    } finally {
      await second.stop();
    }
  });
});

describe('a release during a change to a submission', () => {
  const lockItem = ({ quizId }: Queue) => `SELECT FROM quizzes WHERE id = ${quizId} FOR NO KEY UPDATE`;
  const change = ({ quizId }: Queue, released: string) =>
    `UPDATE quizzes SET released_at = ${released}, revision = revision + 1 WHERE id = ${quizId}`;
  const whileReleasing = (queue: Queue, send: () => Promise<{ status: number }>, released = 'now()') =>
    changeWhileWaiting({
      ...{ database: quiz.database, schema: 'quiz', send },
      ...{ lock: lockItem(queue), change: change(queue, released) },
    });

  test('a grading that waits for a release is published as visible to students', async () => {
    const { teacher, id, queue } = await newScene();
    const { status } = await whileReleasing(queue, () => grade(teacher, id, { grade: 7 }));
    expect(status).toBe(200);
    expect(await gradedEvents(quiz, id)).toMatchObject([{ grade: 7, visible_from: expect.any(String) }]);
  });

  test('a grading that waits for a withdrawal is published as hidden from students', async () => {
    const { teacher, id, queue, release } = await newScene();
    await teacher.post(release);
    const path = `/api/v3/quiz/pdf-quizzes/grade/${id}`;
    const send = () => quiz.post(path, quiz.admin, { grade: 7, total_grade: 10 });
    expect((await whileReleasing(queue, send, 'NULL')).status).toBe(200);
    expect(await gradedEvents(quiz, id)).toMatchObject([{ grade: 7, visible_from: null }]);
  });

  test('a rubric change that waits for a release publishes the grades as visible to students', async () => {
    const { teacher, id, queue } = await newScene();
    const rubric = { mode: 'add', max_points: 10, items: [{ points: 6, text: 'Six' }] };
    const { items, revision } = await makeRubric(teacher, queue, rubric);
    await grade(teacher, id, { selection: [items[0]?.id], rubric_revision: revision });
    const changed = { ...rubric, items: items.map((item) => ({ ...item, points: 5 })) };
    expect((await whileReleasing(queue, () => changeRubric(teacher, queue, changed))).status).toBe(200);
    expect((await gradedEvents(quiz, id)).map(({ visible_from }) => visible_from)).toEqual([
      null,
      expect.any(String),
    ]);
  });

  test('an upload that replaces work with a hidden grade is refused if it waited for a release, and the grade stays', async () => {
    const scene = await quiz.setUp({ total_grade_for_quiz_pdf: '10' });
    expect((await quiz.upload(scene)).status).toBe(200);
    const { body } = await quiz.get('/api/v3/quiz/submissions', scene.student);
    const { id } = body.data[0];
    const queue = { ...scene, submissionIds: [id], path: `/api/v3/grading/quizzes/${scene.quizId}` };
    await hide(queue);
    const teacher = newGrader(quiz, scene.courseId);
    await grade(teacher, id, { grade: 7 });
    expect((await whileReleasing(queue, () => quiz.upload(scene))).status).toBe(409);
    expect((await teacher.get(submissionPath(id))).body.data).toMatchObject({ grade: 7 });
  });
});
