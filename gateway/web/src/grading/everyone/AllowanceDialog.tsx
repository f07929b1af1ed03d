import { Button } from 'react-aria-components';
import { Check, Field, LongField, TimeField } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { fieldTimeOf, momentOf } from '../../shared/time/moment.ts';
import type { EveryoneRow, ItemId } from '../queue/gradingTypes.ts';
import { allowanceFields } from './allowanceFields.ts';
import { allow, removeAllowance } from './everyoneRequests.ts';

interface Props {
  item: ItemId;
  students: EveryoneRow[];
  after(request: Promise<void>): Promise<void>;
  onClose(): void;
}

const fields = ['closes_at', 'extra_minutes', 'excused', 'note'];

/** Gives students more time, or excuses them. For a single student, the dialog shows the current allowance. */
export function AllowanceDialog({ item, students, after, onClose }: Props) {
  const { t } = useTranslation();
  const ids = students.map(({ student }) => student.id);
  const [first] = students;
  const stored = students.length === 1 ? (first?.allowance ?? null) : null;
  const save = (form: FormData) => after(allow(item, ids, allowanceFields(form)));
  const { dialog, errorOf } = useDialogForm(save, onClose, fields);
  const removal = useDialogForm(() => after(removeAllowance(item, ids[0] ?? 0)), onClose);
  const closesAt = stored?.closes_at ?? null;
  return (
    <FormDialog
      title={
        students.length === 1
          ? t('More time for {name}', { name: first?.student.name ?? '' })
          : t('{count, plural, one {More time for # student} other {More time for # students}}', {
              count: students.length,
            })
      }
      action={t('Save')}
      isEdit
      {...dialog}
      error={dialog.error || removal.dialog.error}
    >
      {students.length > 1 && students.some(({ allowance }) => allowance !== null) && (
        <p className="notice small">{t('This replaces the extensions that some of them already have.')}</p>
      )}
      <TimeField
        label={t('New closing time')}
        name="closes_at"
        defaultValue={closesAt === null ? '' : fieldTimeOf(momentOf(closesAt))}
        isClearable={closesAt !== null}
        error={errorOf('closes_at')}
      />
      {item.kind === 'quizzes' && (
        <Field
          label={t('Extra minutes')}
          name="extra_minutes"
          inputMode="numeric"
          defaultValue={stored?.extra_minutes ? String(stored.extra_minutes) : ''}
          hint={t('Added to the minutes for an attempt.')}
          error={errorOf('extra_minutes')}
        />
      )}
      <Check label={t('Excused')} name="excused" defaultChecked={stored?.excused ?? false} />
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
            {t('Remove the extension')}
          </Button>
        </div>
      )}
    </FormDialog>
  );
}
