import type { Annotation } from '../queue/gradingTypes.ts';

/**
 * Merges the marks of two graders of different questions, who started from `base`. Each side's own marks stay, a mark that
 * either has removed is gone, and one that both have changed is as in `mine`.
 */
export function mergeMarks(base: Annotation[], mine: Annotation[], theirs: Annotation[]): Annotation[] {
  const [before, own] = [byId(base), byId(mine)];
  const known = byId(theirs);
  const kept = theirs.flatMap((mark) => {
    const [old, changed] = [before.get(mark.id), own.get(mark.id)];
    if (!old) return [changed ?? mark];
    if (!changed) return [];
    return [isSame(old, changed) ? mark : changed];
  });
  const added = mine.filter(({ id }) => !known.has(id) && !before.has(id));
  return [...kept, ...added];
}

const byId = (marks: Annotation[]) => new Map(marks.map((mark) => [mark.id, mark]));
const isSame = (one: Annotation, other: Annotation) => JSON.stringify(one) === JSON.stringify(other);
