import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';
import { createHttpClient } from './httpClient.ts';
import { waitFor } from './waitFor.ts';

/** Starts the built gateway and returns the URLs of all modules that it has loaded once it serves requests. */
export async function modulesOfGateway(env: Record<string, string | undefined>): Promise<string[]> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const recorder = new URL('recordLoadedModules.ts', import.meta.url).href;
  const main = fileURLToPath(new URL('../../gateway/dist/main.js', import.meta.url));
  const child = spawn(process.execPath, ['--import', recorder, main], {
    env: { HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await waitFor(() => isAlive(port));
    child.send('list');
    const [modules] = await once(child, 'message');
    return modules;
  } finally {
    child.kill('SIGKILL');
  }
}

const isAlive = async (port: number): Promise<boolean> =>
  (await createHttpClient({ baseUrl: `http://127.0.0.1:${port}` }).get('/livez')).status === 200;

/** The package of a module; undefined for a module in the workspace. */
export const packageOf = (url: string): string | undefined =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
