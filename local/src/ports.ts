import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import getPort from 'get-port';
import { type Ports, type ProcessName, processNames } from './processes.ts';

// Below the range of ephemeral ports: a process that is restarted must find its port free. At random, so that
// installations that start at the same time choose different ports.
const [lowest, highest] = [20_000, 31_999];
const candidates = () => Array.from({ length: 20 }, () => randomInt(lowest, highest + 1));

/** A port that is free now and not excluded. */
export const freePort = (exclude: number[] = []) =>
  getPort({ host: '127.0.0.1', port: candidates(), exclude });

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
