import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import getPort from 'get-port';
import { type Ports, type ProcessName, processNames } from './processes.ts';

// Below the range that systems take outgoing connections' ports from: a process that is started again must find
// its port free. At random, so that installations that start at the same time do not choose the same.
const [lowest, highest] = [20_000, 31_999];
const candidates = () => Array.from({ length: 20 }, () => randomInt(lowest, highest + 1));

/** A port that is free now, and is not one of these. */
export const freePort = (exclude: number[] = []) =>
  getPort({ host: '127.0.0.1', port: candidates(), exclude });

/**
 * Chooses the ports of every process; the gateway's is given.
 * @throws Error when that one is taken
 */
export async function choosePorts(gatewayPort: number): Promise<Record<ProcessName, Ports>> {
  if (!(await isFree(gatewayPort)))
    throw new Error(`port ${gatewayPort} is taken: stop what uses it, or set PORT to another`);
  const ports = {} as Record<ProcessName, Ports>;
  for (const name of processNames) {
    const gateway = name === 'gateway';
    ports[name] = {
      port: gateway ? gatewayPort : await freePort([gatewayPort]),
      grpcPort: gateway ? null : await freePort([gatewayPort]),
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
