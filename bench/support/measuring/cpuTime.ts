import { readdirSync, readFileSync } from 'node:fs';

interface Usage {
  parent: number;
  microseconds: number;
}

// USER_HZ, which is 100 on every Linux platform: CPU time is counted in hundredths of a second.
const microsecondsPerTick = 10_000;

/**
 * CPU time (user and system) that processes and all their descendants have used, in microseconds. Children that have
 * ended count as soon as their parent has waited for them.
 */
export function cpuOfTrees(roots: number[]): number {
  const usages = new Map<number, Usage>();
  for (const name of readdirSync('/proc')) {
    const usage = /^\d+$/.test(name) ? usageOf(Number(name)) : undefined;
    if (usage) usages.set(Number(name), usage);
  }
  const isCounted = (pid: number): boolean => {
    if (roots.includes(pid)) return true;
    const parent = usages.get(pid)?.parent;
    return parent !== undefined && parent !== pid && isCounted(parent);
  };
  let sum = 0;
  for (const [pid, { microseconds }] of usages) if (isCounted(pid)) sum += microseconds;
  return sum;
}

// Undefined for a process that has just ended.
function usageOf(pid: number): Usage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may contain spaces: state, parent, …, utime, stime, cutime, cstime.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ticks = [11, 12, 13, 14].reduce((total, index) => total + (fields[index] ?? 0), 0);
    return { parent: fields[1] ?? 0, microseconds: ticks * microsecondsPerTick };
  } catch {
    return undefined;
  }
}
