import type { IdempotencyKey } from '../database/idempotencyStore.ts';

/** The conditions under which a grading takes effect. */
export interface GradingConditions {
  /** The version tags of the submission that the grader accepts; undefined accepts any. */
  expectedTags: string[] | undefined;
  /** Repetitions with the same key have no further effect. */
  key: IdempotencyKey | undefined;
}
