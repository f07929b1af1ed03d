#!/usr/bin/env node
// Restores a backup into an empty namespace. Plain JavaScript that needs only Node.js and kubectl.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const help = `node k8s/restoreBackup.js --namespace NAME --backup DIR|NAME|latest: restores a backup into an empty namespace

Creates the namespace, copies the Secrets, starts the database, restores, and then starts everything else.

  --backup DIR             a backup that was copied out of the cluster
  --backup NAME|latest     a backup in the bucket of the Secret "backup" and the ConfigMap "backup"
  --identity-file FILE     the age identity that decrypts a backup in the bucket
  --erasure-list FILE      people to erase again (docs/backup.md)
  --secrets-from NAME      the namespace with the Secrets of the old installation (default: gradeway); Secrets that are
                           already in the new namespace are kept
  --context NAME           a context of kubectl's configuration (default: the current one)
  --dry-run                prints the commands and runs none
  --help                   prints this text`;

const secretNames = ['postgres', 'rabbitmq', 'backup', 'gateway', 'auth', 'courses', 'homework', 'quiz'];
const services = ['auth', 'courses', 'homework', 'quiz', 'gateway'];
const options = readOptions();
const { namespace, backup } = options;

if (!options['dry-run']) requireEmptyNamespace();
step('Namespace and Secrets');
apply('namespace');
for (const name of secretNames) copy('secret', name);
if (!options.isDirectory) copyBucketSettings();
step('Database');
apply('platform/postgres');
inNamespace(['rollout', 'status', 'statefulset/postgres', '--timeout=5m']);
for (const name of ['homework', 'quiz'])
  inNamespace(['apply', '-f', at(`services/${name}/filesVolume.yaml`)]);
step('Restore');
apply('platform/backup');
apply('platform/backup/restore');
inNamespace(['wait', '--for=condition=ready', 'pod/restore', '--timeout=5m']);
restore();
inNamespace(['delete', 'pod', 'restore']);
step('Services');
apply('platform/rabbitmq');
for (const name of services) apply(`services/${name}`);
for (const name of services) inNamespace(['rollout', 'status', `deployment/${name}`, '--timeout=5m']);
if (!options['dry-run']) step(`Restored ${backup} into the namespace ${namespace}`);

function readOptions() {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const declared = {
    namespace: text,
    backup: text,
    'identity-file': text,
    'erasure-list': text,
    'secrets-from': { ...text, default: 'gradeway' },
    context: text,
    'dry-run': flag,
    help: { ...flag, short: 'h' },
  };
  let values;
  try {
    ({ values } = parseArgs({ options: declared }));
  } catch (error) {
    fail(`${error.message} (see --help)`);
  }
  if (values.help) {
    process.stdout.write(`${help}\n`);
    process.exit(0);
  }
  if (!values.namespace || !values.backup) fail('--namespace and --backup are required (see --help)');
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(values.namespace)) fail('--namespace is not a valid name');
  const isDirectory = statSync(values.backup, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isDirectory && !/^(latest|[\dT-]+)$/.test(values.backup))
    fail(`there is no directory ${values.backup}`);
  if (!isDirectory && !values['identity-file'])
    fail('--identity-file is required to decrypt a backup in the bucket');
  return { ...values, isDirectory };
}

function requireEmptyNamespace() {
  const found = kubectl(['-n', namespace, 'get', 'statefulsets,deployments', '-o', 'name']).trim();
  if (found !== '') fail(`the namespace ${namespace} is not empty: it has ${found.split('\n').join(', ')}`);
}

function apply(folder) {
  const manifests = kubectl(['kustomize', at(folder)]);
  const renamed = manifests.replaceAll(/^((?: {2})+namespace| {2}name): gradeway$/gm, `$1: ${namespace}`);
  kubectl(['apply', '-f', '-'], renamed);
}

/** Copies an object from the old namespace, unless the new one has it. */
function copy(kind, name, change = (object) => object) {
  const own = kubectl(['-n', namespace, 'get', kind, name, '--ignore-not-found', '-o', 'name']);
  if (own.trim() !== '') return;
  const text = kubectl(['-n', options['secrets-from'], 'get', kind, name, '-o', 'json']);
  if (options['dry-run']) return;
  const { metadata: _, status: __, ...object } = JSON.parse(text);
  const copied = { ...change(object), metadata: { name, namespace } };
  // Client-side apply would copy the values of a Secret into an annotation.
  kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(copied));
}

/** The pod must not write into the old installation's bucket of files, so only the settings of the backups are copied. */
function copyBucketSettings() {
  const isOfBackups = ([key]) => key.startsWith('BACKUP_');
  copy('configmap', 'backup', ({ data, ...object }) => ({
    ...object,
    data: Object.fromEntries(Object.entries(data).filter(isOfBackups)),
  }));
  copy('networkpolicy', 'backup-to-bucket');
}

function restore() {
  const list = options['erasure-list'];
  const listInPod = '/tmp/erasures.jsonl';
  if (list) inNamespace(['cp', list, `restore:${listInPod}`]);
  const env = list ? ['env', `ERASURE_LIST=${listInPod}`] : [];
  if (options.isDirectory) {
    inNamespace(['cp', backup, 'restore:/backups/copy']);
    inNamespace(['exec', 'restore', '--', ...env, 'node', 'dist/main.js', 'restore', '/backups/copy']);
    return;
  }
  // By standard input: arguments would appear in the process list and in the audit log of the cluster.
  const identity = options['dry-run'] ? '' : readFileSync(options['identity-file'], 'utf8');
  const key = identity.split('\n').find((line) => line.startsWith('AGE-SECRET-KEY-')) ?? '';
  if (key === '' && !options['dry-run']) fail(`${options['identity-file']} contains no age identity`);
  const command = `BACKUP_AGE_IDENTITY=$(cat) exec node dist/main.js restore --from-bucket ${backup}`;
  inNamespace(['exec', '-i', 'restore', '--', ...env, 'sh', '-c', command], key);
}

function inNamespace(parameters, input) {
  process.stdout.write(kubectl(['-n', namespace, ...parameters], input));
}

function kubectl(parameters, input) {
  const all = options.context ? ['--context', options.context, ...parameters] : parameters;
  if (options['dry-run']) {
    process.stdout.write(`kubectl ${all.join(' ')}\n`);
    return '';
  }
  const { status, stdout, stderr, error } = spawnSync('kubectl', all, {
    input: input ?? '',
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) fail(`kubectl cannot be run: ${error.message}`);
  if (status !== 0) fail(`kubectl ${all.join(' ')} failed:\n${stderr.trim() || stdout.trim()}`);
  return stdout;
}

function at(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}

function step(text) {
  process.stdout.write(`${text}\n`);
}

function fail(message) {
  process.stderr.write(`restoreBackup: ${message}\n`);
  process.exit(1);
}
