#!/usr/bin/env node
// Creates the Secrets of a test cluster with generated values. Plain JavaScript that needs only Node.js and kubectl.
import { execFileSync } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const help = `node k8s/createSecrets.js: creates the Secrets that k8s/overlays/all needs, in the namespace gradeway

Values are random. The Secret "installation", which no pod reads, stores them; values of existing Secrets do not change, even
those that were replaced since, so the command can be run again. Use it for a test cluster only: in production, Secrets
come from your secret store.

  --dry-run         prints the Secrets with their values, without connecting to a cluster
  --context NAME    a context of kubectl's configuration (default: the current one)
  --help            prints this text`;

const services = ['auth', 'courses', 'homework', 'quiz'];
const namespace = 'gradeway';
const parameters = process.argv.slice(2);

if (parameters.includes('--help') || parameters.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
const contextAt = parameters.indexOf('--context');
const context = contextAt < 0 ? [] : ['--context', parameters[contextAt + 1] ?? ''];
const unknown = parameters.filter(
  (each, index) =>
    each !== '--dry-run' && (contextAt < 0 || (index !== contextAt && index !== contextAt + 1)),
);
if (unknown.length > 0) fail(`unknown option: ${unknown.join(' ')} (see --help)`);

if (parameters.includes('--dry-run')) {
  process.stdout.write(`${JSON.stringify(secretsOf(withGenerated({})), null, 2)}\n`);
} else {
  kubectl(['apply', '-k', fileURLToPath(new URL('namespace/', import.meta.url))]);
  const stored = storedSecrets();
  const values = withGenerated(stored.get('installation') ?? {});
  const secrets = secretsOf(values);
  for (const { metadata, data } of secrets.items) keepValues(data, stored.get(metadata.name) ?? {});
  // Server-side apply: client-side apply would copy all values into an annotation. It would reject values replaced by
  // another command; `secrets` already contains those.
  kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], JSON.stringify(secrets));
  process.stdout.write(`The Secrets are created. The first administrator is ${values.adminEmail}; the password:
  kubectl -n ${namespace} get secret auth -o jsonpath='{.data.ADMIN_PASSWORD}' | base64 -d\n`);
}

/** The values of all Secrets by their names. */
function storedSecrets() {
  const { items } = JSON.parse(kubectl(['-n', namespace, 'get', 'secrets', '-o', 'json']));
  return new Map(
    items.map(({ metadata, data = {} }) => [
      metadata.name,
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
      ),
    ]),
  );
}

/**
 * Keeps the existing values of a Secret, since they may have been replaced (docs/secrets.md), but adopts RabbitMQ's new
 * settings and queues.
 */
function keepValues(data, stored) {
  const name = 'definitions.json';
  const { 'rabbitmq.conf': _, ...kept } = stored;
  if (name in kept) {
    const definitions = JSON.parse(Buffer.from(data[name], 'base64').toString());
    const users = new Map(
      [...definitions.users, ...JSON.parse(kept[name]).users].map((user) => [user.name, user]),
    );
    kept[name] = JSON.stringify({ ...definitions, users: [...users.values()] });
  }
  for (const key of Object.keys(data)) if (key in kept) data[key] = Buffer.from(kept[key]).toString('base64');
}

function withGenerated(stored) {
  // Only letters and digits, since the values are used in URLs and in options of psql.
  const generate = () => randomBytes(24).toString('hex');
  return {
    postgres: generate(),
    backupRole: generate(),
    rabbitmq: generate(),
    valkey: generate(),
    service: generate(),
    keyEncryption: generate(),
    webhookEncryption: generate(),
    adminEmail: 'admin@gradeway.local',
    adminPassword: generate().slice(0, 16),
    ...Object.fromEntries(
      services.flatMap((name) => [`${name}Role`, `${name}Files`].map((key) => [key, generate()])),
    ),
    ...stored,
  };
}

/** All Secrets; each process reads only the one with its name. */
function secretsOf(values) {
  const shared = (name) => ({
    SERVICE_KEYS: serviceKeysOf(name, values.service),
    EVENTS_URL: `amqp://gradeway_${name}:${brokerPasswordOf(name, values.rabbitmq)}@rabbitmq:5672`,
  });
  const service = (name) => ({
    ...shared(name),
    DATABASE_URL: `postgres://gradeway_${name}:${values[`${name}Role`]}@postgres:5432/gradeway`,
  });
  const secrets = {
    installation: values,
    postgres: {
      POSTGRES_PASSWORD: values.postgres,
      BACKUP_PASSWORD: values.backupRole,
      ...Object.fromEntries(
        services.map((name) => [`${name.toUpperCase()}_PASSWORD`, values[`${name}Role`]]),
      ),
    },
    backup: {
      BACKUP_DATABASE_URL: `postgres://gradeway_backup:${values.backupRole}@postgres:5432/gradeway`,
    },
    rabbitmq: rabbitFiles(values.rabbitmq),
    valkey: { VALKEY_PASSWORD: values.valkey },
    gateway: { ...shared('gateway'), RATE_LIMIT_URL: `redis://:${values.valkey}@valkey:6379` },
    auth: {
      ...service('auth'),
      KEY_ENCRYPTION_SECRET: values.keyEncryption,
      ADMIN_EMAIL: values.adminEmail,
      ADMIN_PASSWORD: values.adminPassword,
    },
    courses: { ...service('courses'), WEBHOOK_ENCRYPTION_SECRET: values.webhookEncryption },
    homework: { ...service('homework'), FILE_URL_SECRET: values.homeworkFiles },
    quiz: { ...service('quiz'), FILE_URL_SECRET: values.quizFiles },
  };
  const items = Object.entries(secrets).map(([name, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'Opaque',
    data: Object.fromEntries(
      Object.entries(stringData).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}

/** A key for each other process, derived as in local/src/serviceKeys.ts. */
function serviceKeysOf(name, secret) {
  const keyWith = (peer) => {
    const pair = [name, peer].toSorted().join(' ');
    return createHmac('sha256', secret).update(`service key ${pair}`).digest('base64url');
  };
  return ['gateway', ...services]
    .filter((peer) => peer !== name)
    .map((peer) => `${peer}=${keyWith(peer)}`)
    .join(',');
}

/** The files of RabbitMQ: on each start it imports the users of the processes with their permissions, and all queues. */
function rabbitFiles(secret) {
  const definitions = JSON.parse(
    readFileSync(new URL('platform/rabbitmq/definitions.json', import.meta.url), 'utf8'),
  );
  const users = ['gateway', ...services].map((name) => ({
    name: `gradeway_${name}`,
    password_hash: hashOf(brokerPasswordOf(name, secret)),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: [],
  }));
  return {
    'rabbitmq.conf': 'load_definitions = /etc/gradeway/definitions.json\n',
    'definitions.json': JSON.stringify({ users, ...definitions }),
  };
}

function brokerPasswordOf(name, secret) {
  return createHmac('sha256', secret).update(`user gradeway_${name}`).digest('hex');
}

/** RabbitMQ's format: four bytes of salt, then the hash. The salt depends on the password, so that nothing changes unnecessarily. */
function hashOf(password) {
  const salt = createHash('sha256').update(password).digest().subarray(0, 4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString('base64');
}

function kubectl(command, input) {
  try {
    return execFileSync('kubectl', [...context, ...command], {
      input,
      encoding: 'utf8',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
    });
  } catch (error) {
    return fail(error.code === 'ENOENT' ? 'kubectl is not installed' : 'kubectl failed, see above');
  }
}

function fail(message) {
  process.stderr.write(`createSecrets: ${message}\n`);
  process.exit(1);
}
