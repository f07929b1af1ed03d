import type { Health } from '@gradeway/shared/process/health';
import type { Logger } from '@gradeway/shared/process/logger';
import { requestContext } from '@gradeway/shared/process/requestContext';
import type { Request, Response } from 'express';
import type { Config } from './config.ts';
import type { Forwarder } from './forwarding.ts';
import { createFailureAnswers } from './forwardingFailures.ts';
import { createSmallForwarder } from './forwardSmall.ts';
import { createStreamForwarder } from './forwardStream.ts';
import type { Route, Upstream } from './routeTable.ts';
import { createServiceSlots, type ServiceSlots } from './serviceSlots.ts';
import { countFailure } from './upstreamMetrics.ts';

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

/** The places and connections at one service for one kind of request. */
interface Lane {
  slots: ServiceSlots;
  stream: Forwarder;
  /** Uploads and downloads have none. */
  small?: Forwarder;
}

// More than a single client may have open (OPEN_REQUESTS_PER_USER, OPEN_REQUESTS_PER_ADDRESS).
const slotsPerLane = 1_024;

/**
 * Forwards requests to their services: small ones with undici, uploads and downloads with http-proxy-middleware, which
 * streams them. Failures are answered as JSON (forwardingFailures.ts).
 */
export function createProxy({ config, log, health }: Dependencies): ServiceProxy {
  const targets: Record<Upstream, string> = {
    auth: config.authUrl,
    courses: config.coursesUrl,
    homework: config.homeworkUrl,
    quiz: config.quizUrl,
  };
  const answerFailure = createFailureAnswers(log, config);

  function openLane(target: string): Lane {
    const slots = createServiceSlots(slotsPerLane, config.idleTimeout);
    return { slots, stream: createStreamForwarder({ target, config, health, answerFailure }) };
  }

  // Uploads and downloads may be slow. They have connections of their own, so that they delay nothing else.
  const transfers = {} as Record<Upstream, Lane>;
  const requests = {} as Record<Upstream, Lane>;
  for (const [upstream, target] of Object.entries(targets) as [Upstream, string][]) {
    transfers[upstream] = openLane(target);
    const small = createSmallForwarder({ target, connections: slotsPerLane, config, health, answerFailure });
    requests[upstream] = { ...openLane(target), small };
  }

  async function enter(res: Response, { slots }: Lane, { upstream }: Route): Promise<boolean> {
    try {
      return await slots.enter(res);
    } catch (error) {
      countFailure(upstream, 'unreachable');
      throw error;
    }
  }

  return {
    async forward(req, res, route, body) {
      const startedAt = performance.now();
      const lane = (route.transfer ? transfers : requests)[route.upstream];
      if (!(await enter(res, lane, route))) return;
      const context = requestContext.getStore();
      if (!context) throw new Error('only a request can be forwarded');
      const span = context.trace?.forward(targets[route.upstream], route.path);
      if (span) req.headers.traceparent = span.traceparent;
      const forwarding = { req, res, route, body, startedAt, sentAt: performance.now(), span, context };
      // undici leaves out the `Content-Length: 0` of a DELETE.
      const forwarder = route.method === 'DELETE' ? lane.stream : (lane.small ?? lane.stream);
      forwarder.forward(forwarding);
    },
    close() {
      for (const lane of [...Object.values(transfers), ...Object.values(requests)]) {
        lane.stream.close();
        lane.small?.close();
      }
    },
  };
}
