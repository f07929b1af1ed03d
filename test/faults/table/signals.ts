import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Stops a process and its children, as an overloaded host does, and resumes them after a while. */
export async function pause(pid: number, milliseconds: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const children = await childrenOf(pid);
  signal(children, 'SIGSTOP');
  await sleep(milliseconds);
  signal(children, 'SIGCONT');
  process.kill(pid, 'SIGCONT');
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

// A child may end at any moment.
function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {}
}
