import type { GradingItem } from '../../shared/api/workTypes.ts';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Field } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { AssignmentDialog } from './AssignmentDialog.tsx';
import { changeClass, createClass, deleteClass } from './courseRequests.ts';
import type { CourseClass } from './courseTypes.ts';
import { StoredItem } from './StoredItem.tsx';

export type OpenClassDialog =
  | { kind: 'new' }
  | { kind: 'rename' | 'delete' | 'homework'; each: CourseClass; assignment: GradingItem | undefined };

interface Props {
  courseId: number;
  open: OpenClassDialog | undefined;
  onChanged(): Promise<void>;
  onClose(): void;
}

/** Dialogs to create, rename and delete the classes of a course. */
export function ClassDialogs({ courseId, open, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  if (!open) return null;
  if (open.kind === 'new')
    return (
      <TitleDialog
        heading={t('New class')}
        action={t('Create')}
        onSave={(title) => createClass(courseId, title).then(onChanged)}
        onClose={onClose}
      />
    );
  const { each, assignment } = open;
  const { id, title } = each;
  if (open.kind === 'rename')
    return (
      <TitleDialog
        heading={t('Rename the class')}
        action={t('Save')}
        title={title}
        onSave={(next) => changeClass(id, next).then(onChanged)}
        onClose={onClose}
      />
    );
  if (open.kind === 'homework')
    return assignment ? (
      <StoredItem
        kind="homeworks"
        item={assignment}
        title={t('Homework of {title}', { title })}
        onClose={onClose}
      >
        {(stored) => (
          <AssignmentDialog each={each} assignment={stored} onChanged={onChanged} onClose={onClose} />
        )}
      </StoredItem>
    ) : (
      <AssignmentDialog each={each} assignment={undefined} onChanged={onChanged} onClose={onClose} />
    );
  return (
    <ConfirmDialog
      title={t('Delete {title}?', { title })}
      action={t('Delete the class')}
      onConfirm={() => deleteClass(id).then(onChanged)}
      onClose={onClose}
    >
      <p>
        {t(
          '{count, plural, =0 {No one has handed in homework.} one {Its homework, with # submission, is no longer shown.} other {Its homework, with # submissions, is no longer shown.}} Grades are kept. This cannot be undone.',
          { count: assignment?.submissions ?? 0 },
        )}
      </p>
    </ConfirmDialog>
  );
}

interface TitleProps {
  heading: string;
  action: string;
  title?: string;
  onSave(title: string): Promise<unknown>;
  onClose(): void;
}

function TitleDialog({ heading, action, title, onSave, onClose }: TitleProps) {
  const { t } = useTranslation();
  const save = (form: FormData) => onSave(String(form.get('title')).trim());
  const { dialog, errorOf } = useDialogForm(save, onClose, ['title']);
  return (
    <FormDialog title={heading} action={action} isEdit={title !== undefined} {...dialog}>
      <Field
        label={t('Title')}
        name="title"
        maxLength={255}
        defaultValue={title}
        error={errorOf('title')}
        autoFocus
      />
    </FormDialog>
  );
}
