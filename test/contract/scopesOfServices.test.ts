import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakePeers, startFakePeers } from '../support/fakePeers.ts';
import { otherScopes, request, scopedRoutes, scopeRefusal } from '../support/scopedRequests.ts';
import { type ServiceProcess, startService } from '../support/serviceProcess.ts';
import { createTestDatabase, type TestDatabase } from '../support/testDatabase.ts';
import { startTokenIssuer, type TokenIssuer } from '../support/tokenIssuer.ts';

// Nothing but the service's own check stands between these requests and its data: the gateway is not involved.
describe.each(['courses', 'homework', 'quiz'] as const)('%s, called directly', (name) => {
  let database: TestDatabase;
  let peers: FakePeers;
  let tokens: TokenIssuer;
  let service: ServiceProcess;
  beforeAll(async () => {
    [database, peers, tokens] = await Promise.all([
      createTestDatabase(),
      startFakePeers(),
      startTokenIssuer(),
    ]);
    service = await startService({ service: name, database, peers, tokens });
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([peers.close(), tokens.close(), database.drop()]);
  });

  test.each(scopedRoutes(name))('$method $path refuses a token without its scope', async (route) => {
    const token = tokens.signForProgram(900, otherScopes(route).join(' '));
    expect(await request(service.url, route, token)).toMatchObject(scopeRefusal(route));
  });

  test.each(scopedRoutes(name))('$method $path admits a token with its scope', async (route) => {
    const token = tokens.signForProgram(900, String(route.scope));
    const { body } = await request(service.url, route, token);
    expect(body?.errors?.scope).toBeUndefined();
  });

  test('a token with malformed limits is rejected', async () => {
    const [route] = scopedRoutes(name);
    if (!route) throw new Error('no route');
    const malformed = [
      tokens.signForProgram(900, ''),
      tokens.signForProgram(900, 'everything'),
      tokens.signForProgram(900, String(route.scope), { course_ids: [] }),
      tokens.signForProgram(900, String(route.scope), { sid: 1 }),
      tokens.signForProgram(900, String(route.scope), { token_kind: 'root' }),
      tokens.sign(900, 'admin', { scope: String(route.scope) }),
    ];
    const answers = await Promise.all(malformed.map((token) => request(service.url, route, token)));
    expect(answers.map(({ status, body }) => [status, body.errors])).toEqual(malformed.map(() => [401, null]));
  });
});
