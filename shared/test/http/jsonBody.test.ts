import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleErrors } from '../../src/http/errors.ts';
import { jsonBody } from '../../src/http/jsonBody.ts';
import { type HttpServer, listen } from '../../src/http/server.ts';
import { createLogger } from '../../src/process/logger.ts';

let server: HttpServer;
beforeAll(async () => {
  const app = express();
  app.post('/', jsonBody, (req, res) => void res.json(req.body));
  app.use(handleErrors(createLogger('shared', 'silent')));
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

async function send(body: Uint8Array<ArrayBuffer>, encoding: string) {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', headers, body });
  return [answer.status, await answer.json()];
}
const json = '{"title":"Algebra"}';

describe('a compressed JSON body', () => {
  test.each([
    ['br', brotliCompressSync(json)],
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
  ])('a JSON body in %s is read', async (encoding, body) => {
    expect(await send(new Uint8Array(body), encoding)).toEqual([200, { title: 'Algebra' }]);
  });

  const garbage = [
    ['that is not compressed', new Uint8Array(Buffer.from(json))],
    ['that is random', new Uint8Array(Buffer.from('b5f0a7e913c4427d8e', 'hex'))],
  ] as const;
  test.each(
    ['br', 'gzip', 'deflate'].flatMap((encoding) =>
      garbage.map(([name, body]) => [encoding, name, body] as const),
    ),
  )('a JSON body in %s %s is 400', async (encoding, _, body) => {
    expect(await send(body, encoding)).toEqual([400, { message: 'Malformed JSON', errors: null }]);
  });

  test.each([
    ['br', brotliCompressSync(json)],
    ['gzip', gzipSync(json)],
    ['deflate', deflateSync(json)],
  ])('a JSON body in %s that is cut off is 400', async (encoding, whole) => {
    const cut = new Uint8Array(whole).subarray(0, -4);
    expect(await send(cut, encoding)).toEqual([400, { message: 'Malformed JSON', errors: null }]);
  });

  test.each(['compress', 'x-unknown'])('a JSON body in %s is 415', async (encoding) => {
    const refused = [415, { message: 'Unsupported Media Type', errors: null }];
    expect(await send(new Uint8Array(Buffer.from(json)), encoding)).toEqual(refused);
  });
});
