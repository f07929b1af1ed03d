/** Why a PDF cannot be written again. */
export type Refusal = 'encrypted' | 'damaged' | 'out_of_memory';

/** A PDF that cannot be written again. */
export class RefusedPdf extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}
