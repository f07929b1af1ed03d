import { createLogger } from '@gradeway/shared/process/logger';
import { otherScopes, request, scopedRoutes, scopeRefusal } from '@gradeway/test/scopedRequests';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTokenUse } from '../src/app/tokenUse.ts';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
let forwarded = 0;
beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_PER_MINUTE: '0' });
  gateway.answer((_req, res) => {
    forwarded += 1;
    res.setHeader('Content-Type', 'application/json').end('{"data":"from the service"}');
  });
});
afterAll(() => gateway.close());

const routes = (['auth', 'courses', 'homework', 'quiz'] as const)
  .flatMap(scopedRoutes)
  .filter(({ scope }) => scope !== null);
const statusOf = async (path: string, token: string, method = 'GET') =>
  (await fetch(gateway.url + path, { method, headers: { authorization: `Bearer ${token}` } })).status;

test.each(routes)('$method $path is not forwarded with a token that lacks its scope', async (route) => {
  const before = forwarded;
  const token = gateway.tokens.signForProgram(900, otherScopes(route).join(' '));
  expect(await request(gateway.url, route, token)).toMatchObject(scopeRefusal(route));
  expect(forwarded).toBe(before);
});

test('a token with the scope, and a session without any, are forwarded', async () => {
  const path = '/api/v3/admin/courses';
  const token = gateway.tokens.signForProgram(900, 'courses:read');
  expect(await statusOf(path, token)).toBe(200);
  expect(await statusOf(path, token, 'HEAD')).toBe(200);
  expect(await statusOf(path, gateway.admin)).toBe(200);
  expect(await statusOf(path, gateway.tokens.signForProgram(900, 'courses:read', { course_ids: [] }))).toBe(
    401,
  );
});

test('a public operation ignores the scopes of a token', async () => {
  const token = gateway.tokens.signForProgram(900, 'courses:read');
  expect(await statusOf('/.well-known/jwks.json', token)).toBe(200);
  expect(await statusOf('/api/v3/login', token, 'POST')).toBe(200);
  expect(await statusOf('/api/v3/token/refresh', token, 'POST')).toBe(403);
});

test('requests are counted by token, separately from the requests of the same person in a browser', async () => {
  const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '2' });
  const ask = async (token: string) =>
    (await fetch(`${limited.url}/api/v3/courses`, { headers: { authorization: `Bearer ${token}` } })).status;
  const personal = { token_kind: 'personal', role: 'user' };
  const [one, other] = [1, 2].map(() => limited.tokens.signForProgram(7, 'courses:read', personal));
  const session = limited.tokens.sign(7, 'user');
  const statuses: number[] = [];
  for (const token of [one, one, one, other, session]) statuses.push(await ask(String(token)));
  await limited.close();
  expect(statuses).toEqual([200, 200, 429, 200, 200]);
});

test('the use of a token is reported once every four minutes, and again after a failure', async () => {
  const reported: string[][] = [];
  let isFailing = true;
  const auth = {
    async call(_method: string, { uses }: { uses: { tokenId: string }[] }) {
      if (isFailing) throw new Error('unreachable');
      reported.push(uses.map(({ tokenId }) => tokenId));
    },
  } as unknown as Parameters<typeof createTokenUse>[0]['auth'];
  const use = createTokenUse({ auth, log: createLogger('token use', 'silent'), everyMs: 600_000 });
  const principal = {
    role: 'admin',
    sessionId: null,
    keyId: '',
    expiresAt: 0,
    scopes: null,
    courseIds: null,
  } as const;
  use.record({ ...principal, userId: 1, kind: 'service', tokenId: 'one' });
  use.record({ ...principal, userId: 1, kind: 'service', tokenId: 'one' });
  use.record({ ...principal, userId: 1, kind: 'session', tokenId: 'of a session' });
  await use.close();
  isFailing = false;
  await use.close();
  await use.close();
  expect(reported).toEqual([['one']]);
});
