import { clocksDisagree, deviceNow } from './deviceClocks.ts';
import { lastResponse } from './serverClock.ts';

/**
 * The server's current time in milliseconds, counted from the last response with the device's steady clock. Undefined
 * before the first response, and when the device may have slept since the last one.
 */
export function serverNow(): number | undefined {
  const now = deviceNow();
  if (!lastResponse || clocksDisagree(lastResponse.received, now)) return undefined;
  return lastResponse.served + now.steady - lastResponse.received.steady;
}

const stepMs = 15_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls the listener whenever relative times may have changed. One timer serves all times on the page. */
export function onServerClock(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, stepMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
