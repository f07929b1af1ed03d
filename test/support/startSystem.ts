import type { TestProject } from 'vitest/node';
import { startLocalSystem } from './localSystem.ts';

declare module 'vitest' {
  interface ProvidedContext {
    system: {
      baseUrl: string;
      adminEmail: string;
      adminPassword: string;
      /** Whether it runs on this machine with the settings below. */
      isOurs: boolean;
    };
  }
}

/** The system that the black-box tests talk to: the one that BASE_URL names, else one of the run's own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { BASE_URL: baseUrl, ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword } = process.env;
  if (baseUrl) {
    if (!adminEmail || !adminPassword)
      throw new Error('BASE_URL needs ADMIN_EMAIL and ADMIN_PASSWORD of an administrator there');
    project.provide('system', {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      adminEmail,
      adminPassword,
      isOurs: false,
    });
    return async () => {};
  }
  const system = await startLocalSystem({
    RATE_LIMIT_PER_MINUTE: '0',
    LOGIN_LIMIT_PER_ADDRESS: '0',
    // Receivers of webhooks are tests.
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
    WEBHOOK_RETRY_SCHEDULE: '500ms,500ms',
  });
  const { adminEmail: email, adminPassword: password } = system;
  project.provide('system', {
    baseUrl: system.baseUrl,
    adminEmail: email,
    adminPassword: password,
    isOurs: true,
  });
  return system.remove;
}
