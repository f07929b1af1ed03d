import type { IncomingMessage } from 'node:http';

/** Bodies of up to this many bytes are received completely before their request is rejected (D45). */
export const smallBodyBytes = 1024 * 1024;

export interface RestLimits {
  /** Does not wait for a larger body. */
  maxBytes?: number;
  /** Maximum wait, after which the error is sent anyway. */
  timeoutMs?: number;
}

/**
 * Waits for the rest of a body and discards it. Called before an error is sent: if a response arrives before the request has ended,
 * nginx sends it with `Connection: keep-alive` and then closes the connection, so the client's next request on it is lost. Does not
 * wait for a body of unknown size, or of more than 1 MiB by default.
 */
export async function receiveRest(
  req: IncomingMessage,
  { maxBytes = smallBodyBytes, timeoutMs = 15_000 }: RestLimits = {},
): Promise<void> {
  const announced = Number(req.headers['content-length'] ?? 0);
  if (req.complete || req.destroyed || announced === 0 || announced > maxBytes) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(stop, timeoutMs);
    function stop(): void {
      clearTimeout(timer);
      req.off('end', stop).off('close', stop);
      resolve();
    }
    req.once('end', stop).once('close', stop);
    // The reader of the body, such as a form parser, paused it when it failed.
    req.resume();
  });
}
