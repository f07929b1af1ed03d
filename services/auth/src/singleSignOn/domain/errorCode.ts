/**
 * The code of a library's error. Nothing else about the error is logged, because properties and causes of such errors
 * contain tokens, codes and claims, and the `error` in a provider's response comes from the browser.
 */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { code, name, error: reported } = error as Error & { code?: unknown; error?: unknown };
  const isWord = typeof reported === 'string' && /^[a-z_]{1,40}$/.test(reported);
  return [name, typeof code === 'string' ? code : '', isWord ? reported : ''].filter(Boolean).join(' ');
}
