import { remainingTime } from '@gradeway/shared/process/requestContext';
import { traceHttpCall } from '@gradeway/shared/tracing/httpCallSpans';

/** The provider did not respond, or responded with a server error. */
class ProviderUnavailable extends Error {}

const timeoutMs = 4_000;
// The time that auth itself needs before its caller's deadline. A call that exceeded the deadline would count as a
// failure of auth.
const ownWorkMs = 1_500;
const maxBytes = 1024 * 1024;

interface Options {
  method?: string;
  headers?: RequestInit['headers'];
  body?: RequestInit['body'];
}

/**
 * Calls a provider, with limits on time and on the size of the response. Follows no redirect.
 * @throws ProviderUnavailable
 */
export async function providerFetch(
  address: string,
  { method = 'GET', headers, body }: Options = {},
): Promise<Response> {
  const { origin, pathname: route } = new URL(address);
  const signal = AbortSignal.timeout(Math.max(1, remainingTime(timeoutMs + ownWorkMs) - ownWorkMs));
  const init = { method, headers: headers ?? {}, body: body ?? null, redirect: 'manual', signal } as const;
  try {
    return await traceHttpCall({ method, origin, route }, async () => {
      const response = await fetch(address, init);
      const { status } = response;
      if (status >= 500) throw new ProviderUnavailable(`the provider responded with status ${status}`);
      return new Response(await readLimited(response), { status, headers: response.headers });
    });
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw new ProviderUnavailable('the provider did not respond', { cause: error });
  }
}

async function readLimited({ body }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new ProviderUnavailable('the response of the provider is too large');
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Whether an error has {@link ProviderUnavailable} as its cause: libraries wrap what a fetch throws. */
export function isUnavailable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ProviderUnavailable) return true;
  return false;
}
