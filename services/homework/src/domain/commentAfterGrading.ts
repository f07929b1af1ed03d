/** The comment after a grading (D18): an absent one keeps the earlier comment, null clears it. */
export const commentAfterGrading = (
  before: string | null,
  given: string | null | undefined,
): string | null => (given === undefined ? before : given);
