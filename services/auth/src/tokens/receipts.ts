import jwt from 'jsonwebtoken';
import type { KeyRing } from './keyRing.ts';
import { signJwt } from './signJwt.ts';

/** The content of a receipt. Times are RFC 3339. */
export interface ReceiptClaims {
  kind: string;
  submissionId: number;
  studentId: number;
  files: { sha256: string; size: number }[];
  receivedAt: string;
  deadline: string | null;
}

export interface VerifiedReceipt extends ReceiptClaims {
  issuedAt: Date;
}

interface Options {
  keys: Pick<KeyRing, 'signingKey' | 'findForReceipt'>;
  issuer: string;
}

// Receipts are signed with the access token keys. Type and audience distinguish them.
const receiptType = 'receipt+jwt';
const receiptAudience = 'gradeway-receipts';

/** Signs and verifies receipts. They do not expire, because the submission they attest remains a fact. */
export class Receipts {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  sign({ kind, submissionId, studentId, files, receivedAt, deadline }: ReceiptClaims): string {
    const { keys, issuer } = this.#options;
    return signJwt(keys, receiptType, {
      iss: issuer,
      aud: receiptAudience,
      sub: `${kind}/submissions/${submissionId}`,
      kind,
      submission_id: submissionId,
      student_id: studentId,
      files,
      received_at: receivedAt,
      deadline,
    }).text;
  }

  /** Returns the content of a receipt; undefined if it was altered or does not come from this installation. */
  async verify(receipt: string): Promise<VerifiedReceipt | undefined> {
    const header = jwt.decode(receipt, { complete: true })?.header;
    if (header?.typ !== receiptType || header.crit || !header.kid) return undefined;
    const key = await this.#options.keys.findForReceipt(header.kid);
    if (!key) return undefined;
    try {
      const claims = jwt.verify(receipt, key, {
        algorithms: ['ES256'],
        issuer: this.#options.issuer,
        audience: receiptAudience,
      });
      return toReceipt(claims as jwt.JwtPayload);
    } catch {
      return undefined;
    }
  }
}

const toReceipt = (claims: jwt.JwtPayload): VerifiedReceipt => ({
  kind: claims.kind,
  submissionId: claims.submission_id,
  studentId: claims.student_id,
  files: claims.files,
  receivedAt: claims.received_at,
  deadline: claims.deadline,
  issuedAt: new Date(Number(claims.iat) * 1000),
});
