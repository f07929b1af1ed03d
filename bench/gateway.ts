// Compares the gateway with other proxies of the same service, and with itself without its log, metrics or traces.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadRequests } from './loadRequests.ts';
import { inOrderOf, Measurement, measure, type Subject } from './measuring/measure.ts';
import type { Row } from './measuring/row.ts';
import { short } from './measuring/statistics.ts';
import { type Proxies, type ProxyServer, startProxies } from './proxies/startProxies.ts';
import type { Parts } from './proxies/switchableParts.ts';

const seconds = 2;
const users = 500;
const tracesEverything = 'tracing 100 %';
// V8 returns memory of a process that has waited for its turn, which needs some load to grow again.
const leadSeconds = 1;
// A gateway that traces everything exports for longer than the lead of its successor.
const exportedAfterMs = 1_500;
// V8 also compiles what a proxy runs during its first ten seconds of load, and one that has served longer has an advantage.
const warmUps = 3;
// Three sets were too few: their medians differed by 5 % for the same program.
const setsOfPeers = { sets: 6, rounds: 2, warmUps };
// A few pauses of the machine decide the p99 of a round.
const setsForLatency = { sets: 4, rounds: 5, warmUps: 1 };
// Within one process.
const setsOfParts = { sets: 3, rounds: 8, warmUps };

export async function run(): Promise<Row[]> {
  const proxies = await startProxies();
  try {
    return [
      ...(await comparePeers(proxies)),
      ...(await compareLatency(proxies)),
      ...(await compareParts(proxies)),
    ];
  } finally {
    proxies.stop();
  }
}

function subjectsOf(proxies: Proxies, connections: number, servers: Record<string, ProxyServer>): Subject[] {
  const requests = Array.from({ length: users }, (_, user) => ({
    path: '/api/v3/admin/courses',
    token: proxies.tokens.sign(user + 1, 'admin'),
  }));
  return Object.entries(servers).map(([name, { url, pid }]) => {
    const load = (duration: number) =>
      loadRequests({ origin: url, requests, connections, seconds: duration });
    return {
      name,
      processes: () => [pid],
      prepare: () => load(leadSeconds),
      async run() {
        const figures = await load(seconds);
        if (name === tracesEverything) await sleep(exportedAfterMs);
        return figures;
      },
    };
  });
}

interface Processes {
  subjects: Subject[];
  pids: number[];
}

/**
 * Measures in several sets of new processes: what V8 decides in the first seconds of a process stays, so that two processes of
 * one program may differ by a tenth.
 */
async function measureSets(
  { sets, ...setting }: { sets: number; rounds: number; warmUps: number },
  startSet: (set: number) => Promise<Processes>,
): Promise<Measurement> {
  const all = new Measurement();
  for (let set = 1; set <= sets; set += 1) {
    const { subjects, pids } = await startSet(set);
    all.include(await measure({ subjects, ...setting }));
    for (const pid of pids) process.kill(pid);
    console.log(`set ${set} of ${sets}`);
  }
  console.log(all.table());
  return all;
}

async function comparePeers(proxies: Proxies): Promise<Row[]> {
  const servers = {
    gateway: () => proxies.startGateway(),
    fastify: () => proxies.startPeer('fastify'),
    express: () => proxies.startPeer('express'),
    undici: () => proxies.startPeer('undici'),
    nginx: () => proxies.startNginx(),
  };
  const measured = await measureSets(setsOfPeers, async (set) => {
    const started: Record<string, ProxyServer> = {};
    // Otherwise the same ones would be started first, and measured after the same others, in every set.
    for (const [name, start] of inOrderOf(set, Object.entries(servers))) started[name] = await start();
    const pids = Object.values(started).map(({ pid }) => pid);
    return { subjects: subjectsOf(proxies, 64, started), pids };
  });
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

async function compareLatency(proxies: Proxies): Promise<Row[]> {
  const names = ['gateway', 'direct', 'nginx'];
  const measured = await measureSets(setsForLatency, async () => {
    const [gateway, nginx] = [await proxies.startGateway(), await proxies.startNginx()];
    const servers = { gateway, direct: proxies.service, nginx };
    // A single connection sends too little for V8 to compile everything before the first round.
    for (let lead = 0; lead < warmUps; lead += 1)
      for (const subject of subjectsOf(proxies, 64, servers)) await subject.run();
    return { subjects: subjectsOf(proxies, 1, servers), pids: [gateway.pid, nginx.pid] };
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

// Switched within one process: two processes of one program differ by more than a part takes.
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
    row('tracing 100 %', [tracesEverything, 'no tracing'], 0.85),
  ];
}

const figuresOf = (measured: Measurement, names: string[], figure: string): string =>
  names.map((name) => `${name} ${short(measured.median(name, figure))}`).join(', ');

function versions(): Record<string, string> {
  const names = [
    '@fastify/http-proxy',
    'fastify',
    'express',
    'http-proxy-middleware',
    'undici',
    'jsonwebtoken',
  ];
  const ofPackages = names.map((name) => {
    const file = fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url));
    return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
  });
  const nginx = execFileSync('bash', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' });
  return { ...Object.fromEntries(ofPackages), nginx: /nginx\/(\S+)/.exec(nginx)?.[1] ?? 'unknown' };
}
