import { notFound } from '../errors/appError.ts';
import type { Detail } from '../grading/detailRepository.ts';
import { fromPoints } from '../grading/points.ts';
import { areGradesVisible } from '../items/item.ts';
import type { ExplainedAnswer } from '../questions/answer.ts';
import type { AnnotatedSubmission } from './annotatedPdfs.ts';
import type { GradeSummary, QuestionSummary } from './mark.ts';

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
    summary: summaryOf(detail, viewer),
  };
}

// Until every question is graded, students see no grading at all; staff see the questions graded so far and the
// comment.
function summaryOf(detail: Detail, viewer: Viewer): GradeSummary {
  const { title, studentName: student, grade, totalGrade, comment } = detail;
  const total = { title, student, grade: null };
  if (grade === null && viewer === 'student') return total;
  return {
    ...total,
    grade: grade === null ? null : { points: String(grade), total: String(totalGrade) },
    rubric: rubricOf(detail),
    questions: detail.answers.map(questionOf),
    comment,
  };
}

const questionOf = ({
  label,
  title,
  points,
  maxPoints,
  selected,
  comment,
}: ExplainedAnswer): QuestionSummary => ({
  label,
  title,
  points: points === null ? null : String(fromPoints(points)),
  maxPoints: String(fromPoints(maxPoints)),
  items: selected.map((item) => ({ text: item.text, points: String(item.points) })),
  comment,
});

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
