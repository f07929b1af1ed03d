import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '@gradeway/shared/config/readConfig';
import { settingsTable } from '@gradeway/shared/config/settingsTable';
import { folderOf, processNames } from './processes.ts';

/** The folders whose README has a settings table. */
export const documentedFolders = [...processNames.map(folderOf), 'backup'];

const table = /<!-- settings -->\n[\s\S]*?<!-- \/settings -->/;

/** Returns the README of a folder: its current text, and the text with the table generated from `config.ts`. */
export async function readmeWithSettings(
  folder: string,
): Promise<{ path: URL; current: string; expected: string }> {
  const base = new URL(`../../${folder}/`, import.meta.url);
  const { settings } = (await import(new URL('dist/config.js', base).href)) as { settings: Settings };
  const path = new URL('README.md', base);
  const current = await readFile(path, 'utf8');
  if (!table.test(current)) throw new Error(`${folder}/README.md has no markers for the settings table`);
  const generated = `<!-- settings -->\n${settingsTable(settings)}\n<!-- /settings -->`;
  return { path, current, expected: current.replace(table, () => generated) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeSettingsDocs(process.argv.slice(2));

async function writeSettingsDocs([parameter]: string[]): Promise<void> {
  if (parameter === '--help' || parameter === '-h') {
    process.stdout.write('npm run docs:settings: writes the settings tables in the READMEs\n');
    return;
  }
  if (parameter !== undefined) {
    process.stderr.write(`npm run docs:settings has no argument ${parameter}; see --help\n`);
    process.exitCode = 2;
    return;
  }
  for (const folder of documentedFolders) {
    const { path, current, expected } = await readmeWithSettings(folder);
    if (current !== expected) await writeFile(path, expected);
  }
}
