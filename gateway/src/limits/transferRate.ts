import type { Request, Response } from 'express';
import type { Config } from '../config.ts';

type Limits = Pick<Config, 'uploadRate' | 'downloadRate' | 'transferPause'>;

interface Transfer {
  /** Emits `end` or `close` when the transfer is over. */
  message: Request | Response;
  bytesPerSecond: number;
  /** How long the client may pause, regardless of its earlier speed. */
  pauseMs: number;
  /** Returns the bytes that the client has sent or received so far. */
  movedBytes(): number;
  /** Whether the transfer waits for the client, as opposed to the service. */
  waitsForClient(): boolean;
  tooSlow(): void;
}

const intervalMs = 1_000;

/** Calls `tooSlow` once if a body arrives more slowly than allowed. */
export function limitUploadRate(req: Request, limits: Limits, tooSlow: () => void): void {
  const { socket } = req;
  limitRate({
    message: req,
    bytesPerSecond: limits.uploadRate,
    pauseMs: limits.transferPause,
    movedBytes: () => socket.bytesRead,
    // The gateway stops reading while the service is slower than the client.
    waitsForClient: () => req.readableFlowing === true,
    tooSlow,
  });
}

/** Calls `tooSlow` once if a client receives a response more slowly than allowed. */
export function limitDownloadRate(res: Response, limits: Limits, tooSlow: () => void): void {
  const { socket } = res;
  if (!socket) return;
  limitRate({
    message: res,
    bytesPerSecond: limits.downloadRate,
    pauseMs: limits.transferPause,
    // `bytesWritten` includes bytes that Node.js has not passed to the kernel yet.
    movedBytes: () => (socket.bytesWritten ?? 0) - socket.writableLength,
    waitsForClient: () => res.writableLength > 0,
    tooSlow,
  });
}

// Does not count the time when the transfer waits for the service or the gateway itself is blocked.
function limitRate(transfer: Transfer): void {
  const { message, bytesPerSecond, pauseMs } = transfer;
  let remainingMs = pauseMs;
  let moved = transfer.movedBytes();
  let lastAt = performance.now();

  const timer = setInterval(() => {
    const elapsedMs = Math.min(performance.now() - lastAt, 2 * intervalMs);
    const earnedMs = ((transfer.movedBytes() - moved) / bytesPerSecond) * 1_000;
    lastAt = performance.now();
    moved = transfer.movedBytes();
    remainingMs = transfer.waitsForClient() ? Math.min(pauseMs, remainingMs + earnedMs - elapsedMs) : pauseMs;
    if (remainingMs > 0) return;
    clearInterval(timer);
    transfer.tooSlow();
  }, intervalMs);
  for (const event of ['end', 'close'] as const) message.once(event, () => clearInterval(timer));
}
