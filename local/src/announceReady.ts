import { join, relative } from 'node:path';
import type { DemoAccount } from './demoSchool.ts';
import type { Secrets } from './secrets.ts';

interface Announcement {
  baseUrl: string;
  secrets: Secrets;
  demoAccounts: DemoAccount[];
  directory: string;
  timeZone: string;
  /** Why the broker at EVENTS_URL is unreachable; undefined if it is reachable or embedded. */
  brokerError: string | undefined;
  print(line: string): void;
}

/** Lists the accounts to log in with, one per line. */
export function accountTable(secrets: Secrets, demoAccounts: DemoAccount[]): string {
  const accounts = [
    { label: 'administrator', email: secrets.adminEmail, password: secrets.adminPassword },
    ...demoAccounts,
  ];
  const width = Math.max(...accounts.map(({ email }) => email.length));
  return accounts
    .map(({ label, email, password }) => `  ${label.padEnd(14)} ${email.padEnd(width)}  ${password}`)
    .join('\n');
}

/** The time zone in which deadlines are entered and shown. For the default, also says how to change it. */
export const timeZoneLine = (timeZone: string): string =>
  timeZone === 'UTC'
    ? 'Time zone of the school: UTC, the default. If the school is elsewhere, set APP_TIMEZONE, for example to Europe/Vienna.'
    : `Time zone of the school: ${timeZone}`;

/** Prints the address to open, the accounts to log in with, the time zone, and a first API request. */
export function announceReady(announcement: Announcement): void {
  const { baseUrl, secrets, demoAccounts, directory, timeZone, brokerError, print } = announcement;
  const logs = relative(process.cwd(), join(directory, 'logs'));
  print(`
Gradeway is ready. Open this address in a browser: ${baseUrl}

Log in as
${accountTable(secrets, demoAccounts)}

${timeZoneLine(timeZone)}

First API request
  curl -s ${baseUrl}/api/v3/login \\
    -H 'Accept: application/json' -H 'Content-Type: application/json' \\
    -d '${JSON.stringify({ email: secrets.adminEmail, password: secrets.adminPassword })}'

API reference: ${baseUrl}/docs   Logs: ${logs}   Stop: Ctrl-C
`);
  if (brokerError)
    print(`The broker of EVENTS_URL cannot be reached: ${brokerError}
Until it can, grades do not reach the gradebook, and webhooks wait. Events are stored and published later.
`);
}
