// npm start: prepares the checkout, then runs local/src/main.ts on the Node that the project brings.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { node, prepare, root } from './prepare.js';

const help = `npm start: Gradeway on this machine, with nothing but Node

It installs and builds what is missing, starts an embedded PostgreSQL and the five processes, and prints where to go.
Ctrl-C stops everything; the data stays. Settings come from the environment:

  PORT            the gateway's port on 127.0.0.1 (8080)
  DATA_DIR        where everything is kept (.data)
  ADMIN_EMAIL     the first administrator, made when there is none
  ADMIN_PASSWORD  generated and printed when it is not given
  DEMO_DATA       0 skips the demonstration school (1)
  DATABASE_URL    a PostgreSQL of yours, as a role that may create databases and roles (embedded)
  EVENTS_URL      amqp://… is RabbitMQ (embedded)
  APP_TIMEZONE    the zone of all times without one (UTC)
  OTEL_EXPORTER_OTLP_ENDPOINT  where traces go (nowhere)

and every other one in the READMEs of gateway/ and services/.`;

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}

await prepare();
const child = spawn(node, [join(root, 'local/dist/main.js')], { stdio: 'inherit' });
// Ctrl-C reaches the child as well; a signal to us alone is passed on. It decides when to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => process.exit(code ?? 1));
