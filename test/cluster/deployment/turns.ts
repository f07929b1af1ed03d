import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, inject } from 'vitest';
import type { TurnRequest } from './serveTurns.ts';

/**
 * The parts that a test file may need: the deployment in the namespace `gradeway`, the one in `gradeway-production`, or
 * the place of Traefik in the tests of the network policies.
 */
export type Part = 'gradeway' | 'production' | 'traefik';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port on which test files request their turns, on the loopback address. */
    turnsPort: number;
  }
}

/** Longer than all other test files together. */
export const longestWaitMs = 2_400_000;

/** Waits for a part of the cluster. Returns a function that ends the turn. */
export async function takeTurn(request: TurnRequest & { part: Part }): Promise<() => void> {
  const socket = connect(inject('turnsPort'), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(JSON.stringify(request));
  await once(socket, 'data');
  return () => void socket.destroy();
}

interface Needs {
  /** The parts that the tests change, or that they measure. */
  alone?: Part[];
  /** The parts that must not change during the turn. */
  unchanged?: Part[];
}

/** Makes the tests of a file wait for the parts of the cluster that they need, because several files run at a time. */
export function takesTurns({ alone = [], unchanged = [] }: Needs): void {
  const requests = [
    ...alone.map((part) => ({ part, shared: false })),
    ...unchanged.map((part) => ({ part, shared: true })),
  ];
  const ends: (() => void)[] = [];
  beforeAll(async () => {
    // Always in the same order, so that no two files wait for each other.
    for (const each of requests.toSorted((a, b) => a.part.localeCompare(b.part)))
      ends.push(await takeTurn(each));
  }, longestWaitMs);
  afterAll(() => {
    for (const end of ends) end();
  });
}
