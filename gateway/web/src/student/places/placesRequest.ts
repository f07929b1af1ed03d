import { ApiError } from '../../shared/api/apiError.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import { queryClient } from '../../shared/api/queryClient.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import type { Translate } from '../../shared/language/useTranslation.ts';
import { gradedHomeworkQuery, gradedQuizQuery } from '../records/studentQueries.ts';
import type { Place } from '../records/studentTypes.ts';

/** Stores the pages of a submission's answers, replacing those stored before. */
export async function savePlaces(kind: Kind, id: number, pages: Place[], t: Translate): Promise<void> {
  const request = { params: { path: { id } }, body: { pages } };
  try {
    await responseOf(
      kind === 'quizzes'
        ? api.PUT('/api/v3/quiz/submissions/{id}/pages', request)
        : api.PUT('/api/v3/homeworks/submissions/{id}/pages', request),
    );
  } catch (error) {
    // The files, the questions or the grade have changed.
    void queryClient.invalidateQueries({ queryKey: ['my'] });
    throw inWords(error, t);
  }
  const { queryKey } = kind === 'quizzes' ? gradedQuizQuery(id) : gradedHomeworkQuery(id);
  await queryClient.invalidateQueries({ queryKey });
}

function inWords(error: unknown, t: Translate): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.status === 403)
    return new ApiError(409, t('The time in which you can say where your answers are has ended.'));
  if (error.status === 409) return new ApiError(409, t('This has already been graded'));
  if (error.status === 422)
    return new ApiError(
      409,
      t('Your files or the questions have changed meanwhile. Choose the pages again.'),
    );
  return error;
}
