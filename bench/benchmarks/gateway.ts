// Compares the gateway with other proxies in front of the same service, and with itself without its log, metrics or
// traces. GATEWAY names parts to measure alone: `peers`, `parts`, `tokens` or `store`.
import { hasValkey, startValkey } from '@gradeway/test/valkey';
import { inOrderOf } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { runParts } from '../support/measuring/runParts.ts';
import {
  figuresOf,
  measureSets,
  scopedTokens,
  subjectsOf,
  tracesEverything,
  versions,
  warmUps,
} from '../support/proxies/measureProxies.ts';
import { type Proxies, type ProxyServer, startProxies } from '../support/proxies/startProxies.ts';
import type { Parts } from '../support/proxies/switchableParts.ts';

// Three sets were too few: their medians differed by 5 % for the same program.
const setsOfPeers = { sets: 6, rounds: 2, warmUps };
// Within one process.
const setsOfParts = { sets: 3, rounds: 8, warmUps };

const comparisons: Record<string, (proxies: Proxies) => Promise<Row[]>> = {
  peers: comparePeers,
  parts: compareParts,
  tokens: compareTokens,
  store: compareStore,
};

export async function run(): Promise<Row[]> {
  const proxies = await startProxies();
  try {
    return await runParts('GATEWAY', comparisons, proxies);
  } finally {
    proxies.stop();
  }
}

const measureServers = (proxies: Proxies, servers: Record<string, () => Promise<ProxyServer>>) =>
  measureSets(setsOfPeers, async (set) => {
    const started: Record<string, ProxyServer> = {};
    // Otherwise each set would start and measure them in the same order.
    for (const [name, start] of inOrderOf(set, Object.entries(servers))) started[name] = await start();
    const pids = Object.values(started).map(({ pid }) => pid);
    return { subjects: subjectsOf(proxies, 64, started), pids };
  });

async function comparePeers(proxies: Proxies): Promise<Row[]> {
  const servers = {
    gateway: () => proxies.startGateway(),
    fastify: () => proxies.startPeer('fastify'),
    express: () => proxies.startPeer('express'),
    undici: () => proxies.startPeer('undici'),
    nginx: () => proxies.startNginx(),
  };
  const measured = await measureServers(proxies, servers);
  const names = Object.keys(servers);
  const work = '2 KB JSON, 64 connections, 500 users, as shipped';
  return [
    {
      name: 'gateway.cpu',
      work: `${work}: CPU per request`,
      against: '@fastify/http-proxy with jsonwebtoken',
      goal: { atMost: 0.5 },
      values: measured.ratios('gateway', 'fastify', 'cpu'),
      note: `µs: ${figuresOf(measured, names, 'cpu')}`,
      versions: versions(),
    },
    {
      name: 'gateway.rate',
      work: `${work}: requests a second`,
      against: 'express with http-proxy-middleware alone',
      goal: { atLeast: 0.8 },
      values: measured.ratios('gateway', 'express', 'rate'),
      note: `requests/s: ${figuresOf(measured, names, 'rate')}`,
      versions: versions(),
    },
  ];
}

// The parts are switched within one process, because two processes of the same program differ by more than the cost
// of a part.
async function compareParts(proxies: Proxies): Promise<Row[]> {
  const shipped: Parts = { log: true, metrics: true, traces: 'sampled' };
  const variants: Record<string, Parts> = {
    gateway: shipped,
    'no log': { ...shipped, log: false },
    'no metrics': { ...shipped, metrics: false },
    'no tracing': { ...shipped, traces: 'off' },
    [tracesEverything]: { ...shipped, traces: 'all' },
  };
  const measured = await measureSets(setsOfParts, async () => {
    const gateway = await proxies.startSwitchableGateway();
    const servers = Object.fromEntries(Object.keys(variants).map((name) => [name, gateway]));
    const subjects = subjectsOf(proxies, 64, servers).map((subject) => ({
      ...subject,
      async prepare() {
        await gateway.switchTo(variants[subject.name] as Parts);
        await subject.prepare?.();
      },
    }));
    return { subjects, pids: [gateway.pid] };
  });
  const row = (part: string, [subject, other]: [string, string], atLeast: number): Row => ({
    name: `gateway.${part.replaceAll(/[ %]+/g, '')}`,
    work: `2 KB JSON, 64 connections, with ${part}: requests a second`,
    against: 'the same without',
    goal: { atLeast },
    values: measured.ratios(subject, other, 'rate'),
    note: `µs of CPU: ${figuresOf(measured, [subject, other], 'cpu')}`,
  });
  return [
    row('log', ['gateway', 'no log'], 0.95),
    row('metrics', ['gateway', 'no metrics'], 0.95),
    row('tracing 1 %', ['gateway', 'no tracing'], 0.95),
    row('tracing 100 %', [tracesEverything, 'no tracing'], 0.75),
  ];
}

async function compareTokens(proxies: Proxies): Promise<Row[]> {
  const names = [scopedTokens, 'sessions'];
  const measured = await measureSets(setsOfParts, async () => {
    const gateway = await proxies.startGateway();
    const servers = Object.fromEntries(names.map((name) => [name, gateway]));
    return { subjects: subjectsOf(proxies, 64, servers), pids: [gateway.pid] };
  });
  return [
    {
      name: 'gateway.scopedTokens',
      work: '2 KB JSON, 64 connections, with tokens for programs: CPU per request',
      against: 'the same with tokens of sessions',
      goal: { atMost: 1.05 },
      values: measured.ratios(scopedTokens, 'sessions', 'cpu'),
      note: `µs of CPU: ${figuresOf(measured, names, 'cpu')}`,
    },
  ];
}

async function compareStore(proxies: Proxies): Promise<Row[]> {
  if (!hasValkey) return [];
  const valkey = await startValkey();
  const servers = {
    'shared limits': () => proxies.startGateway({ RATE_LIMIT_URL: valkey.url }),
    'own limits': () => proxies.startGateway(),
  };
  const names = Object.keys(servers);
  try {
    const measured = await measureServers(proxies, servers);
    return [
      {
        name: 'gateway.sharedLimits',
        work: '2 KB JSON, 64 connections, limits counted in Redis: CPU per request',
        against: 'the same counted in memory',
        goal: { atMost: 2 },
        values: measured.ratios('shared limits', 'own limits', 'cpu'),
        note: `µs of CPU: ${figuresOf(measured, names, 'cpu')}`,
      },
    ];
  } finally {
    await valkey.kill();
  }
}
