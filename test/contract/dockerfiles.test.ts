import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

// Each team builds its own image, so each has a Dockerfile; what is in it is decided once.
const root = new URL('../../', import.meta.url);
const services = (await readdir(new URL('services/', root))).map((name) => `services/${name}`);
const lines = (text: string) => text.slice(text.indexOf('\n') + 1);
const dockerfile = (folder: string) => readFile(new URL(`${folder}/Dockerfile`, root), 'utf8');

test.each(['local', ...services])(
  '%s/Dockerfile is that of the gateway, but for the folder',
  async (folder) => {
    const own = (text: string) => text.replace('ARG folder=gateway', `ARG folder=${folder}`);
    const wanted = own(await dockerfile('gateway')).replace('-f gateway/', `-f ${folder}/`);
    expect(await dockerfile(folder)).toBe(wanted);
  },
);

test('every package that images are built from has its manifest in the Dockerfile', async () => {
  const text = await dockerfile('gateway');
  for (const folder of ['proto', 'shared', 'gateway', 'local', ...services])
    expect(text).toContain(`COPY ${folder}/package.json ${folder}/\n`);
});
