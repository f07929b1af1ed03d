import { useState } from 'react';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Check } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { PersonPicker } from '../pickers/PersonPicker.tsx';
import { endEnrollment, enroll } from './courseRequests.ts';
import type { CoursePerson } from './courseTypes.ts';

interface Props {
  courseId: number;
  onChanged(): Promise<void>;
  onClose(): void;
}

interface StudentProps extends Props {
  student: CoursePerson;
}

export function AddStudentDialog({ courseId, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const [userId, setUserId] = useState<number>();
  const save =
    userId === undefined
      ? undefined
      : (form: FormData) => enroll({ courseId, userId }, form.get('paid') !== null).then(onChanged);
  const { dialog } = useDialogForm(save, onClose);
  return (
    <FormDialog title={t('Add a student')} action={t('Add')} {...dialog}>
      <PersonPicker label={t('Student')} only="user" onChoose={(person) => setUserId(person?.id)} />
      <Check label={t('Has paid for the course and can see it')} name="paid" defaultChecked />
    </FormDialog>
  );
}

/** Sets whether a student has paid. The API does not return the current value. */
export function PaymentDialog({ courseId, student, onChanged, onClose }: StudentProps) {
  const { t } = useTranslation();
  const [isPaid, setPaid] = useState<boolean>();
  const save =
    isPaid === undefined ? undefined : () => enroll({ courseId, userId: student.id }, isPaid).then(onChanged);
  const { dialog } = useDialogForm(save, onClose);
  const choices = [
    [true, t('Has paid and can see the course')],
    [false, t('Has not paid yet; the course is in their cart')],
  ] as const;
  return (
    <FormDialog title={t('Payment of {name}', { name: student.name })} action={t('Save')} {...dialog}>
      <fieldset className="checks" aria-label={t('Payment')}>
        {choices.map(([value, text]) => (
          <label key={text} className="check">
            <input type="radio" name="paid" checked={isPaid === value} onChange={() => setPaid(value)} />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

export function EndEnrollmentDialog({ courseId, student, onChanged, onClose }: StudentProps) {
  const { t } = useTranslation();
  const { id: userId, name } = student;
  return (
    <ConfirmDialog
      title={t('Remove {name} from the course?', { name })}
      action={t('Remove')}
      onConfirm={() => endEnrollment({ courseId, userId }).then(onChanged)}
      onClose={onClose}
    >
      <p>{t('This student can no longer see the course or hand in work. Grades are kept.')}</p>
    </ConfirmDialog>
  );
}
