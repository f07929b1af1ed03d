// npm start: installs packages, builds, and runs local/src/main.ts with the Node.js of the repository.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { installAndBuild } from './installAndBuild.js';
import { fail, nodeProgram, root } from './nodeProgram.js';

const help = `npm start: runs Gradeway on this machine; requires only Node.js

It installs missing packages, builds changed sources, starts an embedded PostgreSQL and the five processes, loads a demo school,
and prints the address to open in a browser and the demo accounts. Ctrl-C stops everything and keeps the data. Settings are
environment variables (defaults in parentheses):

  PORT            the gateway's port on 127.0.0.1 (8080)
  DATA_DIR        directory of all data (.data)
  ADMIN_EMAIL     the first administrator (admin@gradeway.local)
  ADMIN_PASSWORD  the password of the first administrator (generated and printed)
  DEMO_DATA       0 skips the demo school (1)
  DATABASE_URL    an existing PostgreSQL, with a role that may create databases and roles (embedded)
  EVENTS_URL      the URL of a RabbitMQ, amqp://… (embedded)
  APP_TIMEZONE    the time zone of the school, in which deadlines are entered and shown, such as Europe/Vienna (UTC)
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces are sent (none)
  OTEL_TRACES_SAMPLER_ARG      share of the traces that is sampled (1)

The READMEs of gateway/ and services/ list the other settings.`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

const [unknown] = process.argv.slice(2);
if (unknown !== undefined)
  fail(`npm start has no argument ${unknown}; npm start -- --help lists its settings`);
await requireFreePort(process.env.PORT || '8080');

let child;
// npm forwards a signal to this process, which replaces npm's shell (`exec` in package.json). Ctrl-C reaches the child too, which
// decides when to exit; the steps of the build end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => (child ? child.kill(signal) : process.exit(1)));
await installAndBuild('runtime');
child = spawn(nodeProgram(), [join(root, 'local/dist/main.js')], { stdio: 'inherit' });
child.once('exit', (code) => process.exit(code ?? 1));

/** Before the installation, which takes a minute; local/src/ports.ts checks again. */
async function requireFreePort(port) {
  if (!/^\d+$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    fail(`Gradeway cannot start: PORT must be a whole number from 1 to 65535, but is "${port}"`);
  const server = createServer();
  const error = await new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(Number(port), '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
  if (error?.code === 'EADDRINUSE')
    fail(`Gradeway cannot start: port ${port} is taken: stop what uses it, or set PORT to another`);
}
