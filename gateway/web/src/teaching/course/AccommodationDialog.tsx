import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { Field, LongField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { LoadedDialog } from '../../shared/form/LoadedDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import {
  accommodationQuery,
  type CourseStudentId,
  removeAccommodation,
  setAccommodation,
} from '../records/accommodations.ts';
import type { Accommodation, CourseStudent } from '../records/teachingTypes.ts';

interface Props {
  courseId: number;
  student: CourseStudent;
  onClose(): void;
}

/** Gives a student more time in every quiz of a course. */
export function AccommodationDialog({ courseId, student: { id: studentId, name }, onClose }: Props) {
  const { t } = useTranslation();
  const student = { courseId, studentId };
  const title = t('Accommodation of {name}', { name });
  const stored = useQuery(accommodationQuery(student));
  return (
    <LoadedDialog query={stored} title={title} onClose={onClose}>
      {(accommodation) => (
        <EditDialog title={title} student={student} stored={accommodation} onClose={onClose} />
      )}
    </LoadedDialog>
  );
}

interface EditProps {
  title: string;
  student: CourseStudentId;
  stored: Accommodation | null;
  onClose(): void;
}

function EditDialog({ title, student, stored, onClose }: EditProps) {
  const { t } = useTranslation();
  const save = (form: FormData) => setAccommodation(student, form);
  const { dialog, errorOf } = useDialogForm(save, onClose, ['time_factor', 'note']);
  const removal = useDialogForm(() => removeAccommodation(student), onClose);
  return (
    <FormDialog
      title={title}
      action={t('Save')}
      isEdit={stored !== null}
      {...dialog}
      error={dialog.error || removal.dialog.error}
    >
      <p className="quiet">
        {t('The minutes of every quiz in this course are multiplied by the time factor.')}
      </p>
      <Field
        label={t('Time factor')}
        name="time_factor"
        inputMode="decimal"
        dir="ltr"
        defaultValue={stored ? String(stored.time_factor) : '1.5'}
        hint={t('From 1 to 4, such as 1.25 for a quarter more.')}
        error={errorOf('time_factor')}
        autoFocus
      />
      <LongField
        label={t('Note')}
        name="note"
        maxLength={1000}
        defaultValue={stored?.note ?? ''}
        hint={t('Students do not see it.')}
        error={errorOf('note')}
      />
      {stored && (
        <div>
          <Button className="button danger" onPress={() => removal.dialog.onSubmit(new FormData())}>
            {t('Remove the accommodation')}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
