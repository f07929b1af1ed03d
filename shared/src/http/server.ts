import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface HttpServer {
  port: number;
  /** Takes no new connection, ends idle ones, and waits until every request under way was answered. */
  close(): Promise<void>;
}

interface Options {
  host: string;
  port: number;
  /** The longest that the whole of a request may take to arrive, in milliseconds. */
  requestTimeoutMs?: number;
  /** How long an idle connection is kept; longer than its peer keeps it, so that it is the peer who closes. */
  keepAliveMs?: number;
}

/** Listens. Slow or silent clients are cut off: 15 s for the headers, `requestTimeoutMs` for all of it. */
export async function listen(app: RequestListener, options: Options): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: 15_000,
      requestTimeout: options.requestTimeoutMs ?? 60_000,
      keepAliveTimeout: options.keepAliveMs ?? 75_000,
      connectionsCheckingInterval: 2_000,
    },
    app,
  );
  server.on('clientError', answerClientError);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server, sockets) };
}

const clientErrors: Record<string, [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

// What is not HTTP never reaches the application; its sender gets the same JSON all the same (D2).
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = clientErrors[error.code ?? ''] ?? [400, 'Bad Request'];
  const body = JSON.stringify({ message, errors: null });
  const head = [
    `HTTP/1.1 ${status} ${message}`,
    'Content-Type: application/json; charset=utf-8',
    `X-Request-Id: ${randomUUID()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function close(server: Server, sockets: Set<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const sweep = () => {
    // A kept-alive connection that is between two requests is idle again only later; one that was opened ahead and
    // never used is not idle to Node at all.
    server.closeIdleConnections();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  sweep();
  const timer = setInterval(sweep, 100);
  return closed.finally(() => clearInterval(timer));
}
