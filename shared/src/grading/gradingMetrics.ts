import { counter } from '../metrics/registry.ts';

/** How a submission was graded: through the specification's endpoints; by a grader with a grade, a rubric or only a comment; or undone. */
const ways = ['specification', 'grade', 'selection', 'comment', 'undone'] as const;
const claimOutcomes = ['next', 'empty', 'claimed', 'taken', 'refused'] as const;

const gradings = counter(
  'gradeway_gradings_total',
  'Gradings: on a path of the specification; in the queue by a grade, by a selection of the rubric, of comment and annotations only; or undone',
  ['way'],
);
const claims = counter(
  'gradeway_claims_total',
  'Claims: of the next submission; of none, because nothing was left (empty); of a given one; taken over from another; refused because of another',
  ['outcome'],
);
const regraded = counter(
  'gradeway_regraded_submissions_total',
  'Submissions that got another grade by a change of their rubric',
);

/** Exports every outcome before it first occurs. */
export function declareGradings(): void {
  for (const way of ways) gradings.inc({ way }, 0);
  for (const outcome of claimOutcomes) claims.inc({ outcome }, 0);
  regraded.inc(0);
}

export const countGrading = (way: (typeof ways)[number]): void => gradings.inc({ way });
export const countClaim = (outcome: (typeof claimOutcomes)[number]): void => claims.inc({ outcome });
export const countRegraded = (submissions: number): void => regraded.inc(submissions);
