import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Fixtures, type Scene } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readCommands, runInShell } from './deployment/documentedCommands.ts';
import { expectRestored, sha256 } from './deployment/expectRestored.ts';
import { longestWaitMs, takeTurn } from './deployment/turns.ts';
import { inspectCluster } from './kubernetes/clusterSystem.ts';
import { kubectl, removeNamespaces } from './kubernetes/kubectl.ts';
import { forwardPort, type PortForward } from './kubernetes/portForward.ts';

const document = 'docs/backup.md';
const copyName = 'backup-of-gradeway';

let fixtures: Fixtures;
let adminPassword: string;
let adminEmail: string;
let scene: Scene;
let directory: string;
let tunnel: PortForward | undefined;
let endTurn: () => void;
const file = await pdf('before-the-backup.pdf', { bytes: 200_000 });

beforeAll(async () => {
  endTurn = await takeTurn({ part: 'gradeway', shared: true });
  directory = await mkdtemp(join(tmpdir(), 'gradeway-backup-'));
  const system = await inspectCluster('gradeway', inject('baseUrl'));
  ({ adminEmail, adminPassword } = system);
  fixtures = new Fixtures(system);
  scene = await fixtures.newScene();
  expect((await fixtures.submitQuiz(scene, { file })).status).toBe(200);
  expect((await fixtures.submitHomework(scene, [file])).status).toBe(201);
}, longestWaitMs);
afterAll(async () => {
  endTurn?.();
  tunnel?.stop();
  await rm(directory, { recursive: true });
  // Even with KEEP: a second restore would find the namespace in use.
  await kubectl('-n', 'gradeway', 'delete', 'job', 'backup-now', '--ignore-not-found');
  await removeNamespaces('gradeway-restored');
});

const run = async (section: string) =>
  runInShell((await readCommands(document, [section])).replaceAll(copyName, `${directory}/${copyName}`));

test('the CronJob, started with the commands of docs/backup.md, takes a backup, which is copied out of the cluster', async () => {
  // The restored copy is a separate deployment.
  const printed = await run('Kubernetes').finally(endTurn);
  expect(printed).toMatch(/Backed up \d+ rows and \d+ files/);
  console.log(printed.split('\n').find((line) => line.startsWith('Backed up')));
});

test('the copy, restored into a second namespace as docs/backup.md says, has the accounts and the files', async () => {
  const printed = await run('Restore');
  console.log(printed.split('\n').find((line) => line.startsWith('Restored')));
  tunnel = await forwardPort('gradeway-restored', 'service/gateway', 8080);
  const baseUrl = `http://127.0.0.1:${tunnel.port}`;
  await expectRestored({ baseUrl, adminEmail, adminPassword }, scene, sha256(await file.bytes()));
});
