import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Where a file names Gradeway's own version: its packages and their references to each other, the images in the
// manifests, and the commands that build them.
const ownVersion = new RegExp(
  `(?<=${[
    '"name": "(?:@gradeway/[a-z-]+|gradeway)",\\s+"version": "',
    '"@gradeway/[a-z-]+": "',
    'name: (?:\\S+/)?gradeway/[a-z]+\\n(?: +newName: .+\\n)? +newTag: ',
    '\\bgradeway(?:-test)?/[a-z]+:',
    '\\bTAG=',
  ].join('|')})\\d+\\.\\d+\\.\\d+`,
  'g',
);

const places = ['package.json', 'package-lock.json', '*/package.json', 'k8s', 'test/cluster'];

export const versionsIn = (text: string): string[] => text.match(ownVersion) ?? [];

export const withVersion = (text: string, version: string): string => text.replace(ownVersion, version);

/** The committed files that name the repository's version, with their texts. */
export function versionedFiles(root: string): [path: string, text: string][] {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...places], { cwd: root, encoding: 'utf8' });
  return listed
    .split('\0')
    .filter((path) => path !== '')
    .map((path): [string, string] => [path, readFileSync(join(root, path), 'utf8')])
    .filter(([, text]) => versionsIn(text).length > 0);
}

export const packageVersion = (root: string): string =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
