import { readlinkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setPriority } from 'node:os';

// The link to the directory of the thread that reads it.
const ownThread = '/proc/thread-self';
const lowest = 19;

/**
 * Gives the calling worker thread the lowest priority, for work that should only take the processor time that requests leave.
 * Works on Linux only, where a thread has a priority of its own; elsewhere nothing changes.
 */
export async function lowerThreadPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  try {
    // Starts the thread pool of libuv, if it does not run yet: its threads, which the whole process shares, would otherwise
    // inherit the priority of this one.
    await stat(ownThread);
    setPriority(Number(readlinkSync(ownThread).split('/').at(-1)), lowest);
  } catch {
    // A sandbox forbids it. The thread works without.
  }
}
