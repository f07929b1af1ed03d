import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { readAll } from '../../shared/api/readAll.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { gradedHomeworkQuery, gradedQuizQuery } from '../records/studentQueries.ts';
import type { Review } from '../records/studentTypes.ts';
import type { OwnSubmission } from '../submission/useOwnSubmission.ts';
import { canAsk } from './canAsk.ts';

/** The reviews of a submission. */
export interface Reviews {
  /** Oldest first. */
  all: Review[];
  /** Whether a review of a question, or of the whole submission if it is null, can be requested. */
  canAsk(questionId: number | null): boolean;
  ask(questionId: number | null, text: string): Promise<void>;
}

/** Returns the student's reviews of a submission, and lets the student ask for more. */
export function useReviews(kind: Kind, id: number, submission: OwnSubmission | undefined): Reviews {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [hasEnded, setEnded] = useState(false);
  const queryKey = ['my', 'reviews', kind, id];
  const isVisible = Boolean(submission?.grading ?? submission?.reviews);
  const { data } = useQuery({
    queryKey,
    enabled: isVisible,
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      readAll(async (page) => {
        const request = { params: { path: { id }, query: { page, per_page: 100 } }, signal };
        const call =
          kind === 'quizzes'
            ? api.GET('/api/v3/quiz/submissions/{id}/reviews', request)
            : api.GET('/api/v3/homeworks/submissions/{id}/reviews', request);
        return (await responseOf(call)).body;
      }),
  });

  async function ask(questionId: number | null, text: string): Promise<void> {
    const request = { params: { path: { id } }, body: { question_id: questionId, text } };
    try {
      await responseOf(
        kind === 'quizzes'
          ? api.POST('/api/v3/quiz/submissions/{id}/reviews', request)
          : api.POST('/api/v3/homeworks/submissions/{id}/reviews', request),
      );
    } catch (error) {
      if (!(error instanceof ApiError) || !(error.message in refusals)) throw error;
      void queryClient.invalidateQueries({ queryKey });
      if (error.message !== isOpenMessage) setEnded(true);
      throw new ApiError(409, t(refusals[error.message] ?? error.message));
    }
    const own = kind === 'quizzes' ? gradedQuizQuery(id) : gradedHomeworkQuery(id);
    void queryClient.invalidateQueries({ queryKey: own.queryKey });
    await queryClient.invalidateQueries({ queryKey });
  }

  const all = data ?? [];
  return {
    all,
    canAsk: (questionId) =>
      submission !== undefined && data !== undefined && canAsk(questionId, { submission, all, hasEnded }),
    ask,
  };
}

const isOpenMessage = 'A review is open';

/** English explanations of refusals. */
const refusals: Record<string, string> = {
  [isOpenMessage]: 'You have already asked for this review, and it is not answered yet.',
  'No reviews left': 'You have asked for as many reviews of this work as you may.',
  ReviewsClosed: 'The time to ask for reviews has ended.',
};
