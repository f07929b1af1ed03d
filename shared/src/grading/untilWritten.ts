import { unavailable } from '../errors/appError.ts';

// A change is repeated only if it accepts any state, and only after another change has succeeded.
const maxTries = 100;

/**
 * Makes a change to a submission that takes effect only on the version that was read. If another change comes first,
 * the submission is read again and the change repeated.
 * @param change undefined if the submission has changed since it was read
 * @param seen the submission, if it has been read already
 */
export async function untilWritten<State, Result>(
  change: (before: State) => Promise<Result | undefined>,
  read: () => Promise<State>,
  seen?: State,
): Promise<Result> {
  let before = seen ?? (await read());
  for (let tries = 0; tries < maxTries; tries += 1) {
    const result = await change(before);
    if (result !== undefined) return result;
    before = await read();
  }
  throw unavailable('the submission changes faster than it can be graded');
}
