import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const tasks = '/proc/self/task';
// A third of the CPU time of a thread with the default of 0 when both are busy.
const niceness = 5;

/**
 * Lowers the priority of libuv's thread pool, which hashes passwords, so that a wave of logins does not delay other
 * requests: the main thread gets a CPU as soon as it needs one (decision 45). The threads must already be running, so
 * something must have been hashed before. Works only on Linux, where each thread has its own priority, and with libuv
 * 1.50 or later, which names its threads (Node.js 24). Otherwise nothing changes.
 */
export function lowerThreadPoolPriority(): void {
  if (process.platform !== 'linux') return;
  for (const thread of readdirSync(tasks)) {
    try {
      if (readFileSync(`${tasks}/${thread}/comm`, 'utf8') === 'libuv-worker\n')
        setPriority(Number(thread), niceness);
    } catch {
      // The thread has ended, or a sandbox forbids it. Auth also works without this.
    }
  }
}
