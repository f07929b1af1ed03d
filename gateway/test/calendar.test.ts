import { createLogger } from '@gradeway/shared/process/logger';
import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

const token = 'a-token-that-nobody-may-read';
const lines: string[] = [];

let gateway: TestGateway;
beforeAll(async () => {
  const write = (...line: unknown[]) => void lines.push(JSON.stringify(line));
  const log = Object.assign(createLogger('gateway', 'silent'), {
    ...{ debug: write, info: write, warn: write, error: write },
  });
  gateway = await startGateway({ IDLE_TIMEOUT: '300ms' }, log);
});
afterAll(() => gateway.close());

const get = (path: string, headers = {}) => createHttpClient({ baseUrl: gateway.url }).get(path, headers);

test('a calendar needs no other token, and its own token is never logged', async () => {
  gateway.answer((_req, res) =>
    res.setHeader('Cache-Control', 'private, max-age=300').end('BEGIN:VCALENDAR'),
  );
  const read = await get(`/calendar/${token}.ics`, { 'if-none-match': '"1"' });
  expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'private, max-age=300']);
  expect(gateway.last().url).toBe(`/calendar/${token}.ics`);
  expect(gateway.last().headers['if-none-match']).toBe('"1"');
  await get(`/calendar/${token}`);
  await get(`//Calendar/${token}.ics/`);
  await createHttpClient({ baseUrl: gateway.url }).post(`/calendar/${token}.ics`);
  // This service never responds.
  gateway.answer(() => {});
  expect((await get(`/calendar/${token}.ics`)).status).toBe(504);
  expect(lines.filter((line) => line.includes('REDACTED')).length).toBeGreaterThanOrEqual(5);
  expect(lines.join()).not.toContain(token);
});

test('requests for one calendar, and refused requests from one address, are limited', async () => {
  const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
  const client = createHttpClient({ baseUrl: limited.url });
  const statuses: number[] = [];
  const read = async (path: string) => statuses.push((await client.get(path)).status);
  limited.answer((_req, res) => res.end());
  for (let count = 0; count < 4; count += 1) await read('/calendar/same.ics');
  limited.answer((_req, res) => res.writeHead(404).end());
  for (let count = 0; count < 4; count += 1) await read(`/calendar/guess${count}.ics`);
  expect(statuses).toEqual([200, 200, 200, 429, 404, 404, 404, 429]);
  await limited.close();
});
