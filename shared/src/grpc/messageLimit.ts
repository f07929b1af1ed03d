export interface MessageLimit {
  /**
   * Waits for a message.
   * @throws MessageTimeout if it did not arrive in time; the stream is then cancelled
   */
  wait<T>(message: Promise<T>): Promise<T>;
  /** Stops the timer, which would keep the process alive. */
  end(): void;
}

interface Options {
  firstMs: number;
  idleMs: number;
  /** Makes the stream reject the pending message. */
  cancel(): void;
}

/** A stream message did not arrive in time. */
export class MessageTimeout extends Error {
  constructor(milliseconds: number) {
    super(`no message of the stream arrived within ${milliseconds} ms`);
  }
}

/**
 * Limits how long a reader waits for the first message of a stream, and for each later one. Time between reads does not
 * count. Each stream has one timer that every message restarts: a separate timeout per message would cost as much as
 * reading it.
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
