import { createHash } from 'node:crypto';
import type { Annotation } from './annotation.ts';
import type { Points } from './points.ts';

/** The state that the entity tag of a submission covers. Excludes claims, signed URLs and the texts of the rubric. */
export interface TaggedState {
  id: number;
  /** Changing back to an earlier grade is a new state. */
  revision: number;
  grade: number | null;
  totalGrade: number | null;
  /** Covered because another grader may give the same grade. */
  gradedBy: number | null;
  gradedAt: Date | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  rubricRevision: number | null;
  annotations: Annotation[];
  files: { id: number }[];
}

/** The entity tag of a submission on the specification's endpoints. Each grading and each upload changes it. */
export const versionTag = ({ revision, submittedAt }: { revision: number; submittedAt: Date }): string =>
  `"${revision}-${submittedAt.getTime().toString(36)}"`;

/** The entity tag of a submission for graders. */
export function detailTag(state: TaggedState): string {
  const { id, revision, grade, totalGrade, gradedBy, gradedAt, comment } = state;
  const covered = [
    ...[id, revision, grade, totalGrade, gradedBy, gradedAt, comment],
    ...[state.selection, state.adjustment, state.rubricRevision],
    state.annotations.map(partsOf),
    state.files.map((file) => file.id),
  ];
  return `"${createHash('sha256').update(JSON.stringify(covered)).digest('base64url').slice(0, 22)}"`;
}

const partsOf = ({ id, fileId, page, kind, rect, points, text, color, itemId }: Annotation) => [
  ...[id, fileId, page, kind, rect, points, text, color, itemId],
];

/** The entity tag of a rubric. A revision is never used twice. The use counts of its items do not change the tag. */
export const rubricTag = (itemId: number, { revision }: { revision: number }): string =>
  `"rubric-${itemId}-${revision}"`;

/** The entity tag of a question's rubric. */
export const questionRubricTag = (questionId: number, { revision }: { revision: number }): string =>
  `"rubric-question-${questionId}-${revision}"`;

/** Whether a state is one of the expected states. A weak or malformed tag matches no state. */
export const isExpected = (expected: string[] | 'any', tag: string): boolean =>
  expected === 'any' || expected.includes(tag);
