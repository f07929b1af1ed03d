import { useQuery } from '@tanstack/react-query';
import type { Kind } from '../../shared/api/workTypes.ts';
import { gradedHomeworkQuery, gradedQuizQuery, homeworksQuery } from '../records/studentQueries.ts';
import type { GradedHomework, GradedQuiz, Lateness } from '../records/studentTypes.ts';

export interface OwnSubmission {
  submittedAt: string;
  late: Lateness | null;
  /** Null until it is graded. */
  grading: Grading | null;
  files: { name: string | null; url: string }[];
  annotatedUrl: string | null;
}

interface Grading {
  grade: number;
  /** The grade less the penalty for late work. */
  finalGrade: number;
  totalGrade: number;
  gradedAt: string;
  comment: string | null;
  /** The selected items. Points are negative where an item takes them away. */
  rubric: { text: string; points: number }[] | null;
}

const ofQuiz = (submission: GradedQuiz): OwnSubmission => ({
  ...common(submission),
  files: submission.pdf_answer_url === null ? [] : [{ name: null, url: submission.pdf_answer_url }],
});

const ofHomework = (submission: GradedHomework): OwnSubmission => ({
  ...common(submission),
  files: submission.files.map(({ name, url }) => ({ name, url })),
});

function common(submission: GradedQuiz | GradedHomework) {
  const { grade, total_grade, graded_at, comment, rubric, annotated_url, submitted_at } = submission;
  // While the services are being updated, a response from the previous version has neither.
  const { final_grade: finalGrade = grade, late = null } = submission;
  return {
    submittedAt: submitted_at,
    late,
    annotatedUrl: annotated_url,
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
