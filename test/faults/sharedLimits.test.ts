import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { scrape } from '@gradeway/test/metrics';
import { type ServiceBalancer, startBalancer } from '@gradeway/test/serviceBalancer';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { hasValkey, startValkey, type Valkey } from '@gradeway/test/valkey';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

if (!hasValkey && process.env.CI) throw new Error('CI needs Valkey or Redis: these tests may not be skipped');
if (!hasValkey)
  console.warn('\n*** Neither Valkey nor Redis is installed: the tests of shared limits are SKIPPED ***\n');

const limit = 90;
// Logins count as requests of their address, too.
const loginLimit = 20;
const again = 'the store of the limits responds again';

describe.skipIf(!hasValkey)('limits that replicas of the gateway share', () => {
  let database: TestDatabase;
  let peers: FakePeers;
  let tokens: TokenIssuer;
  let valkey: Valkey;
  let upstream: Server;
  let loginStatus = 401;
  let gateways: ServiceProcess[];
  let balancer: ServiceBalancer;
  let users = 0;

  const startGateway = (env: Record<string, string> = {}) => {
    const { port } = upstream.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const addresses = { AUTH_URL: url, COURSES_URL: url, HOMEWORK_URL: url, QUIZ_URL: url };
    const limits = { RATE_LIMIT_PER_MINUTE: String(limit), LOGIN_LIMIT_PER_ADDRESS: String(loginLimit) };
    const store = { RATE_LIMIT_URL: valkey.url, TRUSTED_PROXIES: '1', EVENTS_URL: '' };
    const settings = { ...addresses, ...limits, ...store, ...env };
    return startService({ service: 'gateway', database, peers, tokens, env: settings });
  };
  const balance = async (replicas: ServiceProcess[]) => {
    const created = await startBalancer();
    for (const replica of replicas) created.replicas.add(replica);
    await waitFor(
      async () => (await createHttpClient({ baseUrl: created.url }).get('/livez')).status === 200,
    );
    return created;
  };

  beforeAll(async () => {
    [database, peers, tokens, valkey] = await Promise.all([
      createTestDatabase(),
      startFakePeers(),
      startTokenIssuer(),
      startValkey(),
    ]);
    upstream = createServer((req, res) => {
      const isLogin = req.url === '/api/v3/login';
      // Long enough for logins to wait for each other.
      setTimeout(() => res.writeHead(isLogin ? loginStatus : 200).end('{}'), isLogin ? 20 : 0);
    });
    await new Promise<void>((resolve) => {
      upstream.listen(0, '127.0.0.1', resolve);
    });
    gateways = await Promise.all(Array.from({ length: 4 }, () => startGateway()));
    balancer = await balance(gateways);
  });
  afterAll(async () => {
    await balancer?.close();
    await Promise.all((gateways ?? []).map((gateway) => gateway.stop()));
    await Promise.all([peers?.close(), tokens?.close(), valkey?.kill()]);
    upstream?.closeAllConnections();
    upstream?.close();
    await database?.drop();
  });

  const newUser = (baseUrl = balancer.url) => {
    users += 1;
    return createHttpClient({ baseUrl, token: tokens.sign(users, 'admin') });
  };
  const countStatuses = async (count: number, send: () => Promise<{ status: number }>) => {
    const answers = await Promise.all(Array.from({ length: count }, send));
    const counts: Record<number, number> = {};
    for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };
  const requests = (count: number, user = newUser()) => countStatuses(count, () => user.get('/api/v3/me'));
  /** Logins from an address of their own. */
  const logins = (count: number, address: string, baseUrl = balancer.url) => {
    const headers = { 'x-forwarded-for': address };
    const client = createHttpClient({ baseUrl, headers });
    return countStatuses(count, () => client.post('/api/v3/login', {}));
  };
  const storeErrors = async () => {
    const scraped = await Promise.all(gateways.map(({ adminUrl }) => scrape(adminUrl)));
    return scraped.reduce(
      (total, metrics) => total + (metrics.value('gradeway_rate_limit_store_errors_total') ?? 0),
      0,
    );
  };
  /**
   * Expects the gateways to admit `limit` of the user's requests together. On a busy machine the store may respond to some too
   * late: those, which the gateways count alone and report, may be admitted in addition.
   */
  const expectSharedLimit = async (user = newUser()) => {
    const errorsBefore = await storeErrors();
    const counts = await requests(3 * limit, user);
    const alone = (await storeErrors()) - errorsBefore;
    expect((counts[200] ?? 0) + (counts[429] ?? 0)).toBe(3 * limit);
    expect(counts[200]).toBeGreaterThanOrEqual(limit);
    expect(counts[200]).toBeLessThanOrEqual(limit + alone);
  };
  const timesAgain = () => gateways.map((gateway) => gateway.log().split(again).length - 1);
  const isSharedAgain = (before: number[]) =>
    timesAgain().every((count, index) => count > (before[index] ?? 0));

  test('one gateway and four gateways admit the same number of requests', async () => {
    const [gateway] = gateways as [ServiceProcess];
    await expectSharedLimit(newUser(gateway.url));
    await expectSharedLimit();
  });

  test('every gateway answered some of them, and counts go on where another one has begun', async () => {
    const user = tokens.sign(9_001, 'admin');
    const left = [];
    for (const { url } of gateways) {
      const answer = await createHttpClient({ baseUrl: url, token: user }).get('/api/v3/me');
      left.push(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
    }
    expect(left.map(Number)).toEqual([limit - 1, limit - 2, limit - 3, limit - 4]);
  });

  test('one gateway and four gateways admit the same number of failed logins of an address', async () => {
    loginStatus = 401;
    const [gateway] = gateways as [ServiceProcess];
    const failed = { 401: loginLimit, 429: 2 * loginLimit };
    expect(await logins(3 * loginLimit, '203.0.113.1', gateway.url)).toEqual(failed);
    expect(await logins(3 * loginLimit, '203.0.113.2')).toEqual(failed);
  });

  test('simultaneous correct logins of an address succeed at every gateway, and leave room for failed ones', async () => {
    loginStatus = 200;
    expect(await logins(3 * loginLimit, '203.0.113.3')).toEqual({ 200: 3 * loginLimit });
    loginStatus = 401;
    expect(await logins(loginLimit + 5, '203.0.113.3')).toEqual({ 401: loginLimit, 429: 5 });
  });

  test('the keys in the store name neither addresses nor accounts', async () => {
    await logins(1, '203.0.113.77');
    const keys = (await valkey.keys()).trim().split('\n');
    for (const key of keys) expect(key).toMatch(/^gradeway:(requests|links|files|logins|codes):[\w-]{43}$/);
    expect(keys.filter((key) => key.startsWith('gradeway:logins:')).length).toBeGreaterThan(0);
  });

  test('requests go on while the store is gone, each gateway counts alone, and they count together again when it is back', async () => {
    const before = timesAgain();
    await valkey.kill();
    const user = newUser();
    const [gateway] = gateways as [ServiceProcess];
    expect(await requests(limit / 3, user)).toEqual({ 200: limit / 3 });
    expect(await requests(2 * limit, newUser(gateway.url))).toEqual({ 200: limit, 429: limit });
    const failures = (await scrape(gateway.adminUrl)).value('gradeway_rate_limit_store_errors_total');
    expect(failures).toBeGreaterThanOrEqual(2 * limit);

    await valkey.start();
    await waitFor(() => isSharedAgain(before));
    await expectSharedLimit();
  });

  test('requests go on while the store hangs, and count together again afterwards', async () => {
    const before = timesAgain();
    valkey.pause();
    try {
      expect(await requests(limit / 3)).toEqual({ 200: limit / 3 });
      for (const { url } of gateways) expect(await requests(2, newUser(url))).toEqual({ 200: 2 });
    } finally {
      valkey.resume();
    }
    await waitFor(() => isSharedAgain(before));
    await expectSharedLimit();
  });

  test('a gateway starts without the store, and its log contains no password', async () => {
    const wrong = 'another password of the store';
    const url = new URL(valkey.url);
    url.password = wrong;
    const gateway = await startGateway({ RATE_LIMIT_URL: url.href });
    onTestFinished(() => gateway.stop());
    expect(await requests(2 * limit, newUser(gateway.url))).toEqual({ 200: limit, 429: limit });
    await waitFor(() =>
      gateway.log().includes('the store of the limits does not respond; this replica counts alone'),
    );
    const logs = [gateway, ...gateways].map((each) => each.log()).join('');
    for (const secret of [wrong, valkey.password])
      for (const form of [secret, encodeURIComponent(secret)]) expect(logs).not.toContain(form);
  });
});
