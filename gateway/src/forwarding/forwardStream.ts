import { Agent, type ClientRequest, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Health } from '@gradeway/shared/process/health';
import { BufferCollector } from '@gradeway/shared/v8/bufferCollector';
import type { Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import type { Config } from '../config.ts';
import { receiveRefused } from '../limits/receiveRefused.ts';
import { limitDownloadRate, limitUploadRate } from '../limits/transferRate.ts';
import { type Forwarder, type Forwarding, timeLimits } from './forwarding.ts';
import { type RespondToFailure, SlowClient, UpstreamTimeout } from './forwardingFailures.ts';
import { setOwnHeaders } from './responseHeaders.ts';
import { countFailure, countResponse } from './upstreamMetrics.ts';
import { idleConnectionMs } from './upstreamPool.ts';

interface Options {
  target: string;
  config: Config;
  health: Health;
  respondToFailure: RespondToFailure;
}

interface StreamForwarder extends Forwarder {
  close(): void;
}

// Headers of the connection to the service, not of the response.
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);
// Shared by all transfers, because they share a heap.
const collector = new BufferCollector();

/** Forwards requests with http-proxy-middleware, which streams bodies in both directions. */
export function createStreamForwarder({
  target,
  config,
  health,
  respondToFailure,
}: Options): StreamForwarder {
  const forwardings = new WeakMap<Request, Forwarding>();
  const receive = receiveRefused(config);
  const agent = new Agent({
    keepAlive: true,
    keepAliveMsecs: 10_000,
    maxFreeSockets: 128,
    timeout: idleConnectionMs,
  });
  const middleware = createProxyMiddleware<Request, Response>({
    target,
    agent,
    changeOrigin: true,
    // `respond` sends the response.
    selfHandleResponse: true,
    on: {
      proxyReq: (proxyReq, req) => begin(proxyReq, req),
      proxyRes: (proxyRes, req) => {
        const forwarding = forwardings.get(req);
        if (!forwarding) return;
        const { span, route, sentAt } = forwarding;
        const { statusCode = 0 } = proxyRes;
        span?.responded(statusCode);
        proxyRes.once('close', () => span?.ended());
        countResponse(route.upstream, statusCode, performance.now() - sentAt);
        proxyRes.once('aborted', () => {
          if (!req.socket.destroyed) countFailure(route.upstream, 'cut');
        });
        // After a complete response, Node.js no longer emits `drain` for the forwarded request, and the pipe would stall. The
        // service may now be silent while the client sends the rest.
        req.unpipe();
        if (!req.complete) proxyRes.socket.setTimeout(0);
        void receive(req, statusCode).then(() => respond(proxyRes, forwarding.res));
      },
      // `res` is a bare socket after a protocol upgrade.
      error: (error, req, res) => {
        const forwarding = forwardings.get(req);
        if (forwarding) respondToFailure(error, forwarding);
        else if (res instanceof Socket) res.destroy();
      },
    },
  }) as RequestHandler;

  function respond(proxyRes: IncomingMessage, res: Response): void {
    // The client is gone, or the service failed meanwhile.
    if (res.destroyed) {
      proxyRes.destroy();
      return;
    }
    res.statusCode = proxyRes.statusCode ?? 502;
    res.statusMessage = proxyRes.statusMessage ?? '';
    for (const [name, value] of Object.entries(proxyRes.headers))
      if (value !== undefined && !ofConnection.has(name)) res.setHeader(name, value);
    res.setHeader('Connection', health.draining || res.req.httpVersion === '1.0' ? 'close' : 'keep-alive');
    proxyRes.on('data', ({ length }: Buffer) => collector.count(length));
    limitDownloadRate(res, config, () => res.destroy());
    proxyRes.pipe(res);
  }

  // Called when a connection has been assigned to the request; it may still be opening.
  function begin(proxyReq: ClientRequest, req: Request): void {
    const forwarding = forwardings.get(req);
    if (!forwarding) return;
    // httpxy sets `Connection: close` on a chunked request. A service that refuses a body before it has arrived keeps the connection
    // open; Node.js would then reuse it, and the service would respond to the next request with 400.
    if (proxyReq.getHeader('connection') === 'close') proxyReq.shouldKeepAlive = false;
    limitTime(proxyReq, forwarding);
    // The proxy pipes the client's request, which has ended, and thereby ends the forwarded one.
    if (forwarding.body) proxyReq.write(forwarding.body);
    if (req.complete) return;
    req.on('data', ({ length }: Buffer) => collector.count(length));
    limitUploadRate(req, config, () => proxyReq.destroy(new SlowClient()));
  }

  function limitTime(proxyReq: ClientRequest, { route, startedAt }: Forwarding): void {
    const { idleTimeout, totalTimeout } = timeLimits(route, config);
    const expire = () => proxyReq.destroy(new UpstreamTimeout());
    proxyReq.setTimeout(idleTimeout, expire);
    const total = setTimeout(expire, totalTimeout);
    // The wait for a slot counts towards the time to connect.
    const first = setTimeout(expire, config.idleTimeout - (performance.now() - startedAt));
    const reached = () => clearTimeout(first);
    if (proxyReq.socket?.connecting) proxyReq.socket.once('connect', reached);
    else reached();
    proxyReq.once('close', () => {
      clearTimeout(total);
      reached();
    });
  }

  return {
    forward(forwarding) {
      const { req, res } = forwarding;
      forwardings.set(req, forwarding);
      // The proxy adds the service's headers, which take precedence.
      setOwnHeaders(res);
      // Nothing follows the proxy: `respondToFailure` handles its failures.
      void middleware(req, res, () => {});
    },
    close: () => agent.destroy(),
  };
}
