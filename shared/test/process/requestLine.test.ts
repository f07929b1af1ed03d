import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { RequestLine } from '../../src/process/requestLine.ts';

const module = (name: string) =>
  JSON.stringify(new URL(`../../src/process/${name}.ts`, import.meta.url).href);

/** What a process writes that logs these requests, and what pino writes about the same fields. */
async function linesOf(
  requests: RequestLine[],
  level = 'info',
): Promise<{ built: string[]; pinos: string[] }> {
  const script = `
    import { createLogger } from ${module('logger')};
    import { requestLogger } from ${module('requestLine')};
    const log = createLogger('gateway', '${level}');
    const requests = JSON.parse(process.argv[1]);
    const logRequest = requestLogger(log);
    for (const request of requests) logRequest('info', request);
    for (const { aborted, ...line } of requests) log.info(aborted ? { ...line, aborted } : line, 'request');`;
  const parameters = ['--input-type=module', '-e', script, JSON.stringify(requests)];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  const lines = stdout.split('\n').slice(0, -1);
  return { built: lines.slice(0, lines.length / 2), pinos: lines.slice(lines.length / 2) };
}

const line: RequestLine = {
  method: 'GET',
  path: '/api/v3/admin/courses',
  status: 200,
  ms: 12,
  request_id: 'b3f0c1a2-7d4e-4f5a-9b6c-0d1e2f3a4b5c',
  user_id: 7,
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  span_id: '00f067aa0ba902b7',
  aborted: false,
};

const fieldsOf = (text: string) => ({ ...JSON.parse(text), time: '' });

test('the line of a request has the fields that pino would write', async () => {
  const requests: RequestLine[] = [
    line,
    { ...line, aborted: true },
    { ...line, user_id: undefined, trace_id: undefined, span_id: undefined },
    { ...line, path: '/a"b\\c/\u0001\n/é/学/\ud83d\ude00' },
  ];
  const { built, pinos } = await linesOf(requests);
  expect(built).toHaveLength(4);
  expect(built.map(fieldsOf)).toEqual(pinos.map(fieldsOf));
  for (const text of built) expect(JSON.parse(text).time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('requests are not logged at a level above info', async () => {
  expect(await linesOf([line], 'warn')).toEqual({ built: [], pinos: [] });
});
