import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteKeySet, type RemoteKeySet } from '@gradeway/shared/auth/jwks';
import { createLogger } from '@gradeway/shared/process/logger';
import { waitFor } from '@gradeway/test/waitFor';
import { afterEach, beforeEach, expect, test } from 'vitest';

const log = createLogger('test', 'silent');
const keyOf = (kid: string, namedCurve = 'P-256') => ({
  ...generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' }),
  kid,
});

let server: Server;
let published: object[];
let status: number;
let fetches: number;
let keySet: RemoteKeySet | undefined;

beforeEach(async () => {
  [published, status, fetches] = [[keyOf('first')], 200, 0];
  server = createServer((_req, res) => {
    fetches += 1;
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(async () => {
  await keySet?.close();
  server.closeAllConnections();
  server.close();
});

function open(cooldownMs: number): RemoteKeySet {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
  keySet = createRemoteKeySet({ url, log, cooldownMs });
  return keySet;
}

test('a token signed with a new key is verified at once, and a withdrawn key is forgotten', async () => {
  const keys = open(0);
  expect(await keys.find('first')).toBeDefined();
  published = [keyOf('second')];
  expect(await keys.find('second')).toBeDefined();
  expect([await keys.find('first'), fetches]).toEqual([undefined, 3]);
});

test('a refresh fetches the keys, so that a revoked one is forgotten', async () => {
  const keys = open(60_000);
  expect(await keys.find('first')).toBeDefined();
  published = [];
  keys.refresh();
  await waitFor(async () => (await keys.find('first')) === undefined);
});

test('forged key ids cause one fetch per cooldown, even while auth fails', async () => {
  const keys = open(500);
  expect(await keys.find('first')).toBeDefined();
  status = 500;
  await waitFor(async () => (await keys.find('forged')) === undefined && fetches === 2);
  for (const forged of ['a', 'b', 'c']) expect(await keys.find(forged)).toBeUndefined();
  expect(fetches).toBe(2);
});

test('cached keys stay valid while auth fails', async () => {
  const keys = open(0);
  expect(await keys.find('first')).toBeDefined();
  status = 500;
  keys.refresh();
  expect(await keys.find('unknown')).toBeUndefined();
  expect(await keys.find('first')).toBeDefined();
});

test('a token cannot be verified before the first keys arrive, and fetching is retried until then', async () => {
  status = 500;
  const keys = open(60_000);
  await expect(keys.find('first')).rejects.toMatchObject({ code: 'unavailable' });
  expect(keys.loaded()).toBe(false);
  status = 200;
  await waitFor(() => keys.loaded());
  expect(await keys.find('first')).toBeDefined();
});

test('only ES256 keys are used', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
  published = [keyOf('first'), keyOf('other curve', 'P-384'), { ...rsa, kid: 'rsa' }];
  const keys = open(60_000);
  expect(await keys.find('first')).toBeDefined();
  expect([await keys.find('other curve'), await keys.find('rsa')]).toEqual([undefined, undefined]);
});
