import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gradeway/test/waitFor';
import type { Response } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReadBuffers, readAhead } from '../../src/files/readAhead.ts';
import { sendZip } from '../../src/zip/sendZip.ts';
import { writeZip, type ZipEntry } from '../../src/zip/writeZip.ts';

// Ends below, at and beyond the sizes of the buffers of files, sockets and streams.
const sizes = [5_000_000, 10, 524_288, 70_000, 1_100_000, 1_048_576];
const modifiedAt = new Date('2026-01-05T12:00:00Z');
let directory: string;
let server: Server;
let contents: Buffer[];
let end: Promise<unknown>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-zip-'));
  contents = sizes.map((size) => randomBytes(size));
  await Promise.all(contents.map((bytes, index) => writeFile(join(directory, `${index}`), bytes)));
  server = createServer((_, res) => {
    const disconnected = new AbortController();
    res.once('close', () => disconnected.abort());
    const buffers = new ReadBuffers();
    const content = async (path: string) => readAhead(await open(path), buffers, disconnected.signal);
    const entries = entriesOf((index) => content(join(directory, `${index}`)));
    end = sendZip(res as Response, entries, disconnected.signal).then(
      () => 'sent',
      (error: unknown) => error,
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(directory, { recursive: true });
});

const entriesOf = (content: (index: number) => ReturnType<ZipEntry['content']>): ZipEntry[] =>
  sizes.map((_, index) => ({ path: `${index}.pdf`, modifiedAt, content: () => content(index) }));

const download = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo;
    get({ host: '127.0.0.1', port }, resolve).once('error', reject);
  });

test('an archive that is read slowly has the correct bytes, although buffers are reused', async () => {
  const expected: Buffer[] = [];
  for await (const bytes of writeZip(entriesOf((index) => [contents[index] as Buffer]))) expected.push(bytes);
  const received: Buffer[] = [];
  let reads = 0;
  for await (const bytes of await download()) {
    received.push(bytes);
    reads += 1;
    if (reads % 20 === 0) await sleep(30);
  }
  expect(Buffer.concat(received).equals(Buffer.concat(expected))).toBe(true);
  expect(await end).toBe('sent');
});

test('a client that disconnects from an archive midway causes no error', async () => {
  const response = await download();
  await new Promise((resolve) => response.once('data', resolve));
  response.destroy();
  await waitFor(() => end);
  expect(await end).toBe('sent');
});
