import type { Operation } from './operation.ts';

/**
 * The URL of a request, from the parameters of its path and query.
 * @throws TypeError for a missing path parameter, and for a parameter that the operation does not have
 */
export function addressOf(baseUrl: URL, operation: Operation, parameters: Record<string, unknown>): URL {
  const { method, path, query = [] } = operation;
  const rest = { ...parameters };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || value === null || value === '')
      throw new TypeError(`${method} ${path} needs ${name}.`);
    return encodeURIComponent(String(value));
  });
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${filled}`;
  for (const [name, value] of Object.entries(rest)) {
    if (!query.includes(name)) throw new TypeError(`${method} ${path} has no parameter ${name}.`);
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url;
}
