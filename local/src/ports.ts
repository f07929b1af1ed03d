import { createServer } from 'node:net';
import getPort, { portNumbers } from 'get-port';
import { type Ports, type ProcessName, processNames } from './processes.ts';

// Below the range that systems take outgoing connections' ports from: a process that is started again must find
// its port free.
const range = () => portNumbers(20_000, 31_999);

export const freePort = () => getPort({ host: '127.0.0.1', port: range() });

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
      port: gateway ? gatewayPort : await freePort(),
      grpcPort: gateway ? null : await freePort(),
      adminPort: await freePort(),
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
