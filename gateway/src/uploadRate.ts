import type { Request } from 'express';

interface Limits {
  bytesPerSecond: number;
  /** How long the client may pause, however fast it was before. */
  pauseMs: number;
}

const intervalMs = 1_000;

/**
 * Calls `tooSlow` once when a body arrives more slowly than allowed. Time during which the gateway does not read, because
 * the service is slower than the client, does not count; nor does time in which the gateway itself is stopped.
 */
export function limitUploadRate(req: Request, limits: Limits, tooSlow: () => void): void {
  const { socket } = req;
  let remainingMs = limits.pauseMs;
  let received = socket.bytesRead;
  let lastAt = performance.now();

  const timer = setInterval(() => {
    const elapsedMs = Math.min(performance.now() - lastAt, 2 * intervalMs);
    const earnedMs = ((socket.bytesRead - received) / limits.bytesPerSecond) * 1_000;
    lastAt = performance.now();
    received = socket.bytesRead;
    const isReading = req.readableFlowing === true;
    remainingMs = isReading ? Math.min(limits.pauseMs, remainingMs + earnedMs - elapsedMs) : limits.pauseMs;
    if (remainingMs > 0) return;
    clearInterval(timer);
    tooSlow();
  }, intervalMs);
  for (const event of ['end', 'close'] as const) req.once(event, () => clearInterval(timer));
}
