// Prints the section of CHANGELOG.md about the version in package.json: the notes of a release on GitHub.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sectionOf } from './changelog.ts';
import { packageVersion } from './versions.ts';

const root = join(import.meta.dirname, '../..');
const notes = sectionOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), packageVersion(root));
if (!notes) throw new Error('CHANGELOG.md has no section about the version in package.json');
process.stdout.write(`${notes}\n`);
