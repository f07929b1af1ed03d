import { useState } from 'react';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Check } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
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
  const { isBusy, error, submit } = useFormRequest();
  const [userId, setUserId] = useState<number>();
  const send = async (form: FormData) => {
    if (userId === undefined) return;
    const isPaid = form.get('paid') !== null;
    if (await submit(() => enroll({ courseId, userId }, isPaid).then(onChanged))) onClose();
  };
  return (
    <FormDialog
      title={t('Add a student')}
      action={t('Add')}
      isBusy={isBusy}
      error={error}
      isDisabled={userId === undefined}
      onSubmit={(form) => void send(form)}
      onClose={onClose}
    >
      <PersonPicker label={t('Student')} only="user" onChoose={(person) => setUserId(person?.id)} />
      <Check label={t('Has paid for the course and can see it')} name="paid" defaultChecked />
    </FormDialog>
  );
}

/** Sets whether a student has paid. The API does not return the current value. */
export function PaymentDialog({ courseId, student, onChanged, onClose }: StudentProps) {
  const { t } = useTranslation();
  const { isBusy, error, submit } = useFormRequest();
  const [isPaid, setPaid] = useState<boolean>();
  const send = async () => {
    if (isPaid === undefined) return;
    if (await submit(() => enroll({ courseId, userId: student.id }, isPaid).then(onChanged))) onClose();
  };
  const choices = [
    [true, t('Has paid and can see the course')],
    [false, t('Has not paid yet; the course is in their cart')],
  ] as const;
  return (
    <FormDialog
      title={t('Payment of {name}', { name: student.name })}
      action={t('Save')}
      isBusy={isBusy}
      error={error}
      isDisabled={isPaid === undefined}
      onSubmit={() => void send()}
      onClose={onClose}
    >
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
