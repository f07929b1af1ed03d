import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openTokenVerifier } from '@gradeway/shared/auth/openTokenVerifier';
import { signingKeyWith } from '@gradeway/shared/config/serviceKeys';
import { openEventListener } from '@gradeway/shared/events/openBroker';
import { startAdminServer } from '@gradeway/shared/http/adminServer';
import { listen } from '@gradeway/shared/http/server';
import { runProcess } from '@gradeway/shared/process/runProcess';
import { createApp } from './app/app.ts';
import { createTokenUse } from './app/tokenUse.ts';
import { settings } from './config.ts';
import { createProxy } from './forwarding/proxy.ts';
import { shareResult } from './forwarding/shareResult.ts';
import { closeUpstreamPools, openUpstreamPools } from './forwarding/upstreamPool.ts';
import { upstreamReady } from './forwarding/upstreamReady.ts';
import { openLimitStore } from './limits/limitStore.ts';
import { routeTable } from './routing/routeTable.ts';
import { createAuthClient } from './session/authClient.ts';
import { createSignInClient } from './session/signInClient.ts';
import { openWebFiles } from './webFiles/webFiles.ts';

// Anyone may call `/readyz`, and each check costs every service a connection and a query.
const readinessMs = 1_000;

await runProcess('gateway', settings, async (context) => {
  const { config, log, health, onStop } = context;

  const adminServer = await startAdminServer(health, config.host, config.adminPort);
  onStop('the admin port', () => adminServer.close());

  const events = config.eventsUrl ? await openEventListener({ url: config.eventsUrl, log }) : undefined;
  onStop('the broker', () => events?.close());
  const { verify, auth: authRpcs } = openTokenVerifier(context, 'gateway', events);
  const tokenUse = createTokenUse({ auth: authRpcs, log });
  onStop('the reports of used tokens', () => tokenUse.close());
  const { authUrl: auth, coursesUrl: courses, homeworkUrl: homework, quizUrl: quiz } = config;
  for (const [service, url] of Object.entries({ auth, courses, homework, quiz }))
    health.addUpstreamCheck(
      service,
      shareResult(() => upstreamReady(url), readinessMs),
    );

  const pools = openUpstreamPools(config);
  onStop('the connections to the services', () => closeUpstreamPools(pools));
  const proxy = createProxy({ config, log, health, pools });
  onStop('the connections of uploads and downloads', () => proxy.close());
  const authClient = createAuthClient(pools.auth, config);
  const signIns = createSignInClient(authRpcs, config.authGrpc);

  const builtByDefault = fileURLToPath(new URL('../web/dist', import.meta.url));
  const files = await openWebFiles({
    directory: config.webDirectory ?? builtByDefault,
    timeZone: config.timeZone,
    log,
  });

  const limitStore = config.rateLimitUrl
    ? await openLimitStore({
        url: config.rateLimitUrl,
        secret: signingKeyWith('auth', config.serviceSecret),
        log,
      })
    : undefined;
  onStop('the store of the limits', () => limitStore?.close());

  const readDocument = (name: string) => readFile(new URL(name, import.meta.url), 'utf8');
  const documents = {
    openApi: await readDocument('openapi.json'),
    asyncApi: await readDocument('asyncapi.json'),
  };
  const app = createApp({
    config,
    routes: routeTable,
    log,
    health,
    verify,
    tokenUse,
    proxy,
    auth: authClient,
    signIns,
    files,
    limitStore,
    documents,
  });
  const http = await listen(app, {
    host: config.host,
    port: config.port,
    requestTimeoutMs: config.transferTotalTimeout,
    keepAliveMs: 65_000,
    maxIdleConnections: config.idleConnections,
  });
  onStop('the HTTP server', () => http.close());
});
