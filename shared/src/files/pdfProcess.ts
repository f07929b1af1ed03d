import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type CpuClock, hasCpuClock, openCpuClock } from '../process/cpuClock.ts';
import type { PdfOpening } from './pdfEngine.ts';
import type { PdfAnswer } from './pdfWorker.ts';

/** Limits of one check. */
export interface PdfLimits {
  cpuSeconds: number;
  /** By how much the process may grow. */
  memoryMb: number;
}

const worker = fileURLToPath(new URL('./pdfWorker.js', import.meta.url));
const pollMs = 50;
// A process that uses no CPU time for so long is stuck. A check survives shorter pauses.
const stalledAfterMs = 20_000;
// CPU time after which a process is replaced. The kernel enforces it as well, in case the service dies during a check.
const lifetimeCpuSeconds = hasCpuClock ? 60 : 0;
const startCpuSeconds = 2;
// Share of the memory limit for Node itself, such as compiled code.
const nodeMb = 16;
const errorLength = 1_000;

/** A child process that opens PDFs, one at a time, within limits. It ends when it exceeds one. */
export class PdfProcess {
  readonly #limits: PdfLimits;
  readonly #child: ChildProcess;
  readonly #clock: CpuClock | undefined;
  // Settled while no check runs: with the last answer, or rejected once the process has ended.
  #answer = pendingAnswer();
  #ended = false;
  #cpuBefore: number | undefined;
  #cpuLastSeen: number | undefined;
  #pollsWithoutProgress = 0;
  #errorOutput = '';

  /** Throws when the system is out of processes, memory or file handles. */
  constructor(limits: PdfLimits) {
    this.#limits = limits;
    this.#child = startWorker(limits);
    this.#child.on('message', (message) => this.#answer.resolve(message as PdfAnswer));
    this.#child.on('error', (error) => this.#end(error.message));
    this.#child.once('exit', (code, signal) => {
      if (signal === 'SIGXCPU') this.#timeOut();
      else this.#end(`ended with ${signal ?? code}: ${this.#errorOutput}`);
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#errorOutput = `${this.#errorOutput}${text}`.slice(-errorLength);
    });
    // An idle process does not keep the service alive.
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

  /** Whether another file can be checked. */
  get usable(): boolean {
    return !this.#ended;
  }

  /** Throws when the process dies or cannot read the file, which says nothing about the file. */
  async check(path: string): Promise<PdfOpening | 'timeout'> {
    const polling = setInterval(() => this.#poll(), pollMs);
    try {
      await this.#answer.promise;
      if (this.#ended) throw new Error('the process has ended');
      this.#answer = pendingAnswer();
      this.#cpuBefore = this.#clock?.seconds();
      this.#child.send({ path }, (error) => error && this.#end(error.message));
      const answer = await this.#answer.promise;
      if ('failed' in answer) throw new Error(answer.failed);
      if (answer.worn || this.#cpuUsed() >= lifetimeCpuSeconds) this.close();
      return answer.opening;
    } finally {
      clearInterval(polling);
      this.#cpuBefore = undefined;
    }
  }

  close(): void {
    this.#end('closed');
    this.#child.kill('SIGKILL');
  }

  #cpuUsed = (): number => this.#clock?.seconds() ?? lifetimeCpuSeconds;

  // Limits CPU time instead of elapsed time: a busy or paused machine makes no file invalid.
  #poll(): void {
    const cpu = this.#clock?.seconds();
    this.#pollsWithoutProgress = cpu === this.#cpuLastSeen ? this.#pollsWithoutProgress + 1 : 0;
    this.#cpuLastSeen = cpu;
    const { cpuSeconds } = this.#limits;
    if (cpu !== undefined && this.#cpuBefore !== undefined && cpu - this.#cpuBefore > cpuSeconds) {
      this.#timeOut();
      this.close();
    }
    const stalledMs = hasCpuClock ? stalledAfterMs : stalledAfterMs + 5_000 * cpuSeconds;
    if (this.#pollsWithoutProgress * pollMs > stalledMs) {
      this.#end('stalled');
      this.close();
    }
  }

  #timeOut(): void {
    this.#answer.resolve({ opening: 'timeout', worn: true });
    this.#end('out of CPU time');
  }

  #end(reason: string): void {
    if (!this.#ended) this.#clock?.close();
    this.#ended = true;
    this.#answer.reject(new Error(reason));
  }
}

type Answer = PdfAnswer | { opening: 'timeout'; worn: true };

function pendingAnswer(): PromiseWithResolvers<Answer> {
  const pending = Promise.withResolvers<Answer>();
  // A process may end while no check waits for it.
  pending.promise.catch(() => {});
  return pending;
}

function startWorker({ cpuSeconds, memoryMb }: PdfLimits): ChildProcess {
  const node = [
    process.execPath,
    // Forbids writing files, and starting processes, threads and add-ons.
    ...['--permission', '--allow-fs-read=*'],
    ...['--expose-gc', '--max-old-space-size=64'],
    ...[worker, String((memoryMb - nodeMb) * 1024 * 1024)],
  ];
  const [program = '', ...args] =
    process.platform === 'win32'
      ? node
      : [
          '/bin/sh',
          '-c',
          kernelLimits(Math.ceil(cpuSeconds) + lifetimeCpuSeconds + startCpuSeconds),
          ...node,
        ];
  // The environment is empty, because that of the service contains secrets.
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {} });
}

// When memory runs out, the kernel kills this process instead of the service. Limits that a system lacks are skipped.
const kernelLimits = (cpuSeconds: number): string =>
  [
    '{ echo 1000 > /proc/self/oom_score_adj',
    `ulimit -S -t ${cpuSeconds}`,
    'ulimit -c 0',
    'ulimit -f 0',
    'ulimit -n 64',
    '} 2> /dev/null; exec "$0" "$@"',
  ].join('; ');
