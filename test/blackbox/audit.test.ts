import { unique } from '@gradeway/test/fixtures';
import type { Answer } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { asAdmin, newCourse, newScene, newStudent, quizSubmissions, submitQuiz } from './fixtures.ts';

const audit = '/api/v3/admin/audit';

/** The entry of a request, once it has arrived from its service. */
async function entryOf(answer: Answer, action: string): Promise<Record<string, unknown>> {
  const admin = await asAdmin();
  const requestId = answer.headers.get('x-request-id');
  const find = async () => {
    const { body } = await admin.get(`${audit}?action=${action}&per_page=100`);
    return body.data.find((entry: { request_id: string }) => entry.request_id === requestId);
  };
  await waitFor(async () => (await find()) !== undefined, 30_000);
  return find();
}

test('the actions of an administrator in any service are in the audit log, with actor, address and request', async () => {
  const admin = await asAdmin();
  const { data: me } = (await admin.get('/api/v3/me')).body;
  const actor = { id: me.id, name: me.name, role: 'admin' };
  const { courseId, quizId, student } = await newScene();
  const title = unique();

  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' };
  const renamed = await admin.request('PATCH', `/api/v3/admin/courses/${courseId}`, {
    body: { title },
    headers: forged,
  });
  expect(await entryOf(renamed, 'course.updated')).toMatchObject({
    actor,
    session_id: expect.any(Number),
    object: { type: 'course', id: courseId },
    changes: { title: [expect.any(String), title] },
  });
  const { address } = await entryOf(renamed, 'course.updated');
  expect(address).not.toBe('203.0.113.9');

  const blocked = await admin.patch(`/api/v3/admin/users/${student.id}`, { is_verified: true });
  expect(await entryOf(blocked, 'user.updated')).toMatchObject({
    actor,
    address,
    object: { type: 'user', id: student.id },
    changes: { is_verified: [false, true] },
  });

  await submitQuiz({ courseId, quizId, student });
  const [submission] = await quizSubmissions(quizId);
  const grading = { grade: 7, total_grade: 10 };
  const graded = await admin.post(`/api/v3/quiz/pdf-quizzes/grade/${submission.id}`, grading);
  expect(await entryOf(graded, 'quiz.graded')).toMatchObject({
    actor,
    address,
    object: { type: 'quiz_submission', id: submission.id },
    changes: { grade: [null, 7], total_grade: [null, 10] },
  });

  const archive = await admin.get(`/api/v3/admin/courses/${courseId}/submissions.zip`);
  expect(await entryOf(archive, 'archive.exported')).toMatchObject({
    actor,
    object: { type: 'course', id: courseId },
    changes: null,
  });
});

test('the audit log can be read in pages, with filters, and as CSV', async () => {
  const admin = await asAdmin();
  const id = await newCourse();
  for (const title of ['One', 'Two', 'Three']) await admin.patch(`/api/v3/admin/courses/${id}`, { title });
  const path = `${audit}?object_type=course&object_id=${id}`;
  await waitFor(async () => (await admin.get(path)).body.data.length === 4, 30_000);

  const first = (await admin.get(`${path}&per_page=3`)).body;
  expect(first.data.map(({ action }: { action: string }) => action)).toEqual(Array(3).fill('course.updated'));
  const { pathname, search } = new URL(first.links.next);
  const second = (await admin.get(pathname + search)).body;
  expect(second).toMatchObject({
    data: [{ action: 'course.created', object: { type: 'course', id } }],
    links: { next: null },
    meta: { per_page: 3 },
  });
  const csv = await admin.get(`${path}&format=csv`);
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(String(csv.body).split('\r\n')).toHaveLength(6);
  expect((await admin.get(`${audit}?from=yesterday`)).body).toEqual({
    message: 'Invalid Data',
    errors: { from: ['The from format is invalid.'] },
  });
});

test('only administrators read the audit log, and no request changes it', async () => {
  const [admin, student] = [await asAdmin(), await newStudent()];
  expect((await student.get(audit)).status).toBe(403);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await admin.request(method, audit)).status).toBe(405);
});
