// Measures the overhead of tracing: the same request through three gateways with tracing off, at 1 % and at 100 %, alternating
// in one run. The services and the collector respond immediately.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { freePort } from '@gradeway/local/ports';
import { serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { median } from './benchService.ts';
import { answeredRequests } from './wrk.ts';

const [connections, seconds, rounds] = [64, 4, 6];
const goal = 0.75;

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const body = JSON.stringify({ data: 'x'.repeat(2_000) });
const service = await listen((_req, res) => {
  res.setHeader('Content-Type', 'application/json').end(body);
});
let received = 0;
const collector = await listen((req, res) => {
  req.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  req.on('end', () => res.end());
});
const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];

interface Gateway {
  name: string;
  url: string;
  process: ChildProcess;
  rates: number[];
  cpu: number[];
}

async function startGateway(name: string, env: Record<string, string>): Promise<Gateway> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const main = fileURLToPath(new URL('../gateway/dist/main.js', import.meta.url));
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...mallocSettings,
      ...{ NODE_ENV: 'production', LOG_LEVEL: 'warn', HOST: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' },
      ...{ PORT: `${port}`, ADMIN_PORT: `${adminPort}`, SERVICE_SECRET: serviceSecret },
      ...{ AUTH_URL: service, COURSES_URL: service, HOMEWORK_URL: service, QUIZ_URL: service },
      ...{ AUTH_GRPC: peers.authGrpc, JWKS_URL: tokens.jwksUrl },
      ...env,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return { name, url, process: child, rates: [], cpu: [] };
}

/** The CPU time of a process in microseconds. */
async function cpuOf({ process: { pid } }: Gateway): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

const authorization = `Bearer ${tokens.sign(1, 'admin')}`;

async function load(gateway: Gateway): Promise<{ rate: number; cpu: number }> {
  const before = await cpuOf(gateway);
  const address = `${gateway.url}/api/v3/admin/courses`;
  const requests = await answeredRequests({ address, authorization, connections, seconds });
  return { rate: requests / seconds, cpu: ((await cpuOf(gateway)) - before) / requests };
}

const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector };
const gateways = [
  await startGateway('off', {}),
  await startGateway('1 %', { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.01' }),
  await startGateway('100 %', { ...traced, OTEL_TRACES_SAMPLER_ARG: '1' }),
];
for (const gateway of gateways) await load(gateway);
for (let round = 0; round < rounds; round += 1)
  // Each gateway is first in turn, so that other load on the machine affects all of them.
  for (let turn = 0; turn < gateways.length; turn += 1) {
    const gateway = gateways[(round + turn) % gateways.length] as Gateway;
    const { rate, cpu } = await load(gateway);
    gateway.rates.push(rate);
    gateway.cpu.push(cpu);
  }

const [off] = gateways as [Gateway];
const ratioOf = ({ rates }: Gateway) => median(rates.map((rate, round) => rate / (off.rates[round] ?? 0)));
for (const gateway of gateways) {
  const { name, rates, cpu } = gateway;
  const figures = [
    `${median(rates).toFixed(0)} requests/s`,
    `${median(cpu).toFixed(0)} µs of CPU time per request`,
    `ratio ${ratioOf(gateway).toFixed(2)}`,
  ];
  console.log(`tracing ${name.padEnd(6)} ${figures.join('   ')}`);
}
console.log(`The collector received ${(received / 1024 / 1024).toFixed(0)} MB.`);
const ratio = ratioOf(gateways[1] as Gateway);
console.log(`At 1 %: ${ratio.toFixed(2)} (goal: at least ${goal})`);
for (const gateway of gateways) gateway.process.kill('SIGTERM');
process.exit(ratio >= goal ? 0 : 1);
