import type { IncomingMessage } from 'node:http';

/** Bytes up to which a body is received whole before its request is refused (D45). */
export const smallBodyBytes = 1024 * 1024;

/** How long `receiveRest` waits by default, in milliseconds. */
const receiveRestMs = 15_000;

/**
 * Waits for the rest of a body of at most 1 MiB, and discards it. Called before an error is sent: when a response arrives
 * before the request has ended, nginx sends it with `Connection: keep-alive` and then closes the connection, and the
 * client's next request on it is lost. A larger body, or one of unknown size, is not waited for.
 * @param timeoutMs after which the error is sent all the same
 */
export async function receiveRest(req: IncomingMessage, timeoutMs = receiveRestMs): Promise<void> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (req.complete || req.destroyed || announced === 0 || announced > smallBodyBytes) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(stop, timeoutMs);
    function stop(): void {
      clearTimeout(timer);
      req.off('end', stop).off('close', stop);
      resolve();
    }
    req.once('end', stop).once('close', stop);
    // Its reader, such as a form parser, paused it when it failed.
    req.resume();
  });
}
