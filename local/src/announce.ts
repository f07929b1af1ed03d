import { join, relative } from 'node:path';
import type { DemoAccount } from './demoSchool.ts';
import type { Secrets } from './secrets.ts';

interface Facts {
  baseUrl: string;
  secrets: Secrets;
  demo: DemoAccount[];
  directory: string;
  say(line: string): void;
}

/** Whom to log in as, a line each. */
export function accountTable(secrets: Secrets, demo: DemoAccount[]): string {
  const accounts = [
    { who: 'administrator', email: secrets.adminEmail, password: secrets.adminPassword },
    ...demo,
  ];
  const width = Math.max(...accounts.map(({ email }) => email.length));
  return accounts
    .map(({ who, email, password }) => `  ${who.padEnd(14)} ${email.padEnd(width)}  ${password}`)
    .join('\n');
}

/** Tells a newcomer where to go, whom to log in as, and a first request to send. */
export function announce({ baseUrl, secrets, demo, directory, say }: Facts): void {
  const logs = relative(process.cwd(), join(directory, 'logs'));
  say(`
Gradeway is ready: ${baseUrl}

Accounts
${accountTable(secrets, demo)}

A first request
  curl -s ${baseUrl}/api/v3/login \\
    -H 'Accept: application/json' -H 'Content-Type: application/json' \\
    -d '${JSON.stringify({ email: secrets.adminEmail, password: secrets.adminPassword })}'

The whole interface: ${baseUrl}/docs   Logs: ${logs}   Stop: Ctrl-C
`);
}
