import type { RequestHandler, Response } from 'express';

type Check = () => unknown | Promise<unknown>;

/** What is missing of a process that was told to stop, and goes on serving until everybody has noticed. */
export const shuttingDown = 'shutting down';

const checkTimeoutMs = 2_000;

/**
 * Whether this process lives and whether it can serve. It is ready once everything it was asked to check
 * succeeds, and no longer from the moment it is told to stop, so that callers go elsewhere in time.
 */
export class Health {
  readonly #checks = new Map<string, Check>();
  readonly #upstreamChecks = new Map<string, Check>();
  #draining = false;

  get draining(): boolean {
    return this.#draining;
  }

  /** Readiness needs this to succeed, within two seconds. */
  addCheck(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  /** The same of a process that requests are passed on to: the system is not ready without it, this process may be. */
  addUpstreamCheck(name: string, check: Check): void {
    this.#upstreamChecks.set(name, check);
  }

  /** From now on not ready. */
  drain(): void {
    this.#draining = true;
  }

  /** The names of what is missing; empty when ready. */
  failedChecks(): Promise<string[]> {
    return this.#failed([...this.#checks, ...this.#upstreamChecks]);
  }

  /** The names of what this process itself is missing, whatever those that it passes requests on to say. */
  failedOwnChecks(): Promise<string[]> {
    return this.#failed([...this.#checks]);
  }

  /** Every check by its name, and whether it succeeds now. */
  checkResults(): Promise<[string, boolean][]> {
    return resultsOf([...this.#checks, ...this.#upstreamChecks]);
  }

  async #failed(checks: [string, Check][]): Promise<string[]> {
    if (this.#draining) return [shuttingDown];
    return (await resultsOf(checks)).filter(([, succeeded]) => !succeeded).map(([name]) => name);
  }

  /** `GET /livez`: answers as long as the process can answer at all. */
  readonly livez: RequestHandler = (_req, res) => {
    noStore(res).json({ status: 'ok' });
  };

  /** `GET /readyz`: 200 when ready, else 503 with the names of what is missing. */
  readonly readyz: RequestHandler = async (_req, res) => answerReady(res, await this.failedChecks());

  /**
   * `GET /readyz/self`: the same of this process itself. Who decides by it where to send requests does not take the
   * gateway away from everybody because one service behind it is down.
   */
  readonly readyzSelf: RequestHandler = async (_req, res) => answerReady(res, await this.failedOwnChecks());
}

function answerReady(res: Response, missing: string[]): void {
  if (missing.length === 0) noStore(res).json({ status: 'ok' });
  else noStore(res).status(503).json({ status: 'not ready', missing });
}

function resultsOf(checks: [string, Check][]): Promise<[string, boolean][]> {
  return Promise.all(
    checks.map(async ([name, check]): Promise<[string, boolean]> => [name, await succeeds(check)]),
  );
}

const noStore = (res: Response): Response => res.set('Cache-Control', 'no-store');

async function succeeds(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, checkTimeoutMs, false);
  });
  try {
    return await Promise.race([Promise.resolve(check()).then((result) => result !== false), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
