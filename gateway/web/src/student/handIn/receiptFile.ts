import type { KeptReceipt } from './receipt.ts';

export type Comparison = 'same' | 'different' | 'unknown';

/** Compares the files that the school has received with those on this device. */
export function compareFiles({ content, files }: Pick<KeptReceipt, 'content' | 'files'>): Comparison {
  if (!content || files.some(({ sha256 }) => sha256 === '')) return 'unknown';
  if (content.files.length !== files.length) return 'different';
  return content.files.every(({ sha256 }, index) => sha256 === files[index]?.sha256) ? 'same' : 'different';
}

/** Builds the file that the student keeps: the receipt in readable form, and the signed receipt for verification. */
export function receiptFile(title: string, { signed, content, files }: KeptReceipt): string {
  const readable = {
    title,
    submission_id: content?.submissionId,
    received_at: content?.receivedAt,
    files: content?.files.map((file, index) => ({ name: files[index]?.name, ...file })),
    receipt: signed,
  };
  return `${JSON.stringify(readable, null, 2)}\n`;
}
