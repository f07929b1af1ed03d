import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import type { ItemId } from '../queue/gradingTypes.ts';
import { useItemRefresh } from '../queue/itemQueries.ts';
import { releaseGrades } from '../queue/itemRequests.ts';

interface Props {
  id: ItemId;
  /** The number of graded submissions. */
  graded: number;
  anonymous: boolean;
  /** Replaces the usual release with one that also saves other changes. */
  onRelease?: () => Promise<unknown>;
  onClose(): void;
}

/** Asks before students see their grades. */
export function ReleaseDialog({ id, graded, anonymous, onRelease, onClose }: Props) {
  const { t } = useTranslation();
  const refresh = useItemRefresh(id);
  const { dialog } = useDialogForm(onRelease ?? (() => releaseGrades(id).then(refresh)), onClose);
  return (
    <FormDialog title={t('Release the grades?')} action={t('Release grades')} {...dialog}>
      <p>
        {t(
          '{count, plural, =0 {No submission is graded yet. From now on, students see a grade as soon as it is saved.} one {# student will see the grade, with its comment and marks.} other {# students will see their grades, with comments and marks.}}',
          { count: graded },
        )}
      </p>
      {graded > 0 && <p className="quiet">{t('Grades that are saved later are visible immediately.')}</p>}
      {anonymous && <p className="quiet">{t('Graders will see the names of the students again.')}</p>}
    </FormDialog>
  );
}
