import type { RequestHandler, Response } from 'express';
import pTimeout from 'p-timeout';
import { errorCodeHeader } from '../errors/errorCodes.ts';

/** A check fails if it throws, returns false or takes longer than two seconds. */
type Check = () => unknown | Promise<unknown>;

/** The only failed check of a process that is shutting down. It still serves requests until its callers notice. */
export const shuttingDown = 'shutting down';

const checkTimeoutMs = 2_000;

/**
 * Liveness and readiness of this process. It is ready while all checks succeed. It stops being ready as soon as
 * shutdown begins, so that load balancers stop sending requests in time.
 */
export class Health {
  readonly #checks = new Map<string, Check>();
  readonly #upstreamChecks = new Map<string, Check>();
  #draining = false;

  get draining(): boolean {
    return this.#draining;
  }

  addCheck(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  /** Adds a check for a service that requests are forwarded to. It affects `/readyz` but not `/readyz/self`. */
  addUpstreamCheck(name: string, check: Check): void {
    this.#upstreamChecks.set(name, check);
  }

  /** Makes the process not ready from now on. */
  drain(): void {
    this.#draining = true;
  }

  /** Names of the failed checks; empty when ready. */
  failedChecks(): Promise<string[]> {
    return this.#failed([...this.#checks, ...this.#upstreamChecks]);
  }

  /** Names of this process's own failed checks, excluding upstream services. */
  failedOwnChecks(): Promise<string[]> {
    return this.#failed([...this.#checks]);
  }

  /** Every check with its current result. */
  checkResults(): Promise<[string, boolean][]> {
    return resultsOf([...this.#checks, ...this.#upstreamChecks]);
  }

  async #failed(checks: [string, Check][]): Promise<string[]> {
    if (this.#draining) return [shuttingDown];
    return (await resultsOf(checks)).filter(([, succeeded]) => !succeeded).map(([name]) => name);
  }

  /** `GET /livez`: 200 whenever the process can respond at all. */
  readonly livez: RequestHandler = (_req, res) => {
    noStore(res).json({ status: 'ok' });
  };

  /** `GET /readyz`: 200 when ready, otherwise 503 with the names of the failed checks. */
  readonly readyz: RequestHandler = async (_req, res) => sendReadiness(res, await this.failedChecks());

  /**
   * `GET /readyz/self`: readiness without upstream services. Load balancers use it, because a gateway must keep
   * receiving requests while a service behind it is down.
   */
  readonly readyzSelf: RequestHandler = async (_req, res) => sendReadiness(res, await this.failedOwnChecks());
}

function sendReadiness(res: Response, missing: string[]): void {
  if (missing.length === 0) noStore(res).json({ status: 'ok' });
  else noStore(res).status(503).set(errorCodeHeader, 'unavailable').json({ status: 'not ready', missing });
}

function resultsOf(checks: [string, Check][]): Promise<[string, boolean][]> {
  return Promise.all(
    checks.map(async ([name, check]): Promise<[string, boolean]> => [name, await succeeds(check)]),
  );
}

const noStore = (res: Response): Response => res.set('Cache-Control', 'no-store');

async function succeeds(check: Check): Promise<boolean> {
  try {
    const result = await pTimeout(Promise.resolve(check()), {
      milliseconds: checkTimeoutMs,
      fallback: () => false,
    });
    return result !== false;
  } catch {
    return false;
  }
}
