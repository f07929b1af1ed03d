import { randomUUID } from 'node:crypto';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const asAdmin = (method: string, path: string, body?: unknown) =>
  auth.call(method, `/api/v3/admin/${path}`, { token: auth.admin, body });
const entriesWith = (text: string) =>
  auth.rows('SELECT action FROM audit.entries e WHERE e::text LIKE $1', `%${text}%`);

/** Starts an erasure and waits until auth has done its part. The other services do not run here. */
async function erase(id: number): Promise<void> {
  expect((await asAdmin('POST', `users/${id}/erasure`)).status).toBe(202);
  const confirmed = "SELECT 1 FROM auth.erasures WHERE user_id = $1 AND 'auth' = ANY (confirmed)";
  await waitFor(async () => (await auth.rows(confirmed, id)).length === 1);
}

test('entries about an erased person contain neither their device names nor addresses, regardless of the actor', async () => {
  const user = await auth.newUser();
  const other = await auth.newUser();
  const [notebook, phone] = [`Notebook ${randomUUID()}`, `Phone ${randomUUID()}`];
  for (const [account, name] of [
    [user, notebook],
    [other, phone],
  ] as const) {
    const headers = { 'x-forwarded-for': account === user ? '2001:db8::17' : '2001:db8::18' };
    await auth.logIn(account, { headers, body: { device_token: randomUUID(), device_name: name } });
    await auth.logIn(account, { headers, password: 'wrong password' });
    const { body } = await asAdmin('GET', `users/${account.id}/devices`);
    expect((await asAdmin('DELETE', `devices/${body.data[0].id}`)).status).toBe(204);
  }
  expect(await entriesWith(notebook)).toHaveLength(2);
  expect(await entriesWith('2001:db8::17')).toHaveLength(3);

  await erase(user.id);
  expect(await entriesWith(notebook)).toEqual([]);
  expect(await entriesWith('2001:db8::17')).toEqual([]);
  expect(await entriesWith(phone)).toHaveLength(2);
  expect(await entriesWith('2001:db8::18')).toHaveLength(3);
  // The entries stay, and the addresses of administrators who changed the account.
  const actions = await auth.rows(
    "SELECT action, address FROM audit.entries WHERE object_type = 'user' AND object_id = $1 ORDER BY position",
    String(user.id),
  );
  expect(actions).toEqual([
    { action: 'user.created', address: '127.0.0.1' },
    { action: 'login.succeeded', address: null },
    { action: 'login.refused', address: null },
    { action: 'user.deleted', address: '127.0.0.1' },
    { action: 'person.erased', address: '127.0.0.1' },
  ]);
});

test('an entry that arrives after the erasure of its actor has no address', async () => {
  const user = await auth.newUser();
  await erase(user.id);
  const broker = await openBroker({
    url: auth.database.url('broker'),
    log: createLogger('test', 'silent'),
  });
  const entry = {
    entry_id: randomUUID(),
    at: new Date().toISOString(),
    actor_id: user.id,
    actor_role: 'instructor',
    session_id: null,
    address: '2001:db8::19',
    action: 'quiz.graded',
    object_type: 'quiz_submission',
    object_id: '7',
    changes: null,
    request_id: null,
  };
  const event = createEvent('quiz', 'audit.recorded.v1', `audit/${entry.entry_id}`, entry);
  await broker.publish({ event, traceparent: null });
  const rows = () => auth.rows('SELECT address FROM audit.entries WHERE entry_id = $1', entry.entry_id);
  await waitFor(async () => (await rows()).length === 1);
  expect(await rows()).toEqual([{ address: null }]);
  await broker.close();
});
