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
// Without any CPU time for so long a process is stopped, not slow. Longer than a pause that a check must survive.
const stalledAfterMs = 20_000;
// A process ends after so much CPU time. The kernel enforces it, so that none survives its service for long.
const lifetimeCpuSeconds = hasCpuClock ? 60 : 0;
const startCpuSeconds = 2;
// What Node itself uses during a check, for compiled code and the like.
const nodeMb = 16;
const errorLength = 1_000;

/** A process that opens PDFs, one after the other, within limits. It exits when it used too much of anything. */
export class PdfProcess {
  readonly #limits: PdfLimits;
  readonly #child: ChildProcess;
  readonly #clock: CpuClock | undefined;
  // Settled while no check runs: by the last answer, or by the end of the process.
  #answer = pendingAnswer();
  #ended = false;
  #cpuBefore: number | undefined;
  #cpuLastSeen: number | undefined;
  #pollsWithoutProgress = 0;
  #errorOutput = '';

  /** Throws when the system has no process, memory or file handle left. */
  constructor(limits: PdfLimits) {
    this.#limits = limits;
    this.#child = startWorker(limits);
    this.#child.on('message', (message) => this.#answer.resolve(message as PdfAnswer));
    this.#child.once('error', (error) => this.#end(error.message));
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

  /** Whether it can check another file. */
  get usable(): boolean {
    return !this.#ended;
  }

  /** Throws when the process dies or cannot read the file: then nothing is known about the file. */
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

  // CPU time and not time: a machine that is busy or paused makes no file invalid.
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
  // A process may also end while nobody waits for it.
  pending.promise.catch(() => {});
  return pending;
}

function startWorker({ cpuSeconds, memoryMb }: PdfLimits): ChildProcess {
  const node = [
    process.execPath,
    // No files written, no processes, threads or add-ons.
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
  // No environment: the secrets in it are none of the worker's business.
  return spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], env: {} });
}

// The kernel ends this process, and not the service, when memory runs out. A system that lacks a limit does without.
const kernelLimits = (cpuSeconds: number): string =>
  [
    '{ echo 1000 > /proc/self/oom_score_adj',
    `ulimit -S -t ${cpuSeconds}`,
    'ulimit -c 0',
    'ulimit -f 0',
    'ulimit -n 64',
    '} 2> /dev/null; exec "$0" "$@"',
  ].join('; ');
