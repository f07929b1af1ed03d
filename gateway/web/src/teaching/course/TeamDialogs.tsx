import { ApiError } from '../../shared/api/apiError.ts';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { Choice, Field } from '../../shared/form/Field.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { assign, removeFromTeam } from '../records/teachingRequests.ts';
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

/** Adds an instructor by the number of the account: teachers cannot search the accounts of the school. */
export function AddMemberDialog({ courseId, onChanged, onClose }: Props) {
  const { t } = useTranslation();
  const save = async (form: FormData) => {
    const userId = Number(form.get('user_id'));
    await assign({ courseId, userId }, roleOf(form)).catch((error) => {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      const fields = { user_id: [t('No account has this number.')] };
      throw new ApiError(422, error.message, { fields });
    });
    await onChanged();
  };
  const { dialog, errorOf } = useDialogForm(save, onClose, ['user_id', 'role']);
  return (
    <FormDialog title={t('Add an instructor')} action={t('Add')} {...dialog}>
      <Field
        label={t('Account number')}
        name="user_id"
        inputMode="numeric"
        hint={t('The number of the account in the console. Ask an administrator for it.')}
        error={errorOf('user_id')}
        autoFocus
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
