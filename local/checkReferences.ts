// npm run check -- references: prints each citation that does not resolve as file:line: reason.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrokenReferences } from './references/findBrokenReferences.ts';

const root = join(import.meta.dirname, '..');
const skipped = [
  /(^|\/)package-lock\.json$/,
  /\.(pdf|png)$/,
  // Quotes references that must fail.
  /^local\/test\/references\.test\.ts$/,
];

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
});
const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '');

/** The text of a file to check; undefined for a file that git lists although it has been deleted. */
function textOf(path: string): string | undefined {
  if (skipped.some((pattern) => pattern.test(path))) return '';
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

const files = new Map<string, string>();
for (const path of paths) {
  const text = textOf(path);
  if (text !== undefined) files.set(path, text);
}

const broken = findBrokenReferences(files);
for (const { path, line, reason } of broken) process.stdout.write(`${path}:${line}: ${reason}\n`);
process.exit(broken.length === 0 ? 0 : 1);
