import type { GetRubricResponse } from '@gradeway/proto/submissions';
import type { FindRubric, RubricDocument } from '../grading/sharedRubric.ts';

type FoundRubric = Awaited<ReturnType<FindRubric>>;

/** The response of the RPC `GetRubric`. */
export function toRubricMessage(found: FoundRubric) {
  const { courseId = 0, rubric } = found ?? {};
  if (!rubric) return { courseId };
  const { mode, maxPoints, minPoints } = rubric;
  const items = rubric.items.map(({ points, text, explanation, group, key }) => ({
    points,
    text,
    ...(explanation === null ? {} : { explanation }),
    ...(group === null ? {} : { group }),
    ...(key === null ? {} : { key }),
  }));
  return { courseId, rubric: { mode, maxPoints, minPoints, items } };
}

/** The opposite of {@link toRubricMessage}. */
export function fromRubricMessage({ courseId, rubric }: GetRubricResponse): FoundRubric {
  if (courseId === 0) return undefined;
  if (!rubric) return { courseId, rubric: undefined };
  const { mode, maxPoints, minPoints } = rubric;
  const items = rubric.items.map(({ points, text, explanation, group, key }) => ({
    points,
    text,
    explanation: explanation ?? null,
    group: group ?? null,
    key: key ?? null,
  }));
  return { courseId, rubric: { mode: mode as RubricDocument['mode'], maxPoints, minPoints, items } };
}
