import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { countedBuffers } from '@gradeway/test/countedBuffers';
import { type Answer, createHttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { Router } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { receiveForm } from '../../src/files/receiveForm.ts';
import { createHttpApp } from '../../src/http/app.ts';
import { type HttpServer, listen } from '../../src/http/server.ts';
import { Health } from '../../src/process/health.ts';
import { createLogger } from '../../src/process/logger.ts';
import { BufferCollector } from '../../src/v8/bufferCollector.ts';

let directory: string;
let server: HttpServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-form-'));
  const router = Router();
  router.post('/', async (req, res) => {
    await using form = await receiveForm(req, res, {
      directory,
      field: 'file',
      maxFiles: 2,
      maxBytes: 1_000_000,
    });
    const contents = await Promise.all(form.files.map(({ path }) => readFile(path)));
    const whole = contents.map((content) => createHash('sha256').update(content).digest('hex'));
    res.json({ fields: form.fields, files: form.files.map(({ path: _, ...file }) => file), whole });
  });
  const dependencies = {
    log: createLogger('test', 'silent'),
    health: new Health(),
    requestTimeoutMs: 10_000,
  };
  server = await listen(createHttpApp(dependencies, [router]), { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

type Part = [name: string, value: string | Blob, fileName?: string];

const client = () => createHttpClient({ baseUrl: `http://127.0.0.1:${server.port}` });

function send(parts: Part[]): Promise<Answer> {
  const data = new FormData();
  for (const [name, value, fileName] of parts)
    if (value instanceof Blob) data.append(name, value, fileName);
    else data.append(name, value);
  return client().post('/', data);
}

const expectNoFiles = () => waitFor(async () => (await readdir(directory)).length === 0);

describe('a form', () => {
  test('the buffers of a form are counted for the collector while it arrives', async () => {
    const content = new Blob([Buffer.alloc(900_000)]);
    const counted = await countedBuffers(BufferCollector, async () => {
      expect((await send([['file', content, 'a.pdf']])).status).toBe(200);
    });
    expect(counted).toBe(900_000);
  });

  test('a form with a Content-Encoding gets 415', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': 'br' };
    const { status, body } = await client().post('/', Buffer.from('no brotli'), headers);
    expect([status, body]).toEqual([415, { message: 'Unsupported Media Type', errors: null }]);
  });

  test('a form is received with its fields and the hashes of its files', async () => {
    const content = Buffer.alloc(700_000, 'PDF');
    const answer = await send([
      ['title', 'Täst'],
      ['file', new Blob([content]), 'Ünterlagen 学.pdf'],
    ]);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(answer.body).toEqual({
      fields: { title: 'Täst' },
      files: [
        {
          name: 'Ünterlagen 学.pdf',
          size: content.length,
          sha256,
          crc32: crc32(content),
          hasPdfHeader: false,
        },
      ],
      whole: [sha256],
    });
    await expectNoFiles();
  });

  test('a form with a file over the limit gets 413 and leaves no file', async () => {
    const answer = await send([['file', new Blob([Buffer.alloc(1_000_001)]), 'a.pdf']]);
    expect([answer.status, answer.body]).toEqual([413, { message: 'Payload Too Large', errors: null }]);
    await expectNoFiles();
  });

  test.each<[string, Part[], object]>([
    [
      'too many files',
      [1, 2, 3].map(() => ['file', new Blob(['x']), 'a.pdf'] as Part),
      { file: ['The file may not have more than 2 items.'] },
    ],
    [
      'a file in another field',
      [['photo', new Blob(['x']), 'a.png']],
      { photo: ['The photo field may not hold a file.'] },
    ],
    [
      'too many fields',
      Array.from({ length: 60 }, (_, index) => [`f${index}`, 'x'] as Part),
      { file: ['The form has too many or too long fields.'] },
    ],
  ])('a form with %s gets 422 and leaves no file', async (_, parts, errors) => {
    const answer = await send(parts);
    expect([answer.status, answer.body]).toEqual([422, { message: 'Invalid Data', errors }]);
    await expectNoFiles();
  });

  test.each([
    ['no boundary', { 'content-type': 'multipart/form-data' }, 'x'],
    [
      'a truncated file',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF',
    ],
    ['a malformed body', { 'content-type': 'multipart/form-data; boundary=b' }, 'nonsense'],
  ])('a form with %s gets 422', async (_, headers, body) => {
    const answer = await client().post('/', body, headers);
    expect([answer.status, answer.body]).toEqual([
      422,
      { message: 'Invalid Data', errors: { file: ['The file failed to upload.'] } },
    ]);
    await expectNoFiles();
  });

  test('a form whose client disconnects leaves no file', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 and then nothing more',
    );
    await waitFor(async () => (await readdir(directory)).length > 0);
    socket.destroy();
    await expectNoFiles();
  });
});
