import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import getPort from 'get-port';
import { type Ports, type ProcessName, processNames } from './processes.ts';

// Below the range of ephemeral ports: a process that is restarted must find its port free. At random, so that
// installations that start at the same time choose different ports.
const [lowest, highest] = [20_000, 31_999];
const attempts = 50;

/**
 * A port that is free now and not excluded. No other process of Gradeway on this machine chooses it while this one runs (on
 * Linux; elsewhere only this process does not choose it twice within 15 seconds): from the choice until a service listens,
 * seconds pass.
 * @throws Error when none of 50 ports at random is free
 */
export async function freePort(exclude: number[] = []): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(lowest, highest + 1);
    if (exclude.includes(port) || !(await reserve(port))) continue;
    if ((await getPort({ host: '127.0.0.1', port })) === port) return port;
  }
  throw new Error(`none of ${attempts} ports from ${lowest} to ${highest} is free`);
}

/** Reserves a port until this process ends, by a name that the kernel grants to one process and releases when it exits. */
async function reserve(port: number): Promise<boolean> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once('error', resolve);
    server.listen(`\0gradeway-port-${port}`, () => resolve(undefined));
  });
  server.unref();
  // Only Linux has such names: elsewhere the error is another one.
  return error?.code !== 'EADDRINUSE';
}

/**
 * Chooses the ports of all processes; the port of the gateway is given.
 * @throws Error when that port is taken
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
