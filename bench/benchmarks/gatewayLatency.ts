// Compares the latency of one connection through the gateway with nginx, and with the service itself.
import { measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { figuresOf, measureSets, subjectsOf, versions, warmUps } from '../support/proxies/measureProxies.ts';
import { type Proxies, startProxies } from '../support/proxies/startProxies.ts';

// A few pauses of the machine determine the p99 of a round.
const sets = { sets: 4, rounds: 5, warmUps: 1 };

export async function run(): Promise<Row[]> {
  const proxies = await startProxies();
  try {
    return await compareLatency(proxies);
  } finally {
    proxies.stop();
  }
}

async function compareLatency(proxies: Proxies): Promise<Row[]> {
  // A forwarder with only node:http and undici is the minimum for a proxy in JavaScript.
  const names = ['gateway', 'direct', 'nginx', 'undici'];
  const measured = await measureSets(sets, async () => {
    const [gateway, nginx] = [await proxies.startGateway(), await proxies.startNginx()];
    const undici = await proxies.startPeer('undici');
    const servers = { gateway, direct: proxies.service, nginx, undici };
    // A single connection sends too little for V8 to compile everything before the first round.
    await measure({ subjects: subjectsOf(proxies, 64, servers), rounds: 0, warmUps });
    return {
      subjects: subjectsOf(proxies, 1, servers),
      pids: [gateway, nginx, undici].map(({ pid }) => pid),
    };
  });
  const work = '2 KB JSON, one connection';
  return [
    {
      name: 'gateway.latency.added',
      work: `${work}: median latency added`,
      against: 'direct to the service',
      goal: { atMost: 0.3 },
      unit: 'ms',
      values: measured.differences('gateway', 'direct', 'p50Ms'),
      note: `ms: ${figuresOf(measured, names, 'p50Ms')}`,
    },
    {
      name: 'gateway.latency.p99',
      work: `${work}: latency, p99`,
      against: 'nginx',
      goal: { atMost: 2 },
      values: measured.ratios('gateway', 'nginx', 'p99Ms'),
      note: `ms: ${figuresOf(measured, names, 'p99Ms')}`,
      versions: versions(),
    },
  ];
}
