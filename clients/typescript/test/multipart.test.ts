import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { encodeMultipart } from '../src/body/multipart.ts';
import { sourceOf } from '../src/body/upload.ts';

test('another implementation reads the same form back, and its length is as announced', async () => {
  const file = new File(['%PDF-'], 'a "b"\r\nX-Injected: 1.pdf', { type: 'application/pdf' });
  const { boundary, length, open } = encodeMultipart([
    ['title', 'Grüße, 学生'],
    ['file', await sourceOf(file)],
  ]);
  const bytes = await buffer(Readable.from(open()));
  expect(bytes.length).toBe(length);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const form = await new Response(bytes, { headers }).formData();
  expect([...form.keys()]).toEqual(['title', 'file']);
  expect(form.get('title')).toBe('Grüße, 学生');
  const read = form.get('file') as File;
  expect([read.name, read.type, await read.text()]).toEqual([file.name, 'application/pdf', '%PDF-']);
});

test('the length is unknown without the size of a stream', async () => {
  const source = await sourceOf({ stream: () => Readable.from([Buffer.from('%PDF-')]), name: 'a.pdf' });
  expect(encodeMultipart([['file', source]]).length).toBeUndefined();
});
