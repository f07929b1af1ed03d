import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import { createPdfChecker, createPdfSlots } from '@gradeway/shared/files/pdfChecker';
import { receiveForm } from '@gradeway/shared/files/receiveForm';
import { createHttpApp } from '@gradeway/shared/http/app';
import { type HttpServer, listen } from '@gradeway/shared/http/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger } from '@gradeway/shared/process/logger';
import { createHttpClient, form } from '@gradeway/test/httpClient';
import { scrapeSelf } from '@gradeway/test/metrics';
import { exponentialPageTree } from '@gradeway/test/pdfBombs';
import { waitFor } from '@gradeway/test/waitFor';
import { Router } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';

const log = createLogger('test', 'silent');
let directory: string;
let server: HttpServer;
let uploadDirectory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-metrics-'));
  uploadDirectory = directory;
  const router = Router();
  router.post('/', async (req, res) => {
    const limits = { field: 'file', maxFiles: 1, maxBytes: 100_000 };
    await using form = await receiveForm(req, res, { ...limits, directory: uploadDirectory });
    res.json(form.files.length);
  });
  const dependencies = { log, health: new Health(), requestTimeoutMs: 10_000 };
  server = await listen(createHttpApp(dependencies, [router]), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

async function upload(bytes: number, field = 'file'): Promise<void> {
  const body = form({ [field]: new Blob([Buffer.alloc(bytes)]) });
  await createHttpClient({ baseUrl: `http://127.0.0.1:${server.port}` }).post('/', body);
}

test('uploads and their bytes are counted by outcome', async () => {
  const before = await scrapeSelf();
  await upload(50_000);
  await upload(200_000);
  await upload(10, 'other');
  uploadDirectory = join(directory, 'gone');
  await upload(10);
  uploadDirectory = directory;
  const now = await scrapeSelf();
  const count = (outcome: string) => now.value('gradeway_uploads_total', { outcome });
  expect(['received', 'too_large', 'invalid', 'failed'].map(count)).toEqual([1, 1, 1, 1]);
  expect(count('aborted')).toBe(before.value('gradeway_uploads_total', { outcome: 'aborted' }) ?? 0);
  expect(now.value('gradeway_upload_bytes_total', { outcome: 'received' })).toBe(50_000);
  expect(now.value('gradeway_upload_bytes_total', { outcome: 'too_large' })).toBeGreaterThan(0);
  expect(now.value('gradeway_uploads_in_flight')).toBe(0);
});

test('an upload is in flight until its client disconnects, and then counted as aborted', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n';
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  socket.write(`${head}Content-Type: multipart/form-data; boundary=b\r\n\r\n${part}${'x'.repeat(1000)}`);
  await waitFor(async () => (await scrapeSelf()).value('gradeway_uploads_in_flight') === 1);
  socket.destroy();
  await waitFor(async () => (await scrapeSelf()).value('gradeway_uploads_in_flight') === 0);
  expect((await scrapeSelf()).value('gradeway_uploads_total', { outcome: 'aborted' })).toBe(1);
});

test('PDF checks are measured by outcome', async () => {
  const write = async (name: string, content: Buffer | string) => {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  };
  const good = await write('good', await makePdf('Valid'));
  const secret = await write('secret', await makePdf('Secret', { password: 'hidden' }));
  const noise = await write('noise', 'noise');
  const checker = createPdfChecker({ log, cpuSeconds: 8, memoryMb: 192, slots: createPdfSlots(1) });
  const waiting = Promise.all([good, secret, noise, noise].map((path) => checker.check(path, 1)));
  expect((await scrapeSelf()).value('gradeway_pdf_checks_waiting')).toBe(3);
  await waiting;
  const hasty = createPdfChecker({ log, cpuSeconds: 0.05, memoryMb: 192, slots: createPdfSlots(1) });
  await hasty.check(await write('endless', exponentialPageTree()), 1);
  await hasty.check(join(directory, 'gone'), 1).catch(() => {});
  const now = await scrapeSelf();
  const count = (outcome: string) => now.value('gradeway_pdf_check_duration_seconds_count', { outcome });
  const outcomes = ['valid', 'encrypted', 'invalid', 'timeout', 'out_of_memory', 'failed'];
  expect(outcomes.map(count)).toEqual([1, 1, 2, 1, 0, 1]);
  expect(now.value('gradeway_pdf_checks_waiting')).toBe(0);
  await checker.close();
  await hasty.close();
});
