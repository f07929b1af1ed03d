import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mallocSettings } from '@gradeway/local/mallocSettings';
import { freePort } from '@gradeway/local/ports';
import { serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { writeNginxConfiguration } from './nginx.ts';
import type { Parts } from './switchableParts.ts';

/** A running server, and the process whose CPU time counts. */
export interface ProxyServer {
  url: string;
  pid: number;
}

/** A gateway whose parts can be switched off. */
interface SwitchableGateway extends ProxyServer {
  switchTo(parts: Parts): Promise<void>;
}

export interface Proxies {
  tokens: TokenIssuer;
  service: ProxyServer;
  startPeer(name: 'fastify' | 'express' | 'undici'): Promise<ProxyServer>;
  startNginx(): Promise<ProxyServer>;
  /** Starts a gateway as it is shipped, with the request log, metrics and the default share of traces. */
  startGateway(env?: Record<string, string>): Promise<ProxyServer>;
  startSwitchableGateway(): Promise<SwitchableGateway>;
  stop(): void;
}

/** Starts one service, and the proxies in front of it. */
export async function startProxies(): Promise<Proxies> {
  const children: ChildProcess[] = [];
  const directory = mkdtempSync(join(tmpdir(), 'gradeway-proxies-'));
  const [peers, tokens, collector] = [
    await startFakePeers(),
    await startTokenIssuer(),
    await startCollector(),
  ];
  const own = (file: string) => fileURLToPath(new URL(file, import.meta.url));

  async function start(
    program: string,
    parameters: string[],
    port: number,
    env: Record<string, string> = {},
  ) {
    const log = openSync(join(directory, `${port}.log`), 'w');
    const child = spawn(program, parameters, {
      stdio: ['ignore', log, 'inherit', 'ipc'],
      env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: `${port}`, ...env },
    });
    children.push(child);
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status;
    // A proxy that checks tokens refuses this request, which also shows that it is running.
    while ([undefined, 503].includes(await ready())) {
      if (child.exitCode !== null) throw new Error(`${parameters.join(' ')} ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return { url, pid: child.pid ?? 0, child };
  }

  const servicePort = await freePort();
  const service = await start(process.execPath, [own('service.ts')], servicePort);
  const addresses = { SERVICE_URL: service.url, JWKS_URL: tokens.jwksUrl };

  async function startGateway(nodeOptions: string[] = [], env: Record<string, string> = {}) {
    const [port, adminPort] = [await freePort(), await freePort()];
    const { url } = service;
    return await start(process.execPath, [...nodeOptions, own('../../../gateway/dist/main.js')], port, {
      ...mallocSettings,
      ...{ HOST: '127.0.0.1', ADMIN_PORT: `${adminPort}`, SERVICE_SECRET: serviceSecret },
      ...{ AUTH_URL: url, COURSES_URL: url, HOMEWORK_URL: url, QUIZ_URL: url },
      ...{ AUTH_GRPC: peers.authGrpc, JWKS_URL: tokens.jwksUrl },
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      // Requests are counted as usual, but never refused.
      RATE_LIMIT_PER_MINUTE: '1000000000',
      ...env,
    });
  }

  return {
    tokens,
    service,
    startPeer: async (name) =>
      await start(process.execPath, [own(`${name}.ts`)], await freePort(), addresses),
    async startNginx() {
      const port = await freePort();
      return await start('nginx', ['-c', writeNginxConfiguration(port, servicePort)], port);
    },
    startGateway: (env) => startGateway([], env),
    async startSwitchableGateway() {
      const { child, ...server } = await startGateway(['--import', own('switchableParts.ts')], {
        OTEL_TRACES_SAMPLER_ARG: '1',
      });
      return {
        ...server,
        async switchTo(parts) {
          child.send(parts);
          await once(child, 'message');
        },
      };
    },
    stop() {
      for (const child of children) child.kill('SIGTERM');
    },
  };
}

/** Receives traces and drops them. */
async function startCollector(): Promise<string> {
  const server = createServer((req, res) => {
    req.resume().once('end', () => res.end());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
