/** Whether a service says that it can serve. */
export async function upstreamReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_500) });
  await response.body?.cancel();
  return response.ok;
}
