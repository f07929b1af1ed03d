import type { TestProject } from 'vitest/node';
import { startLocalSystem } from './localSystem.ts';

declare module 'vitest' {
  interface ProvidedContext {
    system: { baseUrl: string; adminEmail: string; adminPassword: string };
  }
}

/** The system that the black-box tests talk to: the one that BASE_URL names, else one of the run's own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { BASE_URL: baseUrl, ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword } = process.env;
  if (baseUrl) {
    if (!adminEmail || !adminPassword)
      throw new Error('BASE_URL needs ADMIN_EMAIL and ADMIN_PASSWORD of an administrator there');
    project.provide('system', { baseUrl: baseUrl.replace(/\/+$/, ''), adminEmail, adminPassword });
    return async () => {};
  }
  const system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0', LOGIN_LIMIT_PER_ADDRESS: '0' });
  const { adminEmail: email, adminPassword: password } = system;
  project.provide('system', { baseUrl: system.baseUrl, adminEmail: email, adminPassword: password });
  return system.remove;
}
