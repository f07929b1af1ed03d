import { PersonalDataService } from '@gradeway/proto/personal';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { openTransaction } from '@gradeway/test/openTransaction';
import { waitForLock } from '@gradeway/test/waitForLock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Grader, newGrader } from './graders.ts';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

interface Course extends Scene {
  teacher: Grader;
  path: string;
}

async function newCourse(): Promise<Course> {
  const scene = await quiz.setUp();
  const teacher = newGrader(quiz, scene.courseId);
  return { ...scene, teacher, path: `/api/v3/grading/quizzes/${scene.quizId}/allowances` };
}

let lastStudent = 5_000_000;

/** Another student of the course. */
function enroll({ courseId }: Scene, firstName = 'Ada', lastName = 'Other', paid = true): number {
  lastStudent += 1;
  const name = { firstName, lastName, email: `${lastStudent}@school.example` };
  quiz.peers.users.push({ userId: lastStudent, ...name, role: 'user', isBlocked: false, revision: 1 });
  quiz.peers.enrollments.set(`${lastStudent}/${courseId}`, { paid });
  return lastStudent;
}

function newGraderRole({ courseId }: Scene): Grader {
  const grader = newGrader(quiz, courseId);
  quiz.peers.graders.add(`${grader.id}/${courseId}`);
  return grader;
}

const eventsOf = async ({ quizId }: Scene, type: string) => {
  const rows = await quiz.database.query<{ data: Record<string, unknown> }>(
    `SELECT body->'data' AS data FROM quiz.outbox WHERE type = $1
       AND (body->'data'->>'item_id' = $2::text OR body->'data'->>'object_id' LIKE $2::text || '/%') ORDER BY position`,
    [type, quizId],
  );
  return rows.map(({ data }) => data);
};

describe('an allowance', () => {
  test('an allowance is stored, shown to graders and teachers, published and audited', async () => {
    const scene = await newCourse();
    const { teacher, path, studentId } = scene;
    const given = { closes_at: '2026-12-03T18:00:00.9+02:00', extra_minutes: 15, note: 'Ill' };
    const put = await teacher.put(`${path}/${studentId}`, given);
    const allowance = {
      student: { id: studentId, name: `Ada Student ${studentId}`, email: '' },
      ...{ closes_at: '2026-12-03T16:00:00Z', extra_minutes: 15, excused: false, note: 'Ill' },
      changed_by: { id: teacher.id, name: teacher.name },
      changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    };
    expect([put.status, put.body]).toEqual([200, { data: allowance }]);
    for (const reader of [teacher, newGraderRole(scene)]) {
      const { status, body } = await reader.get(path);
      expect([status, body]).toMatchObject([200, { data: [allowance], meta: { total: 1, per_page: 50 } }]);
    }
    expect(await eventsOf(scene, 'quiz.allowance.changed.v1')).toEqual([
      {
        ...{ item_id: scene.quizId, course_id: scene.courseId, student_id: studentId, revision: 1 },
        ...{ closes_at: '2026-12-03T16:00:00.000Z', extra_minutes: 15, excused: false, is_removed: false },
      },
    ]);
    expect(await eventsOf(scene, 'audit.recorded.v1')).toMatchObject([
      {
        ...{ action: 'allowance.changed', actor_id: teacher.id, object_type: 'quiz_allowance' },
        object_id: `${scene.quizId}/${studentId}`,
        changes: {
          closes_at: [null, '2026-12-03T16:00:00.000Z'],
          ...{ extra_minutes: [null, 15], excused: [null, false], note: [null, '(other text)'] },
        },
      },
    ]);
  });

  test('an allowance replaces an earlier one, including the fields it omits', async () => {
    const scene = await newCourse();
    const { teacher, path, studentId } = scene;
    await teacher.put(`${path}/${studentId}`, { extra_minutes: 15, note: 'Ill' });
    const { body } = await teacher.put(`${path}/${studentId}`, { excused: true, note: null });
    expect(body.data).toMatchObject({ closes_at: null, extra_minutes: 0, excused: true, note: null });
    expect(await eventsOf(scene, 'quiz.allowance.changed.v1')).toMatchObject([
      { revision: 1, extra_minutes: 15, excused: false },
      { revision: 2, extra_minutes: 0, excused: true },
    ]);
  });

  test('an allowance equal to the stored one changes and publishes nothing', async () => {
    const scene = await newCourse();
    const { teacher, path, studentId } = scene;
    const given = { extra_minutes: 15, closes_at: '2026-12-03T16:00:00Z' };
    await teacher.put(`${path}/${studentId}`, given);
    const other = newGrader(quiz, scene.courseId);
    const again = await other.put(`${path}/${studentId}`, given);
    expect(again.body.data.changed_by.id).toBe(teacher.id);
    expect(await eventsOf(scene, 'quiz.allowance.changed.v1')).toHaveLength(1);
    expect(await eventsOf(scene, 'audit.recorded.v1')).toHaveLength(1);
  });

  test('a removed allowance is gone, removing it again succeeds, and a new one continues its revisions', async () => {
    const scene = await newCourse();
    const { teacher, path, studentId } = scene;
    await teacher.put(`${path}/${studentId}`, { extra_minutes: 15 });
    for (let count = 0; count < 2; count += 1) {
      const { status, body } = await teacher.delete(`${path}/${studentId}`);
      expect([status, body]).toEqual([204, null]);
    }
    expect((await teacher.get(path)).body.data).toEqual([]);
    await teacher.put(`${path}/${studentId}`, { extra_minutes: 15 });
    expect(await eventsOf(scene, 'quiz.allowance.changed.v1')).toMatchObject([
      { revision: 1, is_removed: false, extra_minutes: 15 },
      { revision: 2, is_removed: true, extra_minutes: 0 },
      { revision: 3, is_removed: false, extra_minutes: 15 },
    ]);
    const actions = (await eventsOf(scene, 'audit.recorded.v1')).map(({ action }) => action);
    expect(actions).toEqual(['allowance.changed', 'allowance.removed', 'allowance.changed']);
  });

  test.each([
    ['closes_at', { closes_at: '2026-12-03T16:00:00' }],
    ['closes_at', { closes_at: 'tomorrow' }],
    ['extra_minutes', { extra_minutes: -1 }],
    ['extra_minutes', { extra_minutes: 10_081 }],
    ['extra_minutes', { extra_minutes: 1.5 }],
    ['excused', { excused: 'yes' }],
    ['note', { note: 'x'.repeat(1_001) }],
  ])('an allowance with an invalid %s is Invalid Data', async (field, given) => {
    const { teacher, path, studentId } = await newCourse();
    const { status, body } = await teacher.put(`${path}/${studentId}`, given);
    expect([status, body.message, Object.keys(body.errors)]).toEqual([422, 'Invalid Data', [field]]);
  });

  test('an allowance needs an enrolled student, paid or not', async () => {
    const scene = await newCourse();
    const { teacher, path } = scene;
    const elsewhere = (await newCourse()).studentId;
    for (const id of [elsewhere, 999_999_999]) {
      const { status, body } = await teacher.put(`${path}/${id}`, {});
      expect([status, Object.keys(body.errors)]).toEqual([422, ['student_id']]);
    }
    const unpaid = enroll(scene, 'Ada', 'Unpaid', false);
    expect((await teacher.put(`${path}/${unpaid}`, {})).status).toBe(200);
  });
});

describe('allowances of several students', () => {
  test('allowances of several students are set in one request that counts its changes, and are listed by name', async () => {
    const scene = await newCourse();
    const { teacher, path } = scene;
    const byName = [
      enroll(scene, 'Zoe', 'Adams'),
      enroll(scene, 'Ada', 'Brown'),
      enroll(scene, 'Bob', 'Brown'),
      enroll(scene, 'Bob', 'Brown'),
    ];
    const students = byName.toReversed().map((student_id) => ({ student_id, extra_minutes: 10 }));
    expect(await teacher.post(path, { students })).toMatchObject({
      status: 200,
      body: { data: { changed: 4 } },
    });
    const [first, ...others] = students as [(typeof students)[0]];
    const again = [{ ...first, extra_minutes: 20 }, ...others];
    expect((await teacher.post(path, { students: again })).body.data).toEqual({ changed: 1 });
    const listed = (await teacher.get(path)).body.data as { student: { id: number } }[];
    expect(listed.map(({ student }) => student.id)).toEqual(byName);
    const second = (await teacher.get(`${path}?per_page=1&page=2`)).body;
    expect(second).toMatchObject({
      data: [{ student: { id: byName[1] } }],
      meta: { total: 4, last_page: 4 },
    });
  });

  test('allowances of up to 500 students are set in one request', async () => {
    const scene = await newCourse();
    const students = Array.from({ length: 500 }, (_, index) => ({
      student_id: enroll(scene, 'Ada', `Student ${index}`),
      closes_at: '2026-12-03T16:00:00Z',
      note: 'x'.repeat(200),
    }));
    const { body } = await scene.teacher.post(scene.path, { students });
    expect(body.data).toEqual({ changed: 500 });
    expect(await eventsOf(scene, 'quiz.allowance.changed.v1')).toHaveLength(500);
  });

  test('allowances of several students are all refused if one of them is invalid', async () => {
    const scene = await newCourse();
    const { teacher, path, studentId } = scene;
    const own = { student_id: studentId, extra_minutes: 10 };
    const refused: [field: string, body: object][] = [
      ['student_id', { students: [own, { student_id: 999_999_999 }] }],
      ['students', { students: [own, { student_id: enroll(scene), extra_minutes: -1 }] }],
      ['students', { students: [own, own] }],
      ['students', { students: [] }],
      ['students', { students: Array.from({ length: 501 }, (_, index) => ({ student_id: index + 1 })) }],
      ['students', { students: [{ extra_minutes: 5 }] }],
      ['students', { students: own }],
      ['students', {}],
    ];
    for (const [field, body] of refused) {
      const answer = await teacher.post(path, body);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    }
    expect((await teacher.get(path)).body.data).toEqual([]);
  });
});

describe('permission to set allowances', () => {
  test('graders read allowances but cannot change them, and others get 404', async () => {
    const scene = await newCourse();
    const one = `${scene.path}/${scene.studentId}`;
    const changes = (caller: Grader) => [
      caller.put(one, { extra_minutes: -1 }),
      caller.post(scene.path, {}),
      caller.delete(one),
    ];
    const statuses = async (caller: Grader) =>
      (await Promise.all([caller.get(scene.path), ...changes(caller)])).map(({ status, body }) => [
        status,
        body?.message,
      ]);
    const forbidden = [403, 'Unauthorized Access'];
    const [read, ...written] = await statuses(newGraderRole(scene));
    expect([read?.[0], ...written]).toEqual([200, forbidden, forbidden, forbidden]);
    expect(await statuses(newGrader(quiz))).toEqual(Array(4).fill([404, 'Not Found']));
    expect(await statuses(newGrader(quiz, scene.courseId, 'user'))).toEqual(Array(4).fill(forbidden));
  });

  test('allowances of an unknown or deleted quiz are 404', async () => {
    const scene = await newCourse();
    await scene.teacher.put(`${scene.path}/${scene.studentId}`, {});
    await quiz.database.query('UPDATE quiz.quizzes SET deleted_at = now() WHERE id = $1', [scene.quizId]);
    for (const path of [scene.path, scene.path.replace(/\d+/, '999999')]) {
      expect((await scene.teacher.get(path)).status).toBe(404);
      expect((await scene.teacher.put(`${path}/${scene.studentId}`, {})).status).toBe(404);
    }
  });

  test('graders do not see the allowances of an anonymous quiz before the grades are released', async () => {
    const scene = await newCourse();
    const set = (values: string) =>
      quiz.database.query(`UPDATE quiz.quizzes SET ${values} WHERE id = $1`, [scene.quizId]);
    await scene.teacher.put(`${scene.path}/${scene.studentId}`, {});
    await set("anonymous = true, release = 'manual'");
    const grader = newGraderRole(scene);
    const { status, body } = await grader.get(scene.path);
    expect([status, body.message]).toEqual([409, 'Anonymous item']);
    expect((await scene.teacher.get(scene.path)).body.data).toHaveLength(1);
    await set('released_at = now()');
    expect((await grader.get(scene.path)).status).toBe(200);
  });
});

describe('the personal data of an allowance', () => {
  const personalData = () =>
    createGrpcStreamClient(PersonalDataService, {
      ...{ address: quiz.service.grpcAddress, secret: serviceSecret },
      ...({ caller: 'auth', callee: 'quiz' } as const),
    });
  const signal = () => new AbortController().signal;

  test('allowances are exported with the data of their student and their teacher', async () => {
    const { teacher, path, studentId, quizId } = await newCourse();
    await teacher.put(`${path}/${studentId}`, { extra_minutes: 15, note: 'Ill' });
    const client = personalData();
    const recordsOf = async (userId: number) => {
      const found: unknown[] = [];
      for await (const { record } of client.read('exportPerson', { userId }, { signal: signal() }))
        if (record?.kind.startsWith('allowances')) found.push([record.kind, JSON.parse(record.json)]);
      return found;
    };
    try {
      expect(await recordsOf(studentId)).toMatchObject([
        ['allowances', { id: quizId, extra_minutes: 15, note: 'Ill' }],
      ]);
      expect(await recordsOf(teacher.id)).toMatchObject([['allowances_made', { id: quizId, students: 1 }]]);
    } finally {
      client.close();
    }
  });

  test('an erasure deletes allowances, including ones being set concurrently', async () => {
    const { teacher, path, studentId, quizId } = await newCourse();
    await teacher.put(`${path}/${studentId}`, { note: 'Ill' });
    const client = personalData();
    const erase = async () => {
      const person = { userId: studentId, keepGrades: true, email: '', sourcedId: '' };
      for await (const _ of client.read('erasePerson', person, { signal: signal() }));
    };
    const holder = await openTransaction(quiz.database.url('quiz'));
    try {
      await holder.query('SELECT FROM quizzes WHERE id = $1 FOR UPDATE', [quizId]);
      const late = teacher.put(`${path}/${studentId}`, { note: 'Still ill' });
      await waitForLock(quiz.database);
      const erasing = erase();
      await holder.query('COMMIT');
      await Promise.all([late, erasing]);
      const after = await teacher.put(`${path}/${studentId}`, {});
      expect([after.status, Object.keys(after.body.errors)]).toEqual([422, ['student_id']]);
    } finally {
      await holder.end();
      client.close();
    }
    const rows = await quiz.database.query('SELECT FROM quiz.allowances WHERE student_id = $1', [studentId]);
    expect(rows).toEqual([]);
  });
});
