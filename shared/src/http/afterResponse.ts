import type { Response } from 'express';

type Callback = () => void;

/**
 * Calls `callback` when the response has ended, whether it is complete or its connection has closed before; never for one that
 * had ended already. Callbacks run in the order of their registration. All of a response share one listener: what every request
 * registers, such as its log line, metrics and limits, would otherwise cost it several percent of its time.
 */
export function afterResponse(res: Response, callback: Callback): void {
  const registered = res.locals.afterResponse as Callback[] | undefined;
  if (registered) {
    registered.push(callback);
    return;
  }
  const callbacks = [callback];
  res.locals.afterResponse = callbacks;
  res.on('close', () => {
    for (const each of callbacks) each();
  });
}
