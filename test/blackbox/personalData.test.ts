import { readArchive } from '@gradeway/test/readArchive';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { asAdmin, callAs, newAccount, newStudent } from './fixtures.ts';

const path = (id: number, what: string) => `/api/v3/admin/users/${id}/${what}`;

test('only administrators export and erase', async () => {
  const student = await newStudent();
  for (const [client, status] of [
    [student, 403],
    [callAs(), 401],
  ] as const) {
    expect((await client.get(path(student.id, 'personal-data'))).status).toBe(status);
    expect((await client.get(path(student.id, 'erasure'))).status).toBe(status);
    expect((await client.post(path(student.id, 'erasure'))).status).toBe(status);
  }
  expect((await (await asAdmin()).get(path(student.id, 'erasure'))).status).toBe(404);
});

test('an unknown account is 404', async () => {
  const admin = await asAdmin();
  for (const id of [999_999_999, 0]) {
    expect((await admin.get(path(id, 'personal-data'))).status).toBe(404);
    expect((await admin.post(path(id, 'erasure'))).status).toBe(404);
  }
});

test('a person is exported and erased, and simultaneous requests share one erasure', async () => {
  const account = await newAccount();
  const admin = await asAdmin();
  const exported = await admin.get(path(account.id, 'personal-data'));
  const [json] = await readArchive(exported.body);
  expect(JSON.parse(json?.content.toString() ?? '').auth.account[0]).toMatchObject({
    id: account.id,
    email: account.email,
  });
  const requests = await Promise.all([1, 2, 3].map(() => admin.post(path(account.id, 'erasure'))));
  expect(requests.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(requests.map(({ body }) => body.data.requested_at)).size).toBe(1);
  await waitFor(async () => (await admin.get(path(account.id, 'erasure'))).body.data.status === 'done');
});

test('a deleted account can still be erased', async () => {
  const account = await newAccount();
  const admin = await asAdmin();
  expect((await admin.delete(`/api/v3/admin/users/${account.id}`)).status).toBe(204);
  expect((await admin.post(path(account.id, 'erasure'))).status).toBe(202);
  await waitFor(async () => (await admin.get(path(account.id, 'erasure'))).body.data.status === 'done');
});
