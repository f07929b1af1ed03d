import { notFound } from '../errors/appError.ts';
import type { Detail } from '../grading/detailRepository.ts';
import { fromPoints } from '../grading/points.ts';
import { areGradesVisible } from '../items/item.ts';
import type { AnnotatedSubmission } from './annotatedPdfs.ts';
import type { GradeSummary } from './mark.ts';

export type Viewer = 'staff' | 'student';

/**
 * Returns the content to render for a submission; undefined when the submission or its last file was deleted.
 * @throws AppError `not_found` for a student who does not see the grade
 */
export function annotatedSubmission(
  detail: Detail | undefined,
  viewer: Viewer = 'staff',
): AnnotatedSubmission | undefined {
  if (!detail || detail.files.length === 0) return undefined;
  if (viewer === 'student' && !areGradesVisible(detail)) throw notFound();
  const { files, annotations } = detail;
  return {
    id: detail.id,
    studentId: detail.studentId,
    files: files.map(({ sizes: _, ...file }) => file),
    marks: annotations.map(({ id: _, ...mark }) => mark),
    summary: summaryOf(detail),
  };
}

function summaryOf({ title, studentName, grade, totalGrade, comment, ...graded }: Detail): GradeSummary {
  return {
    title,
    student: studentName,
    grade: grade === null ? null : { points: String(grade), total: String(totalGrade) },
    rubric: rubricOf(graded),
    comment,
  };
}

/** Returns the rubric if the submission was graded with it. */
function rubricOf({
  rubric,
  rubricRevision,
  selection,
  adjustment,
}: Pick<Detail, 'rubric' | 'rubricRevision' | 'selection' | 'adjustment'>): GradeSummary['rubric'] {
  if (!rubric || rubricRevision === null) return null;
  return {
    mode: rubric.mode,
    lines: rubric.items.map(({ id, points, text, explanation, group }) => ({
      ...{ id, text, explanation, group },
      points: String(fromPoints(points)),
      selected: selection.includes(id),
    })),
    adjustment: String(fromPoints(adjustment)),
  };
}
