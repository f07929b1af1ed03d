import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../../k8s/restoreBackup.js', import.meta.url));
const identity = 'AGE-SECRET-KEY-1EXAMPLE';

// Records the parameters and the input of each call, in a cluster whose new namespace has the object $EXISTING.
const kubectl = `#!/bin/bash
input=$(cat)
echo "$* | \${input//$'\\n'/ }" >> "$CALLS"
case "$*" in
  kustomize*) echo "metadata:"; echo "  namespace: gradeway" ;;
  *'-o name') [[ -n "$EXISTING" && "$*" == *"$EXISTING"* ]] && echo "$EXISTING" ;;
  *'configmap backup -o json') echo '{"kind":"ConfigMap","data":{"S3_BUCKET":"files","BACKUP_S3_BUCKET":"backups"}}' ;;
  *'-o json') echo '{"kind":"Secret","data":{},"metadata":{"uid":"of-the-old-one"}}' ;;
  *"$FAILING"*) [[ -z "$FAILING" ]] || { echo 'timed out' >&2; exit 1; } ;;
esac
exit 0
`;

let directory: string;
let backup: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gradeway-restore-'));
  await mkdir(join(directory, 'bin'));
  await writeFile(join(directory, 'bin/kubectl'), kubectl);
  await chmod(join(directory, 'bin/kubectl'), 0o755);
  await writeFile(join(directory, 'identity.txt'), `# created: today\n${identity}\n`);
  backup = join(directory, 'backup');
  await mkdir(backup);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs the command; `calls` are the recorded calls of kubectl. */
async function run(parameters: string[], env: NodeJS.ProcessEnv = {}) {
  const path = `${join(directory, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`;
  const calls = join(directory, 'calls');
  const result = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(
      process.execPath,
      [script, ...parameters],
      { env: { PATH: path, CALLS: calls, EXISTING: '', FAILING: '', ...env } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  return { ...result, calls: (await readFile(calls, 'utf8').catch(() => '')).split('\n') };
}

const indexOf = (calls: string[], part: string): number => {
  const index = calls.findIndex((call) => call.includes(part));
  expect(index, part).toBeGreaterThanOrEqual(0);
  return index;
};

describe('k8s/restoreBackup.js', () => {
  test('restores a directory after the database is ready, and starts the services afterwards', async () => {
    const { code, output, calls } = await run(['--namespace', 'restored', '--backup', backup]);
    expect([code, output]).toEqual([0, expect.stringContaining('into the namespace restored')]);
    const order = [
      'get secret postgres',
      'rollout status statefulset/postgres',
      'wait --for=condition=ready pod/restore',
      `cp ${backup} restore:/backups/copy`,
      'exec restore -- node dist/main.js restore /backups/copy',
      'delete pod restore',
      'services/auth',
      'rollout status deployment/gateway',
    ].map((part) => indexOf(calls, part));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const applied = calls.filter((call) => call.startsWith('apply -f -'));
    expect(applied.length).toBeGreaterThan(8);
    for (const call of applied) expect(call).toContain('namespace: restored');
    expect(calls.join('\n')).not.toContain('of-the-old-one');
  });

  test('restores from the bucket with an identity that is in no parameter, and not into the old bucket of files', async () => {
    const options = ['--backup', 'latest', '--identity-file', join(directory, 'identity.txt')];
    const { code, calls } = await run(['--namespace', 'restored', ...options]);
    expect(code).toBe(0);
    const call = calls[indexOf(calls, 'restore --from-bucket latest')] ?? '';
    expect(call.split(' | ')[0]).not.toContain(identity);
    expect(call.split(' | ')[1]).toBe(identity);
    const settings = calls[indexOf(calls, '"kind":"ConfigMap"')] ?? '';
    expect(settings).toContain('"data":{"BACKUP_S3_BUCKET":"backups"}');
  });

  test('keeps Secrets that are already in the namespace', async () => {
    const options = ['--namespace', 'restored', '--backup', backup];
    const { code, calls } = await run(options, { EXISTING: 'secret' });
    expect(code).toBe(0);
    expect(calls.filter((call) => call.includes('get secret') && call.includes('-o json'))).toEqual([]);
  });

  test('refuses a namespace that is not empty before it changes anything', async () => {
    const options = ['--namespace', 'gradeway', '--backup', backup];
    const { code, output, calls } = await run(options, { EXISTING: 'deployments' });
    expect([code, output]).toEqual([1, expect.stringContaining('is not empty')]);
    expect(calls.filter((call) => call.includes('apply'))).toEqual([]);
  });

  test('ends with the failed command, before the services start', async () => {
    const options = ['--namespace', 'restored', '--backup', backup];
    const { code, output, calls } = await run(options, { FAILING: 'main.js restore' });
    expect([code, output]).toEqual([1, expect.stringMatching(/main\.js restore .* failed:\ntimed out/)]);
    expect(calls.filter((call) => call.includes('services/auth'))).toEqual([]);
  });

  test('--dry-run only prints the commands', async () => {
    const { code, output, calls } = await run(['--namespace', 'restored', '--backup', backup, '--dry-run']);
    expect([code, output]).toEqual([0, expect.stringContaining('kubectl -n restored exec restore -- node')]);
    expect(calls).toEqual(['']);
  });
});
