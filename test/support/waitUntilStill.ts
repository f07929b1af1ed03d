import { waitFor } from './waitFor.ts';

/**
 * Waits until a number that has begun to grow no longer changes, and returns it. Only time shows that it has stopped:
 * the number must stay the same for 200 ms.
 */
export async function waitUntilStill(read: () => number): Promise<number> {
  let last = 0;
  const isStill = () => {
    const before = last;
    last = read();
    return last > 0 && last === before;
  };
  await waitFor(isStill, 60_000, 200);
  return last;
}
