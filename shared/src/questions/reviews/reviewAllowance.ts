import type { GraderDependencies } from '../../grading/dependencies.ts';
import { formatUtc } from '../../http/timestamps.ts';
import { areReviewsOpen } from './reviewWindow.ts';

/** How long and how often the student of a submission may still ask for reviews; null if currently not at all. */
export async function reviewAllowance(
  { reviews }: Pick<GraderDependencies, 'reviews'>,
  submissionId: number,
): Promise<{ until: string; left: number } | null> {
  const opening = await reviews.opening(submissionId, null);
  if (!opening?.rule || !areReviewsOpen(opening, new Date())) return null;
  const { rule, asked } = opening;
  return { until: formatUtc(new Date(rule.until)), left: Math.max(0, rule.perSubmission - asked) };
}
