import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import getPort from 'get-port';
import { type Ports, type ProcessName, processNames } from './processes.ts';

// Below the range of ephemeral ports, so that a restarted process finds its port free. Chosen at random, so that
// installations that start at the same time choose different ports.
const [lowest, highest] = [20_000, 31_999];
const attempts = 50;

/**
 * Returns a port that is free now and not excluded. Seconds pass between the choice and the moment a service listens.
 * On Linux, no other Gradeway process on this machine chooses the port while this one runs; elsewhere, only this
 * process avoids choosing it twice within 15 seconds.
 * @throws Error when none of 50 random ports is free
 */
export async function freePort(exclude: number[] = []): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(lowest, highest + 1);
    if (exclude.includes(port) || !(await reserve(port))) continue;
    if ((await getPort({ host: '127.0.0.1', port })) === port) return port;
  }
  throw new Error(`none of ${attempts} ports from ${lowest} to ${highest} is free`);
}

/**
 * Reserves a port until this process ends, through a name that the kernel grants to only one process and releases when
 * that process exits.
 */
async function reserve(port: number): Promise<boolean> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve);
    server.listen(`\0gradeway-port-${port}`, () => resolve(undefined));
  });
  server.unref();
  // Only Linux has such names; other systems return a different error.
  return error?.code !== 'EADDRINUSE';
}

/**
 * Chooses the ports of all processes. The caller chooses the gateway's port.
 * @throws Error if that port is taken
 */
export async function choosePorts(gatewayPort: number): Promise<Record<ProcessName, Ports>> {
  if (!(await isFree(gatewayPort)))
    throw new Error(`port ${gatewayPort} is taken: stop what uses it, or set PORT to another`);
  const ports = {} as Record<ProcessName, Ports>;
  for (const name of processNames) {
    const isGateway = name === 'gateway';
    ports[name] = {
      port: isGateway ? gatewayPort : await freePort([gatewayPort]),
      grpcPort: isGateway ? null : await freePort([gatewayPort]),
      adminPort: await freePort([gatewayPort]),
    };
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
