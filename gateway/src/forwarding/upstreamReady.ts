import { shuttingDown } from '@gradeway/shared/process/health';

/**
 * Whether a service is ready. Uses a new connection: a reused one would stay with its replica and report the whole
 * service as not ready while that replica is being replaced. A replica that is shutting down counts as ready, since it
 * still serves until its Kubernetes Service stops routing to it. One that has ended by then breaks the connection: a second
 * attempt reaches another.
 */
export async function upstreamReady(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(1_500);
  const ask = () => fetch(`${url}/readyz`, { headers: { connection: 'close' }, signal });
  const response = await ask().catch(ask);
  const { missing = [] } = (await response.json()) as { missing?: string[] };
  return response.ok || missing.includes(shuttingDown);
}
