import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, inject } from 'vitest';

/** What a test file needs for itself: the deployment in the namespace `gradeway`, and the one in `gradeway-production`. */
export type Deployment = 'gradeway' | 'production';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the test files ask for their turns, on the loopback address. */
    turnsPort: number;
  }
}

/** Longer than all other test files together. */
export const longestWaitMs = 2_400_000;

/** Waits until no other test file has a deployment for itself. Returns what ends the turn. */
export async function takeTurn(deployment: Deployment): Promise<() => void> {
  const socket = connect(inject('turnsPort'), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(deployment);
  await once(socket, 'data');
  return () => void socket.destroy();
}

/**
 * Lets the tests of a file wait until they have these deployments for themselves: two files run at a time. Those that
 * measure take both, and so the whole cluster.
 */
export function needsAlone(...deployments: Deployment[]): void {
  const ends: (() => void)[] = [];
  // In one order, so that two files never wait for each other.
  beforeAll(async () => {
    for (const each of deployments.toSorted()) ends.push(await takeTurn(each));
  }, longestWaitMs);
  afterAll(() => {
    for (const end of ends) end();
  });
}
