import jwt from 'jsonwebtoken';
import type { KeyRing } from './keyRing.ts';

/** What a receipt attests; times are RFC 3339. */
export interface ReceiptClaims {
  kind: string;
  submissionId: number;
  studentId: number;
  files: { sha256: string; size: number }[];
  receivedAt: string;
  deadline: string | null;
}

export interface ReadReceipt extends ReceiptClaims {
  issuedAt: Date;
}

interface Options {
  keys: Pick<KeyRing, 'signingKey' | 'findForReceipt'>;
  issuer: string;
}

/** A receipt is signed like an access token, but can never be taken for one: another type, another audience. */
const receiptType = 'receipt+jwt';
const receiptAudience = 'gradeway-receipts';

/** Makes and reads receipts. They do not expire: what was handed in when stays true. */
export class Receipts {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  sign({ kind, submissionId, studentId, files, receivedAt, deadline }: ReceiptClaims): string {
    const { kid, privateKey } = this.#options.keys.signingKey();
    const claims = {
      ...{ iss: this.#options.issuer, aud: receiptAudience, sub: `${kind}/submissions/${submissionId}` },
      ...{ kind, submission_id: submissionId, student_id: studentId, files },
      ...{ received_at: receivedAt, deadline },
    };
    const header = { alg: 'ES256', typ: receiptType, kid };
    return jwt.sign(claims, privateKey, { algorithm: 'ES256', header });
  }

  /** What a receipt attests; undefined when it is none of ours, or was altered. */
  async read(receipt: string): Promise<ReadReceipt | undefined> {
    const header = jwt.decode(receipt, { complete: true })?.header;
    if (header?.typ !== receiptType || header.crit || !header.kid) return undefined;
    const key = await this.#options.keys.findForReceipt(header.kid);
    if (!key) return undefined;
    try {
      const rules = {
        algorithms: ['ES256' as const],
        issuer: this.#options.issuer,
        audience: receiptAudience,
      };
      return readClaims(jwt.verify(receipt, key, rules) as jwt.JwtPayload);
    } catch {
      return undefined;
    }
  }
}

const readClaims = (claims: jwt.JwtPayload): ReadReceipt => ({
  kind: claims.kind,
  submissionId: claims.submission_id,
  studentId: claims.student_id,
  files: claims.files,
  receivedAt: claims.received_at,
  deadline: claims.deadline,
  issuedAt: new Date(Number(claims.iat) * 1000),
});
