/** What a receipt says, as far as the application shows it. */
export interface ReceiptContent {
  submissionId: number;
  /** RFC 3339. */
  receivedAt: string;
  files: { sha256: string; size: number }[];
}

/** The record of an upload that was answered. */
export interface KeptReceipt {
  /** The signed receipt; null when the service that signs did not answer. */
  signed: string | null;
  content: ReceiptContent | null;
  /** The files as they are on this device; an empty hash where the browser computes none. Graders see the cover of a portfolio. */
  files: { name: string; size: number; sha256: string; isPortfolio?: boolean }[];
  /** Milliseconds since 1970, by the device. */
  keptAt: number;
}

interface Claims {
  submission_id: number;
  received_at: string;
  files: { sha256: string; size: number }[];
}

/** Reads a receipt, which is a JWT. Whoever is shown it verifies the signature (`POST /api/v3/receipts/verify`). */
export function readReceipt(signed: string): ReceiptContent | null {
  try {
    const payload = signed.split('.')[1] ?? '';
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
      each.charCodeAt(0),
    );
    const claims = JSON.parse(new TextDecoder().decode(bytes)) as Claims;
    return {
      submissionId: claims.submission_id,
      receivedAt: claims.received_at,
      files: claims.files.map(({ sha256, size }) => ({ sha256, size })),
    };
  } catch {
    return null;
  }
}

export type Comparison = 'same' | 'different' | 'unknown';

/** Whether the school has the same files as this device. */
export function compareFiles({ content, files }: Pick<KeptReceipt, 'content' | 'files'>): Comparison {
  if (!content || files.some(({ sha256 }) => sha256 === '')) return 'unknown';
  if (content.files.length !== files.length) return 'different';
  return content.files.every(({ sha256 }, index) => sha256 === files[index]?.sha256) ? 'same' : 'different';
}

/** The file that one keeps: what the receipt says for people, and the signed receipt for whoever verifies it. */
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
