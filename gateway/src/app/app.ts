import type { Principal, VerifyToken } from '@gradeway/shared/auth/accessToken';
import { actorOf } from '@gradeway/shared/auth/authenticate';
import { requireScope, scopeOf } from '@gradeway/shared/auth/requireScope';
import { AppError, notFound } from '@gradeway/shared/errors/appError';
import { errorCodeHeader } from '@gradeway/shared/errors/errorCodes';
import { handleErrors } from '@gradeway/shared/http/errors';
import { requestIdOf } from '@gradeway/shared/http/requestId';
import { measureRequest, startMeasuring } from '@gradeway/shared/http/requestMetrics';
import { recordRoute } from '@gradeway/shared/http/route';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import { identifyActor } from '@gradeway/shared/process/requestContext';
import cors from 'cors';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { Config } from '../config.ts';
import { forwardedHeaders } from '../forwarding/forwardedHeaders.ts';
import type { ServiceProxy } from '../forwarding/proxy.ts';
import { createReceiptTimes } from '../forwarding/receiptTimes.ts';
import { ownHeaders, setOwnHeaders } from '../forwarding/responseHeaders.ts';
import { type Client, createClients } from '../limits/clients.ts';
import { isStreamed, limitBody } from '../limits/limitBody.ts';
import type { LimitStore } from '../limits/limitStore.ts';
import { createLoginLimits } from '../limits/loginLimits.ts';
import { PendingBodies } from '../limits/pendingBodies.ts';
import { receiveBody } from '../limits/receiveBody.ts';
import { receiveRefused } from '../limits/receiveRefused.ts';
import { announceDeprecation } from '../routing/deprecation.ts';
import { createRouteMatcher } from '../routing/matchRoute.ts';
import type { Route } from '../routing/routeTable.ts';
import type { AuthClient } from '../session/authClient.ts';
import { sessionRoutes } from '../session/sessionRoutes.ts';
import type { SignInClient } from '../session/signInClient.ts';
import { ssoRoutes } from '../session/ssoRoutes.ts';
import { serveWebFiles } from '../webFiles/serveWebFiles.ts';
import type { WebFiles } from '../webFiles/webFiles.ts';
import { beginRequest, discardRest } from './beginRequest.ts';
import { type Documents, documentation, documentPaths } from './documentation.ts';
import { requireValidHead } from './requireValidHead.ts';
import type { TokenUse } from './tokenUse.ts';

interface Dependencies {
  config: Config;
  routes: Route[];
  log: Logger;
  health: Health;
  verify: VerifyToken;
  tokenUse: Pick<TokenUse, 'record'>;
  proxy: ServiceProxy;
  auth: AuthClient;
  signIns: SignInClient;
  /** The web application; undefined when it has not been built. */
  files: WebFiles | undefined;
  /** Where all replicas count together; undefined when each counts in its own memory. */
  limitStore?: LimitStore | undefined;
  documents: Documents;
}

const pendingBodies = { perClient: 256, total: 2_000, bytes: 64 * 1024 * 1024 };

/** Creates the gateway's HTTP application, without a server. */
export function createApp(dependencies: Dependencies): Express {
  const {
    config,
    routes,
    log,
    health,
    verify,
    tokenUse,
    proxy,
    auth,
    signIns,
    files,
    limitStore,
    documents,
  } = dependencies;
  const match = createRouteMatcher(routes);
  const countLogin = createLoginLimits(config, limitStore);
  const clients = createClients(config, verify, limitStore);
  const pending = new PendingBodies(pendingBodies);
  const receiptTimes = createReceiptTimes(config.serviceSecret);

  const forwardRoutes: RequestHandler = (req, res, next) => {
    const { route } = match(req.method, req.path);
    return route ? forward(route, req, res) : next();
  };

  async function forward(route: Route, req: Request, res: Response): Promise<void> {
    startMeasuring(req, res);
    if (route.deprecation) announceDeprecation(res, route.deprecation);
    const client = await admit(req, res, route);
    if (!route.open && !client.principal) throw client.refusal;
    if (client.principal) requireScopeOf(route, client.principal);
    limitBody(req, route, config.maxUploadBytes);
    const body = isStreamed(req, route)
      ? undefined
      : await receiveBody(req, {
          pending,
          client: client.key,
          timeoutMs: config.bodyTimeout,
          maxBytes: route.bodyBytes,
        });
    clients.hold(client, res, route);
    if (route.login) await countLogin(route.login, req, res);
    req.headers = Object.assign(
      forwardedHeaders(req, requestIdOf(res) ?? '', body),
      receiptTimes(route, res),
    );
    await proxy.forward(req, res, route, body);
  }

  // Called for every path, so that the same limits apply everywhere.
  async function admit(req: Request, res: Response, route?: Route): Promise<Client> {
    if (route) recordRoute(res, route.path);
    const client = await clients.admit(req, res, route);
    if (client.principal) {
      identifyActor(actorOf(client.principal));
      tokenUse.record(client.principal);
    }
    return client;
  }

  const admitted = new WeakMap<Response, Client>();
  const admitOther: RequestHandler = async (req, res, next) => {
    admitted.set(res, await admit(req, res));
    next();
  };
  const hold: RequestHandler = (_req, res, next) => {
    const client = admitted.get(res);
    if (client) clients.hold(client, res);
    next();
  };
  const refuse: RequestHandler = (req, res) => {
    const matched = match(req.method, req.path);
    const client = admitted.get(res);
    if (matched.route || !client) throw new Error('a request with a route was not forwarded');
    // Unknown paths are 401 too, so that the response does not reveal which paths exist (D2).
    if (!matched.open && isApi(req.path) && !client.principal) throw client.refusal;
    throw refusal(matched);
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustedProxies);
  app.use(beginRequest(config, log), discardRest(config), requireValidHead);
  if (config.corsOrigins.length > 0) app.use(ownHeaders, crossOrigin(config.corsOrigins));
  app.use(forwardRoutes);
  app.use(ownHeaders);
  app.get('/livez', health.livez);
  app.get('/readyz', health.readyz);
  if (files) app.use(serveWebFiles({ files, config, health, limitStore }));
  app.use(sessionRoutes({ config, health, clients, countLogin, pending, auth }));
  app.use(ssoRoutes({ config, log, clients, countLogin, pending, signIns }));
  // The headers include the remaining limit.
  app.use(measureRequest, admitOther, ownHeaders);
  app.use(documentPaths, hold);
  app.use(documentation(documents));
  app.all(['/livez', '/readyz', ...documentPaths], allowOnly('GET', 'HEAD'));
  app.all('/session', allowOnly('POST', 'DELETE'));
  app.all(['/session/refresh', '/session/sso'], allowOnly('POST'));
  app.all(/^\/session\/sso\/[^/]+(\/callback|\/logout)?$/, allowOnly('GET'));
  app.use(refuse);
  app.use(addOwnHeaders, handleErrors(log, receiveRefused(config)));
  return app;
}

// Public operations have no scope: a token in the request does not matter.
function requireScopeOf({ method, path, open }: Route, principal: Principal): void {
  if (!open || scopeOf(method, path) !== undefined) requireScope(principal, method, path);
}

const isApi = (path: string): boolean => path === '/api/v3' || path.startsWith('/api/v3/');

function refusal({ allowed }: { allowed: string[] }): AppError {
  if (allowed.length === 0) return notFound();
  return new AppError('method_not_allowed', 'Method Not Allowed', { headers: { Allow: allowed.join(', ') } });
}

const allowOnly =
  (...allowed: string[]): RequestHandler =>
  () => {
    throw refusal({ allowed });
  };

const addOwnHeaders: ErrorRequestHandler = (error, _req, res, next) => {
  if (!res.headersSent) setOwnHeaders(res);
  next(error);
};

const crossOrigin = (origins: string[]): RequestHandler =>
  cors({
    origin: origins,
    maxAge: 600,
    exposedHeaders: [
      'X-Request-Id',
      errorCodeHeader,
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
      'ETag',
      'Deprecation',
      'Sunset',
      'Link',
      'Submission-Receipt',
      'device_token',
      'device_limit',
      'second_factor',
    ],
  });
