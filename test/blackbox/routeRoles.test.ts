import type { Answer, HttpClient } from '@gradeway/test/httpClient';
import { operations } from '@gradeway/test/openApi';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { asAdmin, callAs, logIn, newStudent } from './fixtures.ts';
import { type Entry, type RoleRequest, roleRequests } from './roleRequests.ts';
import {
  type Caller,
  confirmPassword,
  newCallers,
  newRoleScene,
  type RoleScene,
  roleOf,
} from './roleScene.ts';

type ByCaller<T> = Record<Caller, T>;

const names = Object.keys(roleOf) as Caller[];
const byCaller = <T>(read: (name: Caller) => T) =>
  Object.fromEntries(names.map((name) => [name, read(name)])) as ByCaller<T>;

const table = operations.map(({ method, template, operation }) => ({
  id: operation.operationId as string,
  method: method.toUpperCase(),
  template,
  roles: operation['x-roles'] as string[],
  isSensitive: operation['x-reauthentication'] === true,
  hasCsv: 'text/csv' in (operation.responses['200']?.content ?? {}),
}));

type Operation = (typeof table)[number];

let scene: RoleScene;
let callers: ByCaller<HttpClient>;
/** Callers of every role that have logged in, but not entered their passwords again. */
let unconfirmed: Record<string, HttpClient>;
beforeAll(async () => {
  scene = await newRoleScene();
  callers = await newCallers(scene.student);
  const { student, instructor } = callers;
  unconfirmed = { public: callAs(), user: student, instructor, admin: await newStudent({ role: 'admin' }) };
});
// Events of other tests would be sent to it.
afterAll(async () => {
  if (scene) await (await asAdmin()).delete(`/api/v3/admin/webhooks/${scene.webhook.id}`);
});

test('every operation of the OpenAPI document has a request for the table of roles', () => {
  expect(Object.keys(roleRequests).toSorted()).toEqual(table.map(({ id }) => id).toSorted());
});

test.each(table)('$method $template responds to every caller as x-roles says', async (operation) => {
  const entry = roleRequests[operation.id];
  if (!entry) throw new Error(`roleRequests.ts has no request for ${operation.id}`);
  const { clients, requests } = await prepare(entry);
  const answers = new Map<Caller, Answer>();
  const call = async (name: Caller) =>
    answers.set(name, await send(operation, clients[name], requests[name]));

  // Callers to be refused come first: if one of them could delete the object, the permitted callers' requests would
  // fail.
  await Promise.all(names.filter((name) => !isAdmitted(operation, name)).map(call));
  for (const name of names.filter((each) => isAdmitted(operation, each))) await call(name);

  expect(byCaller((name) => summary(answers.get(name)))).toEqual(
    byCaller((name) => expectedAnswer(operation, entry, name)),
  );
  // A student reads only their own records. The two operations excluded below return no records: the token in use,
  // and the choices about notifications.
  const readsRecords = operation.method === 'GET' && operation.roles.includes('user') && !entry.isEmpty;
  if (readsRecords && operation.id !== 'readToken' && operation.id !== 'readNotifications') {
    expect(text(answers.get('student'))).toContain(scene.mark);
    expect(text(answers.get('other'))).not.toContain(scene.mark);
  }
});

test('every operation that returns CSV is sensitive, because the file contains more than one page of the list (D59)', () => {
  expect(table.filter(({ hasCsv, isSensitive }) => hasCsv && !isSensitive)).toEqual([]);
});

test.skipIf(!inject('system').isLocal).each(table)(
  '$method $template requires the password again exactly where x-reauthentication says so (D59)',
  async (operation) => {
    const { client, request } = await prepareUnconfirmed(operation);
    const answer = await send(operation, client, {
      ...request,
      ...(operation.hasCsv ? { query: '?format=csv' } : {}),
      ...request.sensitive,
    });
    expect(summary(answer) === '403 Reauthentication Required', summary(answer)).toBe(operation.isSensitive);
  },
);

test('a parent cannot log in, so no parent has a valid token (D8)', async () => {
  const { email, password } = scene.parent;
  const { status, body } = await logIn(email, password);
  expect([status, body.message]).toEqual([401, 'Parent login not allowed.']);
});

async function prepare(entry: Entry) {
  if ('request' in entry) {
    const request = await entry.request(scene);
    return { clients: callers, requests: byCaller(() => request) };
  }
  const withRoles = names.flatMap((name) => (roleOf[name] ? [{ name, role: roleOf[name] }] : []));
  const accounts = await Promise.all(
    withRoles.map(async ({ name, role }) => {
      const account = await newStudent({ role });
      await confirmPassword(account);
      return { name, account, request: await entry.own(account) };
    }),
  );
  const clients = { ...callers };
  // Callers without a valid token send the request of the last account, the student's.
  const requests = byCaller((): RoleRequest => accounts.at(-1)?.request ?? {});
  for (const { name, account, request } of accounts) {
    clients[name] = account;
    requests[name] = request;
  }
  return { clients, requests };
}

/** A request from a caller that may send it, in a session that has not re-authenticated. */
async function prepareUnconfirmed({ id, roles }: Operation) {
  const entry = roleRequests[id];
  if (!entry) throw new Error(`roleRequests.ts has no request for ${id}`);
  const role = roles.includes('admin') ? 'admin' : (roles[0] ?? 'public');
  if ('request' in entry)
    return { client: unconfirmed[role] ?? callAs(), request: await entry.request(scene) };
  const account = await newStudent({ role });
  const { body } = await logIn(account.email, account.password);
  await confirmPassword(account);
  return { client: callAs(body.access_token), request: await entry.own(account) };
}

function send(
  { method, template }: Operation,
  client: HttpClient,
  { ids = [], query = '', body, headers = {} }: RoleRequest,
) {
  const values = [...ids];
  const path = template.replaceAll(/\{\w+\}/g, () => String(values.shift()));
  return client.request(method, path + query, {
    body: typeof body === 'function' ? body() : body,
    headers,
  });
}

const isPublic = ({ roles }: Operation) => roles.includes('public');
const isAdmitted = (operation: Operation, name: Caller) =>
  isPublic(operation) || operation.roles.includes(roleOf[name] ?? 'nobody');

/** The response to a caller: success or the refusal of the contract (D22, D36), unless the entry names another. */
function expectedAnswer(operation: Operation, entry: Entry, name: Caller): string {
  const { answers } = entry;
  if (isAdmitted(operation, name))
    return (typeof answers === 'string' ? answers : answers?.[name]) ?? 'success';
  const isHomework = /^\/api\/v3\/(admin\/homeworks|assignments)(\/|$)/.test(operation.template);
  return roleOf[name] === undefined || isHomework ? '401 UnauthorizedRequest' : '403 Unauthorized Access';
}

function summary(answer: Answer | undefined): string {
  if (!answer) return 'none';
  const { status, body } = answer;
  return status >= 200 && status < 300 ? 'success' : `${status} ${body?.message}`;
}

const text = (answer: Answer | undefined): string =>
  Buffer.isBuffer(answer?.body) ? answer.body.toString('latin1') : JSON.stringify(answer?.body);
