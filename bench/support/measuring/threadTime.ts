import { readdirSync, readFileSync } from 'node:fs';

// USER_HZ: CPU time is counted in hundredths of a second.
const microsecondsPerTick = 10_000;

/** CPU time of a process’s threads by name, in microseconds. Threads that have ended are not included. */
export function cpuByThread(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = thread === String(pid) ? 'main' : stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const used = (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
    times.set(name, (times.get(name) ?? 0) + used);
  }
  return times;
}
