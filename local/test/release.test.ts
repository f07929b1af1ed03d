import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { sectionOf } from '../release/changelog.ts';

const script = fileURLToPath(new URL('../release/release.ts', import.meta.url));

/** A script of the repository that writes its name to a file, in the place of one that takes minutes. */
const logs = (name: string) => `echo ${name} >> .git/scripts`;

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** A repository of two packages and a manifest, with its one commit. */
function newRepository(unreleased: string, { version = '1.2.3', check = logs('check') } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'gradeway-release-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...parameters: string[]) =>
    execFileSync('git', parameters, { cwd: root, encoding: 'utf8' }).trim();
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const scripts = { 'api:release': logs('api'), 'proto:release': logs('proto'), check };
  const quiz = {
    name: '@gradeway/quiz',
    version,
    dependencies: { '@gradeway/shared': version, other: version },
  };
  write('package.json', json({ name: 'gradeway', version, scripts }));
  write('services/quiz/package.json', json(quiz));
  const other = { name: 'other', version };
  const packages = { '': { name: 'gradeway', version }, 'services/quiz': quiz, 'node_modules/other': other };
  write('package-lock.json', json({ name: 'gradeway', version, packages }));
  write(
    'k8s/README.md',
    `\`TAG=${version} docker compose build\` and \`kind load docker-image gradeway/quiz:${version}\`.\n`,
  );
  write(
    'k8s/quiz/kustomization.yaml',
    `images:\n  - name: registry.test/gradeway/quiz\n    newName: gradeway/quiz\n    newTag: ${version}\n  - name: other\n    newTag: ${version}\n`,
  );
  write(
    'CHANGELOG.md',
    `# Changelog\n\n## Unreleased\n\n${unreleased}\n## ${version}\n\n### Breaking\n\n- Old.\n`,
  );
  git('init', '--quiet');
  git('config', 'user.name', 'Releaser');
  git('config', 'user.email', 'releaser@release.test');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Add everything');

  const release = (...parameters: string[]) =>
    spawnSync(process.execPath, [script, ...parameters], { cwd: root, encoding: 'utf8' });
  return { git, read, write, release, version };
}

type Repository = ReturnType<typeof newRepository>;

/** The release is refused with this line, and the repository is as before. */
function expectRefusal({ git, release }: Repository, version: string, reason: string) {
  const [head, changes] = [git('rev-parse', 'HEAD'), git('status', '--porcelain')];
  expect(release(version)).toMatchObject({ status: 1, stdout: '', stderr: `No release: ${reason}\n` });
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual([head, changes]);
}

const added = '### Added\n\n- A thing.\n';
const breaking = '### Breaking\n\n- A change.\n\n### Added\n\n- A thing.\n';

test('a release sets every version of Gradeway and no other, and dates the changelog', () => {
  const { read, release } = newRepository(added);
  expect(release('1.3.0')).toMatchObject({ status: 0, stderr: '' });

  expect(JSON.parse(read('package.json')).version).toBe('1.3.0');
  const quiz = {
    name: '@gradeway/quiz',
    version: '1.3.0',
    dependencies: { '@gradeway/shared': '1.3.0', other: '1.2.3' },
  };
  expect(JSON.parse(read('services/quiz/package.json'))).toEqual(quiz);
  expect(JSON.parse(read('package-lock.json'))).toEqual({
    name: 'gradeway',
    version: '1.3.0',
    packages: {
      '': { name: 'gradeway', version: '1.3.0' },
      'services/quiz': quiz,
      'node_modules/other': { name: 'other', version: '1.2.3' },
    },
  });
  expect(read('k8s/README.md')).toBe(
    '`TAG=1.3.0 docker compose build` and `kind load docker-image gradeway/quiz:1.3.0`.\n',
  );
  expect(read('k8s/quiz/kustomization.yaml').match(/newTag: .*/g)).toEqual([
    'newTag: 1.3.0',
    'newTag: 1.2.3',
  ]);
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## Unreleased\n\n## 1\.3\.0 - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\.\n/,
  );
});

test('a release is one commit, and a second one records its hash, newest first', () => {
  const { git, read, release, write } = newRepository(added);
  expect(release('1.3.0').status).toBe(0);
  const first = git('rev-parse', 'HEAD~1');
  write('CHANGELOG.md', read('CHANGELOG.md').replace('## Unreleased\n', `## Unreleased\n\n${added}`));
  git('commit', '--quiet', '--all', '--message', 'Add a thing');
  expect(release('1.3.1').status).toBe(0);

  expect(git('log', '--format=%s').split('\n')).toEqual([
    'Record release 1.3.1',
    'Release 1.3.1',
    'Add a thing',
    'Record release 1.3.0',
    'Release 1.3.0',
    'Add everything',
  ]);
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(JSON.parse(read('releases.json'))).toEqual({
    releases: [
      { version: '1.3.1', commit: git('rev-parse', 'HEAD~1'), date },
      { version: '1.3.0', commit: first, date },
    ],
  });
  expect(git('status', '--porcelain')).toBe('');
});

test('a release that may not break is checked before its API is recorded, a major one after', () => {
  const minor = newRepository(added);
  minor.release('1.3.0');
  expect(minor.read('.git/scripts')).toBe('check\napi\nproto\n');
  const major = newRepository(breaking);
  expect(major.release('2.0.0').status).toBe(0);
  expect(major.read('.git/scripts')).toBe('api\nproto\ncheck\n');
});

test('breaking entries require a new major version, except before 1.0.0', () => {
  const reason = 'CHANGELOG.md has entries under "Breaking", which require a new major version';
  expectRefusal(newRepository(breaking), '1.3.0', reason);
  expect(newRepository(breaking, { version: '0.1.0' }).release('0.2.0').status).toBe(0);
});

test.each([
  ['1.3', '1.3 is not a version of Semantic Versioning, such as 1.2.0'],
  ['v1.3.0', 'v1.3.0 is not a version of Semantic Versioning, such as 1.2.0'],
  ['1.3.0-rc.1', '1.3.0-rc.1 is not a version of Semantic Versioning, such as 1.2.0'],
  ['1.2.3', '1.2.3 is not higher than the present version, 1.2.3'],
  ['1.1.9', '1.1.9 is not higher than the present version, 1.2.3'],
])('the version %s is refused', (version, reason) => {
  expectRefusal(newRepository(added), version, reason);
});

test('a release without entries is refused', () => {
  expectRefusal(newRepository(''), '1.3.0', 'CHANGELOG.md has no entry under "Unreleased"');
});

test('a release with uncommitted changes is refused', () => {
  const repository = newRepository(added);
  repository.write('k8s/new.yaml', 'a: b\n');
  expectRefusal(repository, '1.3.0', 'the tree has changes that are not committed');
});

test('nothing is committed when the checks fail', () => {
  const { git, release } = newRepository(added, { check: 'exit 1' });
  const { status, stderr } = release('1.3.0');
  expect(status).toBe(1);
  expect(stderr).toContain('npm run check failed');
  expect(git('log', '--format=%s')).toBe('Add everything');
});

test('--dry-run names the files and changes nothing', () => {
  const { git, release } = newRepository(added);
  const { status, stdout } = release('1.3.0', '--dry-run');
  expect(status).toBe(0);
  for (const path of [
    'package.json',
    'package-lock.json',
    'services/quiz/package.json',
    'k8s/quiz/kustomization.yaml',
  ])
    expect(stdout).toContain(`  ${path}\n`);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%s')).toBe('Add everything');
});

test('the notes of a release are the section about its version', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.3.0 - 2027-01-02\n\n### Added\n\n- A thing.\n\n## 1.2.3\n\n- Old.\n';
  expect(sectionOf(changelog, '1.3.0')).toBe('### Added\n\n- A thing.');
  expect(sectionOf(changelog, '1.2.3')).toBe('- Old.');
});
