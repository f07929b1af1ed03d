import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@gradeway/shared/config/readConfig';
import { settingsTable } from '@gradeway/shared/config/settingsTable';

/** Where each process says what it reads. */
export const configurations = [
  'gateway',
  'services/auth',
  'services/courses',
  'services/homework',
  'services/quiz',
];

const between = /<!-- settings -->\n[\s\S]*?<!-- \/settings -->/;

/** A README as it should be: its table of settings made from what the code reads. */
export async function withSettings(folder: string): Promise<{ path: URL; present: string; wanted: string }> {
  const base = new URL(`../../${folder}/`, import.meta.url);
  const { settings } = (await import(new URL('dist/config.js', base).href)) as { settings: Settings };
  const path = new URL('README.md', base);
  const present = await readFile(path, 'utf8');
  if (!between.test(present)) throw new Error(`${folder}/README.md has no place for its settings`);
  const table = `<!-- settings -->\n${settingsTable(settings)}\n<!-- /settings -->`;
  return { path, present, wanted: present.replace(between, () => table) };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const folder of configurations) {
    const { path, present, wanted } = await withSettings(folder);
    if (present !== wanted) await writeFile(path, wanted);
  }
