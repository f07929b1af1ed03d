import { createHttpClient } from './httpClient.ts';
import type { LocalSystem } from './localSystem.ts';
import { waitFor } from './waitFor.ts';

/** The processes that verify tokens, each with one of its paths. */
const verifiers = [
  ['gateway', '/api/v3/me'],
  ['auth', '/api/v3/me'],
  ['courses', '/api/v3/grades'],
  ['homework', '/api/v3/homeworks'],
  ['quiz', '/api/v3/quiz/available'],
] as const;

/**
 * Ends a session with `end`, and waits until the gateway and every service, each called directly, refuse its token.
 * Returns the milliseconds that each took.
 * @throws Error when one of them refuses the token before
 */
export async function waitUntilRefused(
  system: LocalSystem,
  token: string | undefined,
  end: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const probes = await Promise.all(
    verifiers.map(async ([name, path]) => {
      const { port } = await system.process(name);
      const client = createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, token });
      return { name, status: async () => (await client.get(path)).status };
    }),
  );
  for (const { name, status } of probes)
    if ((await status()) !== 200) throw new Error(`${name} refuses the token of an open session`);
  await end();
  const endedAt = performance.now();
  const durations = probes.map(async ({ name, status }) => {
    await waitFor(async () => (await status()) === 401);
    return [name, performance.now() - endedAt] as const;
  });
  return Object.fromEntries(await Promise.all(durations));
}
