import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Sends text piece by piece, no faster than it is read. The first pieces are made before the answer begins, so that
 * what fails there still is an error to the caller; what fails later cuts the answer. A reader who goes away is no
 * failure.
 */
export async function sendText(res: Response, pieces: AsyncGenerator<string>): Promise<void> {
  const first = [await pieces.next(), await pieces.next()];
  let failure: unknown;
  async function* all() {
    for (const { value } of first) if (value !== undefined) yield value as string;
    try {
      yield* pieces;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  await pipeline(Readable.from(all()), res).catch(() => res.destroy());
  if (failure) throw failure;
}
