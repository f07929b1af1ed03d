import { createHttpClient } from '@gradeway/test/httpClient';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

async function start(env: Record<string, string>): Promise<TestGateway> {
  const gateway = await startGateway(env);
  onTestFinished(() => gateway.close());
  return gateway;
}

const asAdmin = (gateway: TestGateway) => createHttpClient({ baseUrl: gateway.url, token: gateway.admin });

test('every response says how many requests are left, including refusals', async () => {
  const gateway = await start({ RATE_LIMIT_PER_MINUTE: '4', CORS_ORIGINS: 'https://school.example' });
  const { request } = asAdmin(gateway);
  const answers = [
    await request('GET', '/api/v3/me', { headers: { origin: 'https://school.example' } }),
    await request('GET', '/api/v3/assignments/download/1'),
    await request('GET', '/api/v3/nothing'),
    await request('GET', '/api/v3/openapi.json'),
    await request('GET', '/api/v3/me'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 429]);
  for (const [index, { headers }] of answers.entries()) {
    const [, left, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
    expect(Number(left)).toBe(Math.max(0, 3 - index));
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit-policy')).toBe('"default";q=4;w=60');
  }
  const exposed = answers[0]?.headers.get('access-control-expose-headers')?.split(',');
  expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy']));
  expect(answers[4]?.headers.get('ratelimit')).toBe(
    `"default";r=0;t=${answers[4]?.headers.get('retry-after')}`,
  );
});

test('each client and each signed link has its own count', async () => {
  const gateway = await start({ RATE_LIMIT_PER_MINUTE: '9' });
  const anonymous = createHttpClient({ baseUrl: gateway.url });
  const left = async (path: string, client = anonymous) =>
    /r=(\d+)/.exec((await client.get(path)).headers.get('ratelimit') ?? '')?.[1];
  expect(await left('/api/v3/me', asAdmin(gateway))).toBe('8');
  expect(await left('/api/v3/me')).toBe('8');
  expect(await left('/api/v3/files/quiz/1?signature=a')).toBe('8');
  expect(await left('/api/v3/files/quiz/2?signature=b')).toBe('8');
});

test('responses have neither header if there is no limit', async () => {
  const gateway = await start({ RATE_LIMIT_PER_MINUTE: '0' });
  for (const path of ['/api/v3/me', '/api/v3/nothing']) {
    const { headers } = await asAdmin(gateway).get(path);
    expect(headers.has('ratelimit') || headers.has('ratelimit-policy')).toBe(false);
  }
});
