import { useQuery } from '@tanstack/react-query';
import type { Kind } from '../../shared/api/workTypes.ts';
import { gradedHomeworkQuery, gradedQuizQuery, homeworksQuery } from '../records/studentQueries.ts';
import type {
  GradedAnswer,
  GradedHomework,
  GradedQuiz,
  Lateness,
  Place,
  ReviewAllowance,
  SelectedItem,
} from '../records/studentTypes.ts';

export interface OwnFile {
  id: number;
  /** Null for the only file of a quiz. */
  name: string | null;
  url: string;
  pages: number;
}

export interface OwnSubmission {
  submittedAt: string;
  late: Lateness | null;
  /** Null until it is graded. */
  grading: Grading | null;
  files: OwnFile[];
  /** Where the answers are. */
  pages: Place[];
  annotatedUrl: string | null;
  /** Null if the student may not ask for reviews now; undefined if the service does not report it. */
  reviews: ReviewAllowance | null | undefined;
}

interface Grading {
  grade: number;
  /** The grade less the penalty for late work. */
  finalGrade: number;
  totalGrade: number;
  gradedAt: string;
  comment: string | null;
  /** The selected items. */
  rubric: SelectedItem[] | null;
  /** Empty for work without questions. */
  answers: GradedAnswer[];
}

const ofQuiz = (submission: GradedQuiz): OwnSubmission => ({
  ...common(submission),
  files: sheetOf(submission),
});

const ofHomework = (submission: GradedHomework): OwnSubmission => ({
  ...common(submission),
  files: submission.files,
});

function sheetOf({ pdf_answer_url: url, files }: GradedQuiz): OwnFile[] {
  const { id = 0, pages = 0 } = files?.[0] ?? {};
  return url === null ? [] : [{ id, name: null, url, pages }];
}

function common(submission: GradedQuiz | GradedHomework) {
  const { grade, total_grade, graded_at, comment, rubric, annotated_url, submitted_at, reviews } = submission;
  // While the services are being updated, a response from the previous version lacks these fields.
  const { final_grade: finalGrade = grade, late = null, answers = null, pages = [] } = submission;
  return {
    submittedAt: submitted_at,
    late,
    annotatedUrl: annotated_url,
    pages,
    reviews,
    grading:
      grade === null || total_grade === null || graded_at === null
        ? null
        : {
            grade,
            finalGrade: finalGrade ?? grade,
            totalGrade: total_grade,
            gradedAt: graded_at,
            comment,
            rubric,
            answers: answers ?? [],
          },
  };
}

/** Returns one of the user's own submissions, with its title if known. */
export function useOwnSubmission(kind: Kind, id: number) {
  const isQuiz = kind === 'quizzes';
  const quiz = useQuery({ ...gradedQuizQuery(id), enabled: isQuiz });
  const homework = useQuery({ ...gradedHomeworkQuery(id), enabled: !isQuiz });
  // The submission itself does not contain the title of its homework.
  const homeworks = useQuery({ ...homeworksQuery, enabled: !isQuiz });
  const { error, refetch } = isQuiz ? quiz : homework;
  const submission = isQuiz ? quiz.data && ofQuiz(quiz.data) : homework.data && ofHomework(homework.data);
  const title = isQuiz
    ? quiz.data?.quiz_title
    : homeworks.data?.items.find(({ submission: own }) => own?.id === id)?.title;
  return { submission, title, error, refetch };
}
