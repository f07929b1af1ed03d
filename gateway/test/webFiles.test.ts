import { spawnSync } from 'node:child_process';
import { readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { createHttpClient } from '@gradeway/test/httpClient';
import { scrapeSelf } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BuiltApplication, buildApplication, indexPage } from './builtApplication.ts';
import { startGateway, type TestGateway } from './testGateway.ts';

let application: BuiltApplication;
let gateway: TestGateway;
beforeAll(async () => {
  application = await buildApplication();
  gateway = await startGateway({ WEB_DIR: application.directory, RATE_LIMIT_PER_MINUTE: '0' });
});
afterAll(async () => {
  await gateway.close();
  await application.remove();
});

const script = '/assets/index-Ab3dE6.js';
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const notFound = { message: 'Not Found', errors: null };

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends the path unchanged; fetch would resolve it, and decompress the response. */
function send(
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', to = gateway } = {},
): Promise<Answer> {
  const { port } = new URL(to.url);
  return new Promise((resolve, reject) => {
    const receive = (res: IncomingMessage) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () =>
        resolve({ status: res.statusCode, headers: res.headers, bytes: Buffer.concat(chunks) }),
      );
    };
    request({ host: '127.0.0.1', port, path, method, headers }, receive).once('error', reject).end();
  });
}

const json = ({ bytes }: Answer) => JSON.parse(bytes.toString());

describe('a file', () => {
  test.each([
    ['/assets/index-Ab3dE6.js', 'text/javascript; charset=utf-8'],
    ['/assets/pdf.worker-Ab3dE6.mjs', 'text/javascript; charset=utf-8'],
    ['/assets/index-Ab3dE6.css', 'text/css; charset=utf-8'],
    ['/assets/openjpeg-Ab3dE6.wasm', 'application/wasm'],
    ['/assets/inter-Ab3dE6.woff2', 'font/woff2'],
    ['/cmaps/78-EUC-H.bcmap', 'application/octet-stream'],
    ['/fonts/FoxitSans.pfb', 'application/x-font-type1'],
    ['/locales/ar.json', 'application/json; charset=utf-8'],
    ['/icon.svg', 'image/svg+xml; charset=utf-8'],
    ['/favicon.ico', 'image/x-icon'],
    ['/Notes%20of%20a%20build.txt', 'text/plain; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/', 'text/html; charset=utf-8'],
  ])('%s is sent as %s with nosniff', async (path, type) => {
    const { status, headers } = await send(path);
    expect([status, headers['content-type']]).toEqual([200, type]);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a file with a hash in its name is cached forever, and any other is revalidated', async () => {
    expect((await send(script)).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const path of ['/', '/icon.svg', '/cmaps/78-EUC-H.bcmap', '/grading'])
      expect((await send(path, html)).headers['cache-control'], path).toBe('no-cache');
  });

  test.each(['/', '/icon.svg', script, '/grading/quizzes/7'])(
    '%s is 304 while it is unchanged, even if a proxy has weakened the tag',
    async (path) => {
      const { etag = '' } = (await send(path, html)).headers;
      expect(etag).toMatch(/^"[\w-]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await send(path, { ...html, 'if-none-match': known });
        expect([answer.status, answer.headers.etag, answer.bytes.length]).toEqual([304, etag, 0]);
      }
      expect((await send(path, { ...html, 'if-none-match': '"other"' })).status).toBe(200);
    },
  );

  test('HEAD of a file returns the headers of GET and no body', async () => {
    for (const path of ['/', script, '/grading']) {
      const get = await send(path, html);
      const head = await send(path, html, { method: 'HEAD' });
      const { date: _, 'x-request-id': __, ...expected } = get.headers;
      expect([head.status, head.headers, head.bytes.length]).toEqual([
        200,
        expect.objectContaining(expected),
        0,
      ]);
    }
    const { etag = '' } = (await send('/')).headers;
    expect((await send('/', { 'if-none-match': etag }, { method: 'HEAD' })).status).toBe(304);
  });

  test('a file is 404 for methods other than GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      for (const path of ['/', script]) {
        const answer = await send(path, html, { method });
        expect([method, answer.status, json(answer)]).toEqual([method, 404, notFound]);
      }
  });
});

describe('an encoding', () => {
  const plain = async (path: string) => (await send(path)).bytes;

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['BR', 'br'],
    ['*;q=0', undefined],
    ['br;q=x', undefined],
    ['deflate', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('Accept-Encoding: %j gets %s', async (accepted, expected) => {
    const { headers, bytes } = await send(script, { 'accept-encoding': accepted });
    expect([headers['content-encoding'], headers.vary]).toEqual([expected, 'Accept-Encoding']);
    expect(headers['content-length']).toBe(String(bytes.length));
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[expected ?? ''] ?? ((same: Buffer) => same);
    expect(decode(bytes)).toEqual(await plain(script));
    if (expected) expect(bytes.length).toBeLessThan((await plain(script)).length / 2);
  });

  test('each encoding of a file has its own ETag, which matches only that encoding', async () => {
    const { etag = '' } = (await send('/', { 'accept-encoding': 'br' })).headers;
    expect((await send('/', { 'accept-encoding': 'br', 'if-none-match': etag })).status).toBe(304);
    expect((await send('/', { 'if-none-match': etag })).status).toBe(200);
  });

  test('files that are already compressed or too small are sent without an encoding', async () => {
    for (const path of ['/assets/inter-Ab3dE6.woff2', '/favicon.ico']) {
      const { headers } = await send(path, { 'accept-encoding': 'br, gzip' });
      expect(headers['content-encoding']).toBeUndefined();
    }
  });

  test('a precompressed file of the build is used unless the original is newer', async () => {
    const built = await buildApplication();
    const file = join(built.directory, 'icon.svg');
    await writeFile(`${file}.br`, 'from the build');
    await writeFile(`${file}.gz`, 'from an earlier build');
    await utimes(`${file}.gz`, 1, 1);
    const other = await startGateway({ WEB_DIR: built.directory });
    const [br, gzip] = await Promise.all(
      ['br', 'gzip'].map((each) => send('/icon.svg', { 'accept-encoding': each }, { to: other })),
    );
    expect(br?.bytes.toString()).toBe('from the build');
    expect(gunzipSync(gzip?.bytes ?? '').toString()).toContain('<svg');
    // They are representations of the file, not files.
    for (const path of ['/icon.svg.br', '/icon.svg.gz'])
      expect((await send(path, {}, { to: other })).status).toBe(404);
    await other.close();
    await built.remove();
  });

  test('the build writes the smallest encodings beside each file', async () => {
    const built = await buildApplication();
    const program = fileURLToPath(new URL('../dist/webFiles/compressWeb.js', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [program, built.directory], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const read = (path: string) => readFile(join(built.directory, path));
    const original = await read(script);
    expect(brotliDecompressSync(await read(`${script}.br`))).toEqual(original);
    expect(gunzipSync(await read(`${script}.gz`))).toEqual(original);
    for (const path of ['assets/inter-Ab3dE6.woff2.br', 'favicon.ico.gz'])
      await expect(read(path)).rejects.toThrow();
    const other = await startGateway({ WEB_DIR: built.directory });
    const sent = await send(script, { 'accept-encoding': 'br' }, { to: other });
    expect(sent.bytes).toEqual(await read(`${script}.br`));
    await other.close();
    await built.remove();
  });
});

describe('a page', () => {
  const addresses = [
    '/login',
    '/grading',
    '/grading/quizzes/12/submissions/34',
    '/my/',
    '/console/users?search=a',
    '/apis',
  ];

  test.each(addresses)('%s is the application for a browser', async (path) => {
    const { status, headers, bytes } = await send(path, html);
    expect([status, headers['content-type'], bytes.toString()]).toEqual([
      200,
      'text/html; charset=utf-8',
      indexPage,
    ]);
    expect(headers.vary).toBe('Accept, Accept-Encoding');
  });

  test.each(['*/*', 'application/json', 'text/*', 'text/html;q=0', ''])(
    'a page is 404 as JSON for Accept: %j',
    async (accept) => {
      const answer = await send('/grading', { accept });
      expect([answer.status, json(answer)]).toEqual([404, notFound]);
      expect(answer.headers['content-type']).toContain('application/json');
    },
  );

  test('a page is a JSON 404 without Accept and for methods other than GET and HEAD', async () => {
    expect((await send('/grading')).status).toBe(404);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await send('/grading', html, { method });
      expect([method, answer.status, json(answer)]).toEqual([method, 404, notFound]);
    }
  });

  test.each([
    '/api',
    '/api/v3x',
    '/API/v3/me',
    '/%61pi/v3/me',
    '/session/other',
    '/docs/other',
    '/.well-known/security.txt',
    '/.env',
    '/assets/gone-Ab3dE6.js',
    '/metrics',
    '/readyz/self',
    '/livez/x',
    '//evil.example/',
    '/a//b',
    '/grading/../x',
    '/grading/%2e%2e/x',
    '/a%2fb',
    '/a%5cb',
    '/a%00b',
    '/%ff',
    '/%',
  ])('%s is no page, regardless of Accept', async (path) => {
    const answer = await send(path, html);
    expect([answer.status, json(answer)]).toEqual([404, notFound]);
  });

  test('the application does not shadow paths of the gateway or the API', async () => {
    expect(json(await send('/api/v3/nothing', html)).message).toBe('UnauthorizedRequest');
    expect((await send('/docs', html)).bytes.toString()).toContain('swagger-ui');
    expect(json(await send('/livez', html))).toEqual({ status: 'ok' });
    expect((await send('/session', html)).status).toBe(405);
  });

  test('a page has the content security policy of the application and the other security headers', async () => {
    const policy =
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src 'self' blob: data:; style-src 'self'; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
    for (const path of ['/', '/grading', script]) {
      const { headers } = await send(path, html);
      expect(headers['content-security-policy']).toBe(policy);
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['strict-transport-security']).toBeDefined();
      expect(headers['x-frame-options']).toBeDefined();
    }
    expect((await send('/nowhere')).headers['content-security-policy']).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
  });
});

describe('nothing outside the application', () => {
  test.each([
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '/./index.html',
    '//index.html',
    '/assets/',
    '/assets',
    '/INDEX.HTML',
    '/.vite/manifest.json',
    '/index.html%00.js',
    '/etc/passwd',
  ])('%s is not a file', async (path) => {
    const answer = await send(path);
    expect([answer.status, json(answer)]).toEqual([404, notFound]);
  });

  test('nothing outside the application is served through a link', async () => {
    const built = await buildApplication();
    await symlink('/etc/passwd', join(built.directory, 'passwd.txt'));
    await symlink(dirname(built.directory), join(built.directory, 'above'));
    const other = await startGateway({ WEB_DIR: built.directory });
    for (const path of ['/passwd.txt', '/above/passwd.txt'])
      expect((await send(path, {}, { to: other })).status).toBe(404);
    expect((await send('/', {}, { to: other })).status).toBe(200);
    await other.close();
    await built.remove();
  });
});

describe('the page', () => {
  const zoneIn = (page: Buffer) => /<meta name="time-zone" content="([^"]*)">/.exec(page.toString())?.[1];

  test("every encoding of the page contains the school's time zone", async () => {
    const built = await buildApplication();
    // The encodings that the build writes beside the page.
    await built.write('index.html.gz', gzipSync(indexPage));
    await built.write('index.html.br', brotliCompressSync(indexPage));
    const other = await startGateway({ WEB_DIR: built.directory, APP_TIMEZONE: 'Africa/Cairo' });
    const get = (encoding: string) => send('/my', { ...html, 'accept-encoding': encoding }, { to: other });
    const [plain, gzip, brotli] = await Promise.all([get('identity'), get('gzip'), get('br')]);
    expect(zoneIn(plain.bytes)).toBe('Africa/Cairo');
    expect(zoneIn(gunzipSync(gzip.bytes))).toBe('Africa/Cairo');
    expect(zoneIn(brotliDecompressSync(brotli.bytes))).toBe('Africa/Cairo');
    const byDefault = await send('/my', html);
    expect(zoneIn(byDefault.bytes)).toBe('UTC');
    expect(plain.headers.etag).not.toBe(byDefault.headers.etag);
    await other.close();
    await built.remove();
  });
});

describe('without a built application', () => {
  test('without a built application every other path works, and one warning is logged', async () => {
    const warnings: unknown[] = [];
    const silent = { ...console, warn: (...line: unknown[]) => warnings.push(line), info() {}, debug() {} };
    const other = await startGateway({ WEB_DIR: '/nowhere/at/all' }, silent as never);
    for (const path of ['/', '/grading', script]) {
      const answer = await send(path, html, { to: other });
      expect([answer.status, json(answer)]).toEqual([404, notFound]);
    }
    expect(warnings).toEqual([
      [{ directory: '/nowhere/at/all' }, 'there is no built web application; its addresses return 404'],
    ]);
    await other.close();
  });
});

describe('limits', () => {
  test("loading the application at a whole school's shared address does not use up its request limit", async () => {
    const school = await startGateway({ WEB_DIR: application.directory, RATE_LIMIT_PER_MINUTE: '5' });
    const client = createHttpClient({ baseUrl: school.url });
    for (let count = 0; count < 300; count += 1) expect((await client.get(script)).status).toBe(200);
    expect((await client.post('/api/v3/login', {})).status).toBe(200);
    await school.close();
  });

  test('requests for files are limited by address', async () => {
    const limited = await startGateway({ WEB_DIR: application.directory, WEB_LIMIT_PER_MINUTE: '3' });
    const statuses = [];
    for (const path of ['/', script, '/grading', '/', script])
      statuses.push((await send(path, html, { to: limited })).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await send('/', html, { to: limited });
    expect([json(refused).message, Number(refused.headers['retry-after']) > 0]).toEqual([
      'Too Many Requests',
      true,
    ]);
    expect((await send('/docs', html, { to: limited })).status).toBe(200);
    await limited.close();
  });

  test('a client that reads slowly gets the whole file without delaying others, and one that stops reading is disconnected', async () => {
    const built = await buildApplication();
    const size = 30_000_000;
    await built.write('assets/large-Ab3dE6.woff2', Buffer.alloc(size, 'x'));
    const other = await startGateway({ WEB_DIR: built.directory, TRANSFER_IDLE_TIMEOUT: '2s' });
    const { port } = new URL(other.url);
    const open = () => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.write('GET /assets/large-Ab3dE6.woff2 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      return socket;
    };

    const aborted = async () =>
      (await scrapeSelf()).value('gradeway_http_requests_aborted_total', { http_route: '/assets/*' }) ?? 0;
    const abortedBefore = await aborted();
    const stopped = open();
    const slow = open();
    let received = 0;
    slow.on('data', (chunk) => {
      received += chunk.length;
      slow.pause();
      setTimeout(() => slow.resume(), 5);
    });
    await waitFor(() => received > 0);
    expect(
      (await createHttpClient({ baseUrl: other.url, token: other.admin }).get('/api/v3/me')).status,
    ).toBe(200);
    await waitFor(() => received > size);
    await waitFor(async () => (await aborted()) > abortedBefore);
    // It reads again, but too late.
    let rest = 0;
    stopped.on('data', (chunk) => (rest += chunk.length)).resume();
    await waitFor(() => stopped.closed);
    expect(rest).toBeLessThan(size);
    await other.close();
    await built.remove();
  });
});

test('requests are counted under one route for hashed files and one for everything else', async () => {
  const count = 'http_server_request_duration_seconds_count';
  const value = async (http_route: string) => (await scrapeSelf()).value(count, { http_route }) ?? 0;
  const before = { assets: await value('/assets/*'), pages: await value('/*') };
  for (const path of [
    script,
    '/assets/index-Ab3dE6.css',
    '/',
    '/icon.svg',
    '/grading/quizzes/12',
    '/console/users',
  ])
    await send(path, html);
  await waitFor(async () => (await value('/*')) === before.pages + 4);
  expect(await value('/assets/*')).toBe(before.assets + 2);
  const routes = (await scrapeSelf()).find(count).map(({ labels }) => labels.http_route);
  expect(routes.filter((route) => /grading|console|icon|index/.test(String(route)))).toEqual([]);
});

test('pages and refusals are logged, and files only at the debug level', async () => {
  const lines: unknown[] = [];
  const record = (level: string) => (line: { path?: string }, message: string) => {
    if (message === 'request') lines.push(`${level} ${line.path}`);
  };
  const log = { debug: record('debug'), info: record('info'), warn() {}, error() {} };
  const other = await startGateway(
    { WEB_DIR: application.directory, WEB_LIMIT_PER_MINUTE: '2' },
    log as never,
  );
  for (const path of [script, '/grading', script]) await send(path, html, { to: other });
  await waitFor(() => lines.length === 3);
  expect(lines).toEqual([`debug ${script}`, 'info /grading', `info ${script}`]);
  await other.close();
});
