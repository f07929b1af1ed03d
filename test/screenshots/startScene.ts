import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ApiClient, logIn } from '@gradeway/local/apiClient';
import { Fixtures } from '@gradeway/test/fixtures';
import { startSystemWithProvider } from '@gradeway/test/systemWithProvider';
import { type MailServer, startMailServer } from '../../services/courses/test/mailServer.ts';

/** A system with the demo school, single sign-on and a mail server. */
export interface Scene {
  baseUrl: string;
  mail: MailServer;
  fixtures: Fixtures;
  /** The account of a person of the demo school by its login, or of the administrator as `admin`. */
  accountOf(login: string): { email: string; password: string };
  callAs(login: string): Promise<ApiClient>;
  close(): Promise<void>;
}

export const emailOf = (login: string): string => `${login}@demo.gradeway.local`;

// After the demo school has been loaded, and its people have chosen their languages.
const untilDigestMs = 120_000;

export async function startScene(): Promise<Scene> {
  const mail = await startMailServer();
  const digestAt = new Date(Date.now() + untilDigestMs).toISOString().slice(11, 16);
  const settings = { SMTP_URL: mail.url, DIGEST_AT: digestAt, MAIL_GRADES_DELAY: '1s' };
  const { system, provider, close } = await startSystemWithProvider(
    { name: 'School account', domains: ['school.example'] },
    { DEMO_DATA: '1', LOGIN_LIMIT_PER_ADDRESS: '0', ...settings },
  );
  provider.person = { sub: 'ada', email: 'ada@school.example', email_verified: true };
  const { demoPassword } = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const accountOf: Scene['accountOf'] = (login) =>
    login === 'admin'
      ? { email: system.adminEmail, password: system.adminPassword }
      : { email: emailOf(login), password: demoPassword };
  return {
    ...{ baseUrl: system.baseUrl, mail, fixtures: new Fixtures(system), accountOf },
    callAs(login) {
      const { email, password } = accountOf(login);
      return logIn(system.baseUrl, email, password);
    },
    async close() {
      await close();
      await mail.close();
    },
  };
}
