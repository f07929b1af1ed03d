import { randomUUID } from 'node:crypto';
import type { VerifyToken } from '@gradeway/shared/auth/accessToken';
import { AppError, notFound } from '@gradeway/shared/errors/appError';
import { handleErrors } from '@gradeway/shared/http/errors';
import { recordRoute } from '@gradeway/shared/http/route';
import { measureRequest } from '@gradeway/shared/metrics/httpRequests';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import { identifyActor, type RequestContext, requestContext } from '@gradeway/shared/process/requestContext';
import { traceRequests } from '@gradeway/shared/tracing/httpSpans';
import { bindActiveTrace } from '@gradeway/shared/tracing/span';
import cors from 'cors';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { type Client, createClients } from './clients.ts';
import type { Config } from './config.ts';
import { documentation } from './documentation.ts';
import { replaceHeaders } from './forwardedHeaders.ts';
import { isStreamed, limitBody } from './limitBody.ts';
import { createRouteMatcher, type Match } from './matchRoute.ts';
import { PendingBodies } from './pendingBodies.ts';
import type { ServiceProxy } from './proxy.ts';
import { addressKey, createRateLimit } from './rateLimit.ts';
import { receiveBody } from './receiveBody.ts';
import { type Route, routeTable } from './routeTable.ts';
import { limitUploadRate } from './uploadRate.ts';

interface Dependencies {
  config: Config;
  log: Logger;
  health: Health;
  verify: VerifyToken;
  proxy: ServiceProxy;
  /** The OpenAPI document, as JSON text. */
  openApi: string;
}

const loginWindowSeconds = 15 * 60;
const pendingBodies = { perClient: 256, total: 2_000, bytes: 64 * 1024 * 1024 };

/** The HTTP application of the gateway. It does not listen. */
export function createApp({ config, log, health, verify, proxy, openApi }: Dependencies): Express {
  const match = createRouteMatcher(routeTable);
  const logins = createRateLimit('logins', config.loginLimit, loginWindowSeconds);
  const codes = createRateLimit('codes', config.codeLimit, loginWindowSeconds);

  const clients = createClients(config, verify);
  const pending = new PendingBodies(pendingBodies);
  const admitted = new WeakMap<Response, { client: Client; matched: Match }>();

  // Before the documentation and every other path, so that the same limits hold everywhere.
  const admit: RequestHandler = async (req, res, next) => {
    const matched = match(req.method, req.path);
    if (matched.route) recordRoute(res, matched.route.path);
    const client = await clients.admit(req, res, matched.route);
    if (client.principal) identifyActor(client.principal);
    admitted.set(res, { client, matched });
    next();
  };

  function admittedOf(res: Response): { client: Client; matched: Match } {
    const found = admitted.get(res);
    if (!found) throw new Error('the request was not admitted');
    return found;
  }

  const hold: RequestHandler = (_req, res, next) => {
    clients.hold(admittedOf(res).client, res);
    next();
  };

  const handle: RequestHandler = async (req, res) => {
    const { client, matched } = admittedOf(res);
    const open = matched.route ? matched.route.open : matched.open;
    // Unknown paths are 401 too: the answer does not reveal which paths exist (D2).
    if (!open && isApi(req.path) && !client.principal) throw client.refusal;
    if (!matched.route) throw refusal(matched);
    limitBody(req, matched.route, config.maxUploadBytes);
    await countLogin(matched.route, req, res);
    const body = isStreamed(req, matched.route)
      ? undefined
      : await receiveBody(req, { pending, client: client.key, timeoutMs: config.bodyTimeout });
    clients.hold(client, res);
    replaceHeaders(req, String(res.getHeader('X-Request-Id')), body);
    await proxy.forward(req, res, matched.route, body);
  };

  // Requests for one-time codes have a limit of their own (D50). A failed login shows in the response. Once the limit is
  // reached, requests are refused without checking the password.
  async function countLogin({ login }: Route, req: Request, res: Response): Promise<void> {
    if (!login) return;
    const key = addressKey(req.ip);
    if (login === 'codes') return codes.count(key);
    await logins.check(key);
    res.once('finish', () => {
      // Who lacks only the second factor has not guessed.
      if (res.statusCode === 401 && !res.hasHeader('second_factor')) logins.count(key).catch(() => {});
    });
  }

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', config.trustedProxies);
  app.use(
    traceRequests({ trustTraceparent: false }),
    beginRequest(config, log),
    discardRest(config),
    securityHeaders,
    crossOrigin(config.corsOrigins),
  );
  app.get('/livez', health.livez);
  app.get('/readyz', health.readyz);
  app.use(measureRequest);
  app.use(admit);
  app.use(['/docs', '/api/v3/openapi.json'], hold);
  app.use(documentation(openApi));
  app.all(['/livez', '/readyz', '/docs', '/api/v3/openapi.json'], readOnly);
  app.use(handle);
  app.use(handleErrors(log, config.bodyTimeout));
  return app;
}

const isApi = (path: string): boolean => path === '/api/v3' || path.startsWith('/api/v3/');

function refusal({ allowed }: { allowed: string[] }): AppError {
  if (allowed.length === 0) return notFound();
  return new AppError('method_not_allowed', 'Method Not Allowed', { headers: { Allow: allowed.join(', ') } });
}

const readOnly: RequestHandler = () => {
  throw refusal({ allowed: ['GET', 'HEAD'] });
};

// Always a new id: with an id from outside a client could mix its log lines into another request.
function beginRequest({ transferTotalTimeout }: Config, log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const context: RequestContext = { requestId, deadline: Date.now() + transferTotalTimeout };
    const { method, path } = req;
    res.set('X-Request-Id', requestId);
    const writeLine = () => {
      const line = {
        method,
        path,
        status: res.statusCode,
        ms: Math.round(performance.now() - startedAt),
        request_id: requestId,
        user_id: context.actor?.userId,
      };
      // Probes arrive every few seconds.
      const level = path === '/readyz' || path === '/livez' ? 'debug' : 'info';
      log[level](res.writableFinished ? line : { ...line, aborted: true }, 'request');
    };
    // Log, metrics, spans, limits and the proxy all wait for the end of a response: more than Node.js's default of ten.
    res.setMaxListeners(20);
    res.once('close', bindActiveTrace(writeLine));
    requestContext.run(context, next);
  };
}

// The rest of a refused body is read, so that the client gets the answer, but not more slowly than an upload may be.
const discardRest =
  ({ uploadRate: bytesPerSecond, uploadPause: pauseMs }: Config): RequestHandler =>
  (req, res, next) => {
    res.once('finish', () => {
      if (req.complete) return;
      // A request that was being forwarded is paused when that fails.
      req.resume();
      if (/\bclose\b/i.test(req.headers.connection ?? '')) req.once('end', () => req.socket.end());
      limitUploadRate(req, { bytesPerSecond, pauseMs }, () => req.socket.destroy());
    });
    next();
  };

// API responses must not be framed, sniffed or executed. File responses set a stricter policy.
const securityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
});

const crossOrigin = (origins: string[]): RequestHandler =>
  origins.length === 0
    ? (_req, _res, next) => next()
    : cors({
        origin: origins,
        maxAge: 600,
        exposedHeaders: [
          'X-Request-Id',
          'Retry-After',
          'ETag',
          'Submission-Receipt',
          'device_token',
          'device_limit',
          'second_factor',
        ],
      });
