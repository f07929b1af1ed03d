import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { ItemBreadcrumb } from '../item/ItemBreadcrumb.tsx';
import { itemQuery, progressQuery } from '../queue/gradingQueries.ts';
import type { ItemId, Queue } from '../queue/gradingTypes.ts';
import type { Saves } from './useSaves.ts';

const QueueFinish = lazy(async () => ({ default: (await import('../item/QueueFinish.tsx')).QueueFinish }));

/** Each saved grade makes the list of items stale. Refetching it for every sheet would delay that sheet's frame. */
export const useItem = (item: ItemId) => useQuery({ ...itemQuery(item), refetchOnMount: false });

/** Shown once the last submission has been saved. Others may still be with other graders. */
export function Finish({ item: { questionId, ...item } }: { item: Queue }) {
  // Students may have handed in since the desk was opened.
  const { data: all } = useQuery({ ...progressQuery(item), staleTime: 0 });
  const ofQuestion = { ...progressQuery({ ...item, questionId }), staleTime: 0 };
  const { data: answers } = useQuery({ ...ofQuestion, enabled: questionId !== undefined });
  if (all && all.graded >= all.total)
    return (
      <Suspense fallback={null}>
        <QueueFinish item={item} />
      </Suspense>
    );
  return answers && answers.graded >= answers.total ? <QuestionFinish item={item} /> : null;
}

/** Shown when the answers to one question are graded, but not those to others. */
function QuestionFinish({ item }: { item: ItemId }) {
  const { t } = useTranslation();
  return (
    <p className="notice">
      <span>{t('All answers to this question are graded.')}</span>
      <Link to="/grading/$kind/$itemId" params={item} className="button">
        {t('Choose another question')}
      </Link>
    </p>
  );
}

interface StatusProps {
  item: Queue;
  saves: Saves;
  statusText: string;
  onUndo(): void;
  children: React.ReactNode;
}

/** The last saved grading, its undo button, and the number of graded submissions. */
export function DeskStatus({ item, saves, statusText, onUndo, children }: StatusProps) {
  const { t } = useTranslation();
  const about = useItem(item);
  const progress = useQuery(progressQuery(item));
  const status = [saves.statusText, statusText].filter((each) => each !== '');
  return (
    <div className="desk-status small">
      <ItemBreadcrumb item={{ kind: item.kind, itemId: item.itemId }} title={about.data?.title} />
      <div className="desk-status-text">
        <p role="status" className={saves.statusText === 'Saved' ? 'quiet' : ''}>
          {status.map((each) => t(each)).join(' · ')}
        </p>
        {saves.canUndo && (
          <Button className="text-button" aria-keyshortcuts="u" onPress={onUndo}>
            {t('Undo')}
          </Button>
        )}
      </div>
      {children}
      <p className="figures quiet">
        {progress.data &&
          t('{graded} of {total}', {
            graded: String(progress.data.graded),
            total: String(progress.data.total),
          })}
      </p>
    </div>
  );
}
