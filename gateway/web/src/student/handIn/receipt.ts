/** The parts of a receipt that the application shows. */
export interface ReceiptContent {
  submissionId: number;
  /** RFC 3339. */
  receivedAt: string;
  files: { sha256: string; size: number }[];
}

/** The record of an upload that received a response. */
export interface KeptReceipt {
  /** The signed receipt; null if the signing service did not respond. */
  signed: string | null;
  content: ReceiptContent | null;
  /**
   * The files on this device. The hash is empty if the browser cannot compute one. Graders see only the cover of a
   * portfolio.
   */
  files: { name: string; size: number; sha256: string; isPortfolio?: boolean }[];
  /** Milliseconds since 1970, by the device's clock. */
  keptAt: number;
}

interface Claims {
  submission_id: number;
  received_at: string;
  files: { sha256: string; size: number }[];
}

/** Decodes a receipt, which is a JWT. Its recipient verifies the signature (`POST /api/v3/receipts/verify`). */
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
