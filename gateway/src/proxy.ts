import { Agent, type ClientRequest, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { AppError, unavailable } from '@gradeway/shared/errors/appError';
import { sendError } from '@gradeway/shared/http/errors';
import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import { type ForwardedRequest, recordFault, traceForward } from '@gradeway/shared/tracing/httpSpans';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Config } from './config.ts';
import type { Route, Upstream } from './routeTable.ts';
import { countAnswer, countFailure, startForwarding } from './upstreamMetrics.ts';

interface Dependencies {
  config: Config;
  log: Logger;
  health: Health;
}

type Forward = (req: Request, res: Response, route: Route) => void;

export interface ServiceProxy {
  forward: Forward;
  close(): void;
}

// Shorter than SHUTDOWN_DELAY of the services, during which a stopping replica responds with `Connection: close`: no
// idle connection remains that the replica could close just as a request is sent on it.
const idleConnectionMs = 2_000;

/** The service did not answer in time. */
class UpstreamTimeout extends Error {}

/**
 * Streams requests to their services and responses back, without buffering. Failures are answered as JSON: 503 when
 * a service is unreachable, 504 when it is silent or too slow. Once the response has begun, the connection is closed.
 */
export function createProxy({ config, log, health }: Dependencies): ServiceProxy {
  const agents = new Map<Upstream, Agent>();
  const middlewares = new Map<Upstream, RequestHandler>();
  const routeOf = new WeakMap<Request, Route>();
  const spanOf = new WeakMap<Request, ForwardedRequest>();

  const targets = {
    auth: config.authUrl,
    courses: config.coursesUrl,
    homework: config.homeworkUrl,
    quiz: config.quizUrl,
  };
  for (const [upstream, target] of Object.entries(targets) as [Upstream, string][]) {
    const agent = new Agent({
      keepAlive: true,
      keepAliveMsecs: 10_000,
      maxSockets: 512,
      maxFreeSockets: 128,
      timeout: idleConnectionMs,
    });
    agents.set(upstream, agent);
    middlewares.set(upstream, middleware(target, agent));
  }

  function middleware(target: string, agent: Agent): RequestHandler {
    return createProxyMiddleware<Request, Response>({
      target,
      agent,
      changeOrigin: true,
      on: {
        proxyReq: (proxyReq, req) => limitTime(proxyReq, req),
        proxyRes: (proxyRes, req, res) => {
          spanOf.get(req)?.answered(proxyRes);
          const upstream = routeOf.get(req)?.upstream;
          if (upstream) countAnswer(proxyRes, req, res, upstream);
          delete proxyRes.headers['keep-alive'];
          proxyRes.headers.connection = health.draining ? 'close' : 'keep-alive';
        },
        error: (error, req, res) => answerFailure(error, req, res),
      },
    }) as RequestHandler;
  }

  function limitTime(proxyReq: ClientRequest, req: Request): void {
    const slow = routeOf.get(req)?.transfer === true;
    const expire = () => proxyReq.destroy(new UpstreamTimeout('the service did not answer in time'));
    proxyReq.setTimeout(slow ? config.transferIdleTimeout : config.idleTimeout, expire);
    const total = setTimeout(expire, slow ? config.transferTotalTimeout : config.totalTimeout);
    proxyReq.once('close', () => clearTimeout(total));
  }

  // The default response of http-proxy-middleware names the host. `res` is a bare socket after a protocol upgrade.
  function answerFailure(error: Error, req: Request, res: ServerResponse | Socket): void {
    recordFailure(error, req, res);
    if (res instanceof Socket || res.headersSent) {
      res.destroy();
      return;
    }
    const { upstream, path } = routeOf.get(req) ?? {};
    log.warn({ err: error, upstream, route: path }, 'service did not respond');
    const timedOut = error instanceof UpstreamTimeout;
    if (upstream && !req.socket.destroyed) countFailure(upstream, timedOut ? 'timeout' : 'unreachable');
    sendError(res as Response, timedOut ? new AppError('timeout', 'Gateway Timeout') : unavailable(error));
  }

  // A client that disconnects aborts the request to the service as well; that is not a failure.
  function recordFailure(error: Error, req: Request, res: ServerResponse | Socket): void {
    if (res instanceof Socket || !res.socket || res.socket.destroyed) return;
    spanOf.get(req)?.failed(error);
    recordFault(res as Response, error);
  }

  return {
    forward(req, res, route) {
      routeOf.set(req, route);
      const span = traceForward(req, res, targets[route.upstream], route.path);
      if (span) spanOf.set(req, span);
      startForwarding(res);
      // `answerFailure` handles failures; no handler follows the proxy.
      void middlewares.get(route.upstream)?.(req, res, () => {});
    },
    close() {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
