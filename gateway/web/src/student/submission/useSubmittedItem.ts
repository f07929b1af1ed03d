import { useQuery } from '@tanstack/react-query';
import type { Kind } from '../../shared/api/workTypes.ts';
import { gradedQuizQuery, homeworksQuery, quizzesQuery } from '../records/studentQueries.ts';
import type { Homework, Quiz } from '../records/studentTypes.ts';

/** Returns the quiz or homework of a submission; undefined until it is loaded, and if the student has left its course. */
export function useSubmittedItem(kind: Kind, submissionId: number): Quiz | Homework | undefined {
  const isQuiz = kind === 'quizzes';
  const submission = useQuery({ ...gradedQuizQuery(submissionId), enabled: isQuiz });
  const quizzes = useQuery({ ...quizzesQuery, enabled: isQuiz });
  const homeworks = useQuery({ ...homeworksQuery, enabled: !isQuiz });
  return isQuiz
    ? quizzes.data?.items.find(({ id }) => id === submission.data?.quiz_id)
    : homeworks.data?.items.find(({ submission: own }) => own?.id === submissionId);
}
