import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { installClient } from '@gradeway/test/client/installClient';
import { runCommand } from '@gradeway/test/client/runCommand';
import { expect, onTestFinished, test } from 'vitest';

const { command } = await installClient();

interface Request {
  request: string;
  body: string;
}

/** Runs the command against a server that sends these responses in order. */
async function runAgainst(answers: [status: number, body: unknown][], ...parameters: string[]) {
  const requests: Request[] = [];
  const remaining = [...answers];
  const server = createServer(async (incoming, outgoing) => {
    requests.push({ request: `${incoming.method} ${incoming.url}`, body: await text(incoming) });
    const [status, body] = remaining.shift() ?? [500, { message: 'not expected', errors: null }];
    outgoing.writeHead(status, { 'content-type': 'application/json' });
    outgoing.end(status === 204 ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const home = await mkdtemp(join(tmpdir(), 'gradeway-cli-'));
  onTestFinished(async () => {
    server.close();
    await rm(home, { recursive: true });
  });
  await writeFile(join(home, 'file.csv'), 'email,grade\na@school.example,7\n');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const result = await runCommand(command, parameters, {
    home,
    env: { GRADEWAY_URL: url, GRADEWAY_TOKEN: 'token' },
  });
  return { ...result, requests };
}

const plan = { errors: [], token: 'the plan' };

test.each([
  ['--quiz', '/api/v3/grading/quizzes/7/grades'],
  ['--homework', '/api/v3/grading/homeworks/7/grades'],
])('grades import %s applies exactly what the check announced', async (option, path) => {
  const data = { ...plan, changes: 1, unchanged: 2 };
  const answers: [number, unknown][] = [
    [200, { data }],
    [200, { data }],
  ];
  const { code, stdout, stderr, requests } = await runAgainst(
    answers,
    'grades',
    'import',
    'file.csv',
    option,
    '7',
  );
  expect([code, stdout, stderr]).toEqual([0, '1 changes, 2 unchanged.\n', '']);
  expect(requests).toEqual([
    { request: `POST ${path}?dry_run=1`, body: expect.stringContaining('filename="file.csv"') },
    { request: `POST ${path}`, body: '{"token":"the plan"}' },
  ]);
});

test('a dry run of grades changes nothing', async () => {
  const data = { ...plan, changes: 1, unchanged: 0 };
  const { stdout, requests } = await runAgainst(
    [[200, { data }]],
    ...['grades', 'import', 'file.csv', '--quiz', '7', '--dry-run'],
  );
  expect(stdout).toBe('1 changes, 0 unchanged. Nothing was changed: this was a dry run.\n');
  expect(requests).toHaveLength(1);
});

test('errors are printed by line, and nothing is applied', async () => {
  const errors = [{ line: 2, message: 'Nobody has this email.' }];
  const data = { errors, token: null, enrolled: 0, created: 0, unchanged: 0 };
  const { code, stderr, requests } = await runAgainst(
    [[200, { data }]],
    ...['roster', 'import', 'file.csv', '--course', '2'],
  );
  expect([code, stderr]).toEqual([
    1,
    'gradeway: file.csv:2: Nobody has this email.\ngradeway: Nothing was changed.\n',
  ]);
  expect(requests.map(({ request }) => request)).toEqual(['POST /api/v3/grading/courses/2/roster?dry_run=1']);
});

test('a CSV roster is enrolled in its course', async () => {
  const data = { ...plan, enrolled: 2, created: 1, unchanged: 3 };
  const answers: [number, unknown][] = [
    [200, { data }],
    [200, { data }],
  ];
  const { stdout } = await runAgainst(answers, 'roster', 'import', 'file.csv', '--course', '2');
  expect(stdout).toBe('2 enrolled, 1 accounts created, 3 unchanged.\n');
});

test('tokens are created, listed and ended', async () => {
  const token = {
    id: 4,
    name: 'export',
    scopes: ['grades:read'],
    expires_at: '2027-01-01T00:00:00Z',
    last_used_at: null,
  };
  const created = await runAgainst(
    [[201, { data: { ...token, token: 'shown once' } }]],
    ...['tokens', 'create', '--name', 'export', '--scopes', 'grades:read', 'courses:read'],
  );
  expect(created.stdout).toBe('shown once\n');
  expect(JSON.parse(created.requests[0]?.body ?? '')).toEqual({
    name: 'export',
    scopes: ['grades:read', 'courses:read'],
  });
  const { stdout } = await runAgainst([[200, { data: [token] }]], 'tokens');
  expect(stdout).toContain('4   export  grades:read  2027-01-01T00:00:00Z  -');
  const deleted = await runAgainst([[204, null]], 'tokens', 'delete', '4');
  expect([deleted.code, deleted.requests]).toEqual([
    0,
    [{ request: 'DELETE /api/v3/me/tokens/4', body: '' }],
  ]);
});

test('a token that may not manage tokens gets an error that says what to use', async () => {
  const body = { message: 'Unauthorized Access', errors: { scope: ['This token lacks the scope session.'] } };
  const { code, stderr } = await runAgainst([[403, body]], 'tokens', 'list');
  expect([code, stderr]).toEqual([1, expect.stringContaining('log in with the access token of a session')]);
});
