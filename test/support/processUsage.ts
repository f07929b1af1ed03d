import { readdirSync, readFileSync } from 'node:fs';

/**
 * Resident memory of a process in bytes, and its maximum; 0 once it has ended. `own` is without pages of files, which are
 * mostly the program's code.
 */
export function memoryOf(pid: number): { now: number; peak: number; own: number } {
  const status = readStatus(pid);
  const bytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  return { now: bytes('VmRSS'), peak: bytes('VmHWM'), own: bytes('RssAnon') + bytes('RssShmem') };
}

/** CPU time that a process has used, in seconds; 0 once it has ended. */
export function cpuSecondsOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  // After the name, which may contain spaces: utime and stime, in hundredths.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

/** Bytes that a process has read and written so far through system calls: files, connections and pipes. */
export function bytesMovedBy(pid: number): { read: number; written: number } {
  const io = read(`/proc/${pid}/io`);
  const bytes = (field: string) => Number(new RegExp(`${field}: (\\d+)`).exec(io)?.[1] ?? 0);
  return { read: bytes('rchar'), written: bytes('wchar') };
}

/** The children of a process whose command line contains a text. */
export function childrenOf(pid: number, command: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => Number(/PPid:\s+(\d+)/.exec(readStatus(child))?.[1]) === pid)
    .filter((child) => read(`/proc/${child}/cmdline`).includes(command));
}

const readStatus = (pid: number): string => read(`/proc/${pid}/status`);

// A process may end at any moment.
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
