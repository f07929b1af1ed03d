import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { type ConfigOf, readConfig } from '@gradeway/shared/config/readConfig';
import { importSettings } from './config.ts';
import { type ImportReport, importClient, logIn } from './importClient.ts';
import { printImportReport } from './printImportReport.ts';
import { ProgressBar } from './progressBar.ts';

const help = `npm run import -- ARCHIVE.zip: imports a OneRoster 1.1 CSV archive (users, courses, classes, enrollments)

It performs a dry run, shows the changes, asks for confirmation and commits exactly these changes: all of them or none.
Importing the same archive twice changes nothing.

  --dry-run     only show the changes
  --yes, -y     do not ask for confirmation
  --unpaid      enroll students as not having paid
  --url URL     the installation (default: the one running in DATA_DIR, .data)
  --email MAIL  the administrator (default: ADMIN_EMAIL)

The password is read from ADMIN_PASSWORD, otherwise from a prompt. ACCESS_TOKEN replaces email and password; with
REAUTHENTICATION=required its session must have re-authenticated within the last ten minutes. For the
installation in DATA_DIR, the default account is its first administrator.

Exit codes: 0 done (or nothing to do), 1 rejected or failed (nothing was changed), 2 wrong usage, 3 not confirmed.
`;

const options = {
  'dry-run': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  unpaid: { type: 'boolean' },
  url: { type: 'string' },
  email: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type CommandLine = ReturnType<typeof readCommandLine>;

process.exit(await run());

async function run(): Promise<number> {
  let commandLine: CommandLine;
  try {
    commandLine = readCommandLine();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (commandLine.values.help) {
    process.stdout.write(help);
    return 0;
  }
  try {
    return await importArchive(commandLine);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
}

function readCommandLine() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file = ''] = positionals;
  if (!values.help && positionals.length !== 1) throw new Error('exactly one archive is required');
  if (!values.help && !existsSync(file)) throw new Error(`no such file: ${file}`);
  return { values, file };
}

async function importArchive({ values, file }: CommandLine): Promise<number> {
  const { baseUrl, token } = await authenticate(values);
  const client = importClient(baseUrl, token);
  const plan = await dryRun(client, file, values.unpaid !== true);
  printImportReport(plan);
  if (plan.token === null) {
    process.stderr.write('The archive has invalid rows: nothing was changed.\n');
    return 1;
  }
  const changes = plan.rows.filter(({ action }) => ['create', 'update', 'delete'].includes(action)).length;
  if (changes === 0) process.stdout.write('The installation matches the archive: nothing to do.\n');
  if (changes === 0 || values['dry-run']) return 0;
  if (!values.yes && !(await confirmed(`Apply ${changes} changes to ${baseUrl}?`))) {
    process.stderr.write('Nothing was changed.\n');
    return 3;
  }
  using bar = new ProgressBar('Importing', 'rows');
  const result = await client.commit({ id: plan.id, token: plan.token }, (rows, total) =>
    bar.show(rows, total),
  );
  bar.show(plan.rows.length, plan.rows.length);
  process.stdout.write(
    result.state === 'done'
      ? `\nImported: ${changes} changes.\n`
      : '\nThe import is committed; some accounts will be created when auth is reachable.\n',
  );
  return 0;
}

async function dryRun(
  client: ReturnType<typeof importClient>,
  file: string,
  paid: boolean,
): Promise<ImportReport> {
  using upload = new ProgressBar('Uploading', 'bytes');
  let comparison: ProgressBar | undefined;
  try {
    return await client.dryRun({
      file,
      paid,
      id: randomUUID(),
      onSent: (bytes, total) => upload.show(bytes, total),
      onRead(rows, total) {
        upload[Symbol.dispose]();
        comparison ??= new ProgressBar('Comparing', 'rows');
        comparison.show(rows, total);
      },
    });
  } finally {
    comparison?.[Symbol.dispose]();
  }
}

async function authenticate(values: CommandLine['values']): Promise<{ baseUrl: string; token: string }> {
  const config = readConfig(importSettings, process.env);
  const local = values.url === undefined ? await localInstallation(config) : undefined;
  const baseUrl = (values.url ?? local?.url ?? '').replace(/\/+$/, '');
  if (config.accessToken) return { baseUrl, token: config.accessToken };
  const email = values.email ?? config.adminEmail ?? local?.adminEmail ?? (await ask('Email: '));
  const password =
    config.adminPassword ??
    (local && email === local.adminEmail ? local.adminPassword : undefined) ??
    (await ask('Password: ', { isSecret: true }));
  return { baseUrl, token: await logIn(baseUrl, email, password) };
}

async function localInstallation({ dataDirectory }: ConfigOf<typeof importSettings>) {
  const directory = resolve(dataDirectory);
  const read = async (path: string) => JSON.parse(await readFile(join(directory, path), 'utf8'));
  const { port } = await read('run/gateway.json').catch(() => {
    throw new Error(
      `Gradeway is not running in ${directory}: start it with npm start, or give another URL with --url`,
    );
  });
  const { adminEmail, adminPassword } = await read('secrets.json').catch(() => ({}));
  return { url: `http://127.0.0.1:${port}`, adminEmail, adminPassword };
}

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('cannot ask for confirmation without a terminal: pass --yes');
  return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}

async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Error(`cannot ask for “${question.trim()}” without a terminal; see --help`);
  process.stderr.write(question);
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: process.stdin,
    output: isSecret ? noEcho : process.stderr,
    terminal: true,
  });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
