import { notFound, unavailable } from '../errors/appError.ts';
import type { Detail, DetailRepository } from './detailRepository.ts';

// Only changes that accept any state are repeated; each time another one has succeeded.
const mostTries = 20;

/**
 * Makes a change of a submission that takes effect only on the version that was read. After another change, it is made again on
 * the present version.
 * @param seen the submission as it was read for the checks before
 * @param change undefined when the submission has changed since it was read
 */
export async function untilWritten<Result>(
  details: DetailRepository,
  seen: Detail,
  callerId: number,
  change: (before: Detail) => Promise<Result | undefined>,
): Promise<Result> {
  let before: Detail | undefined = seen;
  for (let tries = 0; tries < mostTries; tries += 1) {
    if (!before) throw notFound();
    const result = await change(before);
    if (result !== undefined) return result;
    before = await details.find(before.id, callerId);
  }
  throw unavailable('others change the submission first');
}
