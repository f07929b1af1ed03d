import { randomUUID } from 'node:crypto';
import { signReceiptTime } from '@gradeway/shared/http/receiptTime';
import type { LateRule } from '@gradeway/shared/items/item';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  filesForm,
  type HomeworkService,
  type Scene,
  type Student,
  type SubmissionObject,
  startHomeworkService,
} from './homeworkService.ts';

// Daylight saving begins on Friday, 24 April 2026, at 00:00.
const zone = 'Africa/Cairo';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService({ APP_TIMEZONE: zone });
});
afterAll(() => homework.close());

const minute = 60_000;
const inMinutes = (minutes: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 + minutes * minute);

async function setUp(closesAt: Date | null, late: LateRule | null = null): Promise<Scene> {
  const scene = await homework.setUp();
  await setTimes(scene, closesAt, late);
  return scene;
}

const setTimes = ({ classId }: Scene, closesAt: Date | null, late: LateRule | null = null) =>
  homework.rows(
    'UPDATE homework.assignments SET deadline = $2, late = $3 WHERE class_id = $1',
    ...[classId, closesAt, late && JSON.stringify(late)],
  );

let lastTeacher = 8_000_000;

function newTeacher({ courseId }: Scene): HttpClient & { id: number } {
  lastTeacher += 1;
  const person = { firstName: 'Grace', lastName: 'Hopper', email: '', role: 'instructor' };
  homework.peers.users.push({ userId: lastTeacher, ...person, isBlocked: false, revision: 1 });
  homework.peers.teaching.add(`${lastTeacher}/${courseId}`);
  const token = homework.tokens.sign(lastTeacher, 'instructor');
  return { ...createHttpClient({ baseUrl: homework.service.url, token }), id: lastTeacher };
}

async function allow(scene: Scene, student: Student, given: object): Promise<void> {
  const path = `/api/v3/grading/homeworks/${scene.classId}/allowances/${student.id}`;
  const { status, body } = await newTeacher(scene).put(path, given);
  if (status !== 200) throw new Error(`not allowed: ${JSON.stringify(body)}`);
}

interface OwnHomework {
  id: number;
  assignment_deadline: string | null;
  state: string;
  seconds_until: number | null;
  remaining_seconds: number | null;
  late_rule: object | null;
  submission: { late: unknown; final_grade: number | null; rating: number | null } | null;
}

async function shownTo(student: Student, { classId }: Scene): Promise<OwnHomework> {
  const { body } = await homework.get('/api/v3/homeworks', student.token);
  return (body.data as OwnHomework[]).find(({ id }) => id === classId) as OwnHomework;
}

/** Submits as if the gateway had received the files at this time. */
function submitAt({ classId }: Scene, student: Student, receivedAt: Date) {
  const requestId = randomUUID();
  return homework.call(`/api/v3/homeworks/${classId}/submissions`, student.token, {
    method: 'POST',
    body: filesForm([['answer.pdf', homework.pdf]]),
    headers: {
      'x-request-id': requestId,
      'x-received-at': signReceiptTime(receivedAt.getTime(), requestId, serviceSecret),
    },
  });
}

/** Submits, and moves the submission to this time. */
async function submittedAt({ classId }: Scene, student: Student, time: Date): Promise<SubmissionObject> {
  const submission = await homework.submitted(classId, student);
  const sql = 'UPDATE homework.submissions SET submitted_at = $2 WHERE id = $1';
  await homework.rows(sql, submission.id, time);
  return submission;
}

const refused = { status: 403, body: { message: 'HomeworkDeadlineExpired' } };
const rule: LateRule = {
  until: '2999-01-01T00:00:00.000Z',
  ...{ graceMinutes: 0, penaltyPercent: 10, per: 'day', floorPercent: 0 },
};

describe('homework closes for each student at their own time', () => {
  test('an allowance made after the deadline reopens homework immediately, for only that student', async () => {
    const scene = await setUp(inMinutes(-60));
    const other = homework.enroll(scene.courseId);
    const deadline = (await shownTo(other, scene)).assignment_deadline;
    expect(await homework.submit(scene.classId, scene.student)).toMatchObject(refused);
    await allow(scene, scene.student, { closes_at: inMinutes(60).toISOString() });
    expect((await homework.submit(scene.classId, scene.student)).status).toBe(201);
    const own = await shownTo(scene.student, scene);
    expect([own.state, own.assignment_deadline !== deadline]).toEqual(['open', true]);
    expect(own.seconds_until).toSatisfy((value: number) => value > 3_500 && value <= 3_601);
    expect(own.remaining_seconds).toSatisfy((value: number) => value > 3_500 && value <= 3_600);
    expect(await shownTo(other, scene)).toMatchObject({ state: 'closed', assignment_deadline: deadline });
    expect(await homework.submit(scene.classId, other)).toMatchObject(refused);
  });

  test("an upload exactly at a student's own deadline is accepted, and one a millisecond later is refused", async () => {
    const scene = await setUp(inMinutes(-60));
    const until = inMinutes(-0.5);
    await allow(scene, scene.student, { closes_at: until.toISOString() });
    expect((await submitAt(scene, scene.student, until)).status).toBe(201);
    const tooLate = new Date(until.getTime() + 1);
    expect(await submitAt(scene, scene.student, tooLate)).toMatchObject(refused);
  });

  test('moving the deadline keeps the extension, and the later time applies', async () => {
    const scene = await setUp(inMinutes(-60));
    await allow(scene, scene.student, { closes_at: inMinutes(30).toISOString() });
    const extended = (await shownTo(scene.student, scene)).assignment_deadline;
    await setTimes(scene, inMinutes(-30));
    expect(await shownTo(scene.student, scene)).toMatchObject({
      state: 'open',
      assignment_deadline: extended,
    });
    await setTimes(scene, inMinutes(90));
    expect((await shownTo(scene.student, scene)).assignment_deadline).not.toBe(extended);
    await setTimes(scene, inMinutes(-45));
    expect(await shownTo(scene.student, scene)).toMatchObject({
      state: 'open',
      assignment_deadline: extended,
    });
  });

  test('an extension across a daylight-saving change ends at the local time that the teacher meant', async () => {
    const scene = await setUp(new Date('2026-04-22T18:00:00+02:00'));
    const { assignment_deadline } = await shownTo(scene.student, scene);
    await allow(scene, scene.student, { closes_at: '2026-04-25T18:00:00+03:00' });
    const own = await shownTo(scene.student, scene);
    expect([assignment_deadline, own.assignment_deadline]).toEqual([
      '22/04/2026 06:00 PM',
      '25/04/2026 06:00 PM',
    ]);
  });

  test('students and teachers see the same closing time, regardless of the time zone in which it was entered', async () => {
    const scene = await setUp(new Date('2026-11-02T10:00:00Z'));
    const others = [homework.enroll(scene.courseId), homework.enroll(scene.courseId)] as const;
    await allow(scene, others[0], { closes_at: '2026-11-10T05:00:00-05:00' });
    await allow(scene, others[1], { closes_at: '2026-11-10T12:00:00+02:00' });
    const { body } = await newTeacher(scene).get(`/api/v3/grading/homeworks/${scene.classId}/allowances`);
    expect((body.data as { closes_at: string }[]).map(({ closes_at }) => closes_at)).toEqual([
      '2026-11-10T10:00:00Z',
      '2026-11-10T10:00:00Z',
    ]);
    for (const student of others)
      expect((await shownTo(student, scene)).assignment_deadline).toBe('10/11/2026 12:00 PM');
  });

  test("a receipt has its student's own deadline", async () => {
    const scene = await setUp(inMinutes(5));
    const extended = inMinutes(10);
    await allow(scene, scene.student, { closes_at: extended.toISOString() });
    const answer = await homework.call(
      `/api/v3/homeworks/${scene.classId}/submissions`,
      scene.student.token,
      {
        method: 'POST',
        body: filesForm([['answer.pdf', homework.pdf]]),
        headers: { 'idempotency-key': randomUUID() },
      },
    );
    expect(answer.status).toBe(201);
    expect(
      await homework.rows(
        "SELECT result->>'deadline' AS deadline FROM homework.idempotency_keys WHERE user_id = $1",
        scene.student.id,
      ),
    ).toEqual([{ deadline: extended.toISOString() }]);
  });
});

describe('late homework', () => {
  test('a student sees the deadline for late homework and its penalty', async () => {
    const scene = await setUp(inMinutes(-60), rule);
    const until = '2999-01-01T00:00:00Z';
    const shown = { until, grace_minutes: 0, penalty_percent: 10, per: 'day', floor_percent: 0 };
    expect((await shownTo(scene.student, scene)).late_rule).toEqual(shown);
    // Nothing is late for a student whose own deadline is at or after that end.
    await allow(scene, scene.student, { closes_at: until });
    expect((await shownTo(scene.student, scene)).late_rule).toBeNull();
    await setTimes(scene, inMinutes(-60));
    expect((await shownTo(homework.enroll(scene.courseId), scene)).late_rule).toBeNull();
  });

  test('late homework is accepted until the end of that period, and the homework stays open until then', async () => {
    const closed = inMinutes(-60);
    const scene = await setUp(closed, { ...rule, until: inMinutes(30).toISOString() });
    const own = await shownTo(scene.student, scene);
    expect(own.state).toBe('open');
    expect(own.seconds_until).toSatisfy((value: number) => value > 1_700 && value <= 1_801);
    expect((await homework.submit(scene.classId, scene.student)).status).toBe(201);
    const until = inMinutes(-0.5);
    await setTimes(scene, closed, { ...rule, until: until.toISOString() });
    expect((await submitAt(scene, scene.student, until)).status).toBe(201);
    expect(await submitAt(scene, scene.student, new Date(until.getTime() + 1))).toMatchObject(refused);
    expect((await shownTo(scene.student, scene)).state).toBe('closed');
  });

  test('penalty days are 24 hours long, so that a daylight-saving change does not add a penalty', async () => {
    const closed = new Date('2026-04-23T18:00:00+02:00');
    const scene = await setUp(closed, rule);
    const dayLater = new Date(closed.getTime() + 24 * 60 * minute);
    const { id } = await submittedAt(scene, scene.student, dayLater);
    await homework.grade(id, { rating: 10 });
    expect((await shownTo(scene.student, scene)).submission).toMatchObject({
      late: { minutes: 1_440, penalty_percent: 10, points: 1 },
      final_grade: 9,
    });
  });

  test('students and graders see the same lateness of homework, and the specified endpoints return the raw rating', async () => {
    const closed = inMinutes(-90);
    const scene = await setUp(closed, rule);
    const submission = await submittedAt(scene, scene.student, inMinutes(-30));
    const { id } = submission;
    await homework.grade(id, { rating: 7 });
    const lateness = { late: { minutes: 60, penalty_percent: 10, points: 0.7 }, final_grade: 6.3 };
    const teacher = newTeacher(scene);
    const path = `/api/v3/grading/homeworks/submissions/${id}`;
    const shown = [
      (await teacher.get(path)).body.data,
      (await teacher.get(`/api/v3/grading/homeworks/${scene.classId}/submissions`)).body.data[0],
      (await homework.get(`/api/v3/homeworks/submissions/${id}`, scene.student.token)).body.data,
      (await shownTo(scene.student, scene)).submission,
    ];
    for (const each of shown) expect(each).toMatchObject(lateness);

    const [listed] = (await homework.homework(scene.classId)).submissions;
    const changed = {
      rating: 7,
      is_reviewed: true,
      submitted_at: expect.any(String),
      files: expect.any(Array),
    };
    expect(listed).toEqual({ ...submission, ...changed });

    await homework.rows(
      "UPDATE homework.assignments SET release = 'manual' WHERE class_id = $1",
      scene.classId,
    );
    const hidden = { late: { minutes: 60, penalty_percent: 10, points: null }, final_grade: null };
    expect((await shownTo(scene.student, scene)).submission).toMatchObject(hidden);
    expect((await teacher.get(path)).body.data).toMatchObject(lateness);

    const waived = await teacher.put(`${path}/late`, { waived: true });
    expect(waived.body.data).toMatchObject({ late: null, final_grade: 7, late_waived: true });
    const events = await homework.rows<{ data: object }>(
      `SELECT body->'data' AS data FROM homework.outbox
       WHERE type IN ('homework.submission.submitted.v1', 'homework.submission.lateness.changed.v1')
         AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
      id,
    );
    const ids = { submission_id: id, class_id: scene.classId, course_id: scene.courseId };
    const submitted_at = expect.stringMatching(/Z$/);
    expect(events.map(({ data }) => data)).toEqual([
      { ...ids, student_id: scene.student.id, submitted_at, late_waived: false, state_revision: 1 },
      { ...ids, student_id: scene.student.id, submitted_at, late_waived: true, state_revision: 2 },
    ]);
  });

  test('a late submission whose class lost its assignment stays late', async () => {
    const closed = inMinutes(-90);
    const scene = await setUp(closed, rule);
    const { id } = await submittedAt(scene, scene.student, new Date(closed.getTime() + 60 * minute));
    await homework.call(`/api/v3/admin/homeworks/${scene.classId}`, homework.admin, { method: 'DELETE' });
    const detail = await newTeacher(scene).get(`/api/v3/grading/homeworks/submissions/${id}`);
    expect(detail.body.data.late).toMatchObject({ minutes: 60 });
  });
});
