import type { Response } from 'express';

type Callback = () => void;

/**
 * Calls `callback` when the response ends, whether it is complete or its connection closed early; never if it had
 * already ended. Callbacks run in order of registration. All callbacks of a response share one listener, because
 * separate listeners for the log line, metrics and limits would take several percent of a request's time.
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
