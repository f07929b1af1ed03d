import { formatUtc } from '../http/timestamps.ts';
import { areGradesVisible } from '../items/item.ts';
import type { ExplainedAnswer } from '../questions/answer.ts';
import { serializeAnswerPages, serializePages } from '../questions/pages/serializePages.ts';
import type { Detail, DetailFile } from './detailRepository.ts';
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
  | 'answers'
  | 'files'
  | 'release'
  | 'releasedAt'
>;

/** The grading as the student sees it: empty until the grade is given and visible, and without the name of the grader. */
export function serializeFeedback(submission: Graded, annotatedUrl: (submissionId: number) => string) {
  const { id, comment, grade, totalGrade, gradedAt, files, answers } = submission;
  if (grade === null || gradedAt === null || !areGradesVisible(submission))
    return {
      comment: null,
      grade: null,
      total_grade: null,
      graded_at: null,
      rubric: null,
      answers: null,
      annotated_url: null,
    };
  return {
    comment,
    grade,
    total_grade: totalGrade,
    graded_at: formatUtc(gradedAt),
    rubric: selectedItems(submission),
    answers: answers.map(serializeExplained),
    annotated_url: files.length === 0 ? null : annotatedUrl(id),
  };
}

/** Students see the items that a grader selected, but not the other items. */
function selectedItems({ rubric, rubricRevision, selection }: Graded) {
  if (rubricRevision === null || !rubric) return null;
  return rubric.items
    .filter(({ id }) => selection.includes(id))
    .map(({ text, points }) => ({
      text,
      points: rubric.mode === 'add' ? fromPoints(points) : 0 - fromPoints(points),
    }));
}

const serializeExplained = (answer: ExplainedAnswer) => ({
  question_id: answer.questionId,
  label: answer.label,
  title: answer.title,
  // Null if the submission was graded as a whole.
  points: answer.points === null ? null : fromPoints(answer.points),
  max_points: fromPoints(answer.maxPoints),
  rubric: answer.selected,
  adjustment: fromPoints(answer.adjustment),
  comment: answer.comment,
  pages: serializeAnswerPages(answer.pages),
});

type MeasuredFile = Pick<DetailFile, 'id' | 'name'> & { sizes: unknown[] };

/** The student's submission with the pages of its answers, graded or not. */
export const serializeWork = ({ answers }: Pick<Detail, 'answers'>, files: MeasuredFile[]) => ({
  files: files.map(({ id, name, sizes }) => ({ id, name, pages: sizes.length })),
  pages: serializePages(answers),
});
