import { useQueryClient } from '@tanstack/react-query';
import type { Kind } from '../../shared/api/workTypes.ts';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { lateText } from '../../shared/time/lateText.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { sheetKey } from '../queue/gradingQueries.ts';
import type { Detail } from '../queue/gradingTypes.ts';
import { useIsTeacher } from '../queue/itemQueries.ts';
import { waiveLateness } from '../queue/itemRequests.ts';

interface Props {
  kind: Kind;
  courseId: number | undefined;
  detail: Detail;
}

/** How late a submission is, and the deduction from the grade, which a teacher can waive. */
export function LateLine({ kind, courseId, detail }: Props) {
  const { t, formatNumber } = useTranslation();
  const queryClient = useQueryClient();
  const isTeacher = useIsTeacher(courseId);
  const { isBusy, error, submit } = useFormRequest();
  const { id, late_waived, final_grade } = detail;
  // While the services are being updated, a response from the previous version has no lateness.
  const late = detail.late ?? null;
  if (late === null && !late_waived) return null;

  const waive = (waived: boolean) =>
    void submit(async () => {
      queryClient.setQueryData(sheetKey(kind, id), await waiveLateness(kind, id, waived));
    });
  return (
    <div className="notice small late-line">
      {late === null ? (
        <span>{t('The late penalty is waived.')}</span>
      ) : (
        <span>
          {lateText(late, t)} ·{' '}
          {late.points === null
            ? t('{percent} % are taken from the grade', { percent: formatNumber(late.penalty_percent) })
            : t('{points} points taken', { points: formatNumber(late.points) })}
        </span>
      )}
      {late !== null && final_grade !== null && (
        <strong className="figures">{t('Final grade {grade}', { grade: formatNumber(final_grade) })}</strong>
      )}
      {isTeacher && (
        <BusyButton className="button" isBusy={isBusy} onPress={() => waive(late !== null)}>
          {late === null ? t('Restore the penalty') : t('Waive')}
        </BusyButton>
      )}
      <ErrorNotice text={error} />
    </div>
  );
}
