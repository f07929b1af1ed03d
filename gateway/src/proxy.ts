import { Agent, type ClientRequest, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AppError, unavailable } from '@gradeway/shared/errors/appError';
import { sendError, sendErrorAfterBody } from '@gradeway/shared/http/errors';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import { type ForwardedRequest, recordFault, traceForward } from '@gradeway/shared/tracing/httpSpans';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Config } from './config.ts';
import { requestTimeout } from './receiveBody.ts';
import type { Route, Upstream } from './routeTable.ts';
import { createServiceSlots, type ServiceSlots } from './serviceSlots.ts';
import { limitUploadRate } from './uploadRate.ts';
import { countAnswer, countFailure, startForwarding } from './upstreamMetrics.ts';

interface Dependencies {
  config: Config;
  log: Logger;
  health: Health;
}

export interface ServiceProxy {
  /** `body` is a body that has been received whole; without one, the body of the request is streamed. */
  forward(req: Request, res: Response, route: Route, body?: Buffer): Promise<void>;
  close(): void;
}

/** The connections to one service for one kind of request. */
interface Lane {
  agent: Agent;
  slots: ServiceSlots;
  middleware: RequestHandler;
}

interface Forwarding {
  route: Route;
  body: Buffer | undefined;
  startedAt: number;
  span: ForwardedRequest | undefined;
}

// Shorter than SHUTDOWN_DELAY of the services, during which a stopping replica responds with `Connection: close`: no
// idle connection remains that the replica could close just as a request is sent on it.
const idleConnectionMs = 2_000;
// More than a single client may have open (OPEN_REQUESTS_PER_USER, OPEN_REQUESTS_PER_ADDRESS).
const slotsPerLane = 1_024;

/** The service did not answer in time. */
class UpstreamTimeout extends Error {}

/** The client sent its upload too slowly. */
class SlowClient extends Error {}

/**
 * Forwards requests to their services, and streams uploads and responses without buffering. Failures are answered as
 * JSON: 503 when a service is unreachable, 504 when it is silent or too slow, 408 when the client is. Once the response
 * has begun, the connection is closed.
 */
export function createProxy({ config, log, health }: Dependencies): ServiceProxy {
  const lanes = new Map<string, Lane>();
  const forwardings = new WeakMap<Request, Forwarding>();

  const targets = {
    auth: config.authUrl,
    courses: config.coursesUrl,
    homework: config.homeworkUrl,
    quiz: config.quizUrl,
  };
  // Uploads and downloads may be slow. They have connections of their own, so that they delay nothing else.
  const laneOf = ({ upstream, transfer }: Pick<Route, 'upstream' | 'transfer'>) =>
    `${upstream} ${transfer ? 'transfers' : 'requests'}`;

  for (const [upstream, target] of Object.entries(targets) as [Upstream, string][])
    for (const transfer of [undefined, true] as const) {
      const agent = new Agent({
        keepAlive: true,
        keepAliveMsecs: 10_000,
        maxFreeSockets: 128,
        timeout: idleConnectionMs,
      });
      const slots = createServiceSlots(slotsPerLane, config.idleTimeout);
      lanes.set(laneOf({ upstream, transfer }), { agent, slots, middleware: middleware(target, agent) });
    }

  function middleware(target: string, agent: Agent): RequestHandler {
    return createProxyMiddleware<Request, Response>({
      target,
      agent,
      changeOrigin: true,
      on: {
        proxyReq: (proxyReq, req) => begin(proxyReq, req),
        proxyRes: (proxyRes, req, res) => {
          const { span, route } = forwardings.get(req) ?? {};
          span?.answered(proxyRes);
          if (route) countAnswer(proxyRes, req, res, route.upstream);
          delete proxyRes.headers['keep-alive'];
          proxyRes.headers.connection = health.draining ? 'close' : 'keep-alive';
        },
        error: (error, req, res) => answerFailure(error, req, res),
      },
    }) as RequestHandler;
  }

  // Called when the request has a connection, which may still be opening.
  function begin(proxyReq: ClientRequest, req: Request): void {
    const forwarding = forwardings.get(req);
    if (!forwarding) return;
    limitTime(proxyReq, forwarding);
    // The proxy pipes the request, which has ended, and so ends the forwarded one.
    if (forwarding.body) proxyReq.write(forwarding.body);
    if (req.complete) return;
    const rate = { bytesPerSecond: config.uploadRate, pauseMs: config.uploadPause };
    limitUploadRate(req, rate, () =>
      proxyReq.destroy(new SlowClient('the client sent its upload too slowly')),
    );
  }

  function limitTime(proxyReq: ClientRequest, { route, startedAt }: Forwarding): void {
    const slow = route.transfer === true;
    const expire = () => proxyReq.destroy(new UpstreamTimeout('the service did not answer in time'));
    proxyReq.setTimeout(slow ? config.transferIdleTimeout : config.idleTimeout, expire);
    const total = setTimeout(expire, slow ? config.transferTotalTimeout : config.totalTimeout);
    // The time that the request has waited for its connection counts.
    const first = setTimeout(expire, config.idleTimeout - (performance.now() - startedAt));
    const reached = () => clearTimeout(first);
    if (!slow) proxyReq.once('response', reached);
    else if (proxyReq.socket?.connecting) proxyReq.socket.once('connect', reached);
    else reached();
    proxyReq.once('close', () => {
      clearTimeout(total);
      reached();
    });
  }

  // The default response of http-proxy-middleware names the host. `res` is a bare socket after a protocol upgrade.
  function answerFailure(error: Error, req: Request, res: ServerResponse | Socket): void {
    recordFailure(error, req, res);
    if (res instanceof Socket || res.headersSent) {
      res.destroy();
      return;
    }
    if (error instanceof SlowClient) {
      sendError(res as Response, requestTimeout());
      return;
    }
    const { upstream, path } = forwardings.get(req)?.route ?? {};
    log.warn({ err: error, upstream, route: path }, 'service did not respond');
    const timedOut = error instanceof UpstreamTimeout;
    if (upstream && !req.socket.destroyed) countFailure(upstream, timedOut ? 'timeout' : 'unreachable');
    const answer = timedOut ? new AppError('timeout', 'Gateway Timeout') : unavailable(error);
    sendErrorAfterBody(res as Response, answer, config.bodyTimeout);
  }

  // A client that disconnects aborts the request to the service as well; that is not a failure.
  function recordFailure(error: Error, req: Request, res: ServerResponse | Socket): void {
    if (res instanceof Socket || !res.socket || res.socket.destroyed) return;
    forwardings.get(req)?.span?.failed(error);
    if (!(error instanceof SlowClient)) recordFault(res as Response, error);
  }

  async function enter(res: Response, route: Route): Promise<Lane | undefined> {
    const lane = lanes.get(laneOf(route));
    try {
      return (await lane?.slots.enter(res)) ? lane : undefined;
    } catch (error) {
      countFailure(route.upstream, 'unreachable');
      throw error;
    }
  }

  return {
    async forward(req, res, route, body) {
      const startedAt = performance.now();
      const lane = await enter(res, route);
      if (!lane) return;
      const span = traceForward(req, res, targets[route.upstream], route.path);
      forwardings.set(req, { route, body, startedAt, span });
      startForwarding(res);
      // `answerFailure` handles failures; no handler follows the proxy.
      void lane.middleware(req, res, () => {});
    },
    close() {
      for (const { agent } of lanes.values()) agent.destroy();
    },
  };
}
