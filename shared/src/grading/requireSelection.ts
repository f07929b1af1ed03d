import { invalid } from '../errors/appError.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import { conflictIn, type Rubric } from './rubric.ts';

/** The items that a grader selected, in the revision of the rubric that they saw. */
interface GivenSelection {
  selection: number[];
  rubricRevision?: number | undefined;
}

/**
 * Requires that a selection is valid for the current rubric, and returns the rubric.
 * @param present the state being graded
 * @throws AppError `invalid`, or ChangedMeanwhile with the current state when the rubric has a different revision
 */
export function requireSelection<R extends Rubric>(
  rubric: R | null | undefined,
  { selection, rubricRevision }: GivenSelection,
  present: unknown,
): R {
  if (!rubric) throw invalid({ selection: ['There is no rubric to select from.'] });
  if (rubricRevision !== rubric.revision) throw new ChangedMeanwhile(present);
  requireSelectable(rubric, selection);
  return rubric;
}

function requireSelectable({ items }: Rubric, selection: number[]): void {
  const known = new Set(items.map(({ id }) => id));
  const unknown = selection.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw invalid({ selection: unknown.map((id) => `The item ${id} is not in the rubric, or was removed.`) });
  const conflict = conflictIn(items, selection);
  if (!conflict) return;
  const texts = conflict.itemIds.map((id) => items.find((item) => item.id === id)?.text);
  throw invalid({
    selection: [`Of the group ${conflict.group} only one can be selected, not both ${texts.join(' and ')}.`],
  });
}
