import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

test('the threads that hash passwords have a lower priority than the main thread', () => {
  const { pid } = auth.service;
  const tasks = `/proc/${pid}/task`;
  const nameOf = (thread: string) => readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim();
  const hashing = readdirSync(tasks).filter((thread) => nameOf(thread) === 'libuv-worker');
  const main = getPriority(pid);
  expect(hashing).toHaveLength(4);
  for (const thread of hashing) expect(getPriority(Number(thread))).toBeGreaterThan(main);
});
