// Makes a release of the repository in the working directory; local/release.js describes the steps.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import semver from 'semver';
import { changelogProblem, datedChangelog } from './changelog.ts';
import { packageVersion, versionedFiles, withVersion } from './versions.ts';

const root = process.cwd();
const { values, positionals } = parseArgs({
  options: { 'dry-run': { type: 'boolean' } },
  allowPositionals: true,
});
const [version = ''] = positionals;
const date = new Date().toISOString().slice(0, 10);

const mayBreak = requireRelease();
if (values['dry-run']) describe();
else release();

/** Whether the version may break what uses the present one. */
function requireRelease(): boolean {
  if (semver.valid(version) !== version || semver.prerelease(version))
    stop(`${version} is not a version of Semantic Versioning, such as 1.2.0`);
  const current = packageVersion(root);
  if (!semver.gt(version, current)) stop(`${version} is not higher than the present version, ${current}`);
  if (git('status', '--porcelain') !== '') stop('the tree has changes that are not committed');
  // Before 1.0.0, any version may break.
  const mayBreak = semver.major(current) === 0 || semver.major(version) > semver.major(current);
  const problem = changelogProblem(readFileSync('CHANGELOG.md', 'utf8'), mayBreak);
  if (problem) stop(problem);
  return mayBreak;
}

function describe(): void {
  const paths = versionedFiles(root).map(([path]) => `  ${path}\n`);
  print(`Release ${version} of ${date} would set the version in these files:\n${paths.join('')}`);
  print('It would date CHANGELOG.md, record the API and the protos, run the checks, and commit twice.\n');
}

function release(): void {
  for (const [path, text] of versionedFiles(root)) writeFileSync(path, withVersion(text, version));
  writeFileSync('CHANGELOG.md', datedChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date));
  const records = ['api:release', 'proto:release'];
  // The checks compare the code with what is recorded: a release that may not break must pass them before it is recorded.
  for (const script of mayBreak ? [...records, 'check'] : ['check', ...records]) runScript(script);
  git('commit', '--quiet', '--all', '--message', `Release ${version}`);
  // A commit cannot contain its own hash.
  const commit = git('rev-parse', 'HEAD');
  const releases = existsSync('releases.json')
    ? JSON.parse(readFileSync('releases.json', 'utf8')).releases
    : [];
  const recorded = { releases: [{ version, commit, date }, ...releases] };
  writeFileSync('releases.json', `${JSON.stringify(recorded, null, 2)}\n`);
  git('add', 'releases.json');
  git('commit', '--quiet', '--message', `Record release ${version}`);
  print(`Released ${version} in ${commit}. What is left:
  git push origin HEAD
  git tag --annotate v${version} ${commit} --message 'Release ${version}' && git push origin v${version}
The tag starts .github/workflows/release.yml.
`);
}

function runScript(name: string): void {
  print(`npm run ${name}\n`);
  if (spawnSync('npm', ['run', '--silent', name], { stdio: 'inherit' }).status !== 0)
    stop(`npm run ${name} failed; \`git restore .\` undoes the changes`);
}

function git(...parameters: string[]): string {
  return execFileSync('git', parameters, { encoding: 'utf8' }).trim();
}

function print(text: string): void {
  process.stdout.write(text);
}

function stop(reason: string): never {
  process.stderr.write(`No release: ${reason}\n`);
  process.exit(1);
}
