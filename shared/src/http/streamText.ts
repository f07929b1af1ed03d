import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Streams text to the client no faster than the client reads it. An error in the first two chunks is thrown before the
 * response starts and becomes an error response. A later error breaks the connection. A client that disconnects is not
 * an error.
 */
export async function streamText(res: Response, chunks: AsyncGenerator<string>): Promise<void> {
  const first = [await chunks.next(), await chunks.next()];
  let failure: unknown;
  async function* all() {
    for (const { value } of first) if (value !== undefined) yield value as string;
    try {
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  await pipeline(Readable.from(all()), res).catch(() => res.destroy());
  if (failure) throw failure;
}
