// Compares logins with bare argon2id, both from the library that auth uses and from Node.js, and measures other
// requests to auth meanwhile.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { hash } from '@node-rs/argon2';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import { loadRequests } from '../support/load/loadRequests.ts';
import { type Figures, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { percentile, short } from '../support/measuring/statistics.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';

const [users, connections, seconds, hashings] = [2_000, 16, 5, 3];
const password = 'a password of the benchmark';
const email = (user: number) => `student${user}@test.example`;

const work = `logins with ${connections} connections: logins a second`;

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase({ durable: true });
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const env = { PASSWORD_HASHINGS: `${hashings}` };
  const auth = await startBenchProcess('auth', { database, peers, tokens, env });
  const passwordHash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  await database.fill(
    'auth',
    `INSERT INTO users (first_name, last_name, email, password_hash, role, is_approved, is_verified, is_verified_mobile)
     SELECT 'First' || n, 'Last' || n, 'student' || n || '@test.example', '${passwordHash}', 'user', true, true, false
     FROM generate_series(1, ${users}) n`,
  );
  const body = (user: number) => JSON.stringify({ email: email(user), password });
  const requests = Array.from({ length: users }, (_, user) => ({
    method: 'POST' as const,
    path: '/api/v3/login',
    body: body(user + 1),
  }));
  const loggedIn = await fetch(`${auth.url}/api/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body(1),
  });
  const { access_token: token } = (await loggedIn.json()) as { access_token: string };

  async function logins(): Promise<Figures> {
    const running = loadRequests({ origin: auth.url, requests, connections, seconds });
    const probed = probe(`${auth.url}/api/v3/me`, token, (seconds - 1) * 1_000);
    const [{ operations = 0, seconds: took = 0 }, figures] = await Promise.all([running, probed]);
    return { operations, seconds: took, ...figures };
  }
  const measured = await measure({
    rounds: 7,
    subjects: [
      { name: 'argon2id', run: () => argon2Alone('auth') },
      { name: 'argon2id of Node.js', run: () => argon2Alone('node') },
      { name: 'auth', run: logins, processes: () => [auth.pid, database.pid] },
    ],
  });
  console.log(measured.table());
  await auth.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  const rates = ['auth', 'argon2id', 'argon2id of Node.js'].map(
    (name) => `${name} ${short(measured.median(name, 'rate'))}`,
  );
  return [
    {
      name: 'logins.rate',
      work,
      against: 'argon2id alone, the same parameters',
      goal: { atLeast: 0.85 },
      values: measured.ratios('auth', 'argon2id', 'rate'),
      note: `logins/s: ${rates.join(', ')}; CPU of auth and PostgreSQL: ${short(measured.median('auth', 'cpu') / 1_000)} ms`,
    },
    {
      name: 'logins.openssl',
      work,
      against: 'argon2id of Node.js (OpenSSL) alone, the same parameters',
      goal: { atLeast: 0.85 },
      values: measured.ratios('auth', 'argon2id of Node.js', 'rate'),
    },
    {
      name: 'logins.others',
      work: 'GET /me meanwhile: p99',
      against: '-',
      goal: { atMost: 50 },
      unit: 'ms',
      values: measured.values('auth', 'p99Ms'),
      note: `median ${short(measured.median('auth', 'p50Ms'))} ms`,
    },
  ];
}

async function argon2Alone(implementation: 'auth' | 'node'): Promise<Figures> {
  const script = fileURLToPath(new URL('../support/baselines/argon2Alone.ts', import.meta.url));
  const parameters = [`${seconds}`, `${hashings}`, implementation];
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...parameters]);
  return JSON.parse(stdout) as Figures;
}

// One request every ten milliseconds, or after the response to the previous one.
async function probe(address: string, token: string, forMs: number): Promise<Figures> {
  const times: number[] = [];
  const startedAt = performance.now();
  await sleep(500);
  while (performance.now() - startedAt < forMs) {
    const sentAt = performance.now();
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`a request failed with status ${answer.status}`);
    times.push(performance.now() - sentAt);
    await sleep(10);
  }
  return { p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) };
}
