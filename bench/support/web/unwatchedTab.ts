import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { viewport } from './scene.ts';

/**
 * A tab in a separate profile that Playwright does not attach to. Otherwise Chromium's inspector keeps the responses to all
 * requests in the memory of the tab, up to a hundred megabytes.
 */
export class UnwatchedTab {
  readonly #browser: CDPSession;
  readonly #profile: string;
  readonly #sessionId: string;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  /** The sessions of the page's workers, which Chromium announces. */
  readonly #workers = new Set<string>();
  #sent = 0;

  private constructor(browser: CDPSession, profile: string, sessionId: string) {
    this.#browser = browser;
    this.#profile = profile;
    this.#sessionId = sessionId;
    browser.on('Target.receivedMessageFromTarget', ({ message }) => this.#receive(JSON.parse(message)));
  }

  #receive(message: Answer | Notice): void {
    if ('id' in message) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
      return;
    }
    const { sessionId, message: nested } = message.params;
    if (message.method === 'Target.attachedToTarget') this.#workers.add(sessionId);
    if (message.method === 'Target.detachedFromTarget') this.#workers.delete(sessionId);
    // A worker's response is nested in a message of its page.
    if (message.method === 'Target.receivedMessageFromTarget') this.#receive(JSON.parse(nested));
  }

  static async open(browser: Browser, url: string): Promise<UnwatchedTab> {
    const session = await browser.newBrowserCDPSession();
    const { browserContextId } = await session.send('Target.createBrowserContext');
    const { targetId } = await session.send('Target.createTarget', { url, browserContextId, ...viewport });
    const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
    const tab = new UnwatchedTab(session, browserContextId, sessionId);
    await tab.send('Target.setAutoAttach', {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: false,
    });
    return tab;
  }

  async close(): Promise<void> {
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.#profile });
    await this.#browser.detach();
  }

  /** A method of the DevTools protocol. Calls no method that would enable the inspector's recording. */
  async send(method: string, params: object = {}): Promise<Answer['result']> {
    return this.#answer(method, params, (message) =>
      this.#browser.send('Target.sendMessageToTarget', { sessionId: this.#sessionId, message }),
    );
  }

  /** Collects the garbage of the page and of its workers, which have separate heaps. */
  async collectGarbage(): Promise<void> {
    await this.send('HeapProfiler.collectGarbage');
    for (const sessionId of this.#workers)
      await this.#answer('HeapProfiler.collectGarbage', {}, (message) =>
        this.send('Target.sendMessageToTarget', { sessionId, message }),
      );
  }

  async #answer(method: string, params: object, post: (message: string) => Promise<unknown>) {
    this.#sent += 1;
    const id = this.#sent;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    await post(JSON.stringify({ id, method, params }));
    const { error, result } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The value of an expression in the page, or of a function that is called there. */
  async evaluate(inPage: string | (() => unknown)): Promise<unknown> {
    const expression = typeof inPage === 'string' ? inPage : `(${inPage})()`;
    const parameters = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', parameters);
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result?.value;
  }

  /** Waits until an expression is true, even across navigations. */
  async waitFor(expression: string, limitMs = 60_000): Promise<void> {
    for (const end = performance.now() + limitMs; performance.now() < end; await sleep(20))
      if (await this.evaluate(`Boolean(${expression})`).catch(() => false)) return;
    const page = await this.evaluate("location.href + ' ' + document.body.innerText.slice(0, 300)");
    throw new Error(`not within ${limitMs / 1000} s: ${expression}, on ${page}`);
  }

  /** Enters text into a field. */
  async type(selector: string, text: string): Promise<void> {
    await this.evaluate(`document.querySelector('${selector}').focus()`);
    await this.send('Input.insertText', { text });
  }

  /** Presses a key that is a letter or a digit. */
  async press(key: string): Promise<void> {
    const virtual = { key, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...virtual });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...virtual });
  }
}

/** An unsolicited message of Chromium. */
interface Notice {
  method: string;
  params: { sessionId: string; message: string };
}

interface Answer {
  id: number;
  error?: { message: string };
  result: { result?: { value?: unknown }; exceptionDetails?: { text: string }; usedSize?: number };
}
