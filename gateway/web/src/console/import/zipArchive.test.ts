import { readArchive } from '@gradeway/test/readArchive';
import { expect, test } from 'vitest';
import { zipArchive } from './zipArchive.ts';

const entry = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });

test('another program reads the files with their names and contents', async () => {
  const blob = zipArchive([
    entry('users.csv', 'sourcedId,givenName\n1,آدا\n'),
    entry('courses.csv', ''),
    entry('ملاحظات.csv', 'x'.repeat(100_000)),
  ]);
  const files = await readArchive(Buffer.from(await blob.arrayBuffer()));
  expect(files.map(({ name, content }) => [name, content.toString('utf8')])).toEqual([
    ['users.csv', 'sourcedId,givenName\n1,آدا\n'],
    ['courses.csv', ''],
    ['ملاحظات.csv', 'x'.repeat(100_000)],
  ]);
});
