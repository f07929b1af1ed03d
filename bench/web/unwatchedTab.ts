import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { viewport } from './scene.ts';

/**
 * A tab in a separate profile that Playwright does not attach to. Where it does, Chromium's inspector keeps the answers of all
 * requests in the memory of the tab, up to a hundred megabytes of them.
 */
export class UnwatchedTab {
  readonly #browser: CDPSession;
  readonly #profile: string;
  readonly #sessionId: string;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #sent = 0;

  private constructor(browser: CDPSession, profile: string, sessionId: string) {
    this.#browser = browser;
    this.#profile = profile;
    this.#sessionId = sessionId;
    browser.on('Target.receivedMessageFromTarget', ({ message }) => {
      const answer = JSON.parse(message) as Answer;
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  static async open(browser: Browser, url: string): Promise<UnwatchedTab> {
    const session = await browser.newBrowserCDPSession();
    const { browserContextId } = await session.send('Target.createBrowserContext');
    const { targetId } = await session.send('Target.createTarget', { url, browserContextId, ...viewport });
    const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
    return new UnwatchedTab(session, browserContextId, sessionId);
  }

  async close(): Promise<void> {
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.#profile });
    await this.#browser.detach();
  }

  /** A method of the DevTools protocol. None is called here that would enable the inspector's recording. */
  async send(method: string, params: object = {}): Promise<Answer['result']> {
    this.#sent += 1;
    const id = this.#sent;
    const answered = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    const message = JSON.stringify({ id, method, params });
    await this.#browser.send('Target.sendMessageToTarget', { sessionId: this.#sessionId, message });
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

  /** Waits until an expression is true; also while a page is left for another. */
  async waitFor(expression: string, limitMs = 60_000): Promise<void> {
    for (const end = performance.now() + limitMs; performance.now() < end; await sleep(20))
      if (await this.evaluate(`Boolean(${expression})`).catch(() => false)) return;
    const page = await this.evaluate("location.href + ' ' + document.body.innerText.slice(0, 300)");
    throw new Error(`not within ${limitMs / 1000} s: ${expression}, on ${page}`);
  }

  /** Writes into a field. */
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

interface Answer {
  id: number;
  error?: { message: string };
  result: { result?: { value?: unknown }; exceptionDetails?: { text: string }; usedSize?: number };
}
