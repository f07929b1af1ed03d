import { Check, Choice, Field } from '../../shared/form/Field.tsx';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { roles } from '../searchParams.ts';
import { roleNames, type User } from './userTypes.ts';

interface Props {
  user?: User;
  /** Whether users edit their own account: they change the password elsewhere, with the current one. */
  isOwn?: boolean;
  errorOf(field: string): string | undefined;
}

/** The form fields of an account. */
export function UserFields({ user, isOwn = false, errorOf }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <div className="field-pair">
        <Field
          label={t('First name')}
          name="first_name"
          maxLength={255}
          defaultValue={user?.first_name}
          error={errorOf('first_name')}
        />
        <Field
          label={t('Last name')}
          name="last_name"
          maxLength={255}
          hint={t('May be empty for people with one name.')}
          defaultValue={user?.last_name}
          error={errorOf('last_name')}
        />
      </div>
      <div className="field-pair">
        <Field
          label={t('Email')}
          name="email"
          // With type email, browsers would rewrite addresses with non-Latin letters.
          inputMode="email"
          maxLength={255}
          defaultValue={user?.email ?? ''}
          error={errorOf('email')}
        />
        <Field
          label={t('Mobile number')}
          name="mobile"
          type="tel"
          maxLength={255}
          placeholder="+44 20 7946 0018"
          defaultValue={user?.mobile ?? ''}
          error={errorOf('mobile')}
        />
      </div>
      <div className="field-pair">
        <Choice
          label={t('Role')}
          name="role"
          defaultValue={user?.role ?? 'user'}
          options={roles.map((role) => [role, t(roleNames[role])] as const)}
          error={errorOf('role')}
        />
        {!isOwn && (
          <Field
            label={user ? t('New password') : t('Password')}
            name="password"
            type="password"
            maxLength={128}
            autoComplete="new-password"
            hint={user ? t('Ends all sessions of this person.') : t('At least 8 characters.')}
            error={errorOf('password')}
          />
        )}
      </div>
      <div className="checks">
        <Check label={t('Approved')} name="is_approved" defaultChecked={user?.is_approved ?? true} />
        <Check
          label={t('Email is verified')}
          name="is_verified"
          defaultChecked={user?.is_verified ?? false}
        />
        <Check
          label={t('Mobile number is verified')}
          name="is_verified_mobile"
          defaultChecked={user?.is_verified_mobile ?? false}
        />
      </div>
    </>
  );
}
