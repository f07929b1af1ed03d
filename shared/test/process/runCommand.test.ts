import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const shared = ['migrate', 'replayDeadLetters'];
const commandsOf = {
  auth: [...shared, 'countExpired', 'rotateKeys [--compromised]', 'reencryptSecondFactors'],
  courses: [...shared, 'rebuildProjections', 'reencryptWebhooks'],
  homework: [...shared, 'countExpired', 'rebuildProjections'],
  quiz: [...shared, 'countExpired', 'rebuildProjections'],
};

function run(service: string, ...parameters: string[]) {
  const script = fileURLToPath(new URL(`../../../services/${service}/dist/command.js`, import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...parameters], {
    env: { PATH: process.env.PATH },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const namesIn = (usage: string): string[] =>
  [...usage.matchAll(/^ {2}(.+?): \w/gm)].map(([, name]) => name ?? '');

test.each(Object.entries(commandsOf))('%s lists its commands with --help', (service, commands) => {
  const { status, stdout, stderr } = run(service, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(namesIn(stdout)).toEqual(commands);
});

test('a missing or unknown command prints the usage and exits with 2', () => {
  const usage = run('quiz', '--help').stdout;
  expect(run('quiz')).toEqual({ status: 2, stdout: '', stderr: usage });
  const stderr = `no such command: toString\n\n${usage}`;
  expect(run('quiz', 'toString')).toEqual({ status: 2, stdout: '', stderr });
});

test('an unknown option exits with 2 and starts nothing', () => {
  const onlyOne = 'rotateKeys: unknown option: --compromized; the only one is --compromised\n';
  expect(run('auth', 'rotateKeys', '--compromized')).toEqual({ status: 2, stdout: '', stderr: onlyOne });
  const none = 'migrate: unknown option: now; it has none\n';
  expect(run('quiz', 'migrate', 'now')).toEqual({ status: 2, stdout: '', stderr: none });
});

test('a command without its settings exits with 1 and names the missing one', () => {
  expect(run('quiz', 'migrate')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'quiz: migration: DATABASE_URL is required (the command needs the environment of its service)\n',
  });
});
