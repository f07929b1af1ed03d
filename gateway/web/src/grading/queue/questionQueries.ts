import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { ItemId } from './gradingTypes.ts';
import { useItemRefresh } from './itemQueries.ts';
import { readOutline, readQuestionProgress, readQuestionRubric } from './questionRequests.ts';
import type { QuestionId } from './questionTypes.ts';

/** The questions of an item, with the ETag. */
export const outlineQuery = (item: ItemId) =>
  queryOptions({
    queryKey: ['outline', item.kind, item.itemId],
    queryFn: ({ signal }) => readOutline(item, signal),
  });

/** How many answers to each question are graded. A saved grading refetches it, as its key starts with `progress`. */
export const questionProgressQuery = (item: ItemId) =>
  queryOptions({
    queryKey: ['progress', item.kind, item.itemId, 'questions'],
    staleTime: 0,
    queryFn: ({ signal }) => readQuestionProgress(item, signal),
  });

/** The rubric of a question with its ETag; null if there is none. */
export const questionRubricQuery = (question: QuestionId, isThere: boolean) =>
  queryOptions({
    queryKey: ['question rubric', question.kind, question.itemId, question.questionId],
    queryFn: async ({ signal }) => (isThere ? await readQuestionRubric(question, signal) : null),
  });

/** Refetches everything that shows grades, after a change to the questions or their rubrics. */
export function useGradesRefresh(item: ItemId): () => void {
  const queryClient = useQueryClient();
  const refresh = useItemRefresh(item);
  return () => {
    void refresh();
    void queryClient.invalidateQueries({ queryKey: ['statistics', item.kind, item.itemId] });
  };
}
