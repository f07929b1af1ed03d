import { closeSync, openSync, readSync } from 'node:fs';

export interface CpuClock {
  /** CPU time of the process so far, in seconds; undefined once it has ended. */
  seconds(): number | undefined;
  close(): void;
}

/** Whether this system can read the CPU time of another process. */
export const hasCpuClock = process.platform === 'linux';

// The kernel reports times in USER_HZ, which is 100 on every platform that Node runs on.
const ticksPerSecond = 100;

/** Opens a clock for a process's CPU time. Keeps its file open, so that it works even without free file handles. */
export function openCpuClock(pid: number): CpuClock {
  const fd = openSync(`/proc/${pid}/stat`, 'r');
  const buffer = Buffer.alloc(1024);
  return {
    seconds() {
      try {
        const text = buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0));
        // utime and stime are fields 14 and 15; the name, field 2, is in parentheses and may contain spaces.
        const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
        return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
      } catch {
        return undefined;
      }
    },
    close: () => closeSync(fd),
  };
}
