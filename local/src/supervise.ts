import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs until it is stopped or ends by itself. */
export interface Running {
  pid: number;
  exited: Promise<unknown>;
  stop(): Promise<void>;
}

interface Options {
  name: string;
  /** `DATA_DIR/run`: where other programs find it. */
  runDirectory: string;
  ports: { port: number; grpcPort: number | null; adminPort: number | null };
  start(): Promise<Running>;
  say(line: string): void;
}

export interface Supervised {
  stop(): Promise<void>;
}

const quickDeathMs = 5_000;
const longestPauseMs = 1_500;

/** Starts something and starts it again, within two seconds, whenever it ends without having been asked to. */
export async function supervise({ name, runDirectory, ports, start, say }: Options): Promise<Supervised> {
  let stopping = false;
  let pause = 0;

  const startOne = async (): Promise<Running> => {
    const running = await start();
    await writeFile(
      join(runDirectory, `${name}.json`),
      `${JSON.stringify({ pid: running.pid, ...ports })}\n`,
    );
    return running;
  };

  let current = await startOne();
  const watching = (async () => {
    while (!stopping) {
      const startedAt = Date.now();
      await current.exited;
      if (stopping) return;
      pause = Date.now() - startedAt < quickDeathMs ? Math.min(longestPauseMs, pause * 2 + 100) : 0;
      say(`${name} ended and is started again`);
      await sleep(pause);
      if (!stopping) current = await startOne().catch((error) => failed(error as Error));
    }
  })();

  // What could not be started counts as something that ended at once.
  function failed(error: Error): Running {
    say(`${name} could not be started: ${error.message}`);
    return { pid: 0, exited: Promise.resolve(), stop: async () => {} };
  }

  return {
    async stop() {
      stopping = true;
      await current.stop();
      await watching;
    },
  };
}

interface NodeProcess {
  script: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
}

/** Starts a Node process of ours. It ends when we do, however we end: the IPC channel tells it. */
export function startNode({ script, env, logFile }: NodeProcess): Running {
  const log = openSync(logFile, 'a');
  // In a group of its own: Ctrl-C is for us, who stop everything in its order.
  const child: ChildProcess = spawn(process.execPath, [script], {
    env,
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 25_000);
      await exited;
      clearTimeout(patience);
    },
  };
}
