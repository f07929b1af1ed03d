import { shuttingDown } from '@gradeway/shared/process/health';

/**
 * Whether a service is ready. Opens a new connection: a reused one leads to the same replica, so the whole service would appear not
 * ready while that replica is replaced. A replica that is shutting down counts as ready, because it serves until its Kubernetes
 * Service stops routing to it. If it exits during the check, a second attempt reaches another replica.
 */
export async function upstreamReady(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(1_500);
  const ask = () => fetch(`${url}/readyz`, { headers: { connection: 'close' }, signal });
  const response = await ask().catch(ask);
  const { missing = [] } = (await response.json()) as { missing?: string[] };
  return response.ok || missing.includes(shuttingDown);
}
