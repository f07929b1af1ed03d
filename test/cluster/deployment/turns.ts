import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, inject } from 'vitest';

/**
 * What a test file may need for itself: the deployment in the namespace `gradeway`, the one in `gradeway-production`, or the
 * place of the ingress controller in the tests of the network policies.
 */
export type Part = 'gradeway' | 'ingress' | 'production';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test files ask for their turns, on the loopback address. */
    turnsPort: number;
  }
}

/** Longer than all other test files together. */
export const longestWaitMs = 2_400_000;

/** Waits until no other test file has this part for itself. Returns what ends the turn. */
export async function takeTurn(part: Part): Promise<() => void> {
  const socket = connect(inject('turnsPort'), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(part);
  await once(socket, 'data');
  return () => void socket.destroy();
}

/**
 * Lets the tests of a file wait until they have these parts for themselves: two files run at a time. Those that measure take
 * both deployments, and so the whole cluster.
 */
export function needsAlone(...parts: Part[]): void {
  const ends: (() => void)[] = [];
  // In one order, so that two files never wait for each other.
  beforeAll(async () => {
    for (const each of parts.toSorted()) ends.push(await takeTurn(each));
  }, longestWaitMs);
  afterAll(() => {
    for (const end of ends) end();
  });
}
