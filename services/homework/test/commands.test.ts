import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

async function runCommand(name: string): Promise<string> {
  const path = fileURLToPath(new URL('../dist/command.js', import.meta.url));
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: homework.database.url('homework'),
    EVENTS_URL: homework.database.url('broker'),
    SERVICE_SECRET: serviceSecret,
    FILE_URL_SECRET: 'a test secret for files',
    AUTH_GRPC: homework.peers.authGrpc,
    COURSES_GRPC: homework.peers.coursesGrpc,
  };
  return (await promisify(execFile)(process.execPath, [path, name], { env })).stdout;
}

test('rebuildProjections reloads every record, detects deleted ones, and republishes every grade', async () => {
  const { peers } = homework;
  const [kept, classGone, courseGone] = [
    await homework.setUp(),
    await homework.setUp(),
    await homework.setUp(),
  ];
  const { id } = await homework.submitted(kept.classId, kept.student);
  await homework.grade(id, { rating: 3 });
  const undone = await homework.submitted(courseGone.classId, courseGone.student);
  await homework.grade(undone.id, { rating: 4 });
  await homework.rows(
    `UPDATE homework.submissions SET rating = NULL, graded_by = NULL, graded_at = NULL, revision = 2 WHERE id = $1`,
    undone.id,
  );
  await homework.rows(
    `INSERT INTO homework.allowances (item_id, student_id, closes_at, excused, changed_by, revision)
     VALUES ($1, $2, '2026-03-05T09:00:00Z', true, 1, 4)`,
    kept.classId,
    kept.student.id,
  );
  await homework.rows("UPDATE homework.people SET first_name = 'Wrong', revision = 0");
  await homework.rows("UPDATE homework.classes SET title = 'Wrong', revision = 0");
  await homework.rows('DELETE FROM homework.courses WHERE course_id = $1', kept.courseId);
  peers.classes.splice(
    peers.classes.findIndex(({ classId }) => classId === classGone.classId),
    1,
  );
  peers.courses.splice(
    peers.courses.findIndex(({ courseId }) => courseId === courseGone.courseId),
    1,
  );

  expect(await runCommand('rebuildProjections')).toBe(
    'homework: 3 names, 3 classes and 3 courses loaded, 2 grades, 3 assignments, 2 submissions and 1 allowances republished\n',
  );
  expect(await homework.homework(kept.classId)).toMatchObject({
    title: `Class ${kept.classId}`,
    course_title: `Course ${kept.courseId}`,
    submissions: [{ student_name: `Ada Student ${kept.student.id}` }],
  });
  expect(await homework.homework(classGone.classId)).toMatchObject({ message: 'PDF Homework not found' });
  expect(await homework.homework(courseGone.classId)).toMatchObject({ course_title: null });
  const published = await homework.rows(
    `SELECT body->'data'->'revision' AS revision FROM homework.outbox
     WHERE type = 'homework.submission.graded.v1' AND body->'data'->>'submission_id' = $1::text`,
    id,
  );
  expect(published).toEqual([{ revision: 1 }, { revision: 1 }]);
  expect(
    await homework.rows(
      `SELECT body->'data'->'submission_id' AS id, body->'data'->'revision' AS revision FROM homework.outbox
       WHERE type = 'homework.submission.ungraded.v1'`,
    ),
  ).toEqual([{ id: undone.id, revision: 2 }]);
  const work = await homework.rows(
    `SELECT body->'data' AS data FROM homework.outbox
     WHERE type = 'homework.submission.lateness.changed.v1' AND body->'data'->>'submission_id' = $1::text`,
    id,
  );
  const about = { course_id: kept.courseId, student_id: kept.student.id };
  expect(work).toMatchObject([
    {
      data: {
        ...about,
        class_id: kept.classId,
        submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        late_waived: false,
        state_revision: expect.any(Number),
      },
    },
  ]);
  const allowances =
    "SELECT body->'data' AS data FROM homework.outbox WHERE type = 'homework.allowance.changed.v1'";
  expect(await homework.rows(allowances)).toEqual([
    {
      data: {
        ...about,
        item_id: kept.classId,
        closes_at: '2026-03-05T09:00:00.000Z',
        extra_minutes: 0,
        excused: true,
        is_removed: false,
        revision: 4,
      },
    },
  ]);
  await waitFor(
    async () => (await homework.rows('SELECT 1 FROM homework.outbox WHERE sent_at IS NULL')).length === 0,
  );
});

test('replayDeadLetters reports how many events it replayed', async () => {
  expect(await runCommand('replayDeadLetters')).toBe('homework: 0 dead letters replayed\n');
});
