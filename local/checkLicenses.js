// npm run licenses: lists the licences of all packages that run in production, and fails for a licence that is not in
// the list below. The lock file names the licence of every package.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const help = `npm run licenses: lists the licences of the packages that run in production

It fails for a licence that is not permissive or has not been reviewed yet. --packages also lists name and version.`;

// Permissive: use in a service requires no publication of its source. A new licence is added after a review.
const allowed = [
  'Apache-2.0',
  'MIT',
  'MIT-0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'BlueOak-1.0.0',
  '0BSD',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
  // For fonts: they may be used, changed and embedded, but not sold by themselves.
  'OFL-1.1',
  '(MIT OR CC0-1.0)',
];
// Their manifests name no licence, but their LICENSE files do.
const reviewed = { 'png-js': 'MIT' };
// Weak copyleft, for one package at a time. The browser loads libheif as a separate, unchanged file, next to its
// licence text.
const allowedFor = { 'libheif-js': 'LGPL-3.0' };

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

const unknown = process.argv.slice(2).find((each) => each !== '--packages');
if (unknown !== undefined) {
  process.stderr.write(`npm run licenses has no argument ${unknown}; see --help\n`);
  process.exit(2);
}

const root = fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const production = Object.keys(packages).filter((path) =>
  /^(proto|shared|gateway|backup|local|gateway\/web|services\/\w+)$/.test(path),
);

/** Where Node.js finds a package that the package at `path` imports. */
function locate(name, path) {
  for (let folder = path; ; folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '') {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[candidate]) return packages[candidate].link ? packages[candidate].resolved : candidate;
    if (folder === '') return undefined;
  }
}

const reached = new Set();
for (const waiting = [...production]; waiting.length > 0; ) {
  const path = waiting.pop();
  if (reached.has(path)) continue;
  reached.add(path);
  const { dependencies, optionalDependencies, peerDependencies } = packages[path];
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const found = locate(name, path);
    if (found) waiting.push(found);
  }
}

// Some old packages name their licence in the manifest only.
function licenseInManifest(path) {
  try {
    const { licenses } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    return licenses?.map(({ type }) => type).join(' OR ') || 'none';
  } catch {
    return 'none';
  }
}

const nameOf = (path) => path.replace(/^.*node_modules\//, '');

const used = [...reached]
  .filter((path) => path.includes('node_modules/'))
  .map((path) => ({
    name: nameOf(path),
    version: packages[path].version,
    license: packages[path].license ?? reviewed[nameOf(path)] ?? licenseInManifest(path),
  }));
const byLicense = Map.groupBy(used, ({ license }) => license);

for (const [license, members] of [...byLicense].toSorted(([one], [other]) => one.localeCompare(other))) {
  process.stdout.write(`${license}: ${members.length}\n`);
  if (process.argv.includes('--packages'))
    for (const { name, version } of members) process.stdout.write(`  ${name} ${version}\n`);
}
const refused = used.filter(
  ({ name, license }) => !allowed.includes(license) && allowedFor[name] !== license,
);
for (const { name, version, license } of refused)
  process.stderr.write(
    `${name} ${version} has the licence ${license}, which is not in local/checkLicenses.js\n`,
  );
process.exit(refused.length === 0 ? 0 : 1);
