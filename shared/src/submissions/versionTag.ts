interface Versioned {
  revision: number;
  submittedAt: Date;
}

/**
 * Identifies the state of a submission: each grading and each upload changes it. It has the syntax of an entity tag,
 * because clients get it as `ETag` and send it back as `If-Match`.
 */
export const versionTag = ({ revision, submittedAt }: Versioned): string =>
  `"${revision}-${submittedAt.getTime().toString(36)}"`;

/** The submission is not in a state that the caller expected. */
export class VersionConflict extends Error {}

/**
 * Checks that a submission is in one of the expected states; undefined accepts any state.
 * @throws VersionConflict
 */
export function requireVersion(submission: Versioned, expected: string[] | undefined): void {
  if (expected && !expected.includes(versionTag(submission)))
    throw new VersionConflict('the submission has changed');
}
