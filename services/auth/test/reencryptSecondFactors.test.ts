import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { startService } from '@gradeway/test/serviceProcess';
import { totpCode } from '@gradeway/test/totpCode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, keySecret, password, startAuthService } from './authService.ts';

const run = promisify(execFile);
const newSecret = 'the next key encryption secret';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

function runCommand(name: string, env: Record<string, string>) {
  const program = fileURLToPath(new URL('../dist/command.js', import.meta.url));
  const { database } = auth;
  const settings = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url('auth'),
    EVENTS_URL: database.url('broker'),
    SERVICE_SECRET: serviceSecret,
    ...auth.env,
    ...env,
  };
  return run(process.execPath, [program, name], { env: settings });
}

const startReplica = (env: Record<string, string>) =>
  startService({
    service: 'auth',
    database: auth.database,
    env: { ...auth.env, ...env },
    peers: { authGrpc: '127.0.0.1:1', coursesGrpc: '127.0.0.1:1' },
    tokens: { jwksUrl: 'http://127.0.0.1:1' },
  });

async function enrolledUser() {
  const { email } = await auth.newUser();
  const token = await auth.tokenOf({ email });
  const { secret } = (await auth.call('POST', '/api/v3/mfa/totp', { token })).body.data;
  await auth.call('POST', '/api/v3/mfa/totp/confirm', { token, body: { code: totpCode(secret) } });
  return { email, secret };
}

const logIn = async (url: string, { email, secret }: { email: string; secret: string }) => {
  const body = { email, password, totp: totpCode(secret, 1) };
  return (await createHttpClient({ baseUrl: url }).post('/api/v3/login', body)).status;
};

test('second factors keep working while KEY_ENCRYPTION_SECRET is replaced, and then need only the new secret', async () => {
  const users = [await enrolledUser(), await enrolledUser(), await enrolledUser()] as const;
  await runCommand('rotateKeys', { KEY_ENCRYPTION_SECRET: newSecret });
  await auth.rows('UPDATE auth.signing_keys SET signs_from = now()');

  const both = { KEY_ENCRYPTION_SECRET: newSecret, KEY_ENCRYPTION_SECRET_SECONDARY: keySecret };
  const replaced = await startReplica(both);
  expect(await logIn(replaced.url, users[0])).toBe(200);
  expect(await logIn(auth.service.url, users[1])).toBe(200);
  await replaced.stop();

  for (const _ of ['once', 'once more']) {
    const { stdout } = await runCommand('reencryptSecondFactors', both);
    expect(stdout).toBe('auth: encrypted the secrets of 3 second factors\n');
  }
  const onlyNew = await startReplica({ KEY_ENCRYPTION_SECRET: newSecret });
  expect(await logIn(onlyNew.url, users[2])).toBe(200);
  await onlyNew.stop();
});
