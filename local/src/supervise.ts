import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { invalidConfigurationCode } from '@gradeway/shared/config/readConfig';
import { openLogFile } from './openLogFile.ts';

/** A process from its start to its exit. */
export interface RunningProcess {
  pid: number;
  /** Settles with the exit code, if there is one. */
  exited: Promise<unknown>;
  stop(): Promise<void>;
}

interface Options {
  name: string;
  /** `DATA_DIR/run`, where other programs find the process id and the ports. */
  runDirectory: string;
  ports: { port: number; grpcPort: number | null; adminPort: number | null };
  start(): Promise<RunningProcess>;
  print(line: string): void;
}

export interface Supervised {
  /**
   * Whether the process has ended because of an invalid setting. It is not restarted, because the setting would still
   * be invalid.
   */
  readonly isMisconfigured: boolean;
  stop(): Promise<void>;
}

const quickExitMs = 5_000;
const maxPauseMs = 1_500;

/** Starts a process and restarts it within two seconds whenever it exits unexpectedly. */
export async function supervise({ name, runDirectory, ports, start, print }: Options): Promise<Supervised> {
  let stopping = false;
  let isMisconfigured = false;
  let pause = 0;

  const startOnce = async (): Promise<RunningProcess> => {
    const running = await start();
    await writeFile(
      join(runDirectory, `${name}.json`),
      `${JSON.stringify({ pid: running.pid, ...ports })}\n`,
    );
    return running;
  };

  let current = await startOnce();
  const watching = (async () => {
    while (!stopping) {
      const startedAt = Date.now();
      const exitCode = await current.exited;
      if (stopping) return;
      if (exitCode === invalidConfigurationCode) {
        isMisconfigured = true;
        return;
      }
      pause = Date.now() - startedAt < quickExitMs ? Math.min(maxPauseMs, pause * 2 + 100) : 0;
      print(`${name} exited and is restarted`);
      await sleep(pause);
      if (!stopping) current = await startOnce().catch((error) => failedStart(error as Error));
    }
  })();

  // Treated like a process that exits immediately.
  function failedStart(error: Error): RunningProcess {
    print(`${name} could not be started: ${error.message}`);
    return { pid: 0, exited: Promise.resolve(), stop: async () => {} };
  }

  return {
    get isMisconfigured() {
      return isMisconfigured;
    },
    async stop() {
      stopping = true;
      await current.stop();
      await watching;
    },
  };
}

interface NodeScript {
  script: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
}

/** Starts a Node.js process. It stops when its parent ends for any reason, because the IPC channel closes. */
export function spawnNode({ script, env, logFile }: NodeScript): RunningProcess {
  const log = openLogFile(logFile);
  // In a separate process group, so that only the supervisor receives Ctrl-C and can stop all processes in order.
  const child: ChildProcess = spawn(process.execPath, [script], {
    env,
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  const exited = new Promise<number | null>((resolve) => {
    child.once('exit', (exitCode) => resolve(exitCode));
    child.once('error', () => resolve(null));
  });
  return {
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), 25_000);
      await exited;
      clearTimeout(killTimer);
    },
  };
}
