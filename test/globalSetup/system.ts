import type { TestProject } from 'vitest/node';
import { startLocalSystem } from '../support/localSystem.ts';

declare module 'vitest' {
  interface ProvidedContext {
    system: {
      baseUrl: string;
      adminEmail: string;
      adminPassword: string;
      /** Whether the test run started it, with the settings below. */
      isLocal: boolean;
      /** The data directory of a local system. */
      directory?: string;
    };
  }
}

/** Provides the system of the black-box tests: the one that BASE_URL names, otherwise one that it starts. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { BASE_URL: baseUrl, ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword } = process.env;
  if (baseUrl) {
    if (!adminEmail || !adminPassword)
      throw new Error('BASE_URL needs the ADMIN_EMAIL and ADMIN_PASSWORD of an administrator of that system');
    project.provide('system', {
      baseUrl: baseUrl.replace(/\/+$/, ''),
      adminEmail,
      adminPassword,
      isLocal: false,
    });
    return async () => {};
  }
  const system = await startLocalSystem({
    RATE_LIMIT_PER_MINUTE: '0',
    LOGIN_LIMIT_PER_ADDRESS: '0',
    REAUTHENTICATION: 'required',
    // The tests receive webhooks at a private address over HTTP.
    WEBHOOK_ALLOW_HTTP: '1',
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
    WEBHOOK_RETRY_SCHEDULE: '500ms,500ms',
  });
  project.provide('system', {
    baseUrl: system.baseUrl,
    adminEmail: system.adminEmail,
    adminPassword: system.adminPassword,
    isLocal: true,
    directory: system.directory,
  });
  return system.remove;
}
