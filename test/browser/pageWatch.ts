import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** A request that a test makes fail on purpose: by an answer with this status, or without any answer. */
interface ExpectedFailure {
  status: number | 'no answer';
  path: RegExp;
}

const httpFailure = /^Failed to load resource: the server responded with a status of (\d+)/;
const lostConnection = /^Failed to load resource: net::/;

/**
 * Notes everything that no page may do: errors in the console, of a worker too, errors that nothing catches, dialogs of scripts,
 * violations of the Content-Security-Policy, requests to another host, and requests that fail although the test does not expect
 * it.
 */
export class PageWatch {
  readonly #faults: string[] = [];
  readonly #failures: { status: number | 'no answer'; path: string }[] = [];
  readonly #expected: ExpectedFailure[] = [];
  readonly #possible: ExpectedFailure[] = [];
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext) {
    this.#context = context;
  }

  static async of(context: BrowserContext, baseUrl: string): Promise<PageWatch> {
    const watch = new PageWatch(context);
    const { host } = new URL(baseUrl);
    context.on('console', (message) => watch.#read(message));
    context.on('weberror', (error) => watch.#faults.push(`not caught: ${error.error().stack}`));
    context.on('page', (page) =>
      page.on('worker', (worker) => worker.on('console', (each) => watch.#read(each))),
    );
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.host !== host) watch.#faults.push(`request to ${url.href}`);
    });
    // A page may ask before one leaves it, and nothing else.
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

  /** Declares requests that fail. The test fails when none of them does. */
  expectFailure(status: number | 'no answer', path: RegExp): void {
    this.#expected.push({ status, path });
  }

  /** Declares requests that may fail or not, such as those on their way when a connection is lost. */
  allowFailure(status: number | 'no answer', path: RegExp): void {
    this.#possible.push({ status, path });
  }

  /** The faults that the test did not declare. */
  async faults(): Promise<string[]> {
    // A round trip: what the pages have said before has arrived.
    await Promise.all(this.#context.pages().map((page: Page) => page.evaluate(() => 0).catch(() => 0)));
    const matches = (failure: { status: number | 'no answer'; path: string }) => (each: ExpectedFailure) =>
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
    else if (lostConnection.test(text)) this.#failures.push({ status: 'no answer', path });
    else this.#faults.push(`console: ${text}`);
  }
}
