/*
 * SQL for claims on whole submissions that have questions. Such a claim consists of claims on every ungraded answer, or
 * on every answer if all are graded.
 */

/** SQL for whether the answer `a` belongs to a claim on a whole submission. */
export const isOfWholeClaim = (submissionId: string): string => `
  a.submission_id = ${submissionId} AND (a.points IS NULL OR NOT EXISTS (
    SELECT FROM answers rest WHERE rest.submission_id = a.submission_id AND rest.points IS NULL))`;

/** A query for `user_id` and `claimed_until` of the grader who has claimed a whole submission; no row if nobody has. */
export const wholeClaim = (submissionId: string): string => `
  SELECT min(held.user_id) AS user_id, min(held.claimed_until) AS claimed_until
  FROM answers a LEFT JOIN answer_claims held
    ON held.submission_id = a.submission_id AND held.question_id = a.question_id AND held.claimed_until > now()
  WHERE ${isOfWholeClaim(submissionId)}
  HAVING count(*) = count(held.user_id) AND min(held.user_id) = max(held.user_id)`;

/** A query for the number of submissions of an item that have an ungraded answer claimed by a grader. */
export const countClaimedAnswers = (itemId: string): string => `
  SELECT count(DISTINCT c.submission_id)::int
  FROM questions q JOIN answer_claims c ON c.question_id = q.id
    JOIN answers a ON a.submission_id = c.submission_id AND a.question_id = c.question_id
  WHERE q.item_id = ${itemId} AND c.claimed_until > now() AND a.is_waiting`;
