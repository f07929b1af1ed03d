import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** A request that fails on purpose: with this status, or without a response. */
interface ExpectedFailure {
  status: number | 'no response';
  path: RegExp;
}

const httpFailure = /^Failed to load resource: the server responded with a status of (\d+)/;
const lostConnection = /^Failed to load resource: net::/;

/**
 * Records what no page may do: console errors (including in workers), uncaught errors, script dialogs, violations of
 * the Content-Security-Policy, requests to another host, and failed requests that the test does not expect.
 */
export class PageWatch {
  readonly #faults: string[] = [];
  readonly #failures: { status: number | 'no response'; path: string }[] = [];
  readonly #expected: ExpectedFailure[] = [];
  readonly #possible: ExpectedFailure[] = [];
  readonly #hosts: Set<string>;
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, host: string) {
    this.#context = context;
    this.#hosts = new Set([host]);
  }

  static async of(context: BrowserContext, baseUrl: string): Promise<PageWatch> {
    const watch = new PageWatch(context, new URL(baseUrl).host);
    context.on('console', (message) => watch.#read(message));
    context.on('weberror', (error) => watch.#faults.push(`not caught: ${error.error().stack}`));
    context.on('page', (page) =>
      page.on('worker', (worker) => worker.on('console', (each) => watch.#read(each))),
    );
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && !watch.#hosts.has(url.host))
        watch.#faults.push(`request to ${url.href}`);
    });
    // A page may only ask for confirmation before it is left.
    context.on('dialog', async (dialog) => {
      if (dialog.type() !== 'beforeunload') watch.#faults.push(`${dialog.type()}: ${dialog.message()}`);
      await dialog.accept().catch(() => {});
    });
    await context.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`violates ${event.effectiveDirective}: ${event.blockedURI} ${event.sourceFile}`),
      ),
    );
    return watch;
  }

  /** Declares another host that the test visits. */
  allowHost(host: string): void {
    this.#hosts.add(host);
  }

  /** Declares requests that must fail. The test fails if none of them does. */
  expectFailure(status: number | 'no response', path: RegExp): void {
    this.#expected.push({ status, path });
  }

  /** Declares requests that may fail, such as requests in flight when a connection is lost. */
  allowFailure(status: number | 'no response', path: RegExp): void {
    this.#possible.push({ status, path });
  }

  /** Returns the faults that the test did not declare. */
  async faults(): Promise<string[]> {
    // A round trip ensures that all earlier messages of the pages have arrived.
    await Promise.all(this.#context.pages().map((page: Page) => page.evaluate(() => 0).catch(() => 0)));
    const matches = (failure: { status: number | 'no response'; path: string }) => (each: ExpectedFailure) =>
      each.status === failure.status && each.path.test(failure.path);
    const declared = [...this.#expected, ...this.#possible];
    const undeclared = this.#failures.filter((failure) => !declared.some(matches(failure)));
    const missing = this.#expected.filter(
      (each) => !this.#failures.some((failure) => matches(failure)(each)),
    );
    return [
      ...this.#faults,
      ...undeclared.map(({ status, path }) => `${path} failed: ${status}`),
      ...missing.map(
        ({ status, path }) => `no request to ${path} failed with ${status}, as the test expects`,
      ),
    ];
  }

  #read(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const text = message.text();
    const { url } = message.location();
    const path = URL.canParse(url) ? url.slice(new URL(url).origin.length) : url;
    const [, status] = httpFailure.exec(text) ?? [];
    if (status !== undefined) this.#failures.push({ status: Number(status), path });
    else if (lostConnection.test(text)) this.#failures.push({ status: 'no response', path });
    else this.#faults.push(`console: ${text}`);
  }
}
