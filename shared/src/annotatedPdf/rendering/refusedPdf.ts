/** Why a PDF cannot be rewritten. */
export type Refusal = 'encrypted' | 'damaged' | 'out_of_memory';

/** The PDF cannot be rewritten. */
export class RefusedPdf extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}
