#!/usr/bin/env node
// Makes the Secrets of a test cluster, with values of its own. Plain JavaScript: it needs Node and kubectl, nothing else.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const help = `node k8s/makeSecrets.js: makes the Secrets that k8s/overlays/all needs, in the namespace gradeway

Values are random. They are kept in the Secret "installation", which no pod reads; what is there already stays as it is,
so running it again changes nothing. For a test cluster: in production Secrets come from where you keep yours.

  --dry-run         prints the Secrets, values included, and asks no cluster
  --context NAME    the context of kubectl's configuration, not the current one
  --help            this text`;

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
if (unknown.length > 0) fail(`no such option: ${unknown.join(' ')} (see --help)`);

if (parameters.includes('--dry-run')) {
  process.stdout.write(`${JSON.stringify(secretsOf(withMissing({})), null, 2)}\n`);
} else {
  kubectl(['apply', '-k', fileURLToPath(new URL('namespace/', import.meta.url))]);
  const values = withMissing(keptValues());
  // On the server's side: the client's way writes every value once more, into an annotation.
  kubectl(['apply', '--server-side', '-f', '-'], JSON.stringify(secretsOf(values)));
  process.stdout.write(`The Secrets are made. The first administrator is ${values.adminEmail}; the password:
  kubectl -n ${namespace} get secret auth -o jsonpath='{.data.ADMIN_PASSWORD}' | base64 -d\n`);
}

/** What an earlier run has made. */
function keptValues() {
  const found = kubectl([
    '-n',
    namespace,
    'get',
    'secret',
    'installation',
    '--ignore-not-found',
    '-o',
    'json',
  ]);
  const data = found.trim() === '' ? {} : JSON.parse(found).data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}

function withMissing(kept) {
  // Letters and digits alone: they stand in URLs and in options of psql.
  const make = () => randomBytes(24).toString('hex');
  return {
    postgres: make(),
    rabbitmq: make(),
    service: make(),
    keyEncryption: make(),
    webhookEncryption: make(),
    adminEmail: 'admin@gradeway.local',
    adminPassword: make().slice(0, 16),
    ...Object.fromEntries(
      services.flatMap((name) => [`${name}Role`, `${name}Files`].map((key) => [key, make()])),
    ),
    ...kept,
  };
}

/** Every Secret; each process reads only the one of its name. */
function secretsOf(values) {
  const everybody = {
    SERVICE_SECRET: values.service,
    EVENTS_URL: `amqp://gradeway:${values.rabbitmq}@rabbitmq:5672`,
  };
  const common = (name) => ({
    ...everybody,
    DATABASE_URL: `postgres://gradeway_${name}:${values[`${name}Role`]}@postgres:5432/gradeway`,
  });
  const secrets = {
    installation: values,
    postgres: {
      POSTGRES_PASSWORD: values.postgres,
      ...Object.fromEntries(
        services.map((name) => [`${name.toUpperCase()}_PASSWORD`, values[`${name}Role`]]),
      ),
    },
    rabbitmq: { RABBITMQ_DEFAULT_USER: 'gradeway', RABBITMQ_DEFAULT_PASS: values.rabbitmq },
    gateway: everybody,
    auth: {
      ...common('auth'),
      KEY_ENCRYPTION_SECRET: values.keyEncryption,
      ADMIN_EMAIL: values.adminEmail,
      ADMIN_PASSWORD: values.adminPassword,
    },
    courses: { ...common('courses'), WEBHOOK_ENCRYPTION_SECRET: values.webhookEncryption },
    homework: { ...common('homework'), FILE_URL_SECRET: values.homeworkFiles },
    quiz: { ...common('quiz'), FILE_URL_SECRET: values.quizFiles },
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

function kubectl(command, input) {
  try {
    return execFileSync('kubectl', [...context, ...command], {
      input,
      encoding: 'utf8',
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
    });
  } catch (error) {
    return fail(error.code === 'ENOENT' ? 'kubectl is not installed' : 'kubectl could not do it, see above');
  }
}

function fail(sentence) {
  process.stderr.write(`makeSecrets: ${sentence}\n`);
  process.exit(1);
}
