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
import { createServiceSlots, type ServiceSlots, slotsPerKind } from './serviceSlots.ts';
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

/** How one service is reached. Uploads, downloads and other requests have separate slots, so that none delays another. */
interface Service {
  target: string;
  slots: Record<'upload' | 'download' | 'other', ServiceSlots>;
  stream: Forwarder;
  small: Forwarder;
}

/**
 * Forwards requests to their services: small ones with undici, uploads and downloads with http-proxy-middleware, which
 * streams them. Failures are answered as JSON (forwardingFailures.ts).
 */
export function createProxy({ config, log, health }: Dependencies): ServiceProxy {
  const answerFailure = createFailureAnswers(log, config);

  function open(target: string): Service {
    const slots = () => createServiceSlots(slotsPerKind, config.idleTimeout);
    const options = { target, config, health, answerFailure };
    return {
      target,
      slots: { upload: slots(), download: slots(), other: slots() },
      stream: createStreamForwarder(options),
      small: createSmallForwarder({ ...options, connections: slotsPerKind }),
    };
  }

  const services: Record<Upstream, Service> = {
    auth: open(config.authUrl),
    courses: open(config.coursesUrl),
    homework: open(config.homeworkUrl),
    quiz: open(config.quizUrl),
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
      const { target, stream, small } = services[route.upstream];
      if (!(await enter(res, route))) return;
      const context = requestContext.getStore();
      if (!context) throw new Error('only a request can be forwarded');
      const span = context.trace?.forward(target, route.path);
      if (span) req.headers.traceparent = span.traceparent;
      const forwarding = { req, res, route, body, startedAt, sentAt: performance.now(), span, context };
      const forwarder = route.transfer ? stream : small;
      forwarder.forward(forwarding);
    },
    close() {
      for (const { stream, small } of Object.values(services)) {
        stream.close();
        small.close();
      }
    },
  };
}
