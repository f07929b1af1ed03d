/** What a grading leaves as comment (D18): one that was not given keeps the earlier, null clears it. */
export const commentAfterGrading = (
  before: string | null,
  given: string | null | undefined,
): string | null => (given === undefined ? before : given);
