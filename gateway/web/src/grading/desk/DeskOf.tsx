import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { sheetQuery } from '../queue/gradingQueries.ts';
import type { ItemId, Queue } from '../queue/gradingTypes.ts';
import { outlineQuery } from '../queue/questionQueries.ts';
import { Desk, type DeskProps } from './Desk.tsx';
import { useItem } from './DeskStatus.tsx';
import { firstQuestion, type QuestionOfDesk, questionSheet } from './questionSheet.ts';

type Shared = Omit<DeskProps, 'sheet' | 'of' | 'courseId' | 'usualTotal'>;

/** Shows the desk of one submission, or of its answer to a question, once it has been loaded. */
export function DeskOf({ id, ...shared }: Shared & { id: number }) {
  const { item } = shared;
  const { kind, itemId, questionId } = item;
  const about = useItem(item);
  const sheet = useQuery(sheetQuery(kind, id));
  const questions = useQuestion(item);
  // Shows only a response that belongs to the URL.
  const whole = sheet.data?.detail.id === id ? sheet.data : undefined;
  const { of } = questions;
  const shown = useMemo(() => whole && (of ? questionSheet(whole, of.question) : whole), [whole, of]);
  if (whole && whole.detail.item_id !== itemId)
    return <Elsewhere kind={kind} itemId={whole.detail.item_id} submissionId={id} />;
  const failed = whole ? questions : sheet;
  if (failed.error) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} isPage />;
  if (!whole || about.isPending || questions.isPending) return <Loading />;
  const first = firstQuestion(whole.detail);
  if (questionId === undefined && first !== undefined)
    return (
      <Navigate
        to="/grading/$kind/$itemId/submissions/$submissionId"
        params={{ kind, itemId, submissionId: id }}
        search={{ question: first }}
        replace
        resetScroll={false}
      />
    );
  if (!shown || (questionId !== undefined && !of))
    return <QuestionGone kind={kind} itemId={itemId} submissionId={id} />;
  return (
    <Desk
      {...shared}
      courseId={about.data?.course_id}
      usualTotal={about.data?.total_grade ?? null}
      sheet={shown}
      of={of}
    />
  );
}

/** The question that the queue is about. */
function useQuestion(item: Queue) {
  const { questionId } = item;
  const hasQuestion = questionId !== undefined;
  // Saving detects a rubric that has changed since.
  const { data, error, isPending, refetch } = useQuery({
    ...outlineQuery(item),
    staleTime: 60_000,
    enabled: hasQuestion,
  });
  const of: QuestionOfDesk | undefined = useMemo(() => {
    const question = data?.outline.questions.find(({ id }) => id === questionId);
    return data && question && { question, outline: data.outline };
  }, [data, questionId]);
  return { of, error: data ? null : error, isPending: hasQuestion && isPending, refetch };
}

/** Shown when the URL names an item to which the submission does not belong. */
function Elsewhere({ kind, itemId, submissionId }: ItemId & { submissionId: number }) {
  const { t } = useTranslation();
  return (
    <div className="state">
      <h1>{t('This submission belongs to another quiz or homework')}</h1>
      <Link
        to="/grading/$kind/$itemId/submissions/$submissionId"
        params={{ kind, itemId, submissionId }}
        className="button"
      >
        {t('Open it there')}
      </Link>
    </div>
  );
}

/** Shown when the item no longer has the question in the URL. */
function QuestionGone({ kind, itemId, submissionId }: ItemId & { submissionId: number }) {
  const { t } = useTranslation();
  return (
    <div className="state">
      <h1>{t('This question was removed')}</h1>
      <Link
        to="/grading/$kind/$itemId/submissions/$submissionId"
        params={{ kind, itemId, submissionId }}
        className="button"
      >
        {t('Open the submission')}
      </Link>
    </div>
  );
}
