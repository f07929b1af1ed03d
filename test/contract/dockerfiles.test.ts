import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

// Each team builds its own image; the contents of all images are decided in one file.
const root = new URL('../../', import.meta.url);
const services = (await readdir(new URL('services/', root))).map((name) => `services/${name}`);
const folders = ['gateway', 'local', 'backup', ...services];
const dockerfile = await readFile(new URL('Dockerfile', root), 'utf8');

test.each(folders)('%s has no Dockerfile of its own', (folder) => {
  expect(existsSync(new URL(`${folder}/Dockerfile`, root))).toBe(false);
});

test('docker-compose.yml builds an image from each folder and names it after the folder', async () => {
  const text = await readFile(new URL('docker-compose.yml', root), 'utf8');
  const compose = parse(text, { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { image: string; build?: { args: { FOLDER: string } } }>;
  };
  const built = Object.values(compose.services).flatMap(({ image, build }) =>
    build ? [[build.args.FOLDER, image]] : [],
  );
  const expected = folders.map((folder) => [
    folder,
    `gradeway/${folder.replace('services/', '')}:\${TAG:-latest}`,
  ]);
  expect(built.toSorted()).toEqual(expected.toSorted());
});

test('a release publishes the image of every folder except that of the local commands', async () => {
  const { jobs } = parse(await readFile(new URL('.github/workflows/release.yml', root), 'utf8'));
  const released: string[] = jobs.images.strategy.matrix.folder;
  expect(released.toSorted()).toEqual(folders.filter((folder) => folder !== 'local').toSorted());
});

test('the Dockerfile copies the manifest of every package', () => {
  for (const folder of ['proto', 'shared', ...folders])
    expect(dockerfile).toContain(`COPY ${folder}/package.json ${folder}/\n`);
});

// `npm ci -w gateway` selects the packages below gateway/ whose manifests it finds.
test('no image contains the packages of the web application', () => {
  const [beforeIt = '', buildsIt = ''] = dockerfile.split('FROM manifests AS web\n');
  expect(beforeIt).not.toMatch(/^COPY gateway\/web/m);
  expect(buildsIt.match(/^COPY --from=web .*$/gm)).toEqual(['COPY --from=web /built /app']);
});
