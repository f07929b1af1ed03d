import type { Response } from 'express';
import { streamText } from '../http/streamText.ts';
import { byteOrderMark } from './writeCsv.ts';

interface Options {
  fileName: string;
  /** Whether the file starts with a byte order mark (D64). */
  bom: boolean;
}

/** Streams CSV to the client as a file download. */
export async function sendCsv(
  res: Response,
  { fileName, bom }: Options,
  chunks: AsyncGenerator<string>,
): Promise<void> {
  res.set({
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'X-Content-Type-Options': 'nosniff',
  });
  await streamText(res, bom ? withByteOrderMark(chunks) : chunks);
}

// Prepended to the first chunk instead of sent as its own, so that an error before the second chunk still gets an error
// response.
async function* withByteOrderMark(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
  let mark = byteOrderMark;
  for await (const chunk of chunks) {
    yield mark + chunk;
    mark = '';
  }
}
