import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadRequests } from '../load/loadRequests.ts';
import { Measurement, measure, type Subject } from '../measuring/measure.ts';
import { short } from '../measuring/statistics.ts';
import type { Proxies, ProxyServer } from './startProxies.ts';

const seconds = 2;
const users = 500;
/** The name of the gateway that traces every request. */
export const tracesEverything = 'tracing 100 %';
/** The name of the gateway whose clients are programs instead of sessions. */
export const scopedTokens = 'scoped tokens';
// While a process waits for its turn, V8 releases memory, and the heap grows back only under load.
const leadSeconds = 1;
/** V8 compiles a proxy's code during its first ten seconds of load, so one that has run longer has an advantage. */
export const warmUps = 3;
// A gateway that traces everything is still exporting when the lead of its successor ends.
const exportedAfterMs = 1_500;

/** Proxies under the same load: a list of 2 KB, requested by 500 users. */
export function subjectsOf(
  proxies: Proxies,
  connections: number,
  servers: Record<string, ProxyServer>,
): Subject[] {
  const requestsWith = (sign: (id: number) => string) =>
    Array.from({ length: users }, (_, user) => ({ path: '/api/v3/admin/courses', token: sign(user + 1) }));
  const sessions = requestsWith((id) => proxies.tokens.sign(id, 'admin'));
  const programs = requestsWith((id) => proxies.tokens.signForProgram(id, 'courses:read work:read'));
  return Object.entries(servers).map(([name, { url, pid }]) => {
    const requests = name === scopedTokens ? programs : sessions;
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
 * Measures several sets of new processes. V8's decisions in the first seconds of a process are permanent, so two
 * processes of one program may differ by a tenth.
 */
export async function measureSets(
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

/** The medians of one figure, for the note of a row. */
export const figuresOf = (measured: Measurement, names: string[], figure: string): string =>
  names.map((name) => `${name} ${short(measured.median(name, figure))}`).join(', ');

/** The versions of the proxies. */
export function versions(): Record<string, string> {
  const names = [
    '@fastify/http-proxy',
    'fastify',
    'express',
    'http-proxy-middleware',
    'undici',
    'jsonwebtoken',
  ];
  const ofPackages = names.map((name) => {
    const file = fileURLToPath(new URL(`../../../node_modules/${name}/package.json`, import.meta.url));
    return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
  });
  const nginx = execFileSync('bash', ['-c', 'nginx -v 2>&1'], { encoding: 'utf8' });
  return { ...Object.fromEntries(ofPackages), nginx: /nginx\/(\S+)/.exec(nginx)?.[1] ?? 'unknown' };
}
