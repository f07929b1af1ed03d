import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { type ConfigOf, readSettings } from '@gradeway/shared/config/readConfig';
import { type ImportAnswer, importClient, logIn } from './importClient.ts';
import { ProgressBar } from './progressBar.ts';
import { importSettings } from './settings.ts';

const help = `npm run import -- ARCHIVE.zip: a OneRoster 1.1 CSV archive (users, courses, classes, enrollments)

It tries the archive, shows what would change, asks, and commits exactly that: all of it or nothing. Again, it finds
everything as it wants it.

  --dry-run     only shows what would change
  --yes, -y     does not ask
  --unpaid      those whom it enrolls have not paid yet
  --url URL     the installation (the one that runs in DATA_DIR, .data)
  --email MAIL  the administrator (ADMIN_EMAIL)

The password is ADMIN_PASSWORD, else it is asked for; ACCESS_TOKEN takes the place of both. For the installation in
DATA_DIR its first administrator is used.

Exit codes: 0 done (or nothing to do), 1 refused or failed: nothing was changed, 2 wrong use, 3 not confirmed.
`;

// More are in the answer; on a screen nobody reads them.
const mostShown = 50;

const options = {
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  unpaid: { type: 'boolean' },
  url: { type: 'string' },
  email: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Wanted = ReturnType<typeof readCommand>;

process.exit(await run());

async function run(): Promise<number> {
  let wanted: Wanted;
  try {
    wanted = readCommand();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (wanted.values.help) {
    process.stdout.write(help);
    return 0;
  }
  try {
    return await importArchive(wanted);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

function readCommand() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file = ''] = positionals;
  if (!values.help && positionals.length !== 1) throw new Error('one archive is needed');
  if (!values.help && !existsSync(file)) throw new Error(`there is no file ${file}`);
  return { values, file };
}

async function importArchive({ values, file }: Wanted): Promise<number> {
  const { baseUrl, token } = await access(values);
  const client = importClient(baseUrl, token);
  const plan = await tryArchive(client, file, values.unpaid !== true);
  show(plan);
  if (plan.token === null) {
    process.stderr.write('The archive has bad rows: nothing was changed.\n');
    return 1;
  }
  const changes = plan.rows.filter(({ action }) => ['create', 'update', 'delete'].includes(action)).length;
  if (changes === 0) process.stdout.write('Everything is as the archive has it: there is nothing to do.\n');
  if (changes === 0 || values['dry-run']) return 0;
  if (!values.yes && !(await confirmed(`Carry out ${changes} changes in ${baseUrl}?`))) {
    process.stderr.write('Nothing was changed.\n');
    return 3;
  }
  using bar = new ProgressBar('Importing', 'rows');
  const done = await client.commit({ id: plan.id, token: plan.token }, (rows, of) => bar.show(rows, of));
  bar.show(plan.rows.length, plan.rows.length);
  process.stdout.write(
    done.state === 'done'
      ? `\nImported: ${changes} changes.\n`
      : '\nThe import is decided; some accounts follow as soon as auth can be reached.\n',
  );
  return 0;
}

async function tryArchive(
  client: ReturnType<typeof importClient>,
  file: string,
  paid: boolean,
): Promise<ImportAnswer> {
  using sending = new ProgressBar('Sending', 'bytes');
  let reading: ProgressBar | undefined;
  try {
    return await client.dryRun({
      ...{ file, paid, id: randomUUID() },
      onSent: (bytes, of) => sending.show(bytes, of),
      onRead(rows, of) {
        sending[Symbol.dispose]();
        reading ??= new ProgressBar('Comparing', 'rows');
        reading.show(rows, of);
      },
    });
  } finally {
    reading?.[Symbol.dispose]();
  }
}

function show({ rows, summary, ignored }: ImportAnswer): void {
  const bad = rows.filter(({ action }) => action === 'error');
  const remarkable = rows.filter(({ action, messages }) => action !== 'error' && messages.length > 0);
  for (const [title, listed] of [
    ['Bad rows', bad],
    ['Worth knowing', remarkable],
  ] as const) {
    if (listed.length === 0) continue;
    process.stdout.write(`\n${title}:\n`);
    for (const { file, line, messages } of listed.slice(0, mostShown))
      process.stdout.write(`  ${file}:${line}  ${messages.map(plain).join(' ')}\n`);
    if (listed.length > mostShown) process.stdout.write(`  and ${listed.length - mostShown} more\n`);
  }
  process.stdout.write('\n');
  for (const [file, counts] of Object.entries(summary)) {
    const parts = Object.entries(counts).flatMap(([action, count]) =>
      count > 0 ? [`${count} ${action}`] : [],
    );
    if (parts.length > 0) process.stdout.write(`${file.padEnd(12)} ${parts.join(', ')}\n`);
  }
  if (ignored.length > 0) process.stdout.write(`not used     ${ignored.map(plain).join(', ')}\n`);
  process.stdout.write('\n');
}

// What stands in a file moves no cursor and colours nothing.
function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}

async function access(values: Wanted['values']): Promise<{ baseUrl: string; token: string }> {
  const config = readSettings(importSettings, process.env);
  const local = values.url === undefined ? await localInstallation(config) : undefined;
  const baseUrl = (values.url ?? local?.url ?? '').replace(/\/+$/, '');
  if (config.accessToken) return { baseUrl, token: config.accessToken };
  const email = values.email ?? config.adminEmail ?? local?.adminEmail ?? (await ask('Email: '));
  const known =
    config.adminPassword ?? (local && email === local.adminEmail ? local.adminPassword : undefined);
  return {
    baseUrl,
    token: await logIn(baseUrl, email, known ?? (await ask('Password: ', { isSecret: true }))),
  };
}

async function localInstallation({ dataDirectory }: ConfigOf<typeof importSettings>) {
  const directory = resolve(dataDirectory);
  const read = async (path: string) => JSON.parse(await readFile(join(directory, path), 'utf8'));
  const { port } = await read('run/gateway.json').catch(() => {
    throw new Error(
      `Gradeway does not run in ${directory}: start it with npm start, or name another with --url`,
    );
  });
  const { adminEmail, adminPassword } = await read('secrets.json').catch(() => ({}));
  return { url: `http://127.0.0.1:${port}`, adminEmail, adminPassword };
}

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('nobody is there to ask: say --yes');
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}

async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY) throw new Error(`${question.trim()} nobody is there to ask; see --help`);
  process.stderr.write(question);
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? silence : process.stderr,
    terminal: true,
  });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
