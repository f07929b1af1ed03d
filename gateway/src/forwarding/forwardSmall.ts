import type { IncomingHttpHeaders } from 'node:http';
import { afterResponse } from '@gradeway/shared/http/afterResponse';
import type { Health } from '@gradeway/shared/process/health';
import type { Dispatcher } from 'undici';
import { recordLoginResponse } from '../limits/loginResponse.ts';
import { ForwardedBuffers } from './forwardedBuffers.ts';
import { type Forwarder, type Forwarding, type TimeoutSettings, timeLimits } from './forwarding.ts';
import { type RespondToFailure, UpstreamTimeout } from './forwardingFailures.ts';
import { responseHeaders } from './responseHeaders.ts';
import { countFailure, countResponse } from './upstreamMetrics.ts';
import type { UpstreamPool } from './upstreamPool.ts';

// One for all services, because they share a heap.
const buffers = new ForwardedBuffers();

interface Options {
  upstream: UpstreamPool;
  config: TimeoutSettings;
  health: Health;
  respondToFailure: RespondToFailure;
}

/**
 * Forwards requests that have no body or whose body has been received completely. undici takes a fraction of the time of
 * http-proxy-middleware, which streams (decision 0039).
 */
export function createSmallForwarder(options: Options): Forwarder {
  const { prefix, pool } = options.upstream;
  return {
    forward(forwarding) {
      const { req, body } = forwarding;
      const path = prefix + (req.url.startsWith('/') ? req.url : `/${req.url}`);
      const method = req.method as Dispatcher.HttpMethod;
      pool.dispatch(
        { path, method, headers: req.headers, body: body ?? null },
        new Exchange(forwarding, options),
      );
    },
  };
}

/** One request to a service and its response to the client. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #forwarding: Forwarding;
  readonly #options: Options;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout;
  /** When the service last sent data, or else when the wait for a slot began. */
  #heardAt: number;
  #hasResponded = false;
  /** Bytes of the body that have not arrived yet; NaN without a `Content-Length`. */
  #missing = Number.NaN;
  #bufferedBytes = 0;
  #isOver = false;

  constructor(forwarding: Forwarding, options: Options) {
    this.#forwarding = forwarding;
    this.#options = options;
    this.#heardAt = forwarding.startedAt;
    this.#timer = this.#startTimer();
    afterResponse(forwarding.res, () => {
      buffers.release(this.#bufferedBytes);
      this.#abort('the client disconnected');
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('the request ended before it had a connection'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    message?: string,
  ): void {
    // Informational responses (1xx) are meant for the gateway only.
    if (status < 200 || this.#isOver) return;
    const { res, route, sentAt, span } = this.#forwarding;
    this.#hasResponded = true;
    this.#heardAt = performance.now();
    this.#missing = Number(headers['content-length']);
    if (route.login) recordLoginResponse(res, headers);
    span?.responded(status);
    countResponse(route.upstream, status, this.#heardAt - sentAt);
    const sent = responseHeaders(headers, res);
    if (this.#options.health.draining) sent.push('Connection', 'close');
    if (message) res.writeHead(status, message, sent);
    else res.writeHead(status, sent);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#heardAt = performance.now();
    this.#missing -= chunk.length;
    this.#bufferedBytes += chunk.length;
    buffers.hold(chunk.length);
    // Most bodies have one chunk, which Node.js can send together with the headers and the end.
    if (this.#missing === 0) {
      this.#complete(chunk);
      return;
    }
    const { res } = this.#forwarding;
    if (res.write(chunk)) return;
    controller.pause();
    res.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#complete();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#end()) this.#fail(error);
  }

  #complete(lastChunk?: Buffer): void {
    if (!this.#end()) return;
    this.#forwarding.span?.ended();
    this.#forwarding.res.end(lastChunk);
  }

  #fail(error: Error): void {
    const { req, route } = this.#forwarding;
    if (this.#hasResponded && !req.socket.destroyed) countFailure(route.upstream, 'cut');
    this.#options.respondToFailure(error, this.#forwarding);
  }

  /** Aborts the exchange. Returns false if it was already over. */
  #abort(reason: string): boolean {
    if (!this.#end()) return false;
    this.#controller?.abort(new Error(reason));
    return true;
  }

  /** Ends the exchange. Returns false if it was already over. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    return true;
  }

  // One timer for both limits. It is restarted only when it expires, because most responses arrive long before.
  #startTimer(): NodeJS.Timeout {
    const { idleTimeout, totalTimeout } = timeLimits(this.#forwarding.route, this.#options.config);
    const now = performance.now();
    const idleMs = this.#heardAt + idleTimeout - now;
    const totalMs = this.#forwarding.sentAt + totalTimeout - now;
    return setTimeout(() => this.#checkTime(), Math.max(1, Math.ceil(Math.min(idleMs, totalMs))));
  }

  #checkTime(): void {
    const { idleTimeout, totalTimeout } = timeLimits(this.#forwarding.route, this.#options.config);
    const now = performance.now();
    const isLate = now - this.#heardAt >= idleTimeout || now - this.#forwarding.sentAt >= totalTimeout;
    if (!isLate) this.#timer = this.#startTimer();
    else if (this.#abort('the service is too slow')) this.#fail(new UpstreamTimeout());
  }
}
