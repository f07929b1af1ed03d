/*
 * SQL of claims of whole submissions that have questions. Such a claim is one of every ungraded answer, or of every answer if
 * none is left to grade.
 */

/** SQL for whether the answer `a` belongs to a claim of a whole submission. */
export const isOfWholeClaim = (submissionId: string): string => `
  a.submission_id = ${submissionId} AND (a.points IS NULL OR NOT EXISTS (
    SELECT FROM answers rest WHERE rest.submission_id = a.submission_id AND rest.points IS NULL))`;

/** A query for `user_id` and `claimed_until` of the one grader who has claimed a whole submission; no row without one. */
export const wholeClaim = (submissionId: string): string => `
  SELECT min(held.user_id) AS user_id, min(held.claimed_until) AS claimed_until
  FROM answers a LEFT JOIN answer_claims held
    ON held.submission_id = a.submission_id AND held.question_id = a.question_id AND held.claimed_until > now()
  WHERE ${isOfWholeClaim(submissionId)}
  HAVING count(*) = count(held.user_id) AND min(held.user_id) = max(held.user_id)`;

/** A query for the number of submissions of an item of which a grader has claimed an answer that waits. */
export const countClaimedAnswers = (itemId: string): string => `
  SELECT count(DISTINCT c.submission_id)::int
  FROM questions q JOIN answer_claims c ON c.question_id = q.id
    JOIN answers a ON a.submission_id = c.submission_id AND a.question_id = c.question_id
  WHERE q.item_id = ${itemId} AND c.claimed_until > now() AND a.is_waiting`;
