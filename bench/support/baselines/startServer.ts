import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';

interface Server {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** Starts a program of this folder that listens on PORT and sends a message when it does. */
export async function startServer(program: string, env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production', PORT: `${port}`, ...env },
  });
  await new Promise((resolve) => child.once('message', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: async () => void child.kill(),
  };
}
