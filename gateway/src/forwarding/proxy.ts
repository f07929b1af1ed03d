import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import { requestContext } from '@gradeway/shared/process/requestContext';
import type { Request, Response } from 'express';
import type { Config } from '../config.ts';
import { createServiceSlots, slotsPerKind } from '../limits/serviceSlots.ts';
import type { Route } from '../routing/routeTable.ts';
import { createFailureResponder } from './forwardingFailures.ts';
import { createSmallForwarder } from './forwardSmall.ts';
import { createStreamForwarder } from './forwardStream.ts';
import { countFailure } from './upstreamMetrics.ts';
import type { UpstreamPool, UpstreamPools } from './upstreamPool.ts';

interface Dependencies {
  config: Config;
  log: Logger;
  health: Health;
  pools: UpstreamPools;
}

export interface ServiceProxy {
  /** Forwards a request with its completely received body; if there is no such body, streams the request. */
  forward(req: Request, res: Response, route: Route, body?: Buffer): Promise<void>;
  close(): void;
}

/**
 * Forwards requests to their services: uploads and downloads with http-proxy-middleware, which streams them, and all others
 * with undici. Responds to failures with JSON (forwardingFailures.ts).
 */
export function createProxy({ config, log, health, pools }: Dependencies): ServiceProxy {
  const respondToFailure = createFailureResponder(log, config);

  // Each kind of request has its own slots, so that none delays another.
  function open(upstream: UpstreamPool) {
    const slots = () => createServiceSlots(slotsPerKind, config.idleTimeout);
    return {
      url: upstream.url,
      slots: { upload: slots(), download: slots(), other: slots() },
      stream: createStreamForwarder({ target: upstream.url, config, health, respondToFailure }),
      small: createSmallForwarder({ upstream, config, health, respondToFailure }),
    };
  }

  const services = {
    auth: open(pools.auth),
    courses: open(pools.courses),
    homework: open(pools.homework),
    quiz: open(pools.quiz),
  };

  async function enter(res: Response, { upstream, transfer }: Route): Promise<boolean> {
    try {
      return await services[upstream].slots[transfer ?? 'other'].enter(res);
    } catch (error) {
      countFailure(upstream, 'unreachable');
      throw error;
    }
  }

  return {
    async forward(req, res, route, body) {
      const startedAt = performance.now();
      const { url, stream, small } = services[route.upstream];
      if (!(await enter(res, route))) return;
      const context = requestContext.getStore();
      if (!context) throw new Error('only a request can be forwarded');
      const span = context.trace?.forward(url, route.path);
      if (span) req.headers.traceparent = span.traceparent;
      const forwarder = route.transfer ? stream : small;
      forwarder.forward({ req, res, route, body, startedAt, sentAt: performance.now(), span, context });
    },
    close() {
      for (const { stream } of Object.values(services)) stream.close();
    },
  };
}
