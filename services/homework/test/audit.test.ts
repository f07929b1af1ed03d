import { auditEvents } from '@gradeway/test/auditEvents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const about = (object_type: string, id: number) =>
  auditEvents(homework.database, 'homework', { object_type, object_id: String(id) });

test('creating, changing and removing an assignment is audited', async () => {
  const { classId } = homework.setUpClass();
  await homework.put(classId, { assignment_description: 'Read', file: homework.pdf });
  await homework.put(classId, {
    assignment_description: 'Write',
    assignment_deadline: '2030-01-02T03:04:05',
  });
  await homework.put(classId, { assignment_description: 'Write' });
  const path = `/api/v3/admin/homeworks/${classId}`;
  for (const status of [204, 404])
    expect((await homework.call(path, homework.admin, { method: 'DELETE' })).status).toBe(status);
  const [created, updated, deleted, ...others] = await about('assignment', classId);
  expect(others).toEqual([]);
  expect(created).toMatchObject({ action: 'assignment.created', actor_id: 1, address: '127.0.0.1' });
  expect(created?.changes).toMatchObject({
    description: [null, 'Read'],
    file_id: [null, expect.any(Number)],
  });
  expect(updated).toMatchObject({
    action: 'assignment.updated',
    actor_id: 1,
    actor_role: 'admin',
    changes: { description: ['Read', 'Write'], deadline: [null, '2030-01-02T03:04:05.000Z'] },
  });
  expect(deleted).toMatchObject({ action: 'assignment.deleted', actor_id: 1 });
});

test('each grading is audited without the comment, even if it changes nothing', async () => {
  const { classId, student } = await homework.setUp();
  const { id } = await homework.submitted(classId, student);
  await homework.grade(id, { rating: 7, comment: 'Untidy, Ada' });
  await homework.grade(id, { rating: 7 });
  await homework.grade(id, { rating: 9, comment: 'Well done' });
  expect((await homework.grade(id, { rating: 11 })).status).toBe(422);
  const entries = await about('homework_submission', id);
  expect(entries).toMatchObject([
    {
      action: 'homework.graded',
      actor_id: 1,
      changes: { rating: [null, 7], comment: [null, '(other text)'] },
    },
    { action: 'homework.graded', changes: null },
    { action: 'homework.graded', changes: { rating: [7, 9], comment: ['(text)', '(other text)'] } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/Untidy|Well done/);
});

test('a grading repeated with its Idempotency-Key is audited once', async () => {
  const { classId, student } = await homework.setUp();
  const { id } = await homework.submitted(classId, student);
  const headers = { 'idempotency-key': `audit-${id}` };
  for (const _ of ['once', 'repeated'])
    await homework.call(`/api/v3/admin/homeworks/grade/${id}`, homework.admin, {
      method: 'POST',
      body: { rating: 5 },
      headers,
    });
  expect(await about('homework_submission', id)).toHaveLength(1);
});

test('removing a file and downloads by an administrator are audited, but not downloads by the student', async () => {
  const { classId, student } = await homework.setUp();
  const submission = await homework.submitted(classId, student, ['one.pdf', 'two.pdf']);
  const { id, files } = submission;
  const download = `/api/v3/assignments/download/${id}`;
  for (const token of [homework.admin, student.token])
    expect((await homework.get(download, token)).status).toBe(200);
  await homework.call(download, homework.admin, { method: 'HEAD' });
  const path = `/api/v3/admin/homeworks/submissions/${id}/files/${files[0]?.id}`;
  for (const status of [204, 404])
    expect((await homework.call(path, homework.admin, { method: 'DELETE' })).status).toBe(status);
  expect(await about('homework_submission', id)).toMatchObject([
    { action: 'submission.exported', actor_id: 1 },
    { action: 'homework.file_removed', changes: { file_id: [files[0]?.id, null] } },
  ]);
});
