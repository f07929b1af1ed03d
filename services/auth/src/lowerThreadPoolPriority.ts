import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const tasks = '/proc/self/task';
// A third of the processor time of a thread with the default of 0, when both want all of it.
const niceness = 5;

/**
 * Lowers the priority of the threads that hash passwords, the thread pool of libuv, so that a wave of logins does not make other
 * requests wait: the main thread gets a processor as soon as it needs one (decision 45). The threads must be running, that is,
 * something must have been hashed. Works on Linux only, where a thread has a priority of its own, and with libuv 1.50 or later,
 * which names its threads (Node.js 24); otherwise nothing changes.
 */
export function lowerThreadPoolPriority(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync(tasks)) {
    try {
      if (readFileSync(`${tasks}/${thread}/comm`, 'utf8') === 'libuv-worker\n')
        setPriority(Number(thread), niceness);
    } catch {
      // The thread has ended, or a sandbox forbids it. Auth works without.
    }
  }
}
