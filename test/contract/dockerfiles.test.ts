import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

// Each team builds its own image, so each has a Dockerfile; what is in it is decided once.
const root = new URL('../../', import.meta.url);
const services = (await readdir(new URL('services/', root))).map((name) => `services/${name}`);
const folders = ['gateway', 'local', ...services];
const dockerfile = (folder: string) => readFile(new URL(`${folder}/Dockerfile`, root), 'utf8');
/** What is the same in all: everything after the first line, without the folder's name. */
const common = (text: string, folder: string) =>
  text
    .slice(text.indexOf('\n') + 1)
    .replace(`-f ${folder}/`, '-f …/')
    .replace(`folder=${folder}\n`, 'folder=…\n');

test.each(folders)('%s/Dockerfile is that of the others, but for the folder', async (folder) => {
  expect(common(await dockerfile(folder), folder)).toBe(common(await dockerfile('gateway'), 'gateway'));
});

// BuildKit takes files of one name, size and time for the same file: where a checkout gives all files one time, auth
// was once built from the Dockerfile of quiz. Their first lines keep them apart.
test('no two Dockerfiles have the same size', async () => {
  const sizes = await Promise.all(folders.map(async (folder) => (await dockerfile(folder)).length));
  expect(new Set(sizes).size, sizes.join(', ')).toBe(sizes.length);
});

test('every package that images are built from has its manifest in the Dockerfile', async () => {
  const text = await dockerfile('gateway');
  for (const folder of ['proto', 'shared', ...folders])
    expect(text).toContain(`COPY ${folder}/package.json ${folder}/\n`);
});
