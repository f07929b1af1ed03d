import { randomUUID } from 'node:crypto';
import { createHttpClient } from '@gradeway/test/httpClient';
import { checkResponse } from '@gradeway/test/openApi';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { password } from './authService.ts';
import { personOf, type SsoSystem, startSsoSystem } from './ssoSystem.ts';

let system: SsoSystem;
beforeAll(async () => {
  system = await startSsoSystem({ provider: { create: true }, env: { REAUTHENTICATION: 'required' } });
});
afterAll(() => system.close());
afterEach(() => {
  system.provider.alterIdToken = undefined;
});

const required = { message: 'Reauthentication Required', errors: null };
const newPerson = () => personOf(`${randomUUID()}@school.example`);
const sessionOf = (token: string | undefined) => createHttpClient({ baseUrl: system.origin, token });
type Session = ReturnType<typeof sessionOf>;
const removeIdentity = async (session: Session) => {
  const [{ id }] = (await session.get('/api/v3/me/identities')).body.data;
  const path = `/api/v3/me/identities/${id}`;
  const answer = await session.delete(path);
  checkResponse({ method: 'DELETE', path, ...answer });
  return answer;
};
const again = { query: '?reauthenticate=1' };

test('linking an identity requires a session that has re-authenticated', async () => {
  const browser = await system.logInByPassword(await system.auth.newUser());
  const link = { browser, query: '?link=1&next=/account' };
  const refused = await system.signIn(newPerson(), link);
  expect(refused.location).toBe('/login?error=sso_reauthentication');
  const page = `${system.origin}/session/sso/school${link.query}`;
  const fromScript = await browser.request(page, { headers: { 'x-requested-with': 'gradeway' } });
  expect([fromScript.status, await fromScript.json()]).toEqual([403, required]);

  const session = sessionOf(refused.token);
  await session.post('/api/v3/reauthenticate', { password });
  expect((await browser.request(page, { headers: { 'x-requested-with': 'gradeway' } })).status).toBe(303);
  expect((await system.signIn(newPerson(), link)).location).toBe('/account');
  expect((await session.get('/api/v3/me/identities')).body.data).toHaveLength(1);
});

test('removing an identity requires a session that has re-authenticated', async () => {
  const user = await system.auth.newUser();
  const session = sessionOf((await system.signIn(personOf(user.email))).token);
  expect(await removeIdentity(session)).toMatchObject({ status: 403, body: required });
  expect((await session.get('/api/v3/me/identities')).body.data).toHaveLength(1);
  await session.post('/api/v3/reauthenticate', { password });
  expect((await removeIdentity(session)).status).toBe(204);
});

test('a person without a password re-authenticates by entering credentials at the provider', async () => {
  const person = newPerson();
  const { token, browser } = await system.signIn(person);
  expect((await removeIdentity(sessionOf(token))).status).toBe(403);
  const { token: confirmed, location } = await system.signIn(person, { browser, ...again });
  expect(location).toBe('/');
  // Other sessions of the person have not re-authenticated.
  expect((await removeIdentity(sessionOf(token))).status).toBe(403);
  expect((await removeIdentity(sessionOf(confirmed))).status).toBe(204);
});

test.each([
  ['does not say when the person entered credentials', () => undefined],
  ['knows the person from eleven minutes ago', () => Math.floor(Date.now() / 1_000) - 660],
])('a sign-in does not re-authenticate if the provider %s', async (_, authTime) => {
  system.provider.alterIdToken = (idToken) => {
    const { auth_time: _, ...claims } = decodeJwt(idToken);
    const time = authTime();
    return system.provider.sign({ ...claims, ...(time !== undefined && { auth_time: time }) });
  };
  const { token } = await system.signIn(newPerson(), again);
  expect((await removeIdentity(sessionOf(token))).status).toBe(403);
});
