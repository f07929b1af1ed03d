import { formatUtc } from '../http/timestamps.ts';
import { areGradesVisible } from '../items/item.ts';
import type { Detail } from './detailRepository.ts';
import { fromPoints } from './points.ts';

type Graded = Pick<
  Detail,
  | 'id'
  | 'comment'
  | 'grade'
  | 'totalGrade'
  | 'gradedAt'
  | 'rubric'
  | 'rubricRevision'
  | 'selection'
  | 'files'
  | 'release'
  | 'releasedAt'
>;

/** The grading as the student sees it: empty until the grade is given and visible, and without the name of the grader. */
export function serializeFeedback(submission: Graded, annotatedUrl: (submissionId: number) => string) {
  const { id, comment, grade, totalGrade, gradedAt, files } = submission;
  if (grade === null || gradedAt === null || !areGradesVisible(submission))
    return {
      comment: null,
      grade: null,
      total_grade: null,
      graded_at: null,
      rubric: null,
      annotated_url: null,
    };
  return {
    comment,
    grade,
    total_grade: totalGrade,
    graded_at: formatUtc(gradedAt),
    rubric: selectedItems(submission),
    annotated_url: files.length === 0 ? null : annotatedUrl(id),
  };
}

function selectedItems({ rubric, rubricRevision, selection }: Graded) {
  if (rubricRevision === null || !rubric) return null;
  return rubric.items.map(({ id, text, points }) => ({
    text,
    points: fromPoints(points),
    signed_points: rubric.mode === 'add' ? fromPoints(points) : 0 - fromPoints(points),
    selected: selection.includes(id),
  }));
}
