import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { progressQuery } from '../queue/gradingQueries.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { useGradeNext } from './useGradeNext.ts';

/** Claims the next submission and opens it. */
export function GradeNext({ item }: { item: ItemId }) {
  const { t } = useTranslation();
  const progress = useQuery(progressQuery(item)).data;
  const isDone = progress !== undefined && progress.graded === progress.total;
  const { open, isBusy, statusText } = useGradeNext(item);
  return (
    <>
      <BusyButton className={isDone ? 'button' : 'button primary'} onPress={open} isBusy={isBusy}>
        {t('Grade next')}
      </BusyButton>
      <p role="status" className="grade-next-status small">
        {statusText}
      </p>
    </>
  );
}
