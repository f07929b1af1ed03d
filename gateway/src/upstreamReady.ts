import { shuttingDown } from '@gradeway/shared/process/health';

/**
 * Whether a service can serve. On a connection of its own: a kept one stays with its replica, and tells of one that is
 * just being replaced that the whole service is not ready. That it is being replaced is no reason either: it still
 * serves, and is no longer asked as soon as its Service has noticed.
 */
export async function upstreamReady(url: string): Promise<boolean> {
  const headers = { connection: 'close' };
  const response = await fetch(`${url}/readyz`, { headers, signal: AbortSignal.timeout(1_500) });
  const { missing = [] } = (await response.json()) as { missing?: string[] };
  return response.ok || missing.includes(shuttingDown);
}
