import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { errorCodeHeader, type errorCodes } from '../errors/errorCodes.ts';
import type { Logger } from '../process/logger.ts';
import { batchWrites } from '../v8/batchWrites.ts';
import { limitIdleConnections } from './idleConnections.ts';

export interface HttpServer {
  port: number;
  /** Stops accepting connections, closes idle ones and waits until all requests in progress have been responded to. */
  close(): Promise<void>;
}

interface Options {
  host: string;
  port: number;
  /** Maximum time to receive a request completely, in milliseconds. 60 s by default. */
  requestTimeoutMs?: number;
  /**
   * How long an idle connection stays open, in milliseconds; 75 s by default. Must exceed the client's own limit: if
   * the server closes first, the client may already be sending the next request.
   */
  keepAliveMs?: number;
  /** Maximum number of connections waiting for a request (idleConnections.ts). Unlimited by default. */
  maxIdleConnections?: number;
  /**
   * If set, logs a warning for each request that cannot be parsed or does not arrive in time. Only services set it:
   * they are reached through the gateway, which never sends such a request, whereas anyone can send one to the gateway.
   */
  log?: Logger;
}

/**
 * Starts an HTTP server. Disconnects a client that does not send its headers within 15 s, or the whole request within
 * `requestTimeoutMs`.
 */
export async function listen(app: Express, options: Options): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: options.requestTimeoutMs ?? 60_000,
      keepAliveTimeout: options.keepAliveMs ?? 75_000,
      connectionsCheckingInterval: 2_000,
      // Creates no body stream for a request without a body, because its events cost CPU time (decision 39). Node.js 20
      // ignores this option.
      optimizeEmptyRequests: true,
      // Node.js would reject a request without `Host` without the standard body. The gateway rejects it instead
      // (requireValidHead.ts).
      requireHostHeader: false,
    },
    app,
  );
  server.on('clientError', (error, socket) => respondToClientError(error, socket as Socket, options.log));
  if (options.maxIdleConnections) limitIdleConnections(server, options.maxIdleConnections);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    batchWrites(socket);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  keepUnsentResponses(server, sockets);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server, sockets) };
}

const clientErrors: Record<string, [number, string, keyof typeof errorCodes]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'header_too_large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'request_timeout'],
};

// llhttp's code for a connection that ends in the middle of a request.
const endedEarly = 'HPE_INVALID_EOF_STATE';

// Malformed requests do not reach the application, but still get the standard error body (D2).
function respondToClientError(error: NodeJS.ErrnoException, socket: Socket, log?: Logger): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message, errorCode] = clientErrors[error.code ?? ''] ?? [400, 'Bad Request', 'malformed'];
  const requestId = randomUUID();
  // Does not log the error itself, because it contains the received bytes. Omits `endedEarly`: the gateway closes a
  // connection in the middle of an upload when its client has disconnected.
  if (error.code !== endedEarly)
    log?.warn({ code: error.code, status, request_id: requestId }, 'request could not be read');
  const body = JSON.stringify({ message, errors: null });
  const head = [
    `HTTP/1.1 ${status} ${message}`,
    'Content-Type: application/json; charset=utf-8',
    `X-Request-Id: ${requestId}`,
    `${errorCodeHeader}: ${errorCode}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

// Node.js considers a connection idle as soon as its response has ended, even before it is sent. Closing it would
// truncate a response that is delayed (batchWrites.ts) or read slowly. `server.close()` also calls this.
function keepUnsentResponses(server: Server, sockets: ReadonlySet<Socket>): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    for (const { writableLength } of sockets) if (writableLength > 0) return;
    closeIdle();
  };
}

function close(server: Server, sockets: Set<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const closeIdle = () => {
    // Runs repeatedly, because connections become idle when their requests end. Node.js does not consider an unused
    // connection idle, so unused ones are closed separately.
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  closeIdle();
  const timer = setInterval(closeIdle, 100);
  return closed.finally(() => clearInterval(timer));
}
