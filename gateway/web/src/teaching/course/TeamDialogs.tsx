import { useState } from 'react';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Choice } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { SearchPicker } from '../../shared/form/picker/SearchPicker.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { assign, findInstructors, removeFromTeam } from '../records/teachingRequests.ts';
import type { TeamMember, TeamRole } from '../records/teachingTypes.ts';
import { roleNames } from './roleNames.ts';

interface Props {
  courseId: number;
  onChanged(): Promise<void>;
  onClose(): void;
}

interface MemberProps extends Props {
  member: TeamMember;
}

const roleOf = (form: FormData) => String(form.get('role')) as TeamRole;

function RoleChoice({ stored, error }: { stored: TeamRole; error: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Choice
      label={t('Role')}
      name="role"
      defaultValue={stored}
      error={error}
      options={Object.entries(roleNames).map(([value, english]) => [value, t(english)] as const)}
    />
  );
}

/** Adds a colleague, who is found by name or email. */
export function AddMemberDialog({ courseId, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const [userId, setUserId] = useState<number>();
  const save =
    userId === undefined
      ? undefined
      : (form: FormData) => assign({ courseId, userId }, roleOf(form)).then(onChanged);
  const { dialog, errorOf } = useDialogForm(save, onClose, ['role']);
  return (
    <FormDialog title={t('Add an instructor')} action={t('Add')} {...dialog}>
      <SearchPicker
        label={t('Instructor')}
        placeholder={t('Name or email')}
        queryKey={['instructors']}
        search={findInstructors}
        minLength={2}
        onChoose={(person) => setUserId(person?.id)}
      />
      <RoleChoice stored="grader" error={errorOf('role')} />
    </FormDialog>
  );
}

export function RoleDialog({ courseId, member: { id, name, role }, onChanged, onClose }: MemberProps) {
  const { t } = useTranslation();
  const save = (form: FormData) => assign({ courseId, userId: id }, roleOf(form)).then(onChanged);
  const { dialog, errorOf } = useDialogForm(save, onClose, ['role']);
  return (
    <FormDialog title={t('Role of {name}', { name })} action={t('Save')} isEdit {...dialog}>
      <RoleChoice stored={role} error={errorOf('role')} />
    </FormDialog>
  );
}

export function RemoveMemberDialog({ courseId, member: { id, name }, onChanged, onClose }: MemberProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      title={t('Remove {name} from the course?', { name })}
      action={t('Remove')}
      onConfirm={() => removeFromTeam({ courseId, userId: id }).then(onChanged)}
      onClose={onClose}
    >
      <p>{t('This instructor can no longer see the course. Grades are kept.')}</p>
    </ConfirmDialog>
  );
}
