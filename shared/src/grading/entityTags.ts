import { createHash } from 'node:crypto';
import type { Annotation } from './annotation.ts';
import type { Points } from './points.ts';

/** What the entity tag of a submission covers. Claims, signed addresses and the texts of the rubric are none of it. */
export interface TaggedState {
  id: number;
  /** Of the grade and the comment, so that a change back to an earlier grade is another state. */
  revision: number;
  grade: number | null;
  totalGrade: number | null;
  /** Who graded it and when, because another grader may give the same grade. */
  gradedBy: number | null;
  gradedAt: Date | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  rubricRevision: number | null;
  annotations: Annotation[];
  files: { id: number }[];
}

/** The entity tag of a submission as graders see it. It is independent of the tag of the specification's endpoints. */
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

/** The entity tag of a rubric. A revision is never used twice, so how often its items are used does not change it. */
export const rubricTag = (itemId: number, { revision }: { revision: number }): string =>
  `"rubric-${itemId}-${revision}"`;

/** The tags of an `If-Match` (RFC 9110 §13.1.1); `any` for `*`, undefined without the header. */
type ExpectedTags = string[] | 'any' | undefined;

export function readIfMatch(header: string | undefined): ExpectedTags {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  return header.split(',').map((tag) => tag.trim());
}

/** Whether a state is an expected one. A weak or malformed tag equals none. */
export const isExpected = (expected: string[] | 'any', tag: string): boolean =>
  expected === 'any' || expected.includes(tag);
