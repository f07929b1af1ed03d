import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthService } from '@gradeway/proto/auth';
import { createTokenVerifier } from '@gradeway/shared/auth/accessToken';
import { createRemoteKeySet } from '@gradeway/shared/auth/jwks';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { type HttpServer, listen } from '@gradeway/shared/http/server';
import { Health } from '@gradeway/shared/process/health';
import { createLogger, type Logger } from '@gradeway/shared/process/logger';
import { audience, issuer, startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { createApp } from '../src/app/app.ts';
import { settings } from '../src/config.ts';
import { createProxy } from '../src/forwarding/proxy.ts';
import { closeUpstreamPools, openUpstreamPools } from '../src/forwarding/upstreamPool.ts';
import { routeTable } from '../src/routing/routeTable.ts';
import { createAuthClient } from '../src/session/authClient.ts';
import { createSignInClient } from '../src/session/signInClient.ts';
import { openWebFiles } from '../src/webFiles/webFiles.ts';

export interface TestGateway {
  url: string;
  health: Health;
  /** The address of the service. */
  upstream: string;
  tokens: TokenIssuer;
  admin: string;
  /** The last request that the service received. */
  last(): IncomingMessage;
  /** Sets how the service responds. */
  answer(listener: RequestListener): void;
  revoked: Set<number>;
  close(): Promise<void>;
}

/** Starts a gateway in front of one HTTP server that replaces all services. */
export async function startGateway(
  env: Record<string, string> = {},
  log: Logger = createLogger('gateway', 'silent'),
  routes = routeTable,
): Promise<TestGateway> {
  let last: IncomingMessage;
  let listener: RequestListener = (_req, res) => {
    res.setHeader('Content-Type', 'application/json').end('{"data":"from the service"}');
  };
  const service: Server = createServer((req, res) => {
    last = req;
    listener(req, res);
  });
  await new Promise<void>((resolve) => {
    service.listen(0, '127.0.0.1', resolve);
  });
  const upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const tokens = await startTokenIssuer();
  const addresses = { AUTH_URL: upstream, COURSES_URL: upstream, HOMEWORK_URL: upstream, QUIZ_URL: upstream };
  const config = readConfig(settings, { SERVICE_SECRET: 'x'.repeat(20), ...addresses, ...env });
  const health = new Health();
  const keys = createRemoteKeySet({ url: tokens.jwksUrl, log });
  const revoked = new Set<number>();
  const revocations = {
    isRevoked: ({ sessionId }: { sessionId: number | null }) => revoked.has(sessionId ?? 0),
  };
  const pools = openUpstreamPools(config);
  const proxy = createProxy({ config, log, health, pools });
  const verify = createTokenVerifier({ keys, revocations, issuer, audience });
  const auth = createAuthClient(pools.auth, config);
  const authGrpc = {
    address: config.authGrpc,
    caller: 'gateway',
    callee: 'auth',
    secret: config.serviceSecret,
  } as const;
  const authRpcs = createGrpcClient(AuthService, authGrpc);
  const signIns = createSignInClient(authRpcs, config.authGrpc);
  const files = config.webDirectory
    ? await openWebFiles({ directory: config.webDirectory, timeZone: config.timeZone, log })
    : undefined;
  const app = createApp({
    config,
    routes,
    log,
    health,
    verify,
    tokenUse: { record() {} },
    proxy,
    auth,
    signIns,
    files,
    documents: { openApi: '{}', asyncApi: '{}' },
  });
  const http: HttpServer = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    maxIdleConnections: config.idleConnections,
  });

  return {
    url: `http://127.0.0.1:${http.port}`,
    health,
    upstream,
    tokens,
    admin: tokens.sign(1, 'admin'),
    last: () => last,
    answer(next) {
      listener = next;
    },
    revoked,
    async close() {
      service.closeAllConnections();
      service.close();
      await keys.close();
      proxy.close();
      closeUpstreamPools(pools);
      authRpcs.close();
      await Promise.all([http.close(), tokens.close()]);
    },
  };
}
