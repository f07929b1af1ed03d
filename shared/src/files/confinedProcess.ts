import { type ChildProcess, spawn } from 'node:child_process';
import { type CpuClock, hasCpuClock, openCpuClock } from '../process/cpuClock.ts';

/** Limits of one task. */
export interface ProcessLimits {
  cpuSeconds: number;
  /** How much the process may grow. */
  memoryMb: number;
}

/** The limit that a task has exceeded. */
export type Excess = 'timeout' | 'out_of_memory';

interface Program {
  /** Path of a module. Its argument is the memory limit in bytes; its first message signals that it is ready. */
  script: string;
  /** Open files that the process may write, as its file descriptors from 4. `maxBytes` limits each of them. */
  output?: { descriptors: number[]; maxBytes: number };
}

const pollMs = 50;
// A process that uses no CPU time for this long is stuck. Tasks survive shorter pauses.
const stalledAfterMs = 20_000;
// CPU time after which a process is replaced. The kernel also enforces it, in case the service dies during a task.
const lifetimeCpuSeconds = hasCpuClock ? 60 : 0;
const startCpuSeconds = 2;
// Share of the memory limit for Node itself, such as compiled code.
const nodeMb = 16;
const errorLength = 1_000;

/**
 * A child process that performs one task at a time within limits, and ends when it exceeds one. Its environment is
 * empty. It can read files, but cannot write files other than its output, or start processes, threads or add-ons.
 */
export class ConfinedProcess<Answer> {
  readonly #limits: ProcessLimits;
  readonly #child: ChildProcess;
  readonly #clock: CpuClock | undefined;
  // Settled while no task runs: resolved with the last response, or rejected once the process has ended.
  #answer = pendingAnswer<Answer | Excess>();
  #ended = false;
  #cpuBefore: number | undefined;
  #cpuLastSeen: number | undefined;
  #pollsWithoutProgress = 0;
  #errorOutput = '';

  /** Throws when the system is out of processes, memory or file handles. */
  constructor(limits: ProcessLimits, program: Program) {
    this.#limits = limits;
    this.#child = start(limits, program);
    this.#child.on('message', (message) => this.#answer.resolve(message as Answer));
    this.#child.on('error', (error) => this.#end(error.message));
    this.#child.once('exit', (code, signal) => {
      if (signal === 'SIGXCPU') this.#exceed('timeout');
      // Node.js has reached its heap limit.
      else if (signal === 'SIGABRT') this.#exceed('out_of_memory');
      else this.#end(`ended with ${signal ?? code}: ${this.#errorOutput}`);
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#errorOutput = `${this.#errorOutput}${text}`.slice(-errorLength);
    });
    // An idle process must not keep the service alive.
    for (const handle of [this.#child, this.#child.channel, this.#child.stderr as unknown])
      (handle as { unref?(): void } | null | undefined)?.unref?.();
    try {
      const { pid } = this.#child;
      this.#clock = hasCpuClock && pid !== undefined ? openCpuClock(pid) : undefined;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whether it can perform another task. */
  get usable(): boolean {
    return !this.#ended;
  }

  /** Whether it has used enough CPU time to be replaced. */
  get isWorn(): boolean {
    return (this.#clock?.seconds() ?? lifetimeCpuSeconds) >= lifetimeCpuSeconds;
  }

  /** Performs one task. Throws when the process dies or makes no progress, which says nothing about the task. */
  async ask(task: object): Promise<Answer | Excess> {
    const polling = setInterval(() => this.#poll(), pollMs);
    try {
      await this.#answer.promise;
      if (this.#ended) throw new Error('the process has ended');
      this.#answer = pendingAnswer();
      this.#cpuBefore = this.#clock?.seconds();
      this.#child.send(task, (error) => error && this.#end(error.message));
      return await this.#answer.promise;
    } finally {
      clearInterval(polling);
      this.#cpuBefore = undefined;
    }
  }

  close(): void {
    this.#end('closed');
    this.#child.kill('SIGKILL');
  }

  // Limits CPU time instead of elapsed time, so that a busy or paused machine does not make a file invalid.
  #poll(): void {
    const cpu = this.#clock?.seconds();
    this.#pollsWithoutProgress = cpu === this.#cpuLastSeen ? this.#pollsWithoutProgress + 1 : 0;
    this.#cpuLastSeen = cpu;
    const { cpuSeconds } = this.#limits;
    if (cpu !== undefined && this.#cpuBefore !== undefined && cpu - this.#cpuBefore > cpuSeconds) {
      this.#exceed('timeout');
      this.close();
    }
    const stalledMs = hasCpuClock ? stalledAfterMs : stalledAfterMs + 5_000 * cpuSeconds;
    if (this.#pollsWithoutProgress * pollMs > stalledMs) {
      this.#end('stalled');
      this.close();
    }
  }

  #exceed(excess: Excess): void {
    this.#answer.resolve(excess);
    this.#end(excess);
  }

  #end(reason: string): void {
    if (!this.#ended) this.#clock?.close();
    this.#ended = true;
    this.#answer.reject(new Error(reason));
  }
}

function pendingAnswer<Answer>(): PromiseWithResolvers<Answer> {
  const pending = Promise.withResolvers<Answer>();
  // A process may end while no task waits for it.
  pending.promise.catch(() => {});
  return pending;
}

function start({ cpuSeconds, memoryMb }: ProcessLimits, { script, output }: Program): ChildProcess {
  const node = [
    process.execPath,
    // Forbids opening files for writing, and starting processes, threads and add-ons.
    ...['--permission', '--allow-fs-read=*'],
    ...['--expose-gc', '--max-old-space-size=64'],
    ...[script, String((memoryMb - nodeMb) * 1024 * 1024)],
  ];
  const [program = '', ...args] =
    process.platform === 'win32'
      ? node
      : [
          '/bin/sh',
          '-c',
          kernelLimits(Math.ceil(cpuSeconds) + lifetimeCpuSeconds + startCpuSeconds, output?.maxBytes ?? 0),
          ...node,
        ];
  // The environment is empty, because the service's environment contains secrets.
  return spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', ...(output?.descriptors ?? [])],
    env: {},
  });
}

// When memory runs out, the kernel kills this process instead of the service. Limits that the system does not support
// are skipped.
const kernelLimits = (cpuSeconds: number, fileBytes: number): string =>
  [
    '{ echo 1000 > /proc/self/oom_score_adj',
    `ulimit -S -t ${cpuSeconds}`,
    'ulimit -c 0',
    // In blocks of 512 bytes.
    `ulimit -f ${Math.ceil(fileBytes / 512)}`,
    'ulimit -n 64',
    '} 2> /dev/null; exec "$0" "$@"',
  ].join('; ');
