import { afterAll, beforeAll, expect, test } from 'vitest';
import { personOf, type SsoSystem, startSsoSystem } from './ssoSystem.ts';

let system: SsoSystem;
beforeAll(async () => {
  system = await startSsoSystem({ provider: { create: true } });
});
afterAll(() => system.close());

test('a provider that has just replaced its key signs people in', async () => {
  expect((await system.signIn(personOf('ada@school.example'))).location).toBe('/');
  await system.provider.replaceKey();
  expect((await system.signIn(personOf('alan@school.example'))).location).toBe('/');
});
