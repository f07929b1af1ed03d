export interface MessageLimit {
  /**
   * Waits for a message.
   * @throws MessageTimeout when it did not arrive in time; the stream is cancelled then
   */
  wait<T>(message: Promise<T>): Promise<T>;
  /** Ends the timer, which would keep the process alive. */
  end(): void;
}

interface Options {
  firstMs: number;
  idleMs: number;
  /** Makes the stream reject the message that is waited for. */
  cancel(): void;
}

/** A message of a stream that did not arrive in time. */
export class MessageTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no message of the stream arrived within ${milliseconds} ms`);
  }
}

/**
 * Limits how long a reader waits for the first message of a stream, and for each further one. Time during which it requests
 * none does not count. A stream has one timer, which each message restarts: a separate timeout for each message would cost as
 * much as reading it.
 */
export function limitMessages({ firstMs, idleMs, cancel }: Options): MessageLimit {
  let isWaiting = false;
  let timeout: MessageTimeout | undefined;
  const start = (milliseconds: number) =>
    setTimeout(() => {
      if (!isWaiting) return;
      timeout = new MessageTimeout(milliseconds);
      cancel();
    }, milliseconds);
  let timer = start(firstMs);
  let isFirst = true;
  return {
    async wait(message) {
      isWaiting = true;
      timer.refresh();
      try {
        return await message;
      } catch (error) {
        throw timeout ?? error;
      } finally {
        isWaiting = false;
        if (isFirst) {
          clearTimeout(timer);
          timer = start(idleMs);
          isFirst = false;
        }
      }
    },
    end: () => clearTimeout(timer),
  };
}
