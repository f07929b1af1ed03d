import { readFile } from 'node:fs/promises';
import { serverArguments } from '@gradeway/local/embeddedPostgres';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { find } from './manifests.ts';

// Settings of the local run for a server that shares its machine. The image of a container sets them itself.
const ofOneMachine = [
  'port',
  'listen_addresses',
  'unix_socket_directories',
  'shared_buffers',
  'log_min_messages',
];

/** The settings among the arguments of `postgres`, by name. */
const settingsAmong = (parameters: string[]): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap((each, index) => (parameters[index - 1] === '-c' ? [each.split(/=(.*)/, 2)] : [])),
  );

async function composeService() {
  const text = await readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
  return parse(text, { merge: true, maxAliasCount: -1 }).services.postgres;
}

const podOfKubernetes = () => find('overlays/all', 'StatefulSet', 'postgres').spec.template.spec;
const ofKubernetes = () => settingsAmong(podOfKubernetes().containers[0].args);

function ofLocalRun(): Record<string, string> {
  const settings = settingsAmong(
    serverArguments({ directory: '/data', port: 5432, password: '', logFile: '/log' }),
  );
  for (const name of ofOneMachine) delete settings[name];
  return settings;
}

test('PostgreSQL has the same settings in Kubernetes, in compose and in the local run', async () => {
  const expected = settingsAmong((await composeService()).command);
  expect(ofKubernetes()).toEqual(expected);
  expect(ofLocalRun()).toEqual(expected);
  const { postgresql } = find('platform/postgres-ha', 'Cluster', 'postgres').spec;
  expect(postgresql.parameters).toMatchObject(expected);
});

test('the log of PostgreSQL holds neither the text nor the values of failed statements', () => {
  // Otherwise the DETAIL line of a unique violation has the value, such as an email address.
  expect(ofKubernetes()).toMatchObject({ log_error_verbosity: 'terse', log_min_error_statement: 'panic' });
});

// With SIGTERM, which not every image replaces with another signal, it would wait for clients to disconnect until it is
// killed.
test('PostgreSQL is stopped by a fast shutdown, within the time that Kubernetes and compose allow', async () => {
  expect(await composeService()).toMatchObject({ stop_signal: 'SIGINT', stop_grace_period: '60s' });
  const { containers, terminationGracePeriodSeconds } = podOfKubernetes();
  const [program, verb, mode, timeout] = containers[0].lifecycle.preStop.exec.command;
  expect([program, verb, mode]).toEqual(['pg_ctl', 'stop', '--mode=fast']);
  expect(Number(timeout.split('=')[1])).toBeLessThan(terminationGracePeriodSeconds);
});
